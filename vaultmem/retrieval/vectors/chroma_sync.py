"""Feed the Chroma store: what it lacks goes in, what is in no passage any more goes out.

One writer at a time. A store that has lost something is rebuilt beside the old one, then swapped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from secrets import token_hex

from vaultmem.retrieval.vectors.chroma_collection import About, Entry, Store
from vaultmem.retrieval.vectors.chroma_ledger import Ledger
from vaultmem.retrieval.vectors.chroma_location import Place
from vaultmem.retrieval.vectors.embedding_cache import Blobs
from vaultmem.retrieval.vectors.matrix import read
from vaultmem.retrieval.vectors.self_check import check, check_all
from vaultmem.retrieval.vectors.types import StoreAway, StoreLost
from vaultmem.storage.batches import batches
from vaultmem.storage.index import Index, passage_queries
from vaultmem.storage.index.passage_queries import Pair, PassageRow

_BATCH = 500
_LONGEST = 20_000
"""Characters of a summary's text in its metadata; the whole of a longer one is in its file."""

Living = Mapping[str, Pair]
"""Passage and sha of every passage that has a vector, by its key in the store."""
Metadata = dict[str, str | int | float]
"""What any reader of the store understands."""


@dataclass(frozen=True, slots=True)
class StoreFeed:
    """One feeding: of whose passages, what is known of the store, where it is, until when."""

    index: Index
    blobs: Blobs
    ledger: Ledger
    place: Place
    about: About
    over: Callable[[], bool]

    def run(self, living: Living) -> int:
        """Feed until all is in or it is `over`, at least a batch; return how many entries went in.

        0 when another process feeds. Raises StoreAway.
        """
        with self.place.alone() as ours:
            return self._feed(living) if ours else 0

    def _feed(self, living: Living) -> int:
        if self.ledger.noted().due:
            return self._anew(living)
        try:
            return self._add(living)
        except StoreLost:
            return self._anew(living)
        except StoreAway:
            if self.place.live:  # a server that is away has lost nothing
                raise
            return self._anew(living)

    def _add(self, living: Living) -> int:
        store = self.place.open(self.about, made=True)
        if store is None:
            raise StoreAway("the Chroma store cannot be made")
        with closing(store):
            known = self._reconciled(store, living)
            # What is gone leaves the ledger first, so that no reader counts on it.
            gone = known.keys() - living.keys()
            self.ledger.note_removal(store.identity, gone)
            store.lose(list(gone))
            lacking = {key: of for key, of in living.items() if key not in known}
            fed = 0
            for taken in self._taken(store, lacking):
                self.ledger.feed(store.identity, taken)
                fed += len(taken)
            store.stamp(token := token_hex(8))
            self.ledger.stamp(token)
            whole = fed == len(lacking)
            (check_all if whole else check)(store, self.ledger, self.blobs)
        return fed

    def _reconciled(self, store: Store, living: Living) -> dict[str, str]:
        """Make the ledger equal to the store: a crash leaves them a batch apart; return it."""
        if store.identity != self.ledger.noted().identity:
            self.ledger.adopt(store.identity, store.token, {})
        known = self.ledger.entries(store.identity)
        if store.token == self.ledger.noted().token and store.count() == len(known):
            return known
        held = frozenset(store.keys())
        store.lose([key for key in held if key not in known and key not in living])
        self.ledger.feed(
            store.identity, {k: living[k][1] for k in held if k not in known and k in living}
        )
        self.ledger.note_removal(store.identity, known.keys() - held)
        return self.ledger.entries(store.identity)

    def _taken(self, store: Store, lacking: Living) -> Iterator[dict[str, str]]:
        """Yield what the store has taken, batch by batch: key and sha."""
        for batch in batches(lacking.items(), _BATCH):
            keys = {number: key for key, (number, _) in batch}
            vectors = self.blobs.of(self.ledger.space, [sha for _, (_, sha) in batch])
            fitting = list(_entries(self.index, keys, vectors))
            if fitting:
                store.take(fitting, [read(entry.vector) for entry in fitting])
                yield {entry.key: entry.sha for entry in fitting}
            if self.over():
                return

    def _anew(self, living: Living) -> int:
        """Make the store anew; what it has not got when time is over, it is fed later."""
        store = self.place.beside(self.about)
        try:
            fed: dict[str, str] = {}
            for taken in self._taken(store, living):
                fed |= taken
            store.stamp(token := token_hex(8))
        except BaseException:
            store.close()
            raise
        self.place.replace(store, self.about)
        self.ledger.adopt(store.identity, token, fed)
        return len(fed)


def _entries(
    index: Index, keys: Mapping[int, str], vectors: Mapping[str, bytes]
) -> Iterator[Entry]:
    """Yield the entries of the passages whose *keys* are given by number, as far as there are."""
    for row in passage_queries.rows(index, keys):
        if row.sha in vectors:
            text = row.body[row.first : row.last]
            yield Entry(keys[row.number], row.sha, vectors[row.sha], text, _metadata(row))


def _metadata(row: PassageRow) -> Metadata:
    common: Metadata = {"path": row.path, "type": row.type, "agent": row.agent, "date": row.created}
    if row.type == "summary" and row.tier == "recent":
        return {
            **common,
            "type": "memory_summary",
            "timestamp": row.created,
            "memory_range_start": row.range_start,
            "memory_range_end": row.range_end,
            "summary_text": row.body.strip()[:_LONGEST],
        }
    return {**common, "heading": row.heading} if row.heading else common
