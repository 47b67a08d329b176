"""Accept or drop what waits for review."""

from __future__ import annotations

from vaultmem.api.vault import Vault
from vaultmem.web.types import Action, Done, Form, Options, one


def _accept(vault: Vault, form: Form, _options: Options) -> Done:
    done = vault.reviews.accept([one(form, "path")])
    return Done("Accepted: it is recalled from now on.", "/review", done.op)


def _drop(vault: Vault, form: Form, _options: Options) -> Done:
    done = vault.reviews.drop([one(form, "path")])
    return Done("Dropped: git keeps it, nobody recalls it.", "/review", done.op)


ACTIONS = (Action("review-accept", _accept), Action("review-drop", _drop))
