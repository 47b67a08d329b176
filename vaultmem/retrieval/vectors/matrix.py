"""Vectors in memory, to be compared with a question in one stroke."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from vaultmem.models.embeddings.types import Vector

FLOAT32 = np.dtype("<f4")
"""A dimension as it is stored, whatever the machine."""

_SLACK = 256


class Matrix:
    """A growing matrix, one text a row."""

    def __init__(self, dimensions: int) -> None:
        """Have no rows yet, of so many *dimensions*."""
        self.dimensions = dimensions
        self.shas: list[str] = []
        self.row: dict[str, int] = {}
        self._rows = np.empty((0, dimensions), FLOAT32)

    def __len__(self) -> int:
        """Return how many rows it has."""
        return len(self.shas)

    def extend(self, shas: Sequence[str], vectors: Sequence[bytes]) -> None:
        """Add rows; each of *vectors* is `dimensions` floats."""
        start, end = len(self.shas), len(self.shas) + len(shas)
        self._reserve(end)
        joined = np.frombuffer(b"".join(vectors), FLOAT32)
        self._rows[start:end] = joined.reshape(len(shas), self.dimensions)
        self.row.update(zip(shas, range(start, end), strict=True))
        self.shas += shas

    def _reserve(self, count: int) -> None:
        # An eighth more each time: a memory a minute must not copy all the others every minute.
        if count > len(self._rows):
            rows = np.empty((count + count // 8 + _SLACK, self.dimensions), FLOAT32)
            rows[: len(self.shas)] = self._rows[: len(self.shas)]
            self._rows = rows

    def cosines(self, vector: Vector) -> NDArray[np.float32]:
        """Return how alike each row is to *vector*; both have length 1."""
        return self._rows[: len(self.shas)] @ vector


def best(shas: Sequence[str], cosines: NDArray[np.float32], many: int) -> dict[str, float]:
    """Return the *many* texts with the highest cosines."""
    if many < len(shas):
        chosen = np.argpartition(cosines, len(shas) - many)[len(shas) - many :]
    else:
        chosen = np.arange(len(shas))
    return {shas[i]: float(cosines[i]) for i in chosen}


def compared(vectors: Mapping[str, bytes], vector: Vector) -> dict[str, float]:
    """Return the cosines of stored *vectors* to *vector*; those of another length are left out."""
    size = len(vector) * FLOAT32.itemsize
    fitting = {sha: blob for sha, blob in vectors.items() if len(blob) == size}
    matrix = Matrix(len(vector))
    if fitting:
        matrix.extend(list(fitting), list(fitting.values()))
    return dict(zip(matrix.shas, matrix.cosines(vector).tolist(), strict=True))


def read(vector: bytes) -> Vector:
    """Return a vector that was kept."""
    return np.frombuffer(vector, FLOAT32)


def stored(vectors: Iterable[Vector]) -> list[bytes]:
    """Return *vectors* as they are kept."""
    return [np.asarray(vector, FLOAT32).tobytes() for vector in vectors]
