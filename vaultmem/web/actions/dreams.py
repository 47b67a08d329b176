"""Plan dreams, tick their changes, apply them, strike them out."""

from __future__ import annotations

from vaultmem.api.rendering import gate_sentence
from vaultmem.api.types import Applied
from vaultmem.api.vault import Vault
from vaultmem.errors import BadInput
from vaultmem.web.types import Action, Done, Form, Options, one

_HERE = "/dreams"


def _plan(vault: Vault, _form: Form, _options: Options) -> Done:
    planned = vault.dream()
    if not planned.proposals:
        return Done(f"Nothing to propose: {planned.reason or 'everything is in order'}.", _HERE)
    return Done(f"Proposed {_changes(len(planned.proposals))}.", _HERE)


def _tick(vault: Vault, form: Form, _options: Options) -> Done:
    """Let the boxes of the note *ids* be as those *change* say."""
    wanted, shown = set(form.get("change", ())), set(form.get("shown", ()))
    if on := shown & wanted:
        vault.dreams.tick(on, on=True)
    if off := shown - wanted:
        vault.dreams.tick(off, on=False)
    return Done("The ticks are kept in the note.", _HERE)


def _apply(vault: Vault, form: Form, _options: Options) -> Done:
    chosen = [it for it in form.get("change", ()) if it]
    if not chosen:
        raise BadInput("nothing is ticked: tick the changes that you want")
    done = vault.dreams.apply(ids=chosen)
    return Done(_said(done), _HERE, done.op)


def _said(done: Applied) -> str:
    told = f"Applied {_changes(len(done.applied))}. {gate_sentence(done.gate)}."
    left = " ".join(f"Left out: {it.reason}." for it in done.skipped)
    return f"{told} {left}".strip()


def _decline(vault: Vault, form: Form, _options: Options) -> Done:
    vault.dreams.decline({one(form, "id"): one(form, "remark")})
    return Done("Declined: no dream will propose it again.", _HERE)


def _changes(count: int) -> str:
    return f"{count} change{'s' * (count != 1)}"


ACTIONS = (
    Action("dream-plan", _plan), Action("dream-tick", _tick), Action("dream-apply", _apply),
    Action("dream-decline", _decline),
)  # fmt: skip
