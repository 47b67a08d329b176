"""Acknowledged memories that left HEAD after their commit: a person's git took them."""

from __future__ import annotations

import contextlib

from vaultmem.documents import public_text
from vaultmem.errors import Refused, Unavailable
from vaultmem.storage import files, git
from vaultmem.storage.files import Root
from vaultmem.storage.git import Repository
from vaultmem.storage.ledger import Missing
from vaultmem.storage.ledger.entries import memory_id


def on_disk(root: Root, memory: Missing) -> bytes | None:
    """Return the bytes of *memory* where it was, None when it does not lie there."""
    with contextlib.suppress(Refused, Unavailable):
        found = files.read(root, memory.path)
        return found.data if found and memory_id(found.data) == memory.id else None
    return None


def in_git(repository: Repository, memory: Missing) -> bytes | None:
    """Return the text of *memory* from wherever git has it."""
    with contextlib.suppress(Unavailable):
        known = [memory.blob] if memory.blob else repository.versions(memory.path, newest=True)
        # Where another memory took its place the newest version is not of this one.
        for blobs in (known, repository.versions(memory.path)):
            found = repository.contents([git.Blob(git.ORDINARY, blob) for blob in blobs])
            for data in found.values():
                if memory_id(data) == memory.id:
                    return data
    return None


def as_it_was(root: Root, repository: Repository, memory: Missing) -> git.Change | None:
    """Return what commits *memory* again that lies on disk; None for one that is held back."""
    lies = on_disk(root, memory)
    if lies is None:
        return None
    data = in_git(repository, memory) or lies
    return None if public_text.is_held(data) else git.Change(memory.path, data)
