"""What is kept beside the files: deleted without a rest, so that what comes back is rebuilt."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from vaultmem.records import Record
from vaultmem.retrieval import usage
from vaultmem.retrieval.vectors import chroma_ledger, database, embedding_cache
from vaultmem.storage.index import passages
from vaultmem.storage.ledger import service as ledger
from vaultmem.storage.store import Store

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
    kept = embedding_cache.stored(store.root.path / database.FILE, shas)
    return frozenset(vector[:_PROBE] for vector in kept)


def servers(store: Store) -> tuple[str, ...]:
    """Name the Chroma servers that were fed from here: they are not ours to clear."""
    places = chroma_ledger.servers(store.root.path / database.FILE)
    return tuple(f"the Chroma server at {place}, until it is fed anew" for place in places)


def clear(store: Store, refs: Collection[str], commits: Mapping[str, str]) -> tuple[str, ...]:
    """Delete index, vectors and every other cache, and make the index anew; return what went.

    How often things were of use stays, but for *refs*; *commits* have other ids by now. The caller
    holds the write lock, and nothing waits for its commit.
    """
    gone = tuple(_clear(store.root.path / ".vaultmem", store))
    usage.forget(store.root.path, refs)
    ledger.purge(store.root.path, refs, commits)
    store.index.rebuild()
    store.index.sync()
    return gone


def _clear(workings: Path, store: Store) -> Iterator[str]:
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
