"""What is kept beside the files: deleted without a rest, so that what comes back is made anew."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Collection, Iterator
from hashlib import sha256
from pathlib import Path

from vaultmem.records import Record
from vaultmem.retrieval import usage
from vaultmem.retrieval.vectors.chroma_ledger import FOLDER
from vaultmem.storage.index import passages
from vaultmem.storage.ledger import service as ledger
from vaultmem.storage.store import Store

_VECTORS = ".vaultmem/index/vectors.sqlite3"
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
    file = store.root.path / _VECTORS
    if not file.exists():
        return frozenset()
    found: set[bytes] = set()
    with contextlib.suppress(sqlite3.Error), contextlib.closing(_reading(file)) as db:
        for sha in shas:
            rows = db.execute("SELECT vector FROM vectors WHERE sha = ?", (sha,))
            found.update(vector[:_PROBE] for (vector,) in rows if isinstance(vector, bytes))
    return frozenset(found)


def servers(store: Store) -> tuple[str, ...]:
    """Name the Chroma servers that were fed from here: they are not ours to clear."""
    file = store.root.path / _VECTORS
    if not file.exists():
        return ()
    with contextlib.suppress(sqlite3.Error), contextlib.closing(_reading(file)) as db:
        rows = db.execute("SELECT DISTINCT place FROM stores WHERE place != ?", (FOLDER,))
        return tuple(f"the Chroma server at {place}, until it is fed anew" for (place,) in rows)
    return ()


def _reading(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)


def clear(store: Store, refs: Collection[str]) -> tuple[str, ...]:
    """Delete index, vectors and every other cache, and make the index anew; return what went.

    How often things were of use stays, but for *refs*. The caller holds the write lock, and
    nothing waits for its commit.
    """
    gone = tuple(_clear(store.root.path / ".vaultmem", store))
    _forget_uses(store.root.path / usage.FILE, refs)
    ledger.purge(store.root.path, refs)
    store.index.rebuild()
    store.index.sync()
    return gone


def _clear(workings: Path, store: Store) -> Iterator[str]:
    store.index.db.close()
    kept = Path(usage.FILE).name
    for file in sorted((workings / "index").glob("*")):
        if not file.name.startswith(kept):
            file.unlink(missing_ok=True)
            yield f"index/{file.name}"
    for name in _FOLDERS:
        if (workings / name).is_dir():
            shutil.rmtree(workings / name)
            yield name


def _forget_uses(file: Path, refs: Collection[str]) -> None:
    if not file.exists():
        return
    try:
        with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as db:
            db.executemany("DELETE FROM uses WHERE ref = ?", [(ref,) for ref in refs])
            db.execute("VACUUM")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error:  # damaged, or held: counts are worth less than the promise
        for suffix in ("", "-wal", "-shm"):
            file.with_name(file.name + suffix).unlink(missing_ok=True)
