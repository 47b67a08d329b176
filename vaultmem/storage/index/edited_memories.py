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
from vaultmem.storage.ledger import Entry, Growth

_READ = "ledger read up to"
_HERE = "type = 'memory' AND path GLOB 'agents/*'"


def note(db: sqlite3.Connection, doc: int, said: Record) -> None:
    """Mark the memory *said*, which was just read, if its text is not what is accepted."""
    if said.type == "memory" and said.id and said.path.startswith("agents/"):
        _mark(db, doc, said.id, said.body)


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
        _accept(db, entries)
        for memory in dict.fromkeys(entry.id for entry in entries):
            rows = db.execute(
                "SELECT doc, body FROM main.docs JOIN bodies USING(doc)"  # noqa: S608  # our own
                f" WHERE id = ? AND {_HERE}",
                (memory,),
            )
            for doc, body in rows.fetchall():
                _mark(db, doc, memory, body)
        set_meta(db, _READ, growth.up_to)


def paths(index: Queries) -> list[str]:
    """Return the memories that were edited and hold, not those that were corrected since."""
    rows = index.db.execute(
        "SELECT path FROM edited JOIN main.docs USING(doc) WHERE superseded_by = '' ORDER BY path"
    )
    return [path for (path,) in rows]


def accepted(index: Queries, memory: str) -> str:
    """Return the digest of what is accepted as the text of the memory with that id."""
    row = index.db.execute("SELECT text FROM accepted WHERE id = ?", (memory,)).fetchone()
    return str(row[0]) if row else ""


def _accept(db: sqlite3.Connection, entries: Iterable[Entry]) -> None:
    for entry in entries:
        text = entry.text.removeprefix(UNLESS_KNOWN)
        if entry.text == AS_FIRST:
            db.execute("UPDATE accepted SET text = first WHERE id = ?", (entry.id,))
        elif text != entry.text:
            db.execute("INSERT OR IGNORE INTO accepted VALUES(?,?,?)", (entry.id, text, text))
        else:
            db.execute(
                "INSERT INTO accepted VALUES(?,?,?)"
                " ON CONFLICT(id) DO UPDATE SET text = excluded.text",
                (entry.id, text, text),
            )


def _mark(db: sqlite3.Connection, doc: int, memory: str, body: str) -> None:
    row = db.execute("SELECT text FROM accepted WHERE id = ?", (memory,)).fetchone()
    if row and row[0] != accepted_text.digest(body):
        db.execute("INSERT OR IGNORE INTO edited VALUES(?)", (doc,))
    else:
        db.execute("DELETE FROM edited WHERE doc = ?", (doc,))
