"""Offer marks to a MEMORY.md that has none: between them the program keeps its list of pointers."""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem.maintenance.dream.types import Lines, Note, Proposal, Seen
from vaultmem.memory import memory_index

_REASON = "it has no marks: between them a list of what the vault has is kept up to date"


def find(seen: Seen) -> Iterator[Proposal]:
    """Yield the offer of marks below the last pointer that may stay as it is, or else the title."""
    note = next((n for n in seen.notes if n.path == memory_index.PATH), None)
    if note is None or note.fixed or any(_is_mark(line) for line in note.lines):
        return
    at = _below(note)
    if at is not None:
        line = note.lines[at]
        marked = (line, "", memory_index.BEGIN, memory_index.END)
        yield Proposal("link", note.path, _REASON, (Lines(note.path, at, (line,), marked),))


def _is_mark(line: str) -> bool:
    return line.strip() in memory_index.MARKS


def _below(note: Note) -> int | None:
    pointers = [fact for fact in note.facts if fact.kind == "pointer" and len(fact.lines) == 1]
    short = [f.at for f in pointers if len(f.lines[0]) <= memory_index.LONGEST_LINE]
    titles = (at for at, line in enumerate(note.lines) if line.startswith("# "))
    return short[-1] if short else next(titles, None)
