"""See whether a store finds what it was fed; two writers or a lost file leave no error."""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem.retrieval.vectors.chroma_collection import Store
from vaultmem.retrieval.vectors.chroma_ledger import Ledger
from vaultmem.retrieval.vectors.embedding_cache import Blobs
from vaultmem.retrieval.vectors.matrix import compared, read
from vaultmem.retrieval.vectors.types import StoreLost

_PROBES = 3
_SAME = 0.999
_REACHED = 0.98
"""Part of its entries that a sound index leads to; two writers leave 0.95."""
_FEW = 10_000
"""Entries that a store can be asked for at once; of more, some are looked for one by one."""
_LOOKED_FOR = 200


def check(store: Store, ledger: Ledger, blobs: Blobs) -> None:
    """Raise StoreLost when it holds less than it was fed, or some of it cannot be found."""
    fed, held = ledger.count(store.identity), store.count()
    if held < fed:
        raise StoreLost(lost(f"holds {held} of the {fed} passages it was fed"))
    if not all(_found(store, ledger, blobs, _PROBES)):
        raise StoreLost(lost("does not find what it was fed"))


def check_all(store: Store, ledger: Ledger, blobs: Blobs) -> None:
    """Raise StoreLost, too, when its index does not lead to nearly all of its entries."""
    check(store, ledger, blobs)
    looked_for, reached = _reached(store, ledger, blobs)
    if reached < looked_for * _REACHED:
        raise StoreLost(lost(f"finds {reached} of {looked_for} passages"))


def _reached(store: Store, ledger: Ledger, blobs: Blobs) -> tuple[int, int]:
    """Return how many entries were looked for, and how many of them its index leads to."""
    held = store.count()
    if held > _FEW:
        found = list(_found(store, ledger, blobs, _LOOKED_FOR))
        return len(found), sum(found)
    some = ledger.sample(store.identity, 1)
    return held * len(some), sum(len(store.nearest(read(stored), held)) for stored in some)


def _found(store: Store, ledger: Ledger, blobs: Blobs, many: int) -> Iterator[bool]:
    """Tell of so many entries, from the oldest to the newest, whether each is found by itself."""
    for stored in ledger.sample(store.identity, many):
        vector = read(stored)
        found = ledger.shas(store.identity, store.nearest(vector, 1))
        yield max(compared(blobs.of(ledger.space, found), vector).values(), default=0) >= _SAME


def lost(what: str) -> str:
    """Say of a store what is wrong with it, and what comes of that."""
    return (
        f"the Chroma store {what}; all vectors are compared in its place, and the next "
        "`vaultmem sync` rebuilds it"
    )
