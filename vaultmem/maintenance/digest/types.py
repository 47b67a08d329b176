"""The values of a digest: the period, what it is decided from, and what it says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal, NamedTuple

from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput
from vaultmem.maintenance.dream.review_note import Review
from vaultmem.records import Record, end_of, iso, moment
from vaultmem.storage import ulids
from vaultmem.storage.git import ABSENT, OP, Entry, Row
from vaultmem.storage.index.count_queries import MemoryBrief

_KIND = re.compile(r"[\w-]+")
_SPAN = re.compile(r"(\d{1,4})([hdw])", re.ASCII)
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
_WEEK = "7d"


@dataclass(frozen=True, slots=True)
class Period:
    """From when to when, both included."""

    since: datetime
    until: datetime

    def holds(self, when: datetime | None) -> bool:
        """Tell whether *when* is known and lies within."""
        return when is not None and self.since <= when <= self.until


def period(since: str, until: str, now: datetime) -> Period:
    """Return the period from *since* (`7d`, `2w`, `24h`, a date or a time) to *until* or *now*.

    Without *since* it is the last seven days. Raises BadInput for what is no time, or to come.
    """
    end = end_of(until) if until else now
    begin = _begin(since or _WEEK, end)
    if begin > end:
        raise BadInput(f"{quoted(since)} is still to come: name a time before {end:%Y-%m-%d %H:%M}")
    return Period(begin, end)


def _begin(since: str, end: datetime) -> datetime:
    try:
        span = _SPAN.fullmatch(since.strip())
        return end - int(span[1]) * _UNITS[span[2]] if span else moment(since)
    except (BadInput, OverflowError) as e:
        raise BadInput(
            f"{quoted(since)} is no time to begin at: write 7d, 2w, 24h, 2026-11-20 "
            "or 2026-11-20T10:15:00Z"
        ) from e


# --- what it is decided from ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Step:
    """One commit and what it did to the files of the vault."""

    entry: Entry
    rows: tuple[Row, ...]

    @property
    def op(self) -> str:
        """The operation it carries out; empty for what a person committed."""
        return self.trailer(OP)

    @property
    def kind(self) -> str:
        """The first word of an operation's subject: `compact`, `dream`, `undo`."""
        found = _KIND.match(self.entry.subject)
        return found[0] if found and self.op else ""

    @property
    def at(self) -> datetime:
        """When it was done: an operation's id tells, a commit may have had to wait."""
        if ulids.is_valid(self.op):
            return datetime.fromtimestamp(ulids.minted_at(self.op), UTC)
        return self.entry.when

    @property
    def when(self) -> str:
        """When it was done, as the vault writes times."""
        return iso(self.at)

    @property
    def commit(self) -> str:
        """Its id."""
        return self.entry.commit

    @property
    def subject(self) -> str:
        """The first line of its message."""
        return self.entry.subject

    @property
    def body(self) -> str:
        """The rest of its message, without trailers."""
        return self.entry.body

    @property
    def ops(self) -> tuple[str, ...]:
        """The operations it carries: a quiet batch has several."""
        return self.entry.ops

    def trailer(self, key: str) -> str:
        """Return what its trailer *key* says, "" without one."""
        return dict(self.entry.trailers).get(key, "")


def is_new(row: Row) -> bool:
    """Tell whether *row* made its file."""
    return row.old.mode == ABSENT


def is_gone(row: Row) -> bool:
    """Tell whether *row* took its file away."""
    return row.new.mode == ABSENT


class Net(NamedTuple):
    """What the commits of the period came to for one file: its first row, its last, and whose."""

    first: Row
    last: Row
    step: Step


def net(steps: Iterable[Step]) -> dict[str, Net]:
    """Return what *steps* (newest first) came to, by path."""
    found: dict[str, Net] = {}
    for step in steps:
        for row in step.rows:
            before = found.get(row.path)
            found[row.path] = before._replace(first=row) if before else Net(row, row, step)
    return found


def rewritten(steps: Iterable[Step]) -> dict[str, Net]:
    """Return the files that the program wrote again, by path; taking back is not writing."""
    ours = (step for step in steps if step.kind not in {"", "undo", "forget"})
    return {p: n for p, n in net(ours).items() if not is_new(n.first) and not is_gone(n.last)}


def removed(steps: Iterable[Step]) -> dict[str, Net]:
    """Return the files that are gone at the end of the period, by path."""
    return {path: it for path, it in net(steps).items() if is_gone(it.last)}


