"""Vectors as a server sends them, proved to be vectors and brought to length 1."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vaultmem.errors import ModelAway
from vaultmem.models.embeddings.types import Matrix


def joined(parts: Sequence[Sequence[Sequence[float]]], name: str) -> Matrix:
    """Return the rows of all *parts* as unit vectors; raises ModelAway in the maker's *name*.

    They must be of one length, finite, and not all zeros: those point nowhere.
    """
    rows = [row for part in parts for row in part]
    widths = {len(row) for row in rows}
    if len(widths) > 1 or 0 in widths:
        shown = ", ".join(str(width) for width in sorted(widths))
        raise ModelAway(name, f"returned vectors of {shown} dimensions")
    return _units(np.array(rows, np.float64).reshape(len(rows), max(widths, default=0)), name)


def _units(rows: NDArray[np.float64], name: str) -> Matrix:
    size = np.abs(rows).max(axis=1, initial=0, keepdims=True)
    if not (np.isfinite(size) & (size > 0)).all():
        raise ModelAway(name, "returned a vector that points nowhere", lasting=False)
    scaled = rows / size  # else the square of a large number is none
    units: Matrix = (scaled / np.linalg.norm(scaled, axis=1, keepdims=True)).astype(np.float32)
    return units
