"""Files that grow, and that lack at their end what waits for its commit: a person's git cut it off.

A stash, a reset or a clean-up puts the last version that git has in the place of what was added
since, to a transcript say. Nobody meant to delete that.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import NamedTuple

from vaultmem.errors import DiskRefused, Refused
from vaultmem.storage import files, journal
from vaultmem.storage.files import Root
from vaultmem.storage.journal import Write


class _Added(NamedTuple):
    """Where an addition of the intent in the file *name* begins and ends."""

    name: str
    at: int
    end: int


class Growing:
    """What waits of files below a root that grow: noted from the newest write to the oldest."""

    def __init__(self, root: Root) -> None:
        """Know of none."""
        self._root = root
        self._added: dict[str, list[_Added]] = {}
        self.done: set[str] = set()
        """The paths that lack nothing, or that were written anew since what is not noted."""

    def note(self, name: str, write: Write) -> None:
        """Note a *write* of the intent in the file *name*, which is applied."""
        if write.path in self.done:
            return
        end = (write.at or 0) + len(write.new or b"")
        is_last = write.path not in self._added
        if write.at is None or (is_last and not self._may_lack(write.path, end)):
            self.done.add(write.path)
        else:
            self._added.setdefault(write.path, []).append(_Added(name, write.at, end))

    def cut_off(self) -> Iterator[Write]:
        """Yield the additions that are gone from the ends of their files, oldest first.

        Only where the file ends as one of them found it: whatever else it says is its person's.
        """
        for path, added in self._added.items():
            yield from self._lost_if_seen(path, added[::-1])

    def _lost_if_seen(self, path: str, added: Sequence[_Added]) -> Sequence[Write]:
        with contextlib.suppress(DiskRefused, Refused):  # what cannot be seen is told elsewhere
            return self._lost(path, added)
        return ()

    def _lost(self, path: str, added: Sequence[_Added]) -> Sequence[Write]:
        size = self._size(path)
        kept = [it for it in added if it.at < size]
        lost = added[len(kept) :]
        if not lost or lost[0].at != size or any(a.end != b.at for a, b in pairwise(lost)):
            return ()
        if kept and not self._ends_with(self._write(path, kept[-1])):
            return ()
        writes = [self._write(path, it) for it in lost]
        return () if size == 0 and self._is_beside(writes[0]) else writes

    def _write(self, path: str, added: _Added) -> Write:
        writes = journal.writes(self._root, added.name)
        return next(it for it in writes if it.path == path and it.at == added.at)

    def _may_lack(self, path: str, end: int) -> bool:
        with contextlib.suppress(DiskRefused, Refused):  # likewise
            return self._size(path) < end
        return False

    def _size(self, path: str) -> int:
        found = files.stamp(self._root, path)
        return found.size if found else 0

    def _ends_with(self, write: Write) -> bool:
        found = files.read(self._root, write.path)
        return found is not None and found.data.endswith(write.new or b"")

    def _is_beside(self, write: Write) -> bool:
        """Tell whether the file of *write* has another name now."""
        folder = write.path.rpartition("/")[0]
        said = write.new or b""
        beside = (
            files.read(self._root, f"{folder}/{it}") for it in files.names(self._root, folder)
        )
        return any(found.data.startswith(said) for found in beside if found)


def cut_off(root: Root, paths: AbstractSet[str]) -> tuple[Write, ...]:
    """Return what is cut off the files at *paths*; reads no more of what waits than tells that."""
    growing = Growing(root)
    for name in filter(journal.is_applied, reversed(journal.names(root))):
        if paths <= growing.done:
            break
        for write in reversed(journal.writes(root, name)):
            if write.path in paths:
                growing.note(name, write)
    return tuple(growing.cut_off())
