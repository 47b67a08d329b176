"""Embed what has no vector yet, the newest first, each batch kept before the next is asked for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice

from vaultmem.errors import ModelAway
from vaultmem.models.embeddings.types import Embedder, TokenEmbedder
from vaultmem.retrieval.vectors.embedding_cache import Blobs, Made, Space
from vaultmem.retrieval.vectors.types import Caught
from vaultmem.storage.batches import batches
from vaultmem.storage.index import Index, neighbours, passage_queries, passages
from vaultmem.storage.index.neighbours import NOBODY, Reading
from vaultmem.storage.progress import Progress

_FIRST, _MOST = 16, 256
_BRISK = 0.5
_DOCS = 200

Batch = Mapping[str, Reading]
"""Texts, and what they are read between, by the sha of all of it."""


@dataclass(frozen=True, slots=True)
class CatchUp:
    """One catch-up: whose texts, where their vectors go, who makes them, on which clock."""

    index: Index
    blobs: Blobs
    space: Space
    embedder: Embedder
    clock: Callable[[], float]

    def run(self, until: float, progress: Progress | None = None) -> Caught:
        """Embed until nothing is missing or the clock shows *until*; raises ModelAway.

        One small batch is embedded however late it is: what was just written is found by its
        meaning even when others hold the core. Whatever was embedded before an error stays.
        """
        missing = frozenset(passage_queries.shas(self.index)) - frozenset(
            self.blobs.shas(self.space)
        )
        queue = self._queue(missing)
        embedded, tried, size = 0, 0, _FIRST
        began = self.clock()
        while (not tried or began < until) and (batch := dict(islice(queue, size))):
            tried += len(batch)
            embedded += self._keep(batch)
            if progress:
                progress(embedded, len(missing))
            began, took = self.clock(), self.clock() - began
            # Small batches keep to the time; a fast model would spend it on the way there and back.
            size = min(size * 2, _MOST) if took < _BRISK else size
        left = len(missing - frozenset(self.blobs.shas(self.space)))
        # What another process embedded meanwhile is neither.
        return Caught(embedded, left, refused=max(left - (len(missing) - tried), 0))

    def _queue(self, missing: frozenset[str]) -> Iterator[tuple[str, Reading]]:
        """Yield sha and reading of what is *missing*, once each, the newest docs first."""
        given: set[str] = set()
        for docs in batches(passage_queries.newest(self.index, missing), _DOCS):
            for sha, text in _embedded(self.index, docs):
                if sha in missing and sha not in given:
                    given.add(sha)
                    yield sha, text

    def _keep(self, batch: Batch) -> int:
        """Embed what of *batch* nobody else has meanwhile; return how many."""
        there = self.blobs.of(self.space, batch)
        wanted = {sha: text for sha, text in batch.items() if sha not in there}
        made = {sha: it for sha, it in self._made(wanted).items() if _points(it)} if wanted else {}
        self.blobs.put(self.space, made)
        # What was forgotten while it was embedded is to leave nothing, in no neighbour either.
        self.blobs.lose(made.keys() - passage_queries.living(self.index, made))
        return len(made)

    def _made(self, batch: Batch) -> dict[str, Made]:
        try:
            made = self._computed(list(batch.values()))
        except ModelAway as e:
            if e.lasting:
                raise
            return self._one_by_one(batch)
        return dict(zip(batch, made, strict=True))

    def _computed(self, wanted: Sequence[Reading]) -> list[Made]:
        """Return the vectors of the texts *wanted*, with those of their tokens if it can be.

        Who shows the tokens of what was read shows those of the text itself: its vector is theirs.
        """
        from vaultmem.retrieval.vectors import late_interaction, matrix  # noqa: PLC0415  # numpy, when needed

        if not isinstance(self.embedder, TokenEmbedder):
            read = self.embedder.documents([it.whole for it in wanted])
            return [Made(vector) for vector in matrix.stored(read)]
        basis = late_interaction.basis(self.blobs, self.space, self.embedder)
        made: dict[int, Made] = {}
        for number, text, it in late_interaction.read(self.embedder, wanted):
            (vector,) = matrix.stored([it.vector])
            made[number] = Made(vector, late_interaction.stored(text, it.tokens, basis))
        return [made[number] for number in range(len(wanted))]

    def _one_by_one(self, batch: Batch) -> dict[str, Made]:
        """Leave out the one text that no vector can be had for: the others need not wait for it."""
        if len(batch) == 1:
            return {}
        return {s: v for sha, text in batch.items() for s, v in self._made({sha: text}).items()}


def _points(made: Made) -> bool:
    """Tell whether its vector points somewhere: zeros and what is no number do not."""
    from vaultmem.retrieval.vectors import matrix  # noqa: PLC0415  # numpy, when needed

    length = float(abs(matrix.read(made.vector)).max(initial=0))
    return 0 < length < math.inf


def _embedded(index: Index, docs: Sequence[int]) -> Iterator[tuple[str, Reading]]:
    """Yield sha and reading of what is to be embedded of *docs*, in their order."""
    known, beside = index.numbered(docs), passage_queries.beside(index, docs)
    for doc in (doc for doc in docs if doc in known):
        cut = passages.cut(known[doc].body)
        for it in cut:
            near = neighbours.of_passage(
                beside.get(doc, NOBODY), it.number, (it.first, it.last), len(cut)
            )
            alone = sha256(passages.embedded(known[doc], it).encode()).hexdigest()
            dated = known[doc].created[:10] != near.day
            text = passages.embedded(known[doc], it, dated=dated)
            yield neighbours.digest(alone, near), Reading(text, near)
