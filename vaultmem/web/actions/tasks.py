"""Create tasks, and move them on."""

from __future__ import annotations

from vaultmem.api.vault import Vault
from vaultmem.web.types import Action, Done, Form, Options, one


def _create(vault: Vault, form: Form, _options: Options) -> Done:
    made = vault.tasks.create(one(form, "subject"), source="user")
    return Done(f"Added task {made.id}.", f"/tasks#task-{made.id}")


def _status(vault: Vault, form: Form, _options: Options) -> Done:
    made = vault.tasks.update(one(form, "task"), status=one(form, "status"), source="user")
    said = f"Task {made.id} is {made.status.replace('_', ' ')}."
    return Done(said, f"/tasks#task-{made.id}")


ACTIONS = (Action("task-create", _create), Action("task-status", _status))
