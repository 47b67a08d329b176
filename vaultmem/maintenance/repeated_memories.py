"""Memories that would come back, and were remembered or imported again under another id since."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vaultmem.records import Record
from vaultmem.storage.store import Store


def find(store: Store, back: Iterable[Record]) -> dict[str, Record]:
    """Return, by the ids of those of *back* that the vault has under another id, what says it.

    They are known again as whoever keeps them would: what came from somewhere by that, other words
    by themselves. In a session the same words are another turn.
    """
    memories = [it for it in back if it.type == "memory" and it.id]
    return {**dict(_by_origin(store, memories)), **dict(_by_words(store, memories))}


def _by_origin(store: Store, memories: Iterable[Record]) -> Iterator[tuple[str, Record]]:
    known = {(it.agent, it.origin): it.id for it in memories if it.origin}
    rows = store.index.of_origins({origin for _, origin in known}) if known else []
    ids = {known[agent, origin]: one for origin, agent, one in rows if (agent, origin) in known}
    there = {it.id: it for it in store.index.identified(ids.values())}
    yield from ((old, there[new]) for old, new in ids.items() if new != old and new in there)


def _by_words(store: Store, memories: Iterable[Record]) -> Iterator[tuple[str, Record]]:
    for it in memories:
        if not (it.origin or it.session):
            found = store.index.repeated(it.body, it.agent, it.tags)
            if found and found.id != it.id and found.trust == it.trust:
                yield it.id, found