@dataclass(frozen=True, slots=True)
class Tombstone:
    """What marks a forgotten memory; *when* is None where its file does not say."""

    id: str
    path: str
    reason: str
    when: datetime | None


@dataclass(frozen=True, slots=True)
class Material:
    """All that a digest is decided from.

    *heard* are the period's memories and *foremost* those of them worth telling, with their text;
    *made* are its summaries, episodes, topics and cards; *texts* are files as commits had them, by
    blob id; *inbox*, *reviews* of dreams and *degraded* are of now, and so are the paths of what
    is *untrusted*.
    """

    period: Period
    heard: tuple[MemoryBrief, ...]
    foremost: tuple[Record, ...]
    made: tuple[Record, ...]
    steps: tuple[Step, ...]
    texts: Mapping[str, Record]
    line_counts: Mapping[tuple[str, str], tuple[int, int]]
    tombstones: tuple[Tombstone, ...]
    inbox: tuple[Record, ...]
    reviews: tuple[tuple[Record, Review], ...]
    degraded: tuple[Record, ...]
    untrusted: frozenset[str]
    degraded_reason: str | None


# --- what it says -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Memory:
    """A memory worth telling; *date* is when it was learnt, *said* when it was said."""

    id: str
    path: str
    date: str
    said: str
    agent: str
    speaker: str
    importance: float
    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """A new topic or card."""

    path: str
    date: str
    type: str
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """A decision, a preference or an open question of an episode."""

    path: str
    date: str
    text: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class SummaryBrief:
    """A short-term summary."""

    path: str
    date: str
    agent: str
    text: str


@dataclass(frozen=True, slots=True)
class Earlier:
    """What came in in the period and was said before it: an import of old talk.

    *first* and *last* are the days on which the memories were said.
    """

    memories: int = 0
    sessions: int = 0
    first: str = ""
    last: str = ""


@dataclass(frozen=True, slots=True)
class Counts:
    """How much was said and made in the period; *earlier* is what only came in in it.

    *untrusted* memories are counted and not shown.
    """

    memories: int
    by_agent: dict[str, int]
    untrusted: int
    sessions: int
    summaries: int
    episodes: int
    topics: int
    cards: int
    commits: int
    earlier: Earlier = Earlier()


@dataclass(frozen=True, slots=True)
class Learnt:
    """What is known now and was not before."""

    counts: Counts
    memories: tuple[Memory, ...]
    topics: tuple[Note, ...]
    decisions: tuple[Outcome, ...]
    preferences: tuple[Outcome, ...]
    summaries: tuple[SummaryBrief, ...]


@dataclass(frozen=True, slots=True)
class Correction:
    """What reads otherwise now; *added* and *removed* count lines of files, bullets of topics."""

    kind: Literal["edit", "summary", "topic", "correct"]
    path: str
    date: str
    text: str
    added: int = 0
    removed: int = 0
    op: str = ""


@dataclass(frozen=True, slots=True)
class Loss:
    """What is gone, never in its own words: a path or an id, and why."""

    kind: Literal["tombstone", "forget", "undo", "deleted"]
    date: str
    path: str
    id: str
    reason: str
    op: str = ""


@dataclass(frozen=True, slots=True)
class Proposed:
    """A dream that waits for a person: its review note, and how many of its changes do."""

    path: str
    date: str
    changes: int
    ticked: int


@dataclass(frozen=True, slots=True)
class Open:
    """What waits for somebody; *review* counts untrusted memories in the inbox."""

    questions: tuple[Outcome, ...]
    inbox: tuple[str, ...]
    review: int
    degraded: tuple[Outcome, ...]
    dreams: tuple[Proposed, ...] = ()


@dataclass(frozen=True, slots=True)
class Dream:
    """A dream that was carried out: how many changes of each kind, and each of them in a line.

    *undone* when it was undone since.
    """

    op: str
    date: str
    text: str
    trailers: dict[str, str]
    counts: dict[str, int]
    changes: tuple[str, ...]
    undone: bool


@dataclass(frozen=True, slots=True)
class Digest:
    """What was learnt, corrected and forgotten; *degraded_reason* says what could not be told."""

    since: str
    until: str
    learnt: Learnt
    corrected: tuple[Correction, ...]
    forgotten: tuple[Loss, ...]
    open: Open
    dreams: tuple[Dream, ...]
    degraded_reason: str | None
