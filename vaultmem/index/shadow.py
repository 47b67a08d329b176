"""A database that only mirrors files: opened by whoever comes, made anew when it is no use.

Several processes may come to do so at once; only one of them is let in.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from vaultmem.errors import Busy

PATIENCE = 30.0
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_META = "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT)"


@dataclass(frozen=True, slots=True)
class Shadow:
    """What a database is called and which *tables* it has, besides one of notes on itself."""

    name: str
    tables: str

    @property
    def schema(self) -> str:
        """The name of the tables; a database with others is made anew."""
        return f"{zlib.crc32(self.tables.encode()):08x}"

    def connect(self, path: Path) -> sqlite3.Connection:
        """Open it at *path*, made anew when it is absent, damaged or of another schema.

        Raises Busy.
        """
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with _alone(path):
                return self._opened(path)
        except OSError:
            # A vault on a read-only disk can still be read: its shadow lives as long as we do.
            return self._prepared(_bare(":memory:"))

    def anew(self, path: Path, damaged: int) -> sqlite3.Connection:
        """Open it made anew, unless another process did that to the *damaged* one before us.

        Raises Busy.
        """
        try:
            with _alone(path):
                if inode(path) == damaged:
                    _remove(path)
                return self._opened(path)
        except OSError:
            return self._prepared(_bare(":memory:"))

    def busy(self) -> Busy:
        """Return what it means that another process holds it."""
        return Busy(self.name, PATIENCE)

    def _opened(self, path: Path) -> sqlite3.Connection:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
        try:
            return self._prepared(_bare(str(path)))
        except sqlite3.OperationalError as e:
            if is_busy(e):
                raise self.busy() from e
            return self._prepared(_bare(":memory:"))
        except sqlite3.DatabaseError:
            _remove(path)
            return self._prepared(_bare(str(path)))

    def _prepared(self, db: sqlite3.Connection) -> sqlite3.Connection:
        """Return *db* with the tables of this schema; raises DatabaseError when it has others."""
        if _schema(db) == self.schema:
            return db
        with transaction(db):
            if not db.execute("SELECT 1 FROM sqlite_master").fetchone():
                for statement in (_META, *self.tables.split(";\n")):
                    db.execute(statement)
                db.execute("INSERT INTO meta VALUES ('schema', ?)", (self.schema,))
        if _schema(db) != self.schema:
            db.close()
            raise sqlite3.DatabaseError("another schema")
        return db


def is_busy(error: sqlite3.Error) -> bool:
    """Tell whether *error* says that another process holds the database."""
    # Extended codes hold the plain one in their low byte; an error of the module's own has none.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _BUSY


def inode(path: Path) -> int:
    """Return the inode at *path*, 0 when there is none: another one is another database."""
    try:
        return path.stat().st_ino
    except OSError:
        return 0


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Exclude other processes: neither a rebuild nor the turn to WAL bears a second one."""
    lock = os.open(path.with_suffix(".lock"), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _bare(path: str) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    return db


def _schema(db: sqlite3.Connection) -> str:
    try:
        return meta(db, "schema")
    except sqlite3.OperationalError:
        return ""


@contextlib.contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Write all of what is written inside, or none of it."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def meta(db: sqlite3.Connection, key: str) -> str:
    """Return what the index notes about itself under *key*, "" when it is nothing."""
    row = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return str(row[0]) if row else ""


def set_meta(db: sqlite3.Connection, key: str, value: str) -> None:
    """Note *value* under *key*."""
    if meta(db, key) != value:
        db.execute("INSERT OR REPLACE INTO meta VALUES(?,?)", (key, value))
