"""The values of a dream: facts of notes, edits of lines, proposals, and the plan they make."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from vaultmem.records import Record

FactKind = Literal["bullet", "prose", "code", "pointer"]

Op = Literal[
    "merge",  # a fact that stands twice stands once
    "correct",  # put right in place: a date, a contradiction
    "delete",  # stale, or wrong
    "move",  # to where it belongs
    "split",  # a note that is too long
    "promote",  # of a memory or an episode into a topic
    "abstract",  # what many memories have in common, into a topic
    "link",  # mended or added
    "archive",  # memories that nobody has asked for
    "supersede",  # what somebody said later, of the same
    "card",  # made or patched
    "skill",  # a way of working that proved itself
]

_OF_A_MOMENT = re.compile(r"^(?:id|created|updated|date_created): [^\n]*\n", re.MULTILINE)


def key(text: str) -> str:
    """Return what makes two facts the same to the letter: words and digits alone, in lower case."""
    return " ".join(re.findall(r"\w+", text.casefold()))


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing a file says: a bullet with what is nested in it, a line of prose, a line of code.

    *lines* are the raw lines of the file, without their ends, from the 0-based line *at* on.
    *text* is what they say on one line, without bullet and sources; *section* is the heading above,
    in lower case; *sources* are wikilink targets.
    """

    path: str
    at: int
    lines: tuple[str, ...]
    text: str
    kind: FactKind = "bullet"
    section: str = ""
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """A file as a dream sees it: its record, its lines without their ends, and its facts.

    A *fixed* one may be read and is never changed: it is pinned, read-only, raw, or rebuilt by
    the program anyway. *eol* is how its lines end.
    """

    record: Record
    lines: tuple[str, ...]
    facts: tuple[Fact, ...]
    sha: str
    fixed: bool = False
    eol: str = "\n"

    @property
    def path(self) -> str:
        """Where the file lies."""
        return self.record.path


@dataclass(frozen=True, slots=True)
class Used:
    """How often something was found, by how many distinct questions, and when last (ISO 8601)."""

    count: int
    questions: int
    last: str


@dataclass(frozen=True, slots=True)
class Cluster:
    """Memories, by their places in time, that share a *term*.

    *related* are the words that they share beside it, each by its share of them; *strength* tells
    how much they have in common.
    """

    term: str
    members: Sequence[int]
    related: Mapping[str, float]
    strength: float


@dataclass(frozen=True, slots=True)
class Subjects:
    """The *clusters* of an agent's memories, the strongest first, none mostly within another.

    *docs* are the numbers of all these memories in order of time, *places* say where each was said:
    in a session, else on a day, *quotable* which of them has a sentence to be quoted. *new* are the
    numbers of those that came since the last dream, None for all. *load* reads memories by number.
    """

    clusters: tuple[Cluster, ...]
    docs: Sequence[int]
    places: Sequence[int]
    quotable: Sequence[int]
    new: Container[int] | None
    load: Callable[[Collection[int]], Iterable[tuple[int, Record]]]

    def read(self, members: Iterable[int]) -> Iterator[tuple[int, Record]]:
        """Yield *members* with what they say, but those that are gone."""
        at = {self.docs[place]: place for place in members}
        yield from ((at[doc], record) for doc, record in self.load(at))

    def is_new(self, members: Iterable[int]) -> bool:
        """Tell whether one of *members* was learnt since the last dream, whenever it was said."""
        return self.new is None or any(self.docs[at] in self.new for at in members)

    def sessions(self, members: Iterable[int]) -> int:
        """Return in how many sessions or days *members* were said."""
        return len({self.places[at] for at in members})


@dataclass(frozen=True, slots=True)
class Retention:
    """When what is old may go.

    Memories that nobody recalled for *max_age_days*, and of more than *max_episodes* of an agent
    those that are older than that.
    """

    max_age_days: int = 90
    max_episodes: int = 1_000


