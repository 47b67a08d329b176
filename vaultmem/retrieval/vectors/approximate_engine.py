"""Chroma as the engine: it proposes the nearest texts; our own vectors give the figures.

What the store has not been fed when it was opened is compared exactly beside it, so it may lag.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from vaultmem.models.embeddings.types import Vector
from vaultmem.retrieval.vectors.chroma_collection import About, Store
from vaultmem.retrieval.vectors.chroma_ledger import Ledger, Noted
from vaultmem.retrieval.vectors.chroma_location import Place
from vaultmem.retrieval.vectors.embedding_cache import Blobs
from vaultmem.retrieval.vectors.exact_engine import Exact, ExactSimilarities, Question, Similarities
from vaultmem.retrieval.vectors.proposals import Proposed
from vaultmem.retrieval.vectors.self_check import check, lost
from vaultmem.retrieval.vectors.types import LOOK, StoreAway, StoreLost

_LAG = 1000


@dataclass(frozen=True, slots=True)
class Opened:
    """A store that is open for reading, and what the ledger and the disk said at that time."""

    store: Store
    horizon: int
    generation: int


class Proposing:
    """The store at one place, kept open between questions."""

    def __init__(self, blobs: Blobs, place: Place) -> None:
        """Open the store at *place* when a question comes."""
        self._blobs, self._place = blobs, place
        self._rest = Exact()
        self._opened: Opened | None = None

    def close(self) -> None:
        """Give back what the store holds."""
        if self._opened:
            self._opened.store.close()
        self._opened = None

    def ask(self, about: About, question: Question) -> Similarities | None:
        """Compare with what the store proposes and with what it lacks.

        None when it cannot be asked just now: it is not there yet, or is being fed. Raises
        StoreAway when it should answer and does not.
        """
        ledger = Ledger(self._blobs.database, self._place.key, question.space)
        if not (opened := self._open(about, ledger)):
            return None
        identity = opened.store.identity
        # First how far it was fed, then what it proposes, last what it lacks: whatever is fed or
        # taken out meanwhile counts as lacking.
        horizon = ledger.horizon() if self._place.live else opened.horizon
        near = ledger.shas(identity, opened.store.nearest(question.vector, LOOK))
        rest = self._lacking(ledger, identity, horizon, question.vector)
        return Proposed(self._blobs, question, near, rest)

    def _lacking(
        self, ledger: Ledger, identity: str, horizon: int, vector: Vector
    ) -> ExactSimilarities:
        noted, mark = ledger.noted(), self._blobs.mark(ledger.space)
        return self._rest.ask(
            vector,
            (*mark[:3], noted, horizon),
            mark.newest,
            lambda last: ledger.lacking(identity, horizon, last, len(vector)),
        )

    def _open(self, about: About, ledger: Ledger) -> Opened | None:
        """Return the store, opened anew when it is another one or lags too far behind."""
        noted = ledger.noted()
        if noted.due:
            raise StoreLost(noted.due)
        now = (self._place.generation(), noted.identity)
        if self._opened and (self._opened.generation, self._opened.store.identity) != now:
            self.close()
        if not self._opened or self._lags(self._opened, ledger):
            self._opened = self._reopened(about, ledger)
        return self._opened

    def _lags(self, opened: Opened, ledger: Ledger) -> bool:
        return not self._place.live and ledger.horizon() - opened.horizon > _LAG

    def _reopened(self, about: About, ledger: Ledger) -> Opened | None:
        with self._place.reading() as ours:
            noted = ledger.noted()
            if not ours or not noted.identity:
                return self._opened
            self.close()
            horizon = ledger.horizon()
            store = self._checked(about, ledger, noted)
        return Opened(store, horizon, self._place.generation())

    def _checked(self, about: About, ledger: Ledger, noted: Noted) -> Store:
        """Open the store and see that it finds what it holds; raises StoreAway."""
        try:
            store = _seen(self._place.open(about), ledger, self._blobs, noted)
        except StoreLost as e:
            self._declare_lost(ledger, noted, e)
            raise
        except StoreAway as e:
            if not self._place.live:  # a server may be back as it was
                self._declare_lost(ledger, noted, e)
            raise
        return store

    def _declare_lost(self, ledger: Ledger, noted: Noted, why: StoreAway) -> None:
        """Have the store rebuilt, unless another process has changed it since *noted*."""
        with contextlib.ExitStack() as stack:
            # Who reads a folder is alone with it already; its lock bears no second holder.
            ours = not self._place.live or stack.enter_context(self._place.alone())
            if ours and ledger.noted() == noted:
                ledger.make_due(str(why))


def _seen(store: Store | None, ledger: Ledger, blobs: Blobs, noted: Noted) -> Store:
    """Return *store* when it is the one that was fed and finds what it holds."""
    if store is None:
        raise StoreLost(lost("is gone"))
    try:
        if (store.identity, store.token) != (noted.identity, noted.token):
            raise StoreLost(lost("is another than the one that was fed"))
        check(store, ledger, blobs)
    except StoreAway:
        store.close()
        raise
    return store
