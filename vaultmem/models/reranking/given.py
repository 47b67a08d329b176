"""A reranker of the caller's own: a grade for each text is proved, whoever gives it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from numbers import Real

from vaultmem import arguments
from vaultmem.documents import public_text
from vaultmem.errors import ModelAway
from vaultmem.models.embeddings.types import well_formed
from vaultmem.models.reranking.types import Reranker

_MOST = 200


class Given:
    """A Reranker of the caller's own, as the vault asks it."""

    def __init__(self, reranker: Reranker) -> None:
        """Ask *reranker* when there is something to grade."""
        self.name = reranker.name
        self._reranker = reranker

    def grades(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Return a finite grade for each of *texts*; raises ModelAway where there is none."""
        if not texts:
            return []
        asked = [well_formed(text) for text in texts]

        def made() -> Sequence[float]:
            found = list(self._read(self._reranker.grades(well_formed(question), asked)))
            if len(found) != len(asked):
                raise self._away(f"graded {len(found)} of {len(asked)} texts")
            return found

        return arguments.of_a_part(made, lambda why: self._away(f"failed ({why})"))

    def _read(self, grades: Iterable[object]) -> Iterator[float]:
        for grade in grades:
            if isinstance(grade, bool) or not isinstance(grade, Real) or not math.isfinite(grade):
                raise self._away(f"returned {grade!r}, which is no finite number")
            yield float(grade)

    def _away(self, why: str) -> ModelAway:
        return ModelAway(self.name, public_text.shown(why)[:_MOST])
