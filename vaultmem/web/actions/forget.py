"""Forget something, once that is confirmed by typing, and show the receipt."""

from __future__ import annotations

from vaultmem.api.types import Forgotten
from vaultmem.api.vault import Vault
from vaultmem.errors import BadInput, Refused
from vaultmem.web.pages.forget import WORD
from vaultmem.web.types import Action, Asked, Done, Form, Options, Page, Reader, one


def _nothing(_reader: Reader, _asked: Asked) -> Forgotten | None:
    return None


_RECEIPT = Page("/do/forget", "Forgotten", "receipt.html", _nothing)


def _forget(vault: Vault, form: Form, options: Options) -> Done:
    ref, typed = one(form, "ref"), one(form, "typed").strip().casefold()
    if typed != WORD:
        raise BadInput(f"nothing was forgotten: type {WORD!r} to confirm")
    if options.agent:
        with vault.views.at(agent=options.agent) as view:
            view.file(ref)
    if vault.forgetting.is_final:
        raise Refused(
            "nothing here keeps a history, so this would be for good: use `vaultmem forget`"
        )
    done = vault.forget(ref, reason=one(form, "reason"))
    return Done("", page=_RECEIPT, model=done)


ACTIONS = (Action("forget", _forget),)