@dataclass(frozen=True, slots=True)
class Seen:
    """All of a vault that a dream looks at, at one moment.

    *notes* are the files that may be cleaned up: topics, cards, notes, skills, `MEMORY.md`.
    *memories* and *episodes* are records with their bodies, in order; of a real vault's memories
    those alone that a detector may have something to say of (`candidates`), and then *subjects*
    tells what all of them are about, *told* how many of all say a piece. *paths* are all files of
    the vault, whatever they are, but memories that nothing names; *uses* count what recall found,
    by id or else path; *since* is the time of the last dream, "" before the first. *days* says
    when lines of notes that do not say so were written (ISO 8601), by path and line. *instructions*
    are the files that tell agents what to do, of the vault and of the project around it; no dream
    changes them.
    """

    notes: tuple[Note, ...]
    memories: tuple[Record, ...]
    episodes: tuple[Record, ...]
    paths: frozenset[str]
    now: datetime
    since: str = ""
    uses: Mapping[str, Used] = field(default_factory=dict)
    retention: Retention = Retention()
    days: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    instructions: tuple[Note, ...] = ()
    subjects: Callable[[], tuple[Subjects, ...]] | None = None
    told: Callable[[str], int] | None = None


@dataclass(frozen=True, slots=True)
class Lines:
    """Replace the lines *old*, which stood at the 0-based line *at*, by *new*.

    It fits as long as *old* stands somewhere, one line after the other; of several places the one
    nearest to *at* is meant. To insert, *old* is the line above (or below) and *new* has it, too.
    """

    path: str
    at: int
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Make:
    """Make a new file; it fits as long as there is none."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove a file; it fits as long as its bytes are those with *sha*."""

    path: str
    sha: str


@dataclass(frozen=True, slots=True)
class Move:
    """Move a file as it is; it fits as long as its bytes have *sha*, and nothing is at *to*."""

    path: str
    to: str
    sha: str


Edit = Lines | Make | Remove | Move


def _timeless(edit: Edit) -> Edit:
    """Return *edit* without the line it stands at, and without when and as what a file is made."""
    if isinstance(edit, Lines):
        return replace(edit, at=0)
    return replace(edit, text=_OF_A_MOMENT.sub("", edit.text)) if isinstance(edit, Make) else edit


@dataclass(frozen=True, slots=True)
class Kept:
    """A fact that goes, and where what it says stays: the text of another fact, whole."""

    gone: str
    stays: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """One change that makes sense by itself: its edits are made together or not at all.

    *path* is the file that it is mainly about; *sources* are the paths or wikilink targets that it
    rests on. Every fact whose words it takes away is in *kept*, *losses*, or stands elsewhere to
    the letter. *by* names the model that proposed it, "" for the program; *protected* says that it
    touches what a person wrote since the last dream; *offered*, that it rests on nothing that came
    since then, so that it could be had before; *contradiction*, that what it changes was
    contradicted; *doubtful*, by something that is trusted less, or not dated. *nth* tells those of
    a plan apart that read the same, as for a line that stands three times.
    """

    op: Op
    path: str
    reason: str
    edits: tuple[Edit, ...]
    sources: tuple[str, ...] = ()
    kept: tuple[Kept, ...] = ()
    losses: tuple[str, ...] = ()
    by: str = ""
    protected: bool = False
    offered: bool = False
    nth: int = 0
    contradiction: bool = False
    doubtful: bool = False

    @property
    def id(self) -> str:
        """What names it in a review: the same proposal has the same id on every machine.

        It keeps its id when the lines it is about move within their file, and from day to day.
        """
        edits = tuple(map(_timeless, self.edits))
        content = repr((self.op, self.path, edits, self.nth)).encode()
        return hashlib.sha256(content).hexdigest()[:8]

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that it touches, in order."""
        return tuple(dict.fromkeys(edit.path for edit in self.edits))


@dataclass(frozen=True, slots=True)
class Gate:
    """The share of probes that recall answers, before and after; None when nothing was asked."""

    before: float | None = None
    after: float | None = None
    probes: int = 0


@dataclass(frozen=True, slots=True)
class Dream:
    """A plan: what is proposed, in an order in which all of it fits, and what that would do.

    *left* says what was found and not proposed now, and why.
    """

    id: str
    made: str
    proposals: tuple[Proposal, ...]
    losses: tuple[str, ...] = ()
    gate: Gate = Gate()
    left: tuple[str, ...] = ()
