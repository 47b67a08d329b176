"""What the index holds of one file: that it was seen, what it says, what is wrong with it."""

from __future__ import annotations

import shlex
import sqlite3
from typing import NamedTuple, cast

from vaultmem.records import Problem, Record
from vaultmem.storage import files
from vaultmem.storage.files import NO_STAMP, Content, Stamp
from vaultmem.storage.index import (
    coverage,
    edited_memories,
    neighbours,
    supersession,
)

_EMPTIED = "the file lost nearly all its text since it was last read"
_SHRUNK_FROM, _SHRUNK_TO = 40, 0.1
_LASTING = ("knowledge/", "skills/", "topics/")


class Sighting(NamedTuple):
    """The number of a file whose bytes are new to us, and whether there was none at its path."""

    doc: int
    is_new: bool


def see(db: sqlite3.Connection, path: str, content: Content, *, racy: bool) -> Sighting | None:
    """Note that the file at *path* was read; None when its bytes are what they were."""
    seen = "SELECT doc, sha, racy, size, mtime_ns, inode, ctime_ns FROM seen WHERE path = ?"
    row = db.execute(seen, (path,)).fetchone()
    doc = row[0] if row else None
    if row and row[1:] == (content.sha, racy, *content.stamp):
        return None  # a file that is too young to be trusted is read by every sync
    # One with a trigger that may be taken back by itself would make FTS5 write out the words that
    # it gathers, a file's at a time; `OR FAIL` is taken back with the whole transaction.
    noted = db.execute(
        "INSERT OR FAIL INTO seen(doc, path, size, mtime_ns, inode, ctime_ns, sha, racy, folder)"
        " VALUES(?,?,?,?,?,?,?,?,?)"
        " ON CONFLICT(path) DO UPDATE SET size=excluded.size, mtime_ns=excluded.mtime_ns,"
        " inode=excluded.inode, ctime_ns=excluded.ctime_ns, sha=excluded.sha, racy=excluded.racy",
        (doc, path, *content.stamp, content.sha, racy, _folder(path)),
    )
    if row is None:
        return Sighting(cast("int", noted.lastrowid), is_new=True)
    return None if row[1] == content.sha else Sighting(row[0], is_new=False)


def _folder(path: str) -> str:
    return path[: path.rfind("/") + 1]


def note(db: sqlite3.Connection, seen: Sighting, said: Record) -> None:
    """Keep what a file says, and report what is wrong with it."""
    doc, known = seen.doc, not seen.is_new and _knows(db, seen.doc)
    problem = said.problem or (_emptied(db, doc, said) if known and not said.held else None)
    if problem or not seen.is_new:
        _report(db, doc, problem)
    # What cannot be trusted now keeps what it said when it could: never dropped, never stale
    # without a word, because the problem is reported beside it. But what it said may be what is
    # private now.
    if not problem or problem.code == "incomplete" or not known or said.held:
        if known:
            _forget(db, doc)
        from vaultmem.storage.index import texts  # noqa: PLC0415  # a vault at rest is not read

        texts.note(db, doc, said)


def note_unreadable(db: sqlite3.Connection, path: str, stamp: Stamp | None, why: str) -> bool:
    """Report *path*, to be looked at again by every sync; True when that is news."""
    db.execute(
        "INSERT OR IGNORE INTO seen(path, size, mtime_ns, inode, ctime_ns, sha, folder)"
        " VALUES(?,?,?,?,?,'',?)",
        (path, *(stamp or NO_STAMP), _folder(path)),
    )
    db.execute("UPDATE seen SET racy = 1, sha = '' WHERE path = ?", (path,))
    (doc,) = db.execute("SELECT doc FROM seen WHERE path = ?", (path,)).fetchone()
    rows = db.execute("SELECT code FROM problems WHERE doc = ?", (doc,))
    is_news = ("unreadable",) not in rows.fetchall()
    repair = "make it readable again, or move it out of the vault"
    _report(db, doc, Problem("unreadable", path, why, repair))
    return is_news


def drop(db: sqlite3.Connection, path: str) -> None:
    """Forget the file at *path*."""
    row = db.execute("SELECT doc FROM seen WHERE path = ?", (path,)).fetchone()
    if row:
        _forget(db, row[0])
        db.execute("DELETE FROM problems WHERE doc = ?", row)
        db.execute("DELETE FROM seen WHERE doc = ?", row)


def _report(db: sqlite3.Connection, doc: int, problem: Problem | None) -> None:
    db.execute("DELETE FROM problems WHERE doc = ?", (doc,))
    if problem:
        db.execute(
            "INSERT INTO problems VALUES(?,?,?,?,?)",
            (doc, problem.code, problem.path, problem.message, problem.repair),
        )


def _emptied(db: sqlite3.Connection, doc: int, said: Record) -> Problem | None:
    row = db.execute("SELECT body FROM bodies WHERE doc = ?", (doc,)).fetchone()
    before, after = len(row[0].strip()) if row else 0, len(said.body.strip())
    shrunk = before >= _SHRUNK_FROM and after < before * _SHRUNK_TO
    if not shrunk and (after or not before):
        return None
    # A topic may lose its last fact, but not its frontmatter with it.
    blank = not after and said.body_line == 1 and said.path.startswith(_LASTING)
    if not blank and (said.type != "memory" or not said.recallable):
        return None
    restore = files.RESTORE.format(path=shlex.quote(said.path))
    return Problem("emptied", said.path, _EMPTIED, f"{restore} if git has it")


def _knows(db: sqlite3.Connection, doc: int) -> bool:
    return db.execute("SELECT 1 FROM docs WHERE doc = ?", (doc,)).fetchone() is not None


def _forget(db: sqlite3.Connection, doc: int) -> None:
    named = db.execute("SELECT id FROM docs WHERE doc = ?", (doc,)).fetchone()
    coverage.forget(db, doc)
    neighbours.doubt_beside(db, doc)
    db.execute(
        "DELETE FROM words WHERE rowid IN"
        " (SELECT ? UNION ALL SELECT -id FROM passages WHERE doc = ?)",
        (doc, doc),
    )
    for table in ("docs", "bodies", "links", "passages", "facets", "facet_keys"):
        db.execute(f"DELETE FROM {table} WHERE doc = ?", (doc,))  # noqa: S608
    supersession.forget(db, doc, named[0] if named else "")
    edited_memories.forget(db, doc)
