"""How many passages have a vector: counted anew only when texts or vectors have changed."""

from __future__ import annotations

from typing import NamedTuple

from vaultmem.retrieval.vectors.embedding_cache import Blobs, Space
from vaultmem.storage.index import Index, passage_queries


class Covered(NamedTuple):
    """Passages, and how many of them have no vector."""

    passages: int
    left: int

    @property
    def embedded(self) -> int:
        """How many have one."""
        return self.passages - self.left


class Coverage:
    """What of the catalog is covered by the vectors of a space."""

    def __init__(self, index: Index, blobs: Blobs) -> None:
        """Compare *index* and *blobs* when asked."""
        self._index, self._blobs = index, blobs
        self._seen: tuple[object, ...] = ()
        self._covered = Covered(0, 0)

    def of(self, space: Space) -> Covered:
        """Return how much of the catalog *space* covers now."""
        state = self.state(space)
        if state != self._seen:
            self._seen, self._covered = state, self.counted(space)
        return self._covered

    def state(self, space: Space) -> tuple[object, ...]:
        """Return what stays the same until a text or a vector comes or goes."""
        return *self._index.state(), self._blobs.mark(space)

    def counted(self, space: Space | None) -> Covered:
        """Count it: nothing is covered without a *space*."""
        shas = passage_queries.shas(self._index)
        there = frozenset(self._blobs.shas(space)) if space else frozenset()
        return Covered(len(shas), sum(sha not in there for sha in shas))
