"""The notes and transcripts of which HEAD has a pointer of git LFS alone: no clone has their text.

A picture may well be kept so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vaultmem.documents import frontmatter
from vaultmem.storage import transcript_lines
from vaultmem.storage.git import PLAIN, Blob, Repository, Row

_SIZES = range(120, 200)
"""Bytes of a pointer: its version, 64 digits, and a size. Nothing else is read."""


def find(
    repository: Repository, known: Sequence[str] | None, head: str, rows: Sequence[Row] | None
) -> tuple[str, ...]:
    """Return the paths of those in *head*; *rows* differ since they were *known*.

    None of either where nobody knows: then all files are looked at. Raises Unavailable.
    """
    if not head:
        return ()
    if known is None or rows is None:
        return _among(repository, repository.sized(head))
    moved = {row.path: row.new for row in rows}
    stay = (path for path in known if path not in moved)
    sizes = repository.sizes(moved.values())
    sized = ((path, blob, sizes.get(blob.id, 0)) for path, blob in moved.items())
    return tuple(sorted([*stay, *_among(repository, sized)]))


def _among(repository: Repository, files: Iterable[tuple[str, Blob, int]]) -> tuple[str, ...]:
    small = {path: blob for path, blob, size in files
             if size in _SIZES and blob.mode in PLAIN and _is_text(path)}  # fmt: skip
    read = repository.contents(small.values())
    return tuple(sorted(p for p, blob in small.items() if frontmatter.is_pointer(read[blob.id])))


def _is_text(path: str) -> bool:
    return path.endswith(".md") or transcript_lines.is_grown(path)
