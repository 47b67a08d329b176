"""The file that holds the vectors: opened, made anew when it is damaged, its tables.

It outlives the catalog: what was embedded once is not embedded again. Several processes use it at
once; on a disk that takes no writes it lives in memory, as long as the process does.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from vaultmem.errors import Busy, DiskRefused
from vaultmem.index.database import PATIENCE, inode, is_busy, meta, set_meta, transaction

_TABLES = """\
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE spaces(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, edition TEXT);
CREATE TABLE vectors(id INTEGER PRIMARY KEY AUTOINCREMENT, space INT, sha TEXT, vector BLOB);
CREATE UNIQUE INDEX vectors_sha ON vectors(space, sha);
CREATE TABLE stores(place TEXT, space INT, identity TEXT, token TEXT, due TEXT,
                    starved INT,
                    PRIMARY KEY(place, space));
CREATE TABLE fed(seq INTEGER PRIMARY KEY AUTOINCREMENT, store TEXT, key TEXT, sha TEXT);
CREATE UNIQUE INDEX fed_key ON fed(store, key);
CREATE INDEX fed_sha ON fed(store, sha, seq);
INSERT INTO meta VALUES ('schema', '{schema}')
"""
_SCHEMA = f"{zlib.crc32(_TABLES.encode()):08x}"
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})

T = TypeVar("T")


class Database:
    """The vectors' database: reads and transactions that heal a damaged file by a new one."""

    def __init__(self, path: Path) -> None:
        """Open the database at *path*, made when it is absent, anew when it is no use."""
        self.path = path
        self._connect()

    def _connect(self) -> None:
        self._db = _connected(self.path)
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

    def rows(self, sql: str, *args: object) -> list[tuple[object, ...]]:
        """Return the rows of a query; raises Busy or DiskRefused."""
        return self._mended(lambda db: db.execute(sql, args).fetchall())

    def value(self, sql: str, *args: object) -> object:
        """Return the first column of the first row, None without one."""
        found = self.rows(sql, *args)
        return found[0][0] if found else None

    def number(self, sql: str, *args: object) -> int:
        """Return a query's one number, 0 for none."""
        found = self.value(sql, *args)
        return found if isinstance(found, int) else 0

    def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do *work* in one transaction; raises Busy or DiskRefused."""

        def whole(db: sqlite3.Connection) -> T:
            with transaction(db):
                return work(db)

        return self._mended(whole)

    def noted(self, key: str) -> str:
        """Return what is noted under *key*, "" when it is nothing."""
        return self._mended(lambda db: meta(db, key))

    def note(self, key: str, value: str) -> None:
        """Note *value* under *key*."""
        self.write(lambda db: set_meta(db, key, value))

    def _mended(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return work(self._db)
        except sqlite3.DatabaseError as e:
            if not _is_damaged(e):
                raise self._refusal(e) from e
        self._db.close()
        self._db = _anew(self.path, self._inode)
        self._inode = inode(self.path)
        return work(self._db)

    def _refusal(self, error: sqlite3.Error) -> Exception:
        return _busy() if is_busy(error) else DiskRefused(str(self.path), str(error))


def _busy() -> Busy:
    return Busy("the index of vectors", PATIENCE)


def _is_damaged(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED


def _connected(path: Path) -> sqlite3.Connection:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _alone(path):
            return _opened(path)
    except OSError:
        return _prepared(_bare(":memory:"))


def _anew(path: Path, damaged: int) -> sqlite3.Connection:
    """Open a new database, unless another process made one in the *damaged* one's place."""
    try:
        with _alone(path):
            if inode(path) == damaged:
                _remove(path)
            return _opened(path)
    except OSError:
        return _prepared(_bare(":memory:"))


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    lock = os.open(path.with_suffix(".lock"), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _opened(path: Path) -> sqlite3.Connection:
    os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
    try:
        return _prepared(_bare(str(path)))
    except sqlite3.DatabaseError as e:
        if is_busy(e):
            raise _busy() from e
        if isinstance(e, sqlite3.OperationalError):  # the disk takes no writes
            return _prepared(_bare(":memory:"))
    _remove(path)
    return _prepared(_bare(str(path)))


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _bare(path: str) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    return db


def _prepared(db: sqlite3.Connection) -> sqlite3.Connection:
    """Return *db* with our tables; raises DatabaseError when it has others."""
    if not db.execute("SELECT 1 FROM sqlite_master").fetchone():
        with transaction(db):
            for statement in _TABLES.format(schema=_SCHEMA).split(";\n"):
                db.execute(statement)
    if _schema(db) != _SCHEMA:
        db.close()
        raise sqlite3.DatabaseError("another schema")
    return db


def _schema(db: sqlite3.Connection) -> str:
    try:
        return meta(db, "schema")
    except sqlite3.OperationalError:
        return ""
