"""Settle what disagrees about a card."""

from __future__ import annotations

from vaultmem.api.vault import Vault
from vaultmem.errors import BadInput
from vaultmem.web.types import Action, Done, Form, Options, one


def _resolve(vault: Vault, form: Form, _options: Options) -> Done:
    name, field, value = (one(form, key) for key in ("card", "field", "value"))
    if not (name and field):
        raise BadInput("name a card and a fact")
    vault.cards.resolve(name, {field: value or None})
    return Done(f"Settled: {field} is {value or 'nothing any more'}.", "/cards")


ACTIONS = (Action("card-resolve", _resolve),)
