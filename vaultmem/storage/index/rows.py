"""What the index holds of one file: that it was seen, what it says, what is wrong with it."""

from __future__ import annotations

import re
import shlex
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from typing import NamedTuple, cast

from vaultmem.errors import BadInput
from vaultmem.records import Problem, Record, iso, moment
from vaultmem.storage import files
from vaultmem.storage.files import Content, Stamp
from vaultmem.storage.index import (
    coverage,
    edited_memories,
    passages,
    supersession,
    text_features,
    tokenizer,
)
from vaultmem.storage.index.schema import COLUMNS, LISTS

_EMPTIED = "the file lost nearly all its text since it was last read"
_SHRUNK_FROM, _SHRUNK_TO = 40, 0.1
_NOTED = (
    *("doc", "stem", "recallable", "archived", "length", "asks", "times", "counts", "language"),
    *("ended_by", *LISTS, *COLUMNS),
)
_INSERT = f"INSERT INTO docs({', '.join(_NOTED)}) VALUES({', '.join('?' * len(_NOTED))})"  # our own
_AS_WRITTEN = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}Z")
_LASTING = ("knowledge/", "skills/", "topics/")


class Sighting(NamedTuple):
    """The number of a file whose bytes are new to us, and whether there was none at its path."""

    doc: int
    is_new: bool


def see(db: sqlite3.Connection, path: str, content: Content, *, racy: bool) -> Sighting | None:
    """Note that the file at *path* was read; None when its bytes are what they were."""
    seen = "SELECT doc, sha, racy, size, mtime_ns, inode FROM seen WHERE path = ?"
    row = db.execute(seen, (path,)).fetchone()
    doc = row[0] if row else None
    if row and row[1:] == (content.sha, racy, *content.stamp):
        return None  # a file that is too young to be trusted is read by every sync
    # One with a trigger that may be taken back by itself would make FTS5 write out the words that
    # it gathers, a file's at a time; `OR FAIL` is taken back with the whole transaction.
    noted = db.execute(
        "INSERT OR FAIL INTO seen(doc, path, size, mtime_ns, inode, sha, racy, folder)"
        " VALUES(?,?,?,?,?,?,?,?)"
        " ON CONFLICT(path) DO UPDATE SET size=excluded.size, mtime_ns=excluded.mtime_ns,"
        " inode=excluded.inode, sha=excluded.sha, racy=excluded.racy",
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
        _write(db, doc, said)


def note_unreadable(db: sqlite3.Connection, path: str, stamp: Stamp | None, why: str) -> bool:
    """Report *path*, to be looked at again by every sync; True when that is news."""
    db.execute(
        "INSERT OR IGNORE INTO seen(path, size, mtime_ns, inode, sha, folder) VALUES(?,?,?,?,'',?)",
        (path, *(stamp or (0, 0, 0)), _folder(path)),
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


def _write(db: sqlite3.Connection, doc: int, said: Record) -> None:
    if (created := sortable(said.created)) != said.created:
        said = replace(said, created=created)
    values = [getattr(said, c) for c in COLUMNS]
    kind = text_features.kind(said.body)
    own = (doc, said.stem, said.recallable, said.archived, *kind)
    db.execute(_INSERT, (*own, said.superseded_by, *_joined(said), *values))
    db.execute("INSERT INTO bodies VALUES(?,?)", (doc, said.body))
    if said.sources:
        db.executemany("INSERT OR IGNORE INTO links VALUES(?,?)", [(doc, t) for t in said.sources])
    supersession.note(db, doc, said)
    edited_memories.note(db, doc, said)
    coverage.note(db, doc, said)
    if said.recallable:
        _make_findable(db, doc, said, kind.language)


def _make_findable(db: sqlite3.Connection, doc: int, said: Record, language: str) -> None:
    """Note the words of a text and its passages; one that is its only passage is not told twice."""
    _note_words(db, doc, (_title(said), said.body), language)
    cut = passages.cut(said.body)
    for passage in cut:
        key = passages.key(doc, passage.number)
        sha = sha256(passages.embedded(said, passage).encode()).hexdigest()
        db.execute(
            "INSERT INTO passages(id, doc, number, first, last, line_first, line_last, heading,"
            " sha) VALUES(?,?,?,?,?,?,?,?,?)",
            (key, doc, passage.number, passage.first, passage.last,
             passage.line_first, passage.line_last, passage.heading, sha),
        )  # fmt: skip
        if len(cut) > 1:
            text = said.body[passage.first : passage.last]
            _note_words(db, -key, (f"{_title(said)} {passage.heading}", text), language)


def _note_words(
    db: sqlite3.Connection, row: int, title_and_body: tuple[str, str], language: str
) -> None:
    words = (tokenizer.indexed(text, language) for text in title_and_body)
    db.execute("INSERT INTO words(rowid, title, body) VALUES(?,?,?)", (row, *words))


def _title(said: Record) -> str:
    names = (said.title, *said.called)
    about = (*names, said.description, said.person, said.facts, said.speaker)
    return " ".join(x for x in (*about, said.created[:10]) if x)


def _joined(said: Record) -> Iterator[str]:
    return ("\n".join(getattr(said, name)) for name in LISTS)


def sortable(created: str) -> str:
    """Return a hand-written time as the vault writes times, so that they compare as text."""
    if _AS_WRITTEN.fullmatch(created):  # nearly always: it is that, or none at all
        return created
    try:
        return iso(moment(created)) if created else ""
    except (BadInput, OverflowError):
        return created


def _forget(db: sqlite3.Connection, doc: int) -> None:
    named = db.execute("SELECT id FROM docs WHERE doc = ?", (doc,)).fetchone()
    coverage.forget(db, doc)
    db.execute(
        "DELETE FROM words WHERE rowid IN"
        " (SELECT ? UNION ALL SELECT -id FROM passages WHERE doc = ?)",
        (doc, doc),
    )
    for table in ("docs", "bodies", "links", "passages", "facets", "facet_keys"):
        db.execute(f"DELETE FROM {table} WHERE doc = ?", (doc,))  # noqa: S608
    supersession.forget(db, doc, named[0] if named else "")
    edited_memories.forget(db, doc)
