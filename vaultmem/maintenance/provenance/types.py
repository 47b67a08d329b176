"""What `why` answers: a chain of links, from derived to raw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from vaultmem.records import Record

Kind = Literal[
    "summary", "episode", "topic", "card", "skill", "note", "memory", "turn", "said", "derived",
    "commit", "gone", "accepted",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Link:
    """One thing that the one above it (of less *depth*) rests on.

    *text* is a line of it; *by* is who wrote or said it; *lines* and *turn* count from 1, 0 where
    there is none to name. *commit* is the one that wrote that line, or made the file what it is,
    None while git has not got it. *more* counts what it rests on beside what is shown. A fact of a
    card that no memory stands behind was *said*, one that follows from who said it is *derived*; a
    source that is *gone* says why.
    An *archived* memory was put away: it is kept, and not recalled.
    What a memory said when it was *accepted* stands below what somebody made of it since.
    *spans* says where in *text* words of the line that is asked about stand, from and to a
    character. *supported* tells whether what was said bears the line out: None where it is not
    known, as of what is no line, rests on nothing, or on what is gone.
    """

    kind: Kind
    path: str
    id: str
    date: str
    text: str
    commit: str | None = None
    by: str = ""
    trust: str = ""
    lines: tuple[int, int] | None = None
    turn: int | None = None
    superseded_by: str = ""
    archived: bool = False
    more: int = 0
    depth: int = 0
    spans: tuple[tuple[int, int], ...] = ()
    supported: bool | None = None

    @property
    def line(self) -> int:
        """The line of the file that it is; a turn is one line of its transcript."""
        return self.turn or (self.lines or (0,))[0]


@dataclass(frozen=True, slots=True)
class Why:
    """What was asked, what of the vault was taken for it, and the chain down from there.

    *unsaid* are those of the words that were asked which nothing of it says; it is *turned_round*
    when it says them with their places exchanged, as who owes whom.
    """

    ref: str
    taken: str
    chain: tuple[Link, ...]
    unsaid: tuple[str, ...] = ()
    turned_round: bool = False


@dataclass(frozen=True, slots=True)
class ProvenanceTarget:
    """A record, and the line of it that is asked about, with what it says; 0 is none in particular.

    *turn* is that of a transcript, which is no record. *unsaid* are those of the words that were
    asked which the file does not say; *turned_round* tells whether it exchanges their places.
    """

    record: Record
    line: int = 0
    said: str = ""
    turn: int = 0
    unsaid: tuple[str, ...] = ()
    turned_round: bool = False

    @property
    def is_whole_card(self) -> bool:
        """Whether all facts of a card are asked about."""
        return self.record.type == "card" and not self.line

    @property
    def taken(self) -> str:
        """Its place: path and line."""
        number = self.turn or self.line
        return f"{self.record.path}:{number}" if number else self.record.path
