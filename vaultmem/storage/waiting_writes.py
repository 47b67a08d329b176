"""What waits for its commit, by path: an open vault reads each intent once, not whenever it asks.

An intent is never changed, so what is known of one holds as long as it waits.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from vaultmem.documents import public_text
from vaultmem.storage import journal
from vaultmem.storage.files import Root
from vaultmem.storage.journal import Write


@dataclass(frozen=True, slots=True)
class _Waiting:
    """The *paths* that an intent writes, and which of them the commit gets, as far as was asked.

    *removed* are those of them that it takes away.
    """

    paths: frozenset[str]
    removed: frozenset[str]
    coming: dict[str, bool] = field(default_factory=dict)


class WaitingWrites:
    """The writes below a root whose commit waits."""

    def __init__(self, root: Root) -> None:
        """Nothing is read before it is asked for."""
        self._root = root
        self._known: dict[str, _Waiting] = {}

    def of(self, paths: AbstractSet[str]) -> Iterator[Write]:
        """Yield the writes to *paths*, the oldest first."""
        for name, known in self._waiting().items():
            if not known.paths.isdisjoint(paths):
                yield from (w for w in journal.writes(self._root, name) if w.path in paths)

    def coming(self, paths: AbstractSet[str]) -> set[str]:
        """Return those of *paths* that the next commit will have: what is held back is none."""
        found = set[str]()
        for name, known in self._waiting().items():
            here = known.paths & paths
            if new := here - known.coming.keys():
                known.coming.update(self._looked_at(name, new))
            found |= {path for path in here if known.coming.get(path)}
        return found

    def removed(self) -> AbstractSet[str]:
        """Return the paths that are taken away."""
        return frozenset[str]().union(*(known.removed for known in self._waiting().values()))

    def _waiting(self) -> dict[str, _Waiting]:
        """Return what waits by now, by the name of its intent."""
        names = journal.names(self._root)
        self._known = {name: self._known.get(name) or self._read(name) for name in names}
        return self._known

    def _read(self, name: str) -> _Waiting:
        writes = list(journal.writes(self._root, name))
        gone = frozenset(write.path for write in writes if write.new is None)
        return _Waiting(frozenset(write.path for write in writes), gone)

    def _looked_at(self, name: str, paths: AbstractSet[str]) -> dict[str, bool]:
        asked = [w for w in journal.writes(self._root, name) if w.path in paths]
        public = {w.path for w in asked if not public_text.is_withheld(w.path, w.new)}
        return {write.path: write.path in public for write in asked}
