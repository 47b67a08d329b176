"""Summaries that an operation wrote, and that a forgetting has told again since.

Nobody but the program wrote in them, and they tell of nothing that the operation did not let them
tell of: who undoes it partly takes them back with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from vaultmem.memory.compaction import human_lines
from vaultmem.records import Record
from vaultmem.storage import files, tombstones
from vaultmem.storage.git import FileChange, Repository
from vaultmem.storage.store import Store


@dataclass(frozen=True)
class RetoldSummaries:
    """The summaries among *ours*, what an operation did, whose newest commit is *commit*."""

    store: Store
    repository: Repository
    commit: str
    ours: Sequence[FileChange]

    def has(self, change: FileChange, now: bytes | None) -> bool:
        """Tell whether a file of *ours*, which says *now* something else, is one of them."""
        made, told = self._record(change.path, change.new), self._record(change.path, now)
        if not (made and told) or {made.type, told.type} != {"summary"} or told.problem:
            return False
        before = self._record(change.path, change.old)
        own = human_lines.split(told)[0] == human_lines.split(before)[0]
        return own and {*told.sources} <= {*made.sources} and (not before or self._forgot_ours)

    @cached_property
    def _forgot_ours(self) -> bool:
        """Whether nothing else was forgotten since: an earlier summary may tell of that."""
        stones = tombstones.load(self.store).all
        earlier = self.repository.blobs(self.commit, [stone.path for stone in stones])
        made = {r.id for c in self.ours if c.old is None and (r := self._record(c.path, c.new))}
        return {stone.id for stone in stones if stone.path not in earlier} <= made

    def _record(self, path: str, data: bytes | None) -> Record | None:
        return None if data is None else self.store.texts.record(path, files.content(data))
