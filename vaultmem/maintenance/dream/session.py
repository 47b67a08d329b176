"""A vault as one dream sees it: what it reads, on which terms, and what its changes come to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from vaultmem.maintenance.dream import edits, gathering
from vaultmem.maintenance.dream.due import dreams
from vaultmem.maintenance.dream.gathering import Gathered
from vaultmem.maintenance.dream.human_lines import HumanLines
from vaultmem.maintenance.dream.inbox import PendingReview
from vaultmem.maintenance.dream.planner import Terms
from vaultmem.maintenance.dream.results import Overlay
from vaultmem.memory import memory_index
from vaultmem.memory.compaction import runner as compaction_runner
from vaultmem.storage.plan import Change
from vaultmem.storage.store import Store


class Work:
    """A vault as one dream sees it: what was read is read once, and must still be so at the end."""

    def __init__(self, store: Store, notes: Iterable[PendingReview]) -> None:
        """Gather what *store* has; what the *notes* propose is as protected as they say."""
        self._store = store
        last = next(iter(dreams(store)), None)
        self.seen: Gathered = gathering.gather(store, last.when if last else "")
        self._data: dict[str, bytes | None] = dict(self.seen.data)
        repository = store.writer.repository
        asked = frozenset(p.id for w in notes for p in w.open if p.protected)
        self.terms = Terms(self.read, protected=asked, history=repository is not None)
        if repository:
            loose = partial(edits.loose, repository, read=self.read)
            self.terms = replace(self.terms, loose=loose)
        if repository and last:
            executor = HumanLines(store, repository, last.commit, self.read)
            self.terms = replace(self.terms, own=executor.own)

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file as they were when they were first asked for."""
        if path not in self._data:
            self._data[path] = self._store.read(path)
        return self._data[path]

    def changes(self, changed: Overlay, reason: str) -> tuple[Change, ...]:
        """Return what *changed* comes to, `MEMORY.md` pointing at what there is then."""
        made = {path: Change(path, self.read(path), new, reason) for path, new in changed.items()}
        real = [c for c in made.values() if c.old != c.new]
        if not real:
            return ()
        index = made.pop(memory_index.PATH, None)
        if index and (index.old is None or index.new is None):  # nothing there to point from
            return tuple(real)
        rest = [c for c in real if c is not index]
        return (
            *rest,
            *compaction_runner.index_change(self._store, rest, index.new if index else None),
        )
