"""What is asked of cards, what is about to happen to them, and what became of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from vaultmem.cards import waiting
from vaultmem.cards.model import Claim, Conflict, Json, Policy, Strategy
from vaultmem.cards.reading import Card
from vaultmem.errors import BadInput, Refused, Unreadable
from vaultmem.memory import remember
from vaultmem.storage.plan import Change

CANNOT = (BadInput, Refused, Unreadable)
"""What keeps one card from being written, and leaves others alone."""


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a card: the *card* as it is now, what *changed* in it, and what waits.

    *waits* is the note or, in the inbox, the whole card that waits for a person; *commit* is None
    when nothing changed, or while git has not got it yet.
    """

    name: str
    path: str
    card: Mapping[str, Json]
    changed: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    waits: str = ""
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """A card in a list; *waiting* counts the facts about which claims disagree.

    *problem* says why the file cannot be trusted, "" when it can.
    """

    name: str
    path: str
    title: str
    person: str
    relationship: str
    description: str
    trust: str
    waiting: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of many claims: the cards that changed or wait, and what was *left*, and why."""

    written: tuple[Written, ...]
    left: tuple[str, ...] = ()
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class Loaded:
    """What an import did: cards made or patched, notes remembered, what was known already."""

    cards: tuple[Written, ...] = ()
    remembered: int = 0
    skipped: int = 0
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of one card; *settled* are the facts that a person decides by it."""

    name: str
    claims: Callable[[Card | None], Sequence[Claim]]
    strategy: Strategy | None = None
    policies: Mapping[str, Policy] | None = None
    create: bool = False
    settled: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Draft:
    """What is about to happen to one card: its old and new bytes, and those of its note.

    The note at *note* *was* so, and shall be *noted* so; without bytes there is none.
    """

    name: str
    path: str
    old: bytes | None
    new: bytes | None
    changed: tuple[str, ...]
    conflicts: tuple[Conflict, ...]
    note: str
    was: bytes
    noted: bytes
    trust: str

    @property
    def changes(self) -> tuple[Change, ...]:
        """The files that change."""
        what = ", ".join(self.changed) or "its policies"
        mine = Change(self.path, self.old, self.new, f"{self.name}: {what}")
        claims = f"claims about {self.path} that disagree"
        note = Change(self.note, self.was or None, self.noted or None, claims)
        return (
            *((mine,) if self.new is not None else ()),
            *((note,) if self.was != self.noted else ()),
        )

    @property
    def waits(self) -> str:
        """Where something of it waits for a person."""
        if self.path.startswith(remember.REVIEW):
            return self.path
        return self.note if waiting.boxes(self.noted) else ""
