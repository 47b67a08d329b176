"""The index of a commit: built once, whole or empty, and seen as of one moment."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from vaultmem import records
from vaultmem.errors import IndexFailed
from vaultmem.records import Record
from vaultmem.storage.files import DOUBTED, Content, Folder
from vaultmem.storage.index import Index, Source, Sync
from vaultmem.storage.snapshots import snapshot_cache
from vaultmem.storage.snapshots.commit_tree import Tree


class FrozenIndex(Index):
    """The catalog of what cannot change any more: one sync makes it whole, the others do nothing.

    A sync is one transaction, which the generation counts: there is no half of it.
    """

    def __init__(
        self, path: Path, tree: Tree, when: datetime, record: Callable[[str, Content], Record]
    ) -> None:
        """Open the index of *tree* at *path*, to be asked what was true at *when*."""
        self._tree, self._when = tree, when
        notes = tree.notes()
        found = [Folder("", DOUBTED, notes)]
        super().__init__(path, Source(lambda *_: found, lambda _: notes, tree.reading), record)

    def sync(self, expected: frozenset[str] = frozenset()) -> Sync:
        """Build the index, unless that is done; raises Unavailable for what git has not got."""
        done = Sync()
        if not self._is_whole():
            with snapshot_cache.building(self.path):
                if not self._is_whole():
                    done = super().sync(expected)
        self.show_valid(self._is_valid)
        return done

    def _is_whole(self) -> bool:
        try:
            return self.generation() > 0
        except IndexFailed:
            return False

    def _is_valid(self, valid_from: str, valid_to: str) -> bool:
        return records.holds(valid_from, valid_to, self._when)
