"""The SQLite side of the index: what is seen, what it says, which words it holds."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from vaultmem.errors import BadInput, Busy, DiskRefused, Refused
from vaultmem.files import Content, Listing, Stamp
from vaultmem.index import words
from vaultmem.index.listing import RACY_NS, Known, Move, Seen, moves, suspicious
from vaultmem.model import Problem, Record, iso, moment

_REVISION = 1  # raise it when the same columns mean something else: the index is built anew

_LISTS = ("tags", "sources")
_COLUMNS = tuple(f.name for f in fields(Record) if f.name not in {"problem", "body", *_LISTS})
_TABLES = f"""\
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE seen(doc INTEGER PRIMARY KEY, path TEXT UNIQUE, size INT, mtime_ns INT, inode INT,
                  sha TEXT, racy INT);
CREATE TABLE docs(doc INTEGER PRIMARY KEY, stem TEXT, recallable INT, tags TEXT, sources TEXT,
                  {", ".join(_COLUMNS)});
CREATE INDEX docs_order ON docs(type, agent, created, id, doc);
CREATE INDEX docs_stem ON docs(stem);
CREATE INDEX docs_path ON docs(path);
CREATE INDEX docs_origin ON docs(origin, agent) WHERE origin != '';
CREATE INDEX docs_session ON docs(agent, session, created, id) WHERE type = 'memory';
CREATE TABLE bodies(doc INTEGER PRIMARY KEY, body TEXT);
CREATE TABLE links(doc INT, target TEXT, PRIMARY KEY(doc, target)) WITHOUT ROWID;
CREATE INDEX links_target ON links(target);
CREATE TABLE problems(doc INTEGER PRIMARY KEY, code TEXT, path TEXT, message TEXT, repair TEXT);
CREATE VIRTUAL TABLE words USING fts5(title, body, tokenize="porter unicode61 remove_diacritics 2");
INSERT INTO meta VALUES ('generation', '0');
"""  # noqa: S608  # column names are our own
SCHEMA = f"{_REVISION}-{zlib.crc32(_TABLES.encode()):08x}"
"""Names the tables; an index with another name is built anew from the files."""

_BINDINGS = 500
_PATIENCE = 30.0
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_UNREADABLE = (OSError, Refused, DiskRefused)
_EMPTIED = "the file lost nearly all its text since it was last read"
_SHRUNK_FROM, _SHRUNK_TO = 40, 0.1


@dataclass(frozen=True, slots=True)
class Sync:
    """What one sync did, in numbers; *vanished* names files that went in a suspicious crowd."""

    added: int = 0
    modified: int = 0
    removed: int = 0
    vanished: tuple[str, ...] = ()


class Index:
    """The catalog of one vault; *found* lists its files, *read* and *record* look into one."""

    def __init__(
        self,
        path: Path,
        found: Callable[[], Listing],
        read: Callable[[str], Content | None],
        record: Callable[[str, Content], Record],
        folders: Callable[[Iterable[str]], Mapping[str, int]],
    ) -> None:
        """Open the index at *path*, made anew when it is absent, damaged or of another schema."""
        self.path = path
        self._found, self._read, self._record, self._folders = found, read, record, folders
        self._folder_mtimes: dict[str, int] = {}
        self._scanned = 0.0
        self.odd: tuple[str, ...] = ()
        self.db = _open(path)
        self._inode = _inode(path)

    def close(self) -> None:
        """Close the database."""
        self.db.close()

    # --- keeping equal to the files ---------------------------------------------------------

    def sync(self, expected: frozenset[str] = frozenset()) -> Sync:
        """Make the index equal to the files; *expected* names removals that are our own.

        When suspiciously many files are gone at once nothing is removed: they are named in the
        result and in `vanished()` until they come back or `accept_missing()` is called.
        """
        if self._inode != _inode(self.path):  # deleted under us: others would not see ours
            self._reopen(lambda: _open(self.path))
        try:
            return self._sync(expected)
        except sqlite3.DatabaseError as e:
            if _is_busy(e):
                raise Busy("the index", _PATIENCE) from e
            self.rebuild()
            return self._sync(expected)

    def rebuild(self) -> None:
        """Throw the database away, damaged as it is, and start an empty one."""
        self._reopen(lambda: _anew(self.path, self._inode))

    def _reopen(self, opened: Callable[[], sqlite3.Connection]) -> None:
        self.db.close()
        self.db = opened()
        self._inode = _inode(self.path)

    def _sync(self, expected: frozenset[str]) -> Sync:
        started = time.time_ns()
        listing = self._found()
        self.odd = listing.odd
        todo = list(moves(self._known(), listing.files))
        # Files may come back as they were, with nothing to do but to say so.
        if todo or self.vanished():
            done = self._carry_out(todo, listing.files, started, expected)
        else:
            done = Sync()
        self._remember_folders(listing, started)
        return done

    def absorb(self, paths: Iterable[str]) -> None:
        """Look at *paths* alone, which the caller has just written or removed.

        The files are safe already, so an index that cannot take them lags until the next scan.
        """
        started = time.time_ns()
        try:
            with self._transaction():
                for path in paths:
                    if self._look(path, None, started) is None:
                        self._drop(path)
                self._bump(changed=True)
        except sqlite3.DatabaseError:
            self._folder_mtimes = {}

    def fresh(self, patience: float = 60.0) -> None:
        """Sync unless the folders' times say that nothing was added, replaced or removed.

        A file changed in place shows in no folder time, so a full sync is due every *patience*
        seconds all the same.
        """
        recent = time.monotonic() - self._scanned < patience and self._inode == _inode(self.path)
        if recent and self._folder_mtimes:
            now = self._folders(self._folder_mtimes)
            if now == self._folder_mtimes:
                return
        self.sync()

    def _remember_folders(self, listing: Listing, started: int) -> None:
        # A folder touched just before it was read may be touched again within the same tick.
        old = started - RACY_NS // 100
        self._folder_mtimes = {f: m if m < old else -1 for f, m in listing.folders.items()}
        self._scanned = time.monotonic()

    def seen(self) -> dict[str, Seen]:
        """Return what the index knows of every file."""
        rows = self.db.execute("SELECT path, size, mtime_ns, inode, sha, racy FROM seen")
        return {p: Seen(Stamp(s, m, i), sha, bool(r)) for p, s, m, i, sha, r in rows}

    def _known(self) -> dict[str, Known]:
        rows = self.db.execute("SELECT path, size, mtime_ns, inode, racy FROM seen")
        return {row[0]: row for row in rows}

    def _carry_out(
        self,
        todo: Sequence[Move],
        found: Mapping[str, Stamp],
        started: int,
        expected: frozenset[str],
    ) -> Sync:
        with self._transaction():
            added = modified = 0
            for move in todo:
                if move.what != "removed":
                    changed = bool(self._look(move.path, found[move.path], started))
                    added += changed and move.what == "added"
                    modified += changed and move.what == "doubtful"
            gone = [m.path for m in todo if m.what == "removed"]
            removed, vanished = self._remove(gone, len(found) + len(gone), expected)
            self._bump(changed=bool(added or modified or removed))
        return Sync(added, modified, removed, vanished)

    def _look(self, path: str, stamp: Stamp | None, started: int) -> bool | None:
        """Read one file and note what it says; True when its bytes are new to us.

        None when it is not there. One that cannot be read keeps what it said last.
        """
        try:
            content = self._read(path)
        except _UNREADABLE as e:
            return self._note_unreadable(path, stamp, str(e))
        if content is None:
            return None
        stamp = stamp or content.stamp
        racy = content.stamp.mtime_ns > started - RACY_NS
        row = self.db.execute("SELECT doc, sha FROM seen WHERE path = ?", (path,)).fetchone()
        doc = row[0] if row else None
        self.db.execute(
            "INSERT INTO seen(doc, path, size, mtime_ns, inode, sha, racy) VALUES(?,?,?,?,?,?,?)"
            " ON CONFLICT(path) DO UPDATE SET size=excluded.size, mtime_ns=excluded.mtime_ns,"
            " inode=excluded.inode, sha=excluded.sha, racy=excluded.racy",
            (doc, path, *content.stamp, content.sha, racy or content.stamp != stamp),
        )
        if row and row[1] == content.sha:
            return False
        self._note(path, content)
        return True

    def _note_unreadable(self, path: str, stamp: Stamp | None, why: str) -> bool:
        """Report *path*, to be looked at again by every sync; True when that is news."""
        self.db.execute(
            "INSERT OR IGNORE INTO seen(path, size, mtime_ns, inode, sha) VALUES(?,?,?,?,'')",
            (path, *(stamp or (0, 0, 0))),
        )
        self.db.execute("UPDATE seen SET racy = 1, sha = '' WHERE path = ?", (path,))
        (doc,) = self.db.execute("SELECT doc FROM seen WHERE path = ?", (path,)).fetchone()
        rows = self.db.execute("SELECT code FROM problems WHERE doc = ?", (doc,))
        is_news = ("unreadable",) not in rows.fetchall()
        self._report(doc, Problem("unreadable", path, why, "make it readable again"))
        return is_news

    def _report(self, doc: int, problem: Problem | None) -> None:
        self.db.execute("DELETE FROM problems WHERE doc = ?", (doc,))
        if problem:
            self.db.execute(
                "INSERT INTO problems VALUES(?,?,?,?,?)",
                (doc, problem.code, problem.path, problem.message, problem.repair),
            )

    def _note(self, path: str, content: Content) -> None:
        (doc,) = self.db.execute("SELECT doc FROM seen WHERE path = ?", (path,)).fetchone()
        said = self._record(path, content)
        problem = said.problem or self._emptied(doc, said)
        self._report(doc, problem)
        # What cannot be trusted now keeps what it said when it could: never dropped, never stale
        # without a word, because the problem is reported beside it.
        if not problem or problem.code == "incomplete" or not self._knows(doc):
            self._write(doc, said)

    def _emptied(self, doc: int, said: Record) -> Problem | None:
        row = self.db.execute("SELECT body FROM bodies WHERE doc = ?", (doc,)).fetchone()
        before, after = len(row[0].strip()) if row else 0, len(said.body.strip())
        shrunk = before >= _SHRUNK_FROM and after < before * _SHRUNK_TO
        if not shrunk and (after or not before):
            return None
        if said.type != "memory" or not said.recallable:
            return None
        return Problem(
            "emptied", said.path, _EMPTIED, f"restore it with `git checkout -- {said.path}`"
        )

    def _knows(self, doc: int) -> bool:
        return self.db.execute("SELECT 1 FROM docs WHERE doc = ?", (doc,)).fetchone() is not None

    def _write(self, doc: int, said: Record) -> None:
        self._forget(doc)
        said = replace(said, created=_sortable(said.created))
        values = [getattr(said, c) for c in _COLUMNS]
        marks = ",".join("?" * (5 + len(values)))
        self.db.execute(
            f"INSERT INTO docs(doc, stem, recallable, tags, sources, {', '.join(_COLUMNS)})"
            f" VALUES({marks})",
            (doc, said.stem, said.recallable, *_joined(said), *values),
        )
        self.db.execute("INSERT INTO bodies VALUES(?,?)", (doc, said.body))
        self.db.executemany(
            "INSERT OR IGNORE INTO links VALUES(?,?)", [(doc, t) for t in said.sources]
        )
        if said.recallable:
            self.db.execute(
                "INSERT INTO words(rowid, title, body) VALUES(?,?,?)",
                (doc, words.indexed(_heading(said)), words.indexed(said.body)),
            )

    def _forget(self, doc: int) -> None:
        for table in ("docs", "bodies", "links"):
            self.db.execute(f"DELETE FROM {table} WHERE doc = ?", (doc,))  # noqa: S608
        self.db.execute("DELETE FROM words WHERE rowid = ?", (doc,))

    def _remove(
        self, gone: list[str], known: int, expected: frozenset[str]
    ) -> tuple[int, tuple[str, ...]]:
        """Drop what is gone, unless it is a suspicious crowd; return how many, and that crowd."""
        # Another process may have written and indexed a file after we listed the folder.
        gone = [p for p in gone if self._is_gone(p)]
        unasked = [p for p in gone if p not in expected]
        crowd = tuple(unasked) if suspicious(len(unasked), known) else ()
        left = [p for p in gone if p in expected] if crowd else gone
        for path in left:
            self._drop(path)
        self._set("vanished", json.dumps(crowd) if crowd else "")
        return len(left), crowd

    def _is_gone(self, path: str) -> bool:
        try:
            return self._read(path) is None
        except _UNREADABLE:  # unreadable is not deleted
            return False

    def _drop(self, path: str) -> None:
        row = self.db.execute("SELECT doc FROM seen WHERE path = ?", (path,)).fetchone()
        if row:
            self._forget(row[0])
            self.db.execute("DELETE FROM problems WHERE doc = ?", row)
            self.db.execute("DELETE FROM seen WHERE doc = ?", row)

    def vanished(self) -> tuple[str, ...]:
        """Return the files that went in a suspicious crowd and are still gone."""
        return tuple(json.loads(self._get("vanished") or "[]"))

    def accept_missing(self) -> int:
        """Believe that the vanished files are meant to be gone; return how many."""
        gone = self.vanished()
        self.sync(expected=frozenset(gone))
        return len(gone)

    def generation(self) -> int:
        """Return the number that rises with every change of the catalog."""
        return int(self._get("generation") or 0)

    def _bump(self, *, changed: bool) -> None:
        if changed:
            self._set("generation", str(self.generation() + 1))

    def _get(self, key: str) -> str:
        row = self.db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else ""

    def _set(self, key: str, value: str) -> None:
        if self._get(key) != value:
            self.db.execute("INSERT OR REPLACE INTO meta VALUES(?,?)", (key, value))

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.db.execute("COMMIT")
        except BaseException:
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")
            raise

    # --- asking -----------------------------------------------------------------------------

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let several questions see one state, whatever other processes write meanwhile."""
        self.db.execute("BEGIN")
        try:
            yield
        finally:
            self.db.execute("COMMIT")

    def records(
        self, where: str = "1", args: Sequence[object] = (), *, body: bool = True
    ) -> list[Record]:
        """Return the records that the SQL condition *where* selects, in order of time."""
        text = "bodies.body" if body else "''"
        rows = self.db.execute(
            f"SELECT docs.tags, docs.sources, {text}, {', '.join('docs.' + c for c in _COLUMNS)}"  # noqa: S608
            f" FROM docs JOIN bodies USING(doc) WHERE {where}"
            " ORDER BY docs.created, docs.id, docs.path",
            tuple(args),
        )
        return [_record(row) for row in rows]

    def agents(self) -> list[str]:
        """Return the agents that have files, by name."""
        rows = self.db.execute("SELECT DISTINCT agent FROM docs WHERE path LIKE 'agents/%'")
        return sorted(a for (a,) in rows if a)

    def stems(self, agent: str) -> list[tuple[str, str]]:
        """Return (stem, created) of the agent's memories, oldest first."""
        return self.db.execute(
            "SELECT stem, created FROM docs WHERE type = 'memory' AND agent = ? AND id != ''"
            " AND path LIKE 'agents/%' ORDER BY created, id",
            (agent,),
        ).fetchall()

    def covered(self, agent: str) -> frozenset[str]:
        """Return the stems that the agent's short-term summaries name as sources."""
        rows = self.db.execute(
            "SELECT target FROM links JOIN docs USING(doc)"
            " WHERE docs.type = 'summary' AND docs.tier = 'recent' AND docs.agent = ?",
            (agent,),
        )
        return frozenset(target for (target,) in rows)

    def origins(self, agent: str, wanted: Sequence[str]) -> frozenset[str]:
        """Return those of the *wanted* origins that the agent already remembers."""
        found: set[str] = set()
        for start in range(0, len(wanted), _BINDINGS):
            part = wanted[start : start + _BINDINGS]
            marks = ",".join("?" * len(part))
            rows = self.db.execute(
                f"SELECT origin FROM docs WHERE agent = ? AND origin IN ({marks})",  # noqa: S608
                (agent, *part),
            )
            found.update(o for (o,) in rows)
        return frozenset(found)

    def problems(self) -> list[Problem]:
        """Return what is wrong with single files, by path."""
        rows = self.db.execute("SELECT code, path, message, repair FROM problems ORDER BY path")
        return [Problem(code, path, message, repair) for code, path, message, repair in rows]

    def value(self, sql: str, *args: object) -> object:
        """Return the first column of the first row of a query, None without one."""
        row = self.db.execute(sql, args).fetchone()
        return row[0] if row else None


