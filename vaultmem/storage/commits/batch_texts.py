"""What the commit in the making has of files: what they say by now, and what grew at their ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from zlib import crc32

from vaultmem.storage import journal
from vaultmem.storage.files import Root, sha256
from vaultmem.storage.journal import Write


class Growth(NamedTuple):
    """What several writes add to one file: where the *first* of them begins, and where they *end*.

    *names* are those of their intents, which began on the commit *base*. Of what they add there is
    the checksum alone: a large import would be held whole. *parted*: one does not follow the other.
    """

    first: int
    end: int
    checksum: int
    names: tuple[str, ...]
    base: str | None
    parted: bool = False

    def is_in(self, text: bytes) -> bool:
        """Tell whether *text* has all of it there, byte for byte."""
        return not self.parted and self.checksum == crc32(text[self.first : self.end])


def grow(before: Growth | None, write: Write, name: str, base: str | None) -> Growth:
    """Return what there is *before* with *write*, of the intent in the file *name*, behind it."""
    at, data = write.at or 0, write.new or b""
    if before is None:
        return Growth(at, at + len(data), crc32(data), (name,), base)
    return before._replace(
        end=at + len(data),
        checksum=crc32(data, before.checksum),
        names=(*before.names, name),
        parted=before.parted or at != before.end,
    )


class CommittedTexts:
    """What the commit in the making has of files: in which intent below *root* that stands.

    Not what it says: a large import would be held whole.
    """

    def __init__(self, root: Root) -> None:
        """Read the intents below *root*."""
        self._root = root
        self._names: dict[str, str] = {}
        self._merged: dict[str, bytes] = {}
        self._last: tuple[str, Mapping[str, bytes | None]] = ("", {})

    def note(self, path: str, name: str, merged: bytes | None = None) -> None:
        """Note that the intent in the file *name* writes *path*, or what was *merged* of that."""
        self._names[path] = name
        self._merged.pop(path, None)
        if merged is not None:
            self._merged[path] = merged

    def __contains__(self, path: str) -> bool:
        """Tell whether the commit changes the file at *path*."""
        return path in self._names

    def said(self, path: str) -> bytes | None:
        """Return the bytes that the file has by now, None for one that goes."""
        if path in self._merged:
            return self._merged[path]
        if (name := self._names[path]) != self._last[0]:
            self._last = name, {w.path: w.new for w in journal.writes(self._root, name)}
        return self._last[1].get(path)


class ReplacedVersions:
    """Which versions of files the operations below *root* replaced that wait: each is read once."""

    def __init__(self, root: Root) -> None:
        """Read the intents below *root*."""
        self._root = root
        self._known: dict[str, frozenset[tuple[str, str]]] = {}

    def has(self, path: str, data: bytes) -> bool:
        """Tell whether one replaced *data* as what the file at *path* has."""
        known, version = self._known, (path, sha256(data))
        self._known = {name: known[name] if name in known else self._versions(name)
                       for name in journal.names(self._root)}  # fmt: skip
        return any(version in it for it in self._known.values())

    def _versions(self, name: str) -> frozenset[tuple[str, str]]:
        writes = (it for it in journal.writes(self._root, name) if it.at is None)
        return frozenset((it.path, sha256(it.old)) for it in writes if it.old is not None)
