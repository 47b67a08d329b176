"""A vector store of the caller's own as the engine: it proposes, our own vectors give the figures.

It may lose or forget anything: what it lacks it is fed before it is asked, and what it returns
counts where our own index has it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from typing import Protocol, runtime_checkable

from vaultmem import arguments
from vaultmem.documents import public_text
from vaultmem.models.embeddings.types import Vector
from vaultmem.records import first_line
from vaultmem.retrieval.vectors.embedding_cache import Blobs, Space
from vaultmem.retrieval.vectors.exact_engine import Exact, Question, Similarities
from vaultmem.retrieval.vectors.matrix import read
from vaultmem.retrieval.vectors.proposals import Proposed
from vaultmem.retrieval.vectors.types import LOOK, StoreAway
from vaultmem.storage.batches import batches
from vaultmem.storage.index import Index, passage_queries

_BATCH = 500
_OURS = "vaultmem:"
_DIGITS, _LONGEST = 8, 200


@runtime_checkable
class VectorStore(Protocol):
    """What holds vectors by their keys and finds the nearest; a store, or collection, per vault.

    Vectors are float32 arrays of length 1, keys strings that begin with `vaultmem:`; keys that
    begin otherwise are left alone. It may be asked from several threads, and is waited for without
    a limit: it sets its own. What it raises is named, and the vault compares its vectors itself.
    """

    def keys(self) -> Collection[str]:
        """Return the keys that it holds."""

    def update(self, vectors: Mapping[str, Vector], gone: Collection[str]) -> None:
        """Hold *vectors* under their keys, in the place of what was there, and *gone* no more."""

    def nearest(self, vector: Vector, k: int) -> Sequence[str]:
        """Return the keys of the *k* vectors nearest to *vector*, by cosine, best first."""


class GivenStore:
    """The caller's *store*, fed with what the vault's passages have."""

    def __init__(self, store: VectorStore, blobs: Blobs) -> None:
        """Keep nothing: what it holds it tells itself."""
        self._store, self._blobs, self._fed = store, blobs, object()

    def ask(self, index: Index, question: Question, state: object) -> Similarities:
        """Return what the store proposes for *question*; raises StoreAway.

        It is fed first where *state*, which stays the same until a text or a vector comes or goes,
        is another than when it was fed last.
        """
        self.feed(index, question.space, state)
        prefix = _prefix(question.space)
        found = arguments.of_a_part(
            lambda: [str(key) for key in self._store.nearest(question.vector, LOOK)][:LOOK], _away
        )
        near = [key.removeprefix(prefix) for key in found if key.startswith(prefix)]
        nothing = Exact().ask(question.vector, None, 0, lambda _: ())
        return Proposed(self._blobs, question, near, nothing)

    def feed(self, index: Index, space: Space, state: object) -> int:
        """Make the store hold the vectors of the passages and no others; return how many came."""
        if state == self._fed:
            return 0
        there = frozenset(self._blobs.shas(space)) & frozenset(passage_queries.shas(index))
        living = {_prefix(space) + sha for sha in there}
        held = {key for key in arguments.of_a_part(lambda: set(self._store.keys()), _away)
                if isinstance(key, str) and key.startswith(_OURS)}  # fmt: skip
        self._remove(held - living)
        fed = sum(self._add(space, batch) for batch in batches(sorted(living - held), _BATCH))
        self._fed = state
        return fed

    def _remove(self, gone: Collection[str]) -> None:
        if gone:
            arguments.of_a_part(lambda: self._store.update({}, gone), _away)

    def _add(self, space: Space, keys: Sequence[str]) -> int:
        prefix = _prefix(space)
        found = self._blobs.of(space, [key.removeprefix(prefix) for key in keys])
        vectors = {prefix + sha: read(vector) for sha, vector in found.items()}
        arguments.of_a_part(lambda: self._store.update(vectors, ()), _away)
        return len(vectors)


def _prefix(space: Space) -> str:
    """Return how the keys of *space* begin: other weights fill other keys."""
    digest = hashlib.sha256(f"{space.name}\0{space.edition}".encode()).hexdigest()[:_DIGITS]
    return f"{_OURS}{digest}:"


def _away(why: str) -> StoreAway:
    shown = first_line(public_text.shown(why), _LONGEST)
    return StoreAway(f"the vector store that was given failed ({shown}): all is compared here")
