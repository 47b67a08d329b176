"""See whether a store finds what it was fed; two writers or a lost file leave no error."""

from __future__ import annotations

from vaultmem.retrieval.vectors.chroma_collection import Store
from vaultmem.retrieval.vectors.chroma_ledger import Ledger
from vaultmem.retrieval.vectors.embedding_cache import Blobs
from vaultmem.retrieval.vectors.matrix import compared, read
from vaultmem.retrieval.vectors.types import StoreLost

_PROBES = 3
_SAME = 0.999
_REACHED = 0.98
"""Part of its entries that a sound index leads to; two writers leave 0.95."""


def check(store: Store, ledger: Ledger, blobs: Blobs) -> None:
    """Raise StoreLost when it holds less than it was fed, or some of it cannot be found."""
    fed, held = ledger.count(store.identity), store.count()
    if held < fed:
        raise StoreLost(lost(f"holds {held} of the {fed} passages it was fed"))
    for stored in ledger.sample(store.identity, _PROBES):
        vector = read(stored)
        found = ledger.shas(store.identity, store.nearest(vector, 1))
        if max(compared(blobs.of(ledger.space, found), vector).values(), default=0) < _SAME:
            raise StoreLost(lost("does not find what it was fed"))


def check_all(store: Store, ledger: Ledger, blobs: Blobs) -> None:
    """Raise StoreLost, too, when its index does not lead to nearly all of its entries."""
    check(store, ledger, blobs)
    held = store.count()
    for stored in ledger.sample(store.identity, 1):
        reached = len(store.nearest(read(stored), held))
        if reached < held * _REACHED:
            raise StoreLost(lost(f"finds {reached} of its {held} passages"))


def lost(what: str) -> str:
    """Say of a store what is wrong with it, and what comes of that."""
    return (
        f"the Chroma store {what}; all vectors are compared in its place, and the next "
        "`vaultmem sync` rebuilds it"
    )
