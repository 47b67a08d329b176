"""Ask one vault, at one time, for the records of one agent; what is not trusted never comes out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from vaultmem.documents import frontmatter
from vaultmem.documents.frontmatter import Value
from vaultmem.errors import BadInput, DiskRefused, Refused, Unreadable
from vaultmem.records import Record, is_trusted, moment
from vaultmem.retrieval.context import items
from vaultmem.retrieval.context.items import Piece, over, printed, stale
from vaultmem.storage.index import Filter, Index
from vaultmem.storage.store import Store
from vaultmem.storage.turn_index import TurnIndex
from vaultmem.storage.turn_names import TYPE

_UNREADABLE = (OSError, Refused, DiskRefused)
_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Reader:
    """One look into the vault at *store*, for *agent*, at the time *now*."""

    store: Store
    agent: str
    now: datetime
    turns: TurnIndex | None = None
    """What was said in sessions, where that is looked up, too."""
    asking_session: str = ""
    """The session that asks, of which nothing is looked up: it knows what it said."""

    def index_of(self, record: Record) -> Index:
        """Return the index that has *record*."""
        return self.turns if self.turns and record.type == TYPE else self.store.index

    def records(self, where: Filter, *, newest: int | None = None) -> list[Record]:
        """Return the records that *where* means and that may be told, in time; or the *newest*."""
        return self.store.index.records(
            replace(where, recallable=True, trusted=True), newest=newest
        )

    def all_within(self, where: Filter, words: int) -> list[Record] | None:
        """Return the records that *where* means and that may be told; None beyond so many words."""
        told = replace(where, recallable=True, trusted=True)
        if self.store.index.has_more_words(told, words):
            return None
        return self.store.index.records(told)

    def own(self, name: str) -> list[Record]:
        """Return the agent's own file of that *name*, if it may be told."""
        return list(self.by_path([f"agents/{self.agent}/{name}"]).values())

    def head(self, record: Record) -> Mapping[str, Value]:
        """Return the frontmatter of the file of *record*; nothing where it cannot be read now."""
        try:
            data = self.store.texts.read(record.path)
            return frontmatter.fields(frontmatter.read(data or b""))
        except (*_UNREADABLE, Unreadable):
            return {}

    @property
    def ours(self) -> Filter:
        """What may be told and is the agent's or nobody's."""
        return Filter(agent=("", self.agent), recallable=True, trusted=True)

    def by_path(self, paths: Iterable[str]) -> Mapping[str, Record]:
        """Return the records at *paths* that may be told."""
        wanted = [*paths]
        found = self.store.index.at(wanted)
        if self.turns:
            found += self.turns.at(wanted)
        return {r.path: r for r in found if may_be_told(r)}

    def has(self, kind: str) -> bool:
        """Tell whether the agent has anything of a type: looking in vain costs as much as else."""
        return self.store.index.has(Filter(type=kind, agent=self.agent))

    def still(self, record: Record) -> bool:
        """Tell whether the file has the bytes that *record* was read from."""
        try:
            return self.store.exists(record.path, record.sha)
        except _UNREADABLE:
            return False

    def anew(self, record: Record) -> Record | None:
        """Return *record* as its file has it now, None when it is gone.

        Unreadable is not gone: such a file says what it said last.
        """
        try:
            now = self.store.texts.load(record)
        except _UNREADABLE:
            return record
        return None if now is record else now

    def holds(self, record: Record) -> bool:
        """Tell whether *record* is true at this time, as far as it says."""
        return not over(record, self.now)

    def days(self, record: Record) -> float:
        """Return how many days old *record* is; none when it does not say."""
        try:
            return (self.now - moment(record.created)).total_seconds() / _DAY
        except BadInput:
            return 0.0

    def piece(self, record: Record, **marks: str) -> Piece:
        """Print *record* with *marks*, and with the state of a fact whose time is over."""
        return printed(record, {"state": self._state(record), **marks})

    def turn(self, record: Record, follows: str = "", *, brief: bool = False) -> Piece:
        """Print *record*: a memory as a line beside others, unless there is more to say of it.

        *follows* is the path of the turn right before it, "" where that is not known; of when it
        was said a *brief* line tells the day.
        """
        is_line = record.type in {"memory", TYPE} and not self._state(record)
        return items.turn(record, follows, brief=brief) if is_line else self.piece(record)

    def talk(self, records: Sequence[Record]) -> tuple[Piece, ...]:
        """Print *records* as they were said one after another."""
        above = [None, *records]
        return tuple(
            self.turn(r, a.path if a and a.session == r.session else "")
            for a, r in zip(above, records, strict=False)
        )

    def _state(self, record: Record) -> str:
        return over(record, self.now) or stale(record, self.now)

    def pieces(self, records: Iterable[Record]) -> tuple[Piece, ...]:
        """Print *records*."""
        return tuple(map(self.piece, records))


def may_be_told(record: Record) -> bool:
    """Tell whether *record* may stand in a context without being asked for.

    Untrusted text waits for a person, and for an explicit question; what waits in the inbox is
    nobody's yet, whosoever it says it is.
    """
    return is_trusted(record) and record.recallable
