"""What an embedder is: texts in, points of one space out, whoever computes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

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


class Tokens(NamedTuple):
    """What a text was cut into: where each token stands in it, and its vector in the last layer.

    A span is the first character and the one after the last; a token that frames a text has none.
    """

    spans: Sequence[tuple[int, int]]
    vectors: Matrix


class Encoded(NamedTuple):
    """One of several texts, by its *number*: its unit vector, and what that was averaged from."""

    number: int
    vector: Vector
    tokens: Tokens


@runtime_checkable
class TokenEmbedder(Embedder, Protocol):
    """An embedder that shows the vectors of a text's tokens, too: late interaction needs them."""

    def encoded(self, texts: Sequence[str]) -> Iterator[Encoded]:
        """Yield each of *texts*, in any order, with its tokens; raises ModelAway."""

    def sample(self) -> list[str]:
        """Return texts that show what its token vectors are like, always the same."""


def well_formed(text: str) -> str:
    """Return *text* as UTF-8 can carry it: half a surrogate pair becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")
