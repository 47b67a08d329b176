"""Mark the memories whose text is another one than what is accepted, as the ledger says.

Compared is what changed: a memory when its file is read, and what is accepted when the ledger has
grown. So whoever asks which are edited reads a few rows.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from vaultmem.records import Record
from vaultmem.storage import accepted_text
from vaultmem.storage.accepted_text import AS_FIRST, UNLESS_KNOWN
from vaultmem.storage.index.cache_database import meta, set_meta, transaction
from vaultmem.storage.index.queries import Queries
from vaultmem.storage.ledger import Entry, Growth, Line, Release

_READ = "ledger read up to"
_HERE = "path GLOB 'agents/*'"


def note(db: sqlite3.Connection, doc: int, said: Record) -> None:
    """Mark the memory *said*, which was just read, if its text is not what is accepted.

    Of one that is held back that is the text without what is private.
    """
    if said.path.startswith("agents/"):
        _mark(db, doc, said.id, said.path, said.body)


def forget(db: sqlite3.Connection, doc: int) -> None:
    """Take the mark of *doc* away, which is gone."""
    db.execute("DELETE FROM edited WHERE doc = ?", (doc,))


def learnt(index: Queries) -> str:
    """Return up to where the ledger was read, "" for not at all."""
    return meta(index.db, _READ)


def learn(index: Queries, growth: Growth) -> None:
    """Take in what the ledger says is accepted, and compare the memories that it speaks of."""
    entries = [line for line in growth.lines if isinstance(line, Entry) and line.text]
    db = index.db
    with transaction(db):
        if growth.anew:
            db.execute("DELETE FROM accepted")
            db.execute("DELETE FROM edited")
        _accept(db, growth.lines)
        for place in dict.fromkeys((entry.id, entry.path) for entry in entries):
            rows = db.execute(
                "SELECT doc, id, path, body FROM main.docs JOIN bodies USING(doc)"  # noqa: S608  # our own
                f" WHERE (id = ? OR path = ?) AND {_HERE}",
                place,
            )
            for row in rows.fetchall():
                _mark(db, *row)
        set_meta(db, _READ, growth.up_to)


def paths(index: Queries, *, corrected: bool = False) -> list[str]:
    """Return the memories that were edited and hold; *corrected* adds those that were since."""
    rows = index.db.execute(
        "SELECT path FROM edited JOIN main.docs USING(doc)"
        " WHERE superseded_by = '' OR ? ORDER BY path",
        (corrected,),
    )
    return [path for (path,) in rows]


def accepted(index: Queries, memory: str, path: str) -> str:
    """Return the digest of what is accepted as the text of the memory with that id, at *path*."""
    return _accepted(index.db, memory, path)


def _accepted(db: sqlite3.Connection, memory: str, path: str) -> str:
    """Return what is accepted by the id, else by the path: an id may have been edited, too."""
    sql = "SELECT text FROM accepted WHERE id = ? OR path = ? ORDER BY id != ? LIMIT 1"
    row = db.execute(sql, (memory, path, memory)).fetchone()
    return str(row[0]) if row else ""


def _accept(db: sqlite3.Connection, lines: Iterable[Line]) -> None:
    for entry in lines:
        if isinstance(entry, Release):  # another memory may stand there from now on
            db.execute("UPDATE accepted SET path = '' WHERE id = ?", (entry.id,))
            continue
        if not entry.text:
            continue
        text = entry.text.removeprefix(UNLESS_KNOWN)
        if entry.text == AS_FIRST:
            db.execute("UPDATE accepted SET text = first WHERE id = ?", (entry.id,))
        elif text != entry.text:
            text = _accepted(db, entry.id, entry.path) or text  # an id may have been taken away
            row = (entry.id, entry.path, text, text)
            db.execute("INSERT OR IGNORE INTO accepted VALUES(?,?,?,?)", row)
        else:
            db.execute(
                "INSERT INTO accepted VALUES(?,?,?,?)"
                " ON CONFLICT(id) DO UPDATE SET text = excluded.text, path = excluded.path",
                (entry.id, entry.path, text, text),
            )


def _mark(db: sqlite3.Connection, doc: int, memory: str, path: str, body: str) -> None:
    known = _accepted(db, memory, path)
    if known and known != accepted_text.digest(body):
        db.execute("INSERT OR IGNORE INTO edited VALUES(?)", (doc,))
    else:
        db.execute("DELETE FROM edited WHERE doc = ?", (doc,))