def _heading(said: Record) -> str:
    when = said.created[:10]
    return " ".join(x for x in (said.title, said.description, said.speaker, when) if x)


def _joined(said: Record) -> Iterator[str]:
    return ("\n".join(getattr(said, name)) for name in _LISTS)


def _record(row: Sequence[str]) -> Record:
    tags, sources, body, *values = row
    known = dict(zip(_COLUMNS, values, strict=True))
    return Record(
        **known,  # type: ignore[arg-type]
        tags=tuple(tags.split("\n")) if tags else (),
        sources=tuple(sources.split("\n")) if sources else (),
        body=body,
    )


def _sortable(created: str) -> str:
    """Return a hand-written time as the vault writes times, so that they compare as text."""
    try:
        return iso(moment(created)) if created else ""
    except (BadInput, OverflowError):
        return created


def _is_busy(error: sqlite3.Error) -> bool:
    # Extended codes hold the plain one in their low byte; an error of the module's own has none.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _BUSY


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return 0


def _open(path: Path) -> sqlite3.Connection:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _alone(path):
            return _opened(path)
    except OSError:
        # A vault on a read-only disk can still be read: its index lives as long as we do.
        return _prepared(_connect(":memory:"))


def _anew(path: Path, damaged: int) -> sqlite3.Connection:
    """Open the index made anew, unless another process did that to the *damaged* one before us."""
    try:
        with _alone(path):
            if _inode(path) == damaged:
                _remove(path)
            return _opened(path)
    except OSError:
        return _prepared(_connect(":memory:"))


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
        return _prepared(_connect(str(path)))
    except sqlite3.OperationalError as e:
        if _is_busy(e):
            raise Busy("the index", _PATIENCE) from e
        return _prepared(_connect(":memory:"))
    except sqlite3.DatabaseError:
        _remove(path)
        return _prepared(_connect(str(path)))


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _connect(path: str) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
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
