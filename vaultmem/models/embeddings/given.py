"""An embedder of the caller's own: proved and brought to length 1, whoever computes it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, runtime_checkable

from vaultmem import arguments
from vaultmem.documents import public_text
from vaultmem.errors import ModelAway
from vaultmem.models.embeddings.types import Choice, Matrix, Vector, well_formed

_MOST = 200


@runtime_checkable
class TextEmbedder(Protocol):
    """What turns texts into points of one space; near points mean alike.

    It may be asked from several threads, and is waited for without a limit: it sets its own. What
    it raises is named, and recall goes on by words.
    """

    space: str
    """Names the model and its weights, `acme-embed-3`: others have another name."""

    def documents(self, texts: Sequence[str]) -> Iterable[Iterable[float]]:
        """Return a vector for each of *texts*, in their order, all of one length, none of zeros.

        Lists or a numpy array will do; their length need not be 1.
        """

    def query(self, text: str) -> Iterable[float]:
        """Return the vector of a question, as long as those of texts."""


class Given:
    """A `TextEmbedder` as the vault asks it."""

    name, model = "given", ""

    def __init__(self, embedder: TextEmbedder) -> None:
        """Ask *embedder* when there is something to embed."""
        self._embedder = embedder
        self.model = embedder.space

    @property
    def space(self) -> str:
        """The space its vectors lie in, apart from those of our own embedders."""
        return f"{self.name}:{self.model}"

    def edition(self) -> str:
        """Return what tells its weights apart: the name of the space does."""
        return self.model

    def documents(self, texts: Sequence[str]) -> Matrix:
        """Return the vectors of *texts* that are to be found; raises ModelAway."""
        asked = [well_formed(text) for text in texts]
        return self._units(lambda: self._embedder.documents(asked) if asked else [], len(asked))

    def query(self, text: str) -> Vector:
        """Return the vector of a question; raises ModelAway."""
        (found,) = self._units(lambda: [self._embedder.query(well_formed(text))], 1)
        vector: Vector = found
        return vector

    def _units(self, ask: arguments.Ask[Iterable[Iterable[float]]], count: int) -> Matrix:
        from vaultmem.models.embeddings.normalization import joined  # noqa: PLC0415  # numpy, when needed

        def made() -> Matrix:
            rows = list(ask())
            if len(rows) != count:
                raise self._away(f"returned {len(rows)} vectors for {count} texts")
            return joined([[list(row) for row in rows]], self.space)

        return arguments.of_a_part(made, lambda why: self._away(f"failed ({why})"))

    def _away(self, why: str) -> ModelAway:
        return ModelAway(self.space, public_text.shown(why)[:_MOST])


def choice(embedder: TextEmbedder) -> Choice:
    """Return that *embedder* embeds, and why."""
    return Choice(Given.name, embedder.space, "", "it was given when the vault was opened")
