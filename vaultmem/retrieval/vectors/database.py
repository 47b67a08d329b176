"""The file that holds the vectors: opened, rebuilt when it is damaged, its tables.

It outlives the catalog: what was embedded once is not embedded again. Several processes use it at
once; on a disk that takes no writes it lives in memory, as long as the process does.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from vaultmem.errors import IndexFailed
from vaultmem.storage.index.cache_database import (
    CacheDatabase,
    Connection,
    inode,
    meta,
    set_meta,
    transaction,
)

_TABLES = """\
CREATE TABLE spaces(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, edition TEXT,
                    basis BLOB);
CREATE TABLE vectors(id INTEGER PRIMARY KEY AUTOINCREMENT, space INT, sha TEXT, vector BLOB);
CREATE UNIQUE INDEX vectors_sha ON vectors(space, sha);
CREATE TABLE token_vectors(vector INTEGER PRIMARY KEY, tokens BLOB);
CREATE TABLE codes(vector INTEGER PRIMARY KEY, space INT, dimensions INT, code BLOB);
CREATE TRIGGER vectors_gone AFTER DELETE ON vectors
    BEGIN DELETE FROM token_vectors WHERE vector = old.id; END;
CREATE TRIGGER vectors_gone_codes AFTER DELETE ON vectors
    BEGIN DELETE FROM codes WHERE vector = old.id; END;
CREATE TABLE stores(place TEXT, space INT, identity TEXT, token TEXT, due TEXT,
                    starved INT,
                    PRIMARY KEY(place, space));
CREATE TABLE fed(seq INTEGER PRIMARY KEY AUTOINCREMENT, store TEXT, key TEXT, sha TEXT);
CREATE UNIQUE INDEX fed_key ON fed(store, key);
CREATE INDEX fed_sha ON fed(store, sha, seq)
"""
_VECTORS = CacheDatabase("the index of vectors", _TABLES)

T = TypeVar("T")
FILE = ".vaultmem/index/vectors.sqlite3"


def rows_of(path: Path, sql: str, *args: object) -> list[tuple[object, ...]]:
    """Return the rows of a query in the file at *path* as it is; none where it is no use."""
    if not path.exists():
        return []
    with contextlib.suppress(sqlite3.Error):
        uri = f"{path.as_uri()}?mode=ro"
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as db:
            return db.execute(sql, args).fetchall()
    return []


class Database:
    """The vectors' database: reads and transactions that heal a damaged file by a new one."""

    def __init__(self, path: Path) -> None:
        """Open the database at *path*, made when it is absent, anew when it is no use."""
        self.path = path
        self._connect()

    def _connect(self) -> None:
        self._db = _VECTORS.connect(self.path)
        self._inode = inode(self.path)

    def close(self) -> None:
        """Close it."""
        self._db.close()

    def fresh(self) -> bool:
        """Open the file that is there now; True when it is another than before."""
        if self._inode == inode(self.path):
            return False
        self._db.close()
        self._connect()
        return True

    @property
    def file(self) -> int:
        """What tells this file from one made in its place."""
        return self._inode

    @property
    def lasts(self) -> bool:
        """Whether it is a file; else it lives in memory, for this process alone."""
        return not self._db.why

    def rows(self, sql: str, *args: object) -> list[tuple[object, ...]]:
        """Return the rows of a query; raises Busy or IndexFailed."""
        return self._mended(lambda db: db.execute(sql, args).fetchall())

    def value(self, sql: str, *args: object) -> object:
        """Return the first column of the first row, None without one."""
        found = self.rows(sql, *args)
        return found[0][0] if found else None

    def number(self, sql: str, *args: object) -> int:
        """Return a query's one number, 0 for none."""
        found = self.value(sql, *args)
        return found if isinstance(found, int) else 0

    def write(self, work: Callable[[Connection], T]) -> T:
        """Do *work* in one transaction; raises Busy or IndexFailed."""

        def whole(db: Connection) -> T:
            with transaction(db):
                return work(db)

        return self._mended(whole)

    def noted(self, key: str) -> str:
        """Return what is noted under *key*, "" when it is nothing."""
        return self._mended(lambda db: meta(db, key))

    def note(self, key: str, value: str) -> None:
        """Note *value* under *key*."""
        self.write(lambda db: set_meta(db, key, value))

    def _mended(self, work: Callable[[Connection], T]) -> T:
        try:
            return work(self._db)
        except IndexFailed as e:
            if not e.damaged:
                raise
        self._db.close()
        self._db = _VECTORS.anew(self.path, self._inode)
        self._inode = inode(self.path)
        return work(self._db)
