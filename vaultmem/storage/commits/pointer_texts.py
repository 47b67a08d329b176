"""Texts in whose place a person's git put pointers of git LFS, and what belongs there."""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from vaultmem.documents import frontmatter
from vaultmem.errors import Refused, Unavailable
from vaultmem.storage import files
from vaultmem.storage.batches import batches
from vaultmem.storage.files import Root
from vaultmem.storage.git import ORDINARY, PLAIN, Blob, Repository

_AT_ONCE = 500
_OID = re.compile(rb"^oid sha256:([0-9a-f]{64})$", re.MULTILINE)


class PointerFile(NamedTuple):
    """A file of which HEAD, or the disk, has a pointer.

    *disk* is what lies there, None where nothing can be read; *text* belongs there, None where
    nobody can tell.
    """

    path: str
    disk: bytes | None
    text: bytes | None

    @property
    def is_here(self) -> bool:
        """Whether its text lies on disk."""
        return self.disk is not None and not frontmatter.is_pointer(self.disk)


def find(root: Root, repository: Repository, paths: Collection[str]) -> Iterator[PointerFile]:
    """Yield the files at *paths*, each with what belongs there; raises Unavailable."""
    for some in batches(paths, _AT_ONCE):
        there = repository.in_head(some)
        versions = _versions(repository, some)
        ids = {blob.id for blob in there.values()} | {it for ids in versions.values() for it in ids}
        known = repository.contents([Blob(ORDINARY, it) for it in ids])
        for path in some:
            disk = _on_disk(root, path)
            head = known.get(there[path].id, b"") if path in there else b""
            pointer = head if frontmatter.is_pointer(head) else disk or b""
            had = [known[it] for it in versions.get(path, ()) if it in known]
            yield PointerFile(path, disk, belongs(pointer, disk, had))


def belongs(pointer: bytes, disk: bytes | None, had: Sequence[bytes]) -> bytes | None:
    """Return the text that *pointer* stands for; else the newest that git *had*, the newest first.

    What lies on *disk* may be what somebody wrote since.
    """
    named = _OID.search(pointer)
    texts = [it for it in had if not frontmatter.is_pointer(it)]
    for text in (disk, *texts):
        if named and text is not None and hashlib.sha256(text).hexdigest().encode() == named[1]:
            return text
    return next(iter(texts), None)


def _versions(repository: Repository, paths: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Return what commits made of the files at *paths*: blobs by path, the newest first."""
    found: dict[str, list[str]] = defaultdict(list)
    commits = [it.commit for it in repository.log(None, paths=[*paths])]
    rows, wanted = repository.touched(commits), frozenset(paths)
    for row in (row for commit in commits for row in rows.get(commit, ())):
        if row.path in wanted and row.new.mode in PLAIN:
            found[row.path].append(row.new.id)
    return found


def _on_disk(root: Root, path: str) -> bytes | None:
    with contextlib.suppress(Refused, Unavailable):
        return found.data if (found := files.read(root, path)) else None
    return None
