"""What is kept beside the files: deleted without a rest, so that what comes back is rebuilt."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Collection, Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from vaultmem.errors import Busy, CannotOpen, IndexFailed
from vaultmem.records import Record
from vaultmem.retrieval import usage
from vaultmem.retrieval.vectors import chroma_ledger, database, embedding_cache
from vaultmem.storage.index import passage_queries, passages
from vaultmem.storage.store import Store, refuse_links

_FOLDERS = (
    "chroma",
    "chroma.new",
    "chroma.old",
    "past",
    "answers",
    "dreams",
    "linger",
    "logs",
    "unconfirmed",
)
_PROBE = 64
"""Bytes of a vector that tell it from every other."""


def vectors(store: Store, records: Collection[Record]) -> frozenset[bytes]:
    """Return the vectors of the passages of *records* that are stored now, by their first bytes."""
    shas = [
        sha256(passages.embedded(record, cut).encode()).hexdigest()
        for record in records
        for cut in passages.cut(record.body)
    ]
    return _stored(store, shas)


def vectors_with(store: Store, paths: Iterable[str]) -> frozenset[bytes]:
    """Return those of the files at *paths*, and of what is read beside them, likewise."""
    return _stored(store, passage_queries.read_with(store.index, paths))


def _stored(store: Store, shas: Iterable[str]) -> frozenset[bytes]:
    kept = embedding_cache.stored(store.root.path / database.FILE, shas)
    return frozenset(vector[:_PROBE] for vector in kept)


def drop_dead_vectors(store: Store) -> None:
    """Drop the vectors of texts that no passage has: one that a neighbour had may have a mark.

    What is forgotten is so whether or not this can be done; what is left is compared with nothing,
    and goes when others do.
    """
    if not (store.root.path / database.FILE).exists():
        return
    with contextlib.suppress(Busy, CannotOpen, IndexFailed):
        refuse_links(store.root.path, database.FILE)
        with contextlib.closing(database.Database(store.root.path / database.FILE)) as kept:
            living = frozenset(passage_queries.shas(store.index))
            embedding_cache.Blobs(kept).drop_dead(living)


def servers(store: Store) -> tuple[str, ...]:
    """Name the Chroma servers that were fed from here: they are not ours to clear."""
    places = chroma_ledger.servers(store.root.path / database.FILE)
    return tuple(f"the Chroma server at {place}, until it is fed anew" for place in places)


def clear(store: Store, refs: Collection[str]) -> tuple[str, ...]:
    """Delete index, vectors and every other cache, and make the index anew; return what went.

    How often things were of use stays, but for *refs*. The caller holds the write lock, and nothing
    waits for its commit.
    """
    gone = tuple(_clear(store.root.path / ".vaultmem", store))
    usage.forget(store.root.path, refs)
    store.index.rebuild()
    store.index.sync()
    return gone


def _clear(workings: Path, store: Store) -> Iterator[str]:
    store.release_turns()
    store.index.release()
    kept = Path(usage.FILE).name
    for file in sorted((workings / "index").glob("*")):
        if not file.name.startswith(kept):
            file.unlink(missing_ok=True)
            yield f"index/{file.name}"
    for name in _FOLDERS:
        if (workings / name).is_dir():
            shutil.rmtree(workings / name)
            yield name
