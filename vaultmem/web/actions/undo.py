"""Undo an operation."""

from __future__ import annotations

from vaultmem.api.rendering import undo_uncommitted
from vaultmem.api.vault import Vault
from vaultmem.web.types import Action, Done, Form, Options, one


def _undo(vault: Vault, form: Form, options: Options) -> Done:
    op = one(form, "op")
    if options.agent:
        vault.history.require_operation(op, options.agent)
    plan, _ = vault.undo(op)
    aside = f" Your newer text is kept in {', '.join(plan.aside)}." if plan.aside else ""
    why = undo_uncommitted(plan.unreached)
    left = f" But {why}." if why else ""
    return Done(f"Undone.{aside}{left}", "/history", plan.op)


ACTIONS = (Action("undo", _undo),)
