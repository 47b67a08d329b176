"""How an import goes about it, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from datetime import datetime

from vaultmem.config import agent_name
from vaultmem.errors import BadInput, SwitchedOff
from vaultmem.exchange.formats.types import Option
from vaultmem.storage import tombstones
from vaultmem.storage.store import Store
from vaultmem.storage.tombstones import Tombstone

Progress = Callable[[int], None]

KNOWN = "imported before"
KNOWN_WITHOUT = (
    "imported before, and what was forgotten of it is not here: once that import is undone, it "
    "comes in whole"
)
"""Why something is left out, in whatever form it comes."""

MOST_REASONS = 40
_MANY = "other reasons"


@dataclass(frozen=True, slots=True)
class Settings:
    """How files are taken in: for whom, when undated, which format, what to do with bad pieces.

    *all_branches* tells what was edited or answered again, too. Of notes, *reference* points at
    the file instead of copying it, *prune* removes unchanged copies of what is gone. *dry_run*
    writes nothing. With *keep_agents* what another vault exported stays whose it was there.
    """

    agent: str
    now: datetime
    redact: bool = False
    skip_bad: bool = False
    form: str = "jsonl"
    all_branches: bool = False
    reference: bool = False
    prune: bool = False
    dry_run: bool = False
    keep_agents: bool = False

    def agent_of(self, named: str) -> str:
        """Return whose it becomes where a file says it was that of the one who is *named*."""
        if self.keep_agents:
            with suppress(BadInput):  # where a name is none, nobody here has it
                return agent_name(named)
        return self.agent

    def has(self, option: Option) -> bool:
        """Tell whether *option* of a format was asked for."""
        return bool(getattr(self, option.name))


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something was left out, or is remarked on, how often, and *where* first."""

    why: str
    count: int
    where: str


@dataclass(frozen=True, slots=True)
class Imported:
    """How many pieces were imported, were known or are none of ours, were bad; the operation.

    Of what came before, *updated* changed at its source, and *removed* notes are gone from there.
    *remarks* tell what came in and is not as it was there. Where messages came, too, *notes* of
    what was imported are notes; where memories came, too, *turns* are turns of sessions, and
    where turns came, too, *memories* are memories. *agents* are those who got memories or turns.
    """

    imported: int
    skipped: int
    failed: int
    op: str
    skipped_because: tuple[Reason, ...] = ()
    failed_because: tuple[Reason, ...] = ()
    updated: int = 0
    removed: int = 0
    remarks: tuple[Reason, ...] = ()
    notes: int = 0
    turns: int = 0
    memories: int = 0
    agents: tuple[str, ...] = ()

    def with_notes(self, notes: Imported) -> Imported:
        """Return both together, as one operation."""
        names = [each.name for each in fields(self) if each.name != "op"]
        both = {name: getattr(self, name) + getattr(notes, name) for name in names}
        return replace(self, **both | {"notes": self.notes + notes.imported})


@dataclass(slots=True)
class Tally:
    """Counts of reasons; of a crowd of different ones only the first are told apart."""

    counts: Counter[str] = field(default_factory=Counter)
    places: dict[str, str] = field(default_factory=dict)

    def add(self, why: str, where: str) -> None:
        """Note one more that was left out."""
        if why not in self.counts and len(self.counts) >= MOST_REASONS:
            why = _MANY
        self.counts[why] += 1
        self.places.setdefault(why, where)

    @property
    def total(self) -> int:
        """How many were noted."""
        return self.counts.total()

    def reasons(self) -> tuple[Reason, ...]:
        """Return the reasons, the most frequent first."""
        return tuple(Reason(why, n, self.places[why]) for why, n in self.counts.most_common())


def why_forgotten(tombstone: Tombstone) -> str:
    """Say why something is left out that *tombstone* stands for, and what lets it in again."""
    return f"it was forgotten: {tombstones.way_back(tombstone)}"


def what_was_forgotten(tombstone: Tombstone) -> str:
    """Say that something came in without the passages that *tombstone* stands for."""
    way = tombstones.way_back(tombstone)
    return f"it came in without what was forgotten: {way}, once this import is undone"


def refuse_off(store: Store, settings: Settings) -> None:
    """Raise SwitchedOff when the config switches the agent off."""
    if settings.agent in store.config().disabled_agents:
        raise SwitchedOff("agent", settings.agent)


def result(op: str, imported: int, skipped: Tally, failed: Tally) -> Imported:
    """Return what the operation *op* came to."""
    return Imported(imported, skipped.total, failed.total, op, skipped.reasons(), failed.reasons())
