"""People: their cards, what is said against a fact and by whom, and how they belong together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from vaultmem.api.types import Record
from vaultmem.api.views.types import ViewedCard
from vaultmem.errors import Unreadable
from vaultmem.web.pages import since
from vaultmem.web.rendering import relations
from vaultmem.web.rendering.relations import Relations
from vaultmem.web.types import Asked, Page, Reader

_DRAWN, _TIES = 40, 120
_SPEAKER = "speaker"
"""What a card says of somebody who is known by talking, and is nobody's relation."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person or thing, and the cards about it."""

    name: str
    relationship: str
    cards: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class Cards:
    """The people, those cards on which claims disagree, and the drawing of who is whose what.

    *since* tells, in the past, what became of them.
    """

    people: tuple[Person, ...]
    contested: tuple[ViewedCard, ...]
    relations: Relations
    since: Mapping[str, str]


def query(reader: Reader, asked: Asked) -> Cards:
    """Return the people of whom there are cards, by name."""
    records = [r for r in reader.view.records("card") if r.path.startswith("cards/")]
    records.sort(key=lambda r: (_name(r).casefold(), r.path))
    people = tuple(
        Person(name, _relationship(cards), cards)
        for name, group in groupby(records, key=_name)
        if (cards := tuple(group))
    )
    shown = {p.name: p.cards[0].path for p in people[:_DRAWN]}
    known = [it for it in reader.view.relations() if not it.one or it.one in shown]
    drawn = relations.drawn(shown, known[:_TIES])
    return Cards(
        people,
        tuple(_contested(reader)),
        drawn,
        since.told(reader, asked, [r.path for r in records]),
    )


def _name(record: Record) -> str:
    return record.person or record.title or record.stem


def _relationship(cards: Sequence[Record]) -> str:
    told = (r.relationship for r in cards if r.relationship not in {"", _SPEAKER})
    return next(told, "")


def _contested(reader: Reader) -> Sequence[ViewedCard]:
    found = []
    for path in reader.view.contested():
        try:
            card = reader.view.card(path)
        except Unreadable:
            continue
        if card.doubts:
            found.append(card)
    return found


PAGE = Page("/cards", "People", "cards.html", query)
