"""From the texts that an engine finds near to the docs that the catalog says they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vaultmem.retrieval.search.types import MaxSim
from vaultmem.retrieval.vectors.exact_engine import Similarities
from vaultmem.retrieval.vectors.late_interaction import Interaction
from vaultmem.retrieval.vectors.types import LOOK
from vaultmem.storage.index import Filter, Index, passage_queries
from vaultmem.storage.index.passage_queries import Pair


class Near:
    """How alike the docs of *index* are to one question: a `search.types.Likeness`."""

    def __init__(
        self, index: Index, sight: Similarities, late: Interaction | None, degraded: str
    ) -> None:
        """Answer from what *sight* sees; *degraded* says why it does not see all.

        *late* is the question token by token, None where the embedder does not show tokens.
        """
        self._index, self._sight, self._late = index, sight, late
        self.degraded = degraded

    def nearest(self, where: Filter, k: int) -> Mapping[int, float]:
        """Return the *k* docs nearest to the question among those that *where* selects.

        When too few of the nearest texts are in scope, the scope is compared text by text.
        """
        many = max(LOOK, 2 * k)
        near = self._sight.best(many)
        found = _by_doc(passage_queries.holding(self._index, where, near), near)
        if len(found) < k and len(near) >= many:
            pairs = passage_queries.in_scope(self._index, where)
            found = _by_doc(pairs, self._sight.of({sha for _, sha in pairs}))
        best = sorted(found, key=lambda doc: (-found[doc], doc))[:k]
        return {doc: found[doc] for doc in best}

    def of(self, docs: Iterable[int]) -> Mapping[int, float]:
        """Return the cosine of each of *docs* that has a vector: its best passage's."""
        pairs = passage_queries.of_docs(self._index, docs)
        return _by_doc(pairs, self._sight.of({sha for _, sha in pairs}))

    def passage(self, doc: int) -> str:
        """Return the sha of the passage of *doc* that is nearest, "" when none has a vector."""
        return self._passages([doc]).get(doc, "")

    def max_sim(self, docs: Iterable[int]) -> MaxSim:
        """Return how near each token of the question comes to one of each doc's best passage."""
        if self._late is None:
            return MaxSim()
        passages = self._passages(docs)
        maxima = self._late.of(set(passages.values()))
        of = {doc: maxima[sha] for doc, sha in passages.items() if sha in maxima}
        return MaxSim(self._late.words, of)

    def _passages(self, docs: Iterable[int]) -> dict[int, str]:
        """Return the sha of the nearest passage of each of *docs* that has a vector."""
        pairs = passage_queries.of_docs(self._index, docs)
        cosines = self._sight.of({sha for _, sha in pairs})
        rising = sorted((p for p in pairs if p[1] in cosines), key=lambda p: cosines[p[1]])
        return dict(rising)


def _by_doc(pairs: Iterable[Pair], cosines: Mapping[str, float]) -> dict[int, float]:
    found: dict[int, float] = {}
    for doc, sha in pairs:
        if sha in cosines:
            found[doc] = max(cosines[sha], found.get(doc, -1.0))
    return found
