"""Claims as they may be stored: without private parts and secrets, their names and dates right."""

from __future__ import annotations

from dataclasses import replace

from vaultmem.documents import public_text
from vaultmem.errors import BadInput
from vaultmem.knowledge.cards import names
from vaultmem.knowledge.cards.types import OWN, REQUIRED, Claim, Text
from vaultmem.memory import remember
from vaultmem.records import TRUST_OF_SOURCE, iso, moment


def clean(claim: Claim) -> Claim:
    """Return *claim* without its private parts; raises SecretFound, and BadInput for no text."""
    where = f"the field {claim.field} of {claim.category}/{claim.key}"
    return replace(
        claim,
        person=_clean_line(claim.person, "person"),
        relationship=_clean_line(claim.relationship, "relationship"),
        backstory=remember.clean(claim.backstory, "the backstory").strip(),
        value=_clean_value(claim, where),
    )


def checked(claim: Claim) -> Claim:
    """Return *claim*, field and date as they are written; raises BadInput for what is none."""
    if claim.source not in TRUST_OF_SOURCE:
        raise BadInput(f"{public_text.shown(claim.source)!r} is not a source")
    field = claim.field if claim.field in OWN else names.field(claim.field)
    return replace(claim, field=field, at=iso(moment(claim.at)))


def _clean_line(text: str, what: str) -> str:
    return remember.one_line(remember.clean(text, f"the {what}"), what)


def _clean_value(claim: Claim, where: str) -> Text | None:
    if claim.value is None:
        return None
    if isinstance(claim.value, tuple):
        return tuple(remember.clean(item, where) for item in claim.value)
    value = remember.clean(claim.value, where)
    if claim.value.strip() and not value:
        raise BadInput(f"{where} is empty, or all of it is private: nothing was stored")
    if claim.field == "backstory":
        return value.strip()
    return remember.one_line(value, claim.field) if claim.field in REQUIRED else value
