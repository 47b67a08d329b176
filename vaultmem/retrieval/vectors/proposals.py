"""The nearest texts as a store proposes them; our own vectors give the figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vaultmem.retrieval.vectors.embedding_cache import Blobs
from vaultmem.retrieval.vectors.exact_engine import ExactSimilarities, Question
from vaultmem.retrieval.vectors.matrix import compared
from vaultmem.retrieval.vectors.types import LOOK


class Proposed:
    """One question: the texts *near* by the store's word, and the *rest* that it was not asked."""

    def __init__(
        self, blobs: Blobs, question: Question, near: Iterable[str], rest: ExactSimilarities
    ) -> None:
        """Answer from those."""
        self._blobs, self._question, self._rest = blobs, question, rest
        self._near = self.of(near)

    def best(self, many: int) -> Mapping[str, float]:
        """Return about *many* of the nearest texts; fewer only when there are no more."""
        if many > LOOK:
            return self._question.everything().best(many)
        return {**self._near, **self._rest.best(many)}

    def of(self, shas: Iterable[str]) -> Mapping[str, float]:
        """Return the cosines of those texts that have a vector."""
        return compared(self._blobs.of(self._question.space, shas), self._question.vector)
