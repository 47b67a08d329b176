"""Look at the files that a file was made from, where they changed since the index saw them."""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem.storage import changed_files, files, transcript_files
from vaultmem.storage.files import Root, Stamp
from vaultmem.storage.index import Index, file_queries, marked_files


def look_at(root: Root, index: Index, path: str) -> None:
    """Let *index* see what changed of what the file at *path* was made from, and nothing else."""
    changed_files.take_in(root, index, moved(root, index, path))


def moved(root: Root, index: Index, path: str) -> tuple[str, ...]:
    """Return which of the sources of the file at *path*, and of theirs, are not as they were seen.

    Notes and transcripts; what is gone only a full look takes for gone.
    """
    now = {it: files.stamp(root, it) for it in _sources(index, path)}
    return tuple(it for it, stamp in now.items() if stamp and stamp != _seen(index, it))


def _sources(index: Index, path: str) -> Iterator[str]:
    """Yield the paths of what the file at *path* rests on, near and far, each once."""
    known, waiting = {path}, [path]
    while waiting:
        for record in index.at([waiting.pop()], body=False):
            fresh = {it for link in record.sources for it in _named(index, link)} - known
            known |= fresh
            waiting += sorted(it for it in fresh if files.is_note(it))
            yield from sorted(fresh)


def _named(index: Index, link: str) -> Iterator[str]:
    """Yield the paths of the files that a *link* means."""
    if transcript_files.holds(path := link.partition("#")[0]):
        yield path
    else:
        yield from (record.path for record in index.named(link))


def _seen(index: Index, path: str) -> Stamp | None:
    if transcript_files.holds(path):
        return marked_files.seen_of(index, path)
    found = file_queries.seen(index, [path])[path]
    return found.stamp if found else None
