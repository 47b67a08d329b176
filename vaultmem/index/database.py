"""The file that holds the index: its tables, opening it, and making it anew when it is no use.

Several processes may come to do so at once; only one of them is let in.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import zlib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from vaultmem.errors import Busy
from vaultmem.model import Record

_REVISION = 1  # raise it when the same columns mean something else: the index is built anew

LISTS = ("tags", "sources")
COLUMNS = tuple(f.name for f in fields(Record) if f.name not in {"problem", "body", *LISTS})
_TABLES = f"""\
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE seen(doc INTEGER PRIMARY KEY, path TEXT UNIQUE, size INT, mtime_ns INT, inode INT,
                  sha TEXT, racy INT);
CREATE TABLE docs(doc INTEGER PRIMARY KEY, stem TEXT, recallable INT, length INT, asks INT,
                  times INT, counts INT, tags TEXT, sources TEXT, {", ".join(COLUMNS)});
CREATE INDEX docs_order ON docs(type, agent, created, id, doc);
CREATE INDEX docs_stem ON docs(stem);
CREATE INDEX docs_path ON docs(path);
CREATE INDEX docs_origin ON docs(origin, agent) WHERE origin != '';
CREATE INDEX docs_session ON docs(agent, session, created, id, length) WHERE type = 'memory';
CREATE TABLE bodies(doc INTEGER PRIMARY KEY, body TEXT);
CREATE TABLE links(doc INT, target TEXT, PRIMARY KEY(doc, target)) WITHOUT ROWID;
CREATE INDEX links_target ON links(target);
CREATE TABLE passages(id INTEGER PRIMARY KEY, doc INT, number INT, first INT, last INT,
                      line_first INT, line_last INT, heading TEXT, sha TEXT);
CREATE INDEX passages_doc ON passages(doc);
CREATE INDEX passages_sha ON passages(sha);
CREATE TABLE problems(doc INTEGER PRIMARY KEY, code TEXT, path TEXT, message TEXT, repair TEXT);
CREATE VIRTUAL TABLE words USING fts5(title, body, tokenize="porter unicode61 remove_diacritics 2");
INSERT INTO meta VALUES ('generation', '0');
"""  # noqa: S608  # column names are our own
SCHEMA = f"{_REVISION}-{zlib.crc32(_TABLES.encode()):08x}"
"""Names the tables; an index with another name is built anew from the files."""

PATIENCE = 30.0
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})


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


def connect(path: Path) -> sqlite3.Connection:
    """Open the index at *path*, made anew when it is absent, damaged or of another schema."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _alone(path):
            return _opened(path)
    except OSError:
        # A vault on a read-only disk can still be read: its index lives as long as we do.
        return _prepared(_bare(":memory:"))


def anew(path: Path, damaged: int) -> sqlite3.Connection:
    """Open the index made anew, unless another process did that to the *damaged* one before us."""
    try:
        with _alone(path):
            if inode(path) == damaged:
                _remove(path)
            return _opened(path)
    except OSError:
        return _prepared(_bare(":memory:"))


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Exclude other processes: neither a rebuild nor the turn to WAL bears a second one."""
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
    except sqlite3.OperationalError as e:
        if is_busy(e):
            raise Busy("the index", PATIENCE) from e
        return _prepared(_bare(":memory:"))
    except sqlite3.DatabaseError:
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
    """Return *db* with the tables of this schema; raises DatabaseError when it has others."""
    if _schema(db) == SCHEMA:
        return db
    db.execute("BEGIN IMMEDIATE")
    try:
        if not db.execute("SELECT 1 FROM sqlite_master").fetchone():
            for statement in _TABLES.split(";\n"):
                db.execute(statement)
            db.execute("INSERT INTO meta VALUES ('schema', ?)", (SCHEMA,))
    finally:
        db.execute("COMMIT")
    if _schema(db) != SCHEMA:
        db.close()
        raise sqlite3.DatabaseError("another schema")
    return db


def _schema(db: sqlite3.Connection) -> str:
    try:
        row = db.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
    except sqlite3.OperationalError:
        return ""
    return str(row[0]) if row else ""


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
