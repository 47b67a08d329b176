"""A database that only mirrors files: opened by whoever comes, rebuilt when it is no use.

Several processes may come to do so at once; only one of them may. Whatever SQLite says leaves
as Busy or IndexFailed; a disk that takes no writes leaves a database in memory.
"""

from __future__ import annotations

import contextlib
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vaultmem.errors import Busy, IndexFailed
from vaultmem.storage import file_lock
from vaultmem.storage.files import private_file
from vaultmem.storage.fork_gate import GATE
from vaultmem.storage.owner_thread import Owner, Uncopied

PATIENCE = 30.0
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_DISK = frozenset(
    {
        sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_NOMEM,
    }
)  # fmt: skip
"""What a new file in the same place would meet, too."""
_UNREADABLE = frozenset({sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ})
_MEMORY = ":memory:"
_META = "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT)"


@dataclass(frozen=True, slots=True)
class CacheDatabase:
    """What a database is called and which *tables* it has, besides one of notes on itself."""

    name: str
    tables: str

    @property
    def schema(self) -> str:
        """The name of the tables; a database with others is rebuilt."""
        return f"{zlib.crc32(self.tables.encode()):08x}"

    def connect(self, path: Path) -> Connection:
        """Open it at *path*, rebuilt when it is absent, damaged or of another schema.

        Where the disk takes no writes it lives in memory, and as long as we do. Raises Busy.
        """
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Alone: neither a rebuild nor the turn to WAL bears a second process.
            with file_lock.locked(path.with_suffix(".lock")):
                return self._opened(path)
        except OSError as e:
            return self.in_memory(e.strerror or str(e))

    def anew(self, path: Path, damaged: int) -> Connection:
        """Open it rebuilt, unless another process did that to the *damaged* one before us.

        Raises Busy.
        """
        try:
            with file_lock.locked(path.with_suffix(".lock")):
                if inode(path) == damaged:
                    _remove(path)
                return self._opened(path)
        except OSError as e:
            return self.in_memory(e.strerror or str(e))

    def discard(self, path: Path, damaged: int) -> None:
        """Remove the *damaged* one at *path*, for the next to open it to make a new one.

        Unless another process did that before us; raises OSError, Busy.
        """
        with file_lock.locked(path.with_suffix(".lock")):
            if inode(path) == damaged:
                _remove(path)

    def in_memory(self, why: str, old: Connection | None = None) -> Connection:
        """Open one in memory, and note *why*; it holds all of *old* that can be read."""
        db = self._bare(_MEMORY)
        db.why = why
        if old:
            try:
                old.copy_to(db)
                return self._prepared(db)
            except (IndexFailed, Busy):
                db.close()
                return self.in_memory(why)
        return self._prepared(db)

    def _opened(self, path: Path) -> Connection:
        # Never one that is there: whoever closes a file gives up every lock that this process has
        # on it, and the next to close the database takes the log away from under us.
        private_file.create(path)
        try:
            return self._prepared(self._bare(str(path)))
        except IndexFailed as e:
            if not e.damaged:
                return self.in_memory(e.why)
        _remove(path)
        try:
            return self._prepared(self._bare(str(path)))
        except IndexFailed as e:
            return self.in_memory(e.why)

    def _bare(self, path: str) -> Connection:
        with GATE.at_work():
            try:
                db = sqlite3.connect(
                    path, timeout=PATIENCE, isolation_level=None, check_same_thread=False,
                    factory=Connection,
                )  # fmt: skip
            except sqlite3.Error as e:
                raise _meaning(e, self.name) from e
            db.name = self.name
            with _closed_in_trouble(db):
                db.execute("PRAGMA journal_mode = WAL")
                db.execute("PRAGMA synchronous = NORMAL")
                db.execute("PRAGMA temp_store = MEMORY")  # a question needs no disk
        return db

    def _prepared(self, db: Connection) -> Connection:
        """Return *db* with the tables of this schema; raises IndexFailed when it has others."""
        with _closed_in_trouble(db):
            if _schema(db) == self.schema:
                return db
            with transaction(db):
                if not db.execute("SELECT 1 FROM sqlite_master").fetchone():
                    for statement in (_META, *self.tables.split(";\n")):
                        db.execute(statement)
                    db.execute("INSERT INTO meta VALUES ('schema', ?)", (self.schema,))
            if _schema(db) != self.schema:
                raise IndexFailed(self.name, "another schema", damaged=True)
        return db


@contextlib.contextmanager
def _closed_in_trouble(db: Connection) -> Iterator[None]:
    """Close *db* at once where the block fails: later it would take a new one's log along."""
    try:
        yield
    except (IndexFailed, Busy):
        db.close()
        raise


# --- what SQLite says -------------------------------------------------------------------------


