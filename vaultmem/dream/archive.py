"""Tell what git keeps of a vault: from no other file may a dream take words away."""

from __future__ import annotations

from collections.abc import Collection

from vaultmem.dream.applying import Read
from vaultmem.storage.git import Repository


def loose(repository: Repository, paths: Collection[str], read: Read) -> frozenset[str]:
    """Return those of the files at *paths* that HEAD does not hold byte for byte as *read* does.

    A file that is not there has nothing to lose.
    """
    head = repository.head()
    held = repository.files(head, *paths) if head and paths else {}
    blobs = repository.contents(held.values())
    now = {path: data for path in paths if (data := read(path)) is not None}
    return frozenset(
        path for path, data in now.items() if path not in held or blobs.get(held[path].id) != data
    )


def ignored(repository: Repository, paths: Collection[str]) -> frozenset[str]:
    """Return those of the files at *paths* that git was told to leave out."""
    head = repository.head()
    strange = frozenset(paths) - (repository.files(head).keys() if head else set())
    if not strange:
        return strange
    return strange - repository.staged() - {dirty.path for dirty in repository.unstaged()}
