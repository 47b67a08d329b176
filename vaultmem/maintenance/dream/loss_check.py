"""See to it that nothing is lost unsaid: what a change takes away stays elsewhere, or is named.

What a file says is counted in pieces: a bullet without what hangs on it, each line that does, a
line of prose, a field of a card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence

from vaultmem.documents.bodies import bullets, outline
from vaultmem.maintenance.dream.types import Fact, Note, Proposal, key
from vaultmem.records import Record

Pieces = Counter[str]
"""How often each piece is said, by what makes two of them the same."""


def of_note(note: Note) -> Pieces:
    """Return the pieces of a file that may be cleaned up."""
    said = (key(piece) for fact in note.facts for piece in _of_fact(fact))
    fields = (key(line) for line in note.record.facts.splitlines())
    return Counter(piece for piece in (*said, *fields) if piece)


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
    said = [*kept, *map(key, proposal.losses)]
    return [piece for piece in gone if not _is_named(piece, said)]


def lost(gone: Iterable[str], proposal: Proposal) -> list[str]:
    """Return which of the pieces that are *gone* the proposal names as lost."""
    said = [*map(key, proposal.losses)]
    return [piece for piece in gone if _is_named(piece, said)]


def _is_named(piece: str, said: Iterable[str]) -> bool:
    return any(f" {piece} " in f" {text} " for text in said)
