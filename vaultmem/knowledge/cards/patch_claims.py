"""From what a patch asks of a card to its claims, one an attribute, checked before."""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput
from vaultmem.knowledge.cards import flat_json, names
from vaultmem.knowledge.cards.parser import Card
from vaultmem.knowledge.cards.types import DATES, OWN, REQUIRED, Claim, Patch, Text
from vaultmem.records import moment


def claims(patch: Patch, name: str, card: Card | None) -> list[Claim]:
    """Return what *patch* says of the *card* called *name*, one claim an attribute.

    Raises BadInput for what no card can hold.
    """
    held = card.attributes if card else {}
    fields = {names.field(key): value for key, value in flat_json.flatten(patch.fields).items()}
    _refuse_doubles(fields)
    gone = [*patch.unset, *(key for key, value in fields.items() if value is None)]
    values: dict[str, Text | None] = {key: None for field in gone for key in _below(field, held)}
    values |= {key: value for key in OWN if (value := getattr(patch, key))}
    values |= {key: value for key, value in fields.items() if value is not None}
    _check_own(values)
    category, key = names.split(name)
    about = (patch.person, patch.relationship, category, key)
    return [Claim(*about, f, v, patch.backstory, patch.source, patch.at) for f, v in values.items()]


def _refuse_doubles(told: Mapping[str, object]) -> None:
    spelled: dict[str, str] = {}
    for key in told:
        if (other := spelled.setdefault(key.casefold(), key)) != key:
            raise BadInput(
                f"{quoted(other)} and {quoted(key)} are one property for Obsidian: keep one"
            )


def _below(field: str, held: Mapping[str, Text]) -> list[str]:
    """Return the attributes that *field* names: itself, and all below it."""
    name = field.casefold()
    if name in REQUIRED:
        raise BadInput(f"every card needs its {name}: give another instead of none")
    found = [k for k in held if k.casefold() == name or k.casefold().startswith(f"{name}.")]
    return [key for key in found if key not in REQUIRED]


def _check_own(said: Mapping[str, Text | None]) -> None:
    for key in OWN:
        value = said.get(key)
        if value is not None and not isinstance(value, str):
            raise BadInput(f"{key} holds one text, not a list")
        if value and key in DATES:
            moment(value)
