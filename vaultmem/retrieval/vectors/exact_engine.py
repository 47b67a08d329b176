"""The exact engine: vectors in memory, compared with the question one by one.

All of a space when it answers alone; what the store does not cover when Chroma proposes the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vaultmem.models.embeddings.types import Vector
from vaultmem.retrieval.vectors.embedding_cache import Blob, Space
from vaultmem.retrieval.vectors.matrix import Matrix, best

Next = Callable[[int], Sequence[Blob]]
"""Returns vectors with numbers beyond one, in order; none when there are no more."""


class Similarities(Protocol):
    """One question before one engine: texts by their sha, and their cosines."""

    def best(self, many: int) -> Mapping[str, float]:
        """Return the *many* nearest texts; fewer only when there are no more."""

    def of(self, shas: Iterable[str]) -> Mapping[str, float]:
        """Return the cosines of those texts that have a vector."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: a vector in a space; and who compares *everything*, should that be wanted."""

    space: Space
    vector: Vector
    everything: Callable[[], Similarities]


class Exact:
    """Some vectors, read once and followed as more come."""

    def __init__(self) -> None:
        """Hold none yet."""
        self._of: Hashable = None
        self._last = 0
        self._matrix = Matrix(0)

    def ask(self, vector: Vector, of: Hashable, newest: int, newer: Next) -> ExactSimilarities:
        """Compare *vector* with all there is, up to the number *newest* at least.

        What was read before is kept as long as *of*, which names the vectors meant, stays the same;
        *newer* gives what has come since.
        """
        if (of, len(vector)) != self._of:
            self._of, self._last = (of, len(vector)), 0
            self._matrix = Matrix(len(vector))
        while self._last < newest and (portion := newer(self._last)):
            self._matrix.extend([b.sha for b in portion], [b.vector for b in portion])
            self._last = portion[-1].id
        self._last = max(self._last, newest)
        return ExactSimilarities(self._matrix, self._matrix.cosines(vector))


class ExactSimilarities:
    """One question and every text's cosine."""

    def __init__(self, matrix: Matrix, cosines: NDArray[np.float32]) -> None:
        """Answer from the *cosines* of the rows that *matrix* has now."""
        self._matrix, self._cosines = matrix, cosines

    def best(self, many: int) -> Mapping[str, float]:
        """Return the *many* nearest texts; fewer only when there are no more."""
        return best(self._matrix.shas[: len(self._cosines)], self._cosines, many)

    def of(self, shas: Iterable[str]) -> Mapping[str, float]:
        """Return the cosines of those texts that have a vector."""
        rows = {sha: self._matrix.row.get(sha) for sha in shas}
        return {
            sha: float(self._cosines[row])
            for sha, row in rows.items()
            if row is not None and row < len(self._cosines)
        }
