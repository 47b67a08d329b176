"""Find notes that nothing points at, and have MEMORY.md point at them while it has room.

One whose MEMORY.md has marks needs none of this: the list between them is rebuilt.
"""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem.maintenance.dream.link_graph import Places, generated, links
from vaultmem.maintenance.dream.types import Lines, Note, Proposal, Seen
from vaultmem.memory import memory_index

_MOST_LINES, _MOST_BYTES = 175, 23_000
"""So much of its budget may be used: a warning comes at 180 lines."""


def find(seen: Seen) -> Iterator[Proposal]:
    """Yield a pointer for each topic and note that no link and no source leads to."""
    index = next((note for note in seen.notes if note.path == memory_index.PATH), None)
    if index is None or index.fixed or not index.lines or generated(index):
        return
    # Each is put right behind the same line: the last one first, so that they stand in order.
    for note, pointer in reversed(list(_fitting(index, seen))):
        reason = f"nothing points at {note.path}"
        written = max((n for n, line in enumerate(index.lines) if line.strip()), default=0)
        at = max((f.at for f in index.facts if f.kind == "pointer"), default=written)
        old = index.lines[at]
        edit = Lines(index.path, at, (old,), (old, pointer))
        yield Proposal("link", index.path, reason, (edit,), (note.path,))


def _fitting(index: Note, seen: Seen) -> Iterator[tuple[Note, str]]:
    """Yield the orphans that there is room for, each with its pointer."""
    size = memory_index.size("\n".join(index.lines))
    lines, used = size.lines, size.bytes
    if lines >= _MOST_LINES or used >= _MOST_BYTES:
        return
    listed = [note for note in seen.notes if _is_listed(note)]
    pointed = set(_pointed(seen)) if listed else set()
    for note in listed:
        if note.path in pointed:
            continue
        pointer = memory_index.pointer(note.record)
        lines, used = lines + 1, used + len(f"{pointer}{index.eol}".encode())
        if lines <= _MOST_LINES and used <= _MOST_BYTES:
            yield note, pointer


def _is_listed(note: Note) -> bool:
    record = note.record
    known = record.type in {"topic", "note"} and record.recallable
    return known and record.trust != "untrusted" and not record.superseded_by


def _pointed(seen: Seen) -> Iterator[str]:
    """Yield the paths that something leads to; of a name that several have, all."""
    places = Places(seen)
    for note in seen.notes:
        for link in links(note):
            yield from places.candidates(link, note.path)
    records = (*(note.record for note in seen.notes), *seen.episodes)
    for target in {target for r in records for target in (*r.sources, r.superseded_by)} - {""}:
        yield from places.meant(target, "")
