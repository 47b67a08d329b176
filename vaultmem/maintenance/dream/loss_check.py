"""See to it that nothing is lost unsaid: what a change takes away stays elsewhere, or is named.

What a file says is counted in pieces: a bullet without what hangs on it, each line that does, a
line of prose, a field of a card. Of a file's facts, of the files that lose some, and of the files
that go, no dream takes more than its budget.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from vaultmem.documents.bodies import bullets
from vaultmem.documents.markdown import outline
from vaultmem.maintenance.dream.types import Fact, Note, Proposal, key
from vaultmem.records import Record

MOST_OF_A_FILE = 0.25
"""The share of a file's facts that it may lose, one in any case; a file that goes loses all."""

MOST_OF_THE_NOTES = 0.1
"""The share of the notes that may lose facts, and one at least; a file that goes is none."""

MOST_REMOVED = 50

Pieces = Counter[str]
"""How often each piece is said, by what makes two of them the same."""


def of_note(note: Note) -> Pieces:
    """Return the pieces of a file that may be cleaned up."""
    pieces = (key(piece) for fact in note.facts for piece in _of_fact(fact))
    fields = (key(line) for line in note.record.facts.splitlines())
    return Counter(piece for piece in (*pieces, *fields) if piece)


def of_record(record: Record) -> Pieces:
    """Return the pieces of a memory or an episode: all it says, and each line of it."""
    lines = (key(line) for line in record.body.splitlines())
    return Counter({piece: 1 for piece in (key(record.body), *lines) if piece})


def _of_fact(fact: Fact) -> Iterator[str]:
    yield fact.text
    if fact.kind not in {"bullet", "pointer"} or len(fact.lines) == 1:
        return
    (section, *_) = outline.sections("\n".join(outdented(fact.lines)))
    for entry in outline.entries(section.lines, ()):
        for line in entry.nested.get("", ()):
            yield bullets.unsourced(line.text)[0]


def outdented(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the *lines* of a bullet without its indent: one nested in nothing may have some.

    What hangs on it is deeper still, and stays so.
    """
    indent = len(lines[0]) - len(lines[0].lstrip())
    return tuple(line[indent:] if not line[:indent].strip() else line for line in lines)


def undeclared_losses(
    gone: Iterable[str], proposal: Proposal, stays: Container[str], near: Iterable[str]
) -> list[str]:
    """Return which of the pieces that are *gone* the proposal neither keeps nor names as lost.

    *stays* are the pieces the vault has afterwards, *near* the texts of the files that the proposal
    leaves behind: what it keeps must stand there.
    """
    around = [f" {key(text)} " for text in near]
    kept = [
        key(k.gone)
        for k in proposal.kept
        if key(k.stays) in stays or any(f" {key(k.stays)} " in text for text in around)
    ]
    declared = [*kept, *map(key, proposal.losses)]
    return [piece for piece in gone if not _is_named(piece, declared)]


def lost(gone: Iterable[str], proposal: Proposal) -> list[str]:
    """Return which of the pieces that are *gone* the proposal names as lost."""
    declared = [*map(key, proposal.losses)]
    return [piece for piece in gone if _is_named(piece, declared)]


def _is_named(piece: str, said: Iterable[str]) -> bool:
    return any(f" {piece} " in f" {text} " for text in said)


# --- how much may go ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Spent:
    """What was taken away so far: facts lost, by file, and files removed."""

    lost: Mapping[str, int] = field(default_factory=dict)
    removed: frozenset[str] = frozenset()

    def plus(self, lost: Mapping[str, int], removed: frozenset[str]) -> Spent:
        """Return it with more taken away."""
        paths = {**self.lost, **lost}
        total = {path: self.lost.get(path, 0) + lost.get(path, 0) for path in paths}
        return Spent(total, self.removed | removed)


@dataclass(frozen=True, slots=True)
class Budget:
    """What a dream may take from: how many facts each file has, how many notes there are."""

    facts: Mapping[str, int]
    notes: int

    def exceeded(self, spent: Spent) -> str:
        """Return which limit *spent* is over, in a clause; "" when it is within all."""
        less = {path: n for path, n in spent.lost.items() if path not in spent.removed}
        if worst := next((path for path, n in less.items() if n > self._most(path)), ""):
            return f"{worst} would lose more than {MOST_OF_A_FILE:.0%} of its facts"
        if len(less) > max(1, int(MOST_OF_THE_NOTES * self.notes)):
            return f"more than {MOST_OF_THE_NOTES:.0%} of the notes would lose facts"
        if len(spent.removed) > MOST_REMOVED:
            return f"more than {MOST_REMOVED} files would be removed"
        return ""

    def _most(self, path: str) -> int:
        return max(1, int(MOST_OF_A_FILE * self.facts.get(path, 0)))
