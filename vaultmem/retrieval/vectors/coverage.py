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
        """Count it, both sides in the order of their shas; without a *space* nothing is covered."""
        vectors = self._blobs.rising(space) if space else iter(())
        passages, left, known = 0, 0, next(vectors, "")
        for sha, times in passage_queries.rising(self._index):
            while known and known < sha:
                known = next(vectors, "")
            passages += times
            left += 0 if known == sha else times
        return Covered(passages, left)