class Connection(Uncopied, sqlite3.Connection):
    """A connection that raises nothing but Busy and IndexFailed, in the name of its database."""

    name = "the index"
    why = ""
    """Why it lives in memory, for this process alone; empty for a file."""

    damaged = False
    """Whether it said what only a new one helps against."""

    written = 0.0
    """When an operation of ours wrote last, in monotonic seconds: it is not to be done again."""

    def __init__(self, *how: Any, **more: Any) -> None:  # noqa: ANN401  # as SQLite
        """Open it as `sqlite3.connect` was asked to."""
        super().__init__(*how, **more)
        self._owner = Owner(self.name)
        self.long_notes: dict[str, str] = {}
        """What `long_meta` read last, by its key."""

    def close(self) -> None:
        """Close it, unless a fork interrupted it: SQLite would wait for a thread that is not there.

        A fork that made no use of it may: it holds none of the locks, and so takes none away. What
        it opens anew gets locks of its own only when this is closed.
        """
        if not self._owner.interrupted:
            with GATE.at_work():
                super().close()

    def cursor(self, *_: object) -> _Cursor:  # type: ignore[override]  # of our kind alone
        """Return a cursor that raises nothing else, either."""
        return super().cursor(_Cursor)

    def execute(self, sql: str, args: Any = (), /) -> sqlite3.Cursor:  # noqa: ANN401  # as SQLite
        """Execute one statement."""
        try:
            # SQLite's own way makes a cursor of its kind, whose rows raise what they like.
            return super().cursor(_Cursor).execute(sql, args)
        except sqlite3.Error as e:
            raise _meaning(e, self.name, self) from e

    def executemany(self, sql: str, rows: Iterable[Any], /) -> sqlite3.Cursor:
        """Execute one statement for each of *rows*."""
        try:
            return super().cursor(_Cursor).executemany(sql, rows)
        except sqlite3.Error as e:
            raise _meaning(e, self.name, self) from e

    def copy_to(self, target: sqlite3.Connection) -> None:
        """Copy all of it into *target*; raises Busy at once, where `backup` tries for ever."""

        def go_on(status: int, _left: int, _total: int) -> None:
            if status & 0xFF in _BUSY:
                raise Busy(self.name, 0)

        try:
            self.backup(target, progress=go_on)
        except sqlite3.Error as e:
            raise _meaning(e, self.name, self) from e


class _Cursor(sqlite3.Cursor):
    """What is left of an answer: each row of it may still be on a bad disk."""

    connection: Connection

    def __iter__(self) -> Iterator[Any]:  # type: ignore[override]  # what it is for is the same
        try:
            yield from iter(super().fetchone, None)
        except sqlite3.Error as e:
            raise _meaning(e, self.connection.name, self.connection) from e

    def fetchone(self) -> Any:  # noqa: ANN401  # as SQLite
        try:
            return super().fetchone()
        except sqlite3.Error as e:
            raise _meaning(e, self.connection.name, self.connection) from e

    def fetchall(self) -> list[Any]:
        try:
            return super().fetchall()
        except sqlite3.Error as e:
            raise _meaning(e, self.connection.name, self.connection) from e


def _meaning(e: sqlite3.Error, name: str, db: Connection | None = None) -> Busy | IndexFailed:
    """Return what an error of SQLite means for whoever asked, and whether a new file helps.

    This is the one place that tells: *db* is marked as damaged, and whoever syncs next rebuilds it.
    """
    # Extended codes hold the plain one in their low byte; the module's own errors have none.
    code = getattr(e, "sqlite_errorcode", 0)
    if code & 0xFF in _BUSY:
        return Busy(name, PATIENCE)
    damaged = code & 0xFF not in _DISK or code in _UNREADABLE
    if db is None:
        return IndexFailed(name, str(e), damaged=damaged)
    db.damaged = db.damaged or damaged
    return IndexFailed(name, str(e), damaged=damaged, written=db.written)


def inode(path: Path) -> int:
    """Return the inode at *path*, 0 when there is none: another one is another database."""
    try:
        return path.stat().st_ino
    except OSError:
        return 0


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _schema(db: Connection) -> str:
    named = db.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone()
    return meta(db, "schema") if named else ""


@contextlib.contextmanager
def transaction(db: Connection) -> Iterator[None]:
    """Write all of what is written inside, or none of it; a fork of another thread's waits.

    SQLite would find the lock of the file taken there, by a connection that nobody gives back.
    """
    with GATE.at_work():
        db.execute("BEGIN IMMEDIATE")
        try:
            yield
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise


def meta(db: Connection, key: str) -> str:
    """Return what the index notes about itself under *key*, "" when it is nothing."""
    row = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return str(row[0]) if row else ""


def long_meta(db: Connection, key: str) -> str:
    """Like `meta`, for what is long and asked for often: what did not change is not read again."""
    known = db.long_notes.get(key, "")
    row = db.execute("SELECT nullif(value, ?) FROM meta WHERE key = ?", (known, key)).fetchone()
    if row is None or row[0] is not None:
        db.long_notes[key] = str(row[0]) if row else ""
    return db.long_notes.get(key, "")


def set_meta(db: Connection, key: str, value: str) -> None:
    """Note *value* under *key*."""
    if meta(db, key) != value:
        db.execute("INSERT OR REPLACE INTO meta VALUES(?,?)", (key, value))
