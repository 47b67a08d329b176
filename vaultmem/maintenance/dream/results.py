"""What a dream planned, what was wanted of it, what was done, and what was undone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from vaultmem.maintenance.dream.types import Dream, Gate, Proposal
from vaultmem.storage.plan import Change

Overlay = Mapping[str, bytes | None]
Ask = Callable[[Overlay, Collection[str]], Gate]
"""Asks probes before and after changes, but none for the facts it is given: lost, or reworded."""


@dataclass(frozen=True, slots=True)
class Planned:
    """What a dream would do, and the note to review it in; *reason* says why there is none.

    *waits* names the review note of each proposal, by id: some may wait in an older one.
    """

    id: str = ""
    proposals: tuple[Proposal, ...] = ()
    losses: tuple[str, ...] = ()
    gate: Gate = field(default_factory=Gate)
    left: tuple[str, ...] = ()
    diff: str = ""
    note: str = ""
    commit: str | None = None
    reason: str = ""
    waits: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WaitingChange:
    """A proposal that nobody has answered, in a line, and what it would do, as lines of a diff."""

    proposal: Proposal
    headline: str
    diff: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpenReview:
    """A review note with changes that are neither done nor struck out, and which are ticked."""

    path: str
    dream: Dream
    changes: tuple[WaitingChange, ...]
    ticked: frozenset[str]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A change that was chosen and not made, and why."""

    id: str
    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Applied:
    """What was done of what was chosen, as operation *op*; why the rest was not.

    *declined* are the ids that were struck out, and noted for good now.
    """

    op: str = ""
    applied: tuple[Proposal, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    losses: tuple[str, ...] = ()
    gate: Gate = field(default_factory=Gate)
    diff: str = ""
    commit: str | None = None
    declined: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Undone:
    """Which dream was undone, by which operation, and what that did to files.

    *aside* are the notes of the inbox that have the older text of what could not be undone.
    """

    op: str
    undone: str
    changes: tuple[Change, ...]
    diff: str
    commit: str | None
    aside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Selection:
    """What shall be applied: what is ticked, or all, or single ids.

    *unasked*: a program chose the ids, and changes no line that a person ever wrote.
    """

    everything: bool = False
    protected: bool = False
    ids: frozenset[str] = frozenset()
    rested: float | None = None
    unasked: bool = False


def count(changes: int) -> str:
    """Return how many *changes* there are, in words."""
    return f"{changes} change{'s' * (changes != 1)}"
