"""What a reranker is: a question and texts in, a grade of each out; and its kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from vaultmem.models.providers.types import Surroundings


class Reranker(Protocol):
    """What reads a question beside each text, which costs too much for more than a few."""

    name: str
    """The name of its kind."""
    model: str

    def grades(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Return how well each of *texts* answers it, 0 to 1, in order; raises ModelAway."""


class Kind(NamedTuple):
    """One kind of reranker, by its *name*.

    *build* asks nobody and loads nothing heavy; it raises BadInput for a setting that is missing.
    """

    name: str
    build: Callable[[Surroundings], Reranker]
