"""What an embedder is: texts in, points of one space out, whoever computes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
    """One text: float32, shape (dimensions,), length 1."""
    Matrix = NDArray[np.float32]
    """One text a row: float32, shape (texts, dimensions), each row of length 1."""


class Embedder(Protocol):
    """What turns texts into points of one space; near points mean alike."""

    name: str
    """The kind: `ollama`, `minilm`."""
    model: str

    @property
    def space(self) -> str:
        """Name the space its vectors lie in, `ollama:nomic-embed-text`; costs nothing to ask."""

    def edition(self) -> str:
        """Return what tells these weights from others of the same name; raises ModelAway."""

    def documents(self, texts: Sequence[str]) -> Matrix:
        """Return the vectors of *texts* that are to be found; raises ModelAway."""

    def query(self, text: str) -> Vector:
        """Return the vector of a question; raises ModelAway."""


def well_formed(text: str) -> str:
    """Return *text* as UTF-8 can carry it: half a surrogate pair becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")
