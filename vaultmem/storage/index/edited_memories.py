"""Mark the memories whose text is another one than what is accepted, as the ledger says.

And those that call themselves something else: by another id, or no memory at all.

Compared is what changed: a memory when its file is read, and what is accepted when the ledger has
grown. So whoever asks which are edited reads a few rows.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

from vaultmem.records import Record
from vaultmem.storage import accepted_text, ulids
from vaultmem.storage.accepted_text import AS_FIRST, UNLESS_KNOWN
from vaultmem.storage.index.cache_database import meta, set_meta, transaction
from vaultmem.storage.index.filters import THESE
from vaultmem.storage.index.queries import Queries
from vaultmem.storage.ledger import LET_GO, Entry, Growth, Line, Release

WAYS = (
    "`vaultmem why` shows both versions, `vaultmem correct` says what holds instead, "
    "`vaultmem fsck --accept {path}` accepts what it says now"
)
"""What settles the edit of the memory at `path`."""

_READ = "ledger read up to"
_SPOKEN_OF = (
    "SELECT doc, id, path, type, body FROM main.docs JOIN bodies USING(doc)"  # noqa: S608  # our own
    f" WHERE (id {THESE} OR path {THESE}) AND path GLOB 'agents/*'"
)


def note(db: sqlite3.Connection, doc: int, said: Record) -> None:
    """Mark the memory *said*, which was just read, if its text is not what is accepted.

    Of one that is held back that is the text without what is private.
    """
    if said.path.startswith("agents/"):
        _mark(db, doc, _Said(said.id, said.path, said.type, said.body))


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
        ids, paths = json.dumps([it.id for it in entries]), json.dumps([it.path for it in entries])
        for doc, *said in db.execute(_SPOKEN_OF, (ids, paths)):
            if not growth.anew:
                forget(db, doc)
            _mark(db, doc, _Said(*said))
        set_meta(db, _READ, growth.up_to)


def paths(index: Queries, *, corrected: bool = False) -> dict[str, str]:
    """Return the memories that were edited and hold; *corrected* adds those that were since.

    By their paths; beside each the id of the memory that it was and that is nowhere now, else "".
    """
    rows = index.db.execute(
        "SELECT path, lost FROM edited CROSS JOIN main.docs USING(doc)"
        " WHERE (superseded_by = '' OR ?) AND (lost = '' OR NOT EXISTS"
        "  (SELECT 1 FROM main.docs AS other WHERE other.id = lost AND other.type = 'memory'))"
        " ORDER BY path",
        (corrected,),
    )
    return dict(rows.fetchall())


def lost_at(index: Queries, path: str) -> str:
    """Return the id of the memory that was acknowledged at *path* and is nowhere, else ""."""
    row = index.db.execute(
        "SELECT id FROM accepted WHERE path = ? AND NOT EXISTS"
        " (SELECT 1 FROM main.docs WHERE main.docs.id = accepted.id)",
        (path,),
    ).fetchone()
    return str(row[0]) if row else ""


def accepted(index: Queries, memory: str, path: str) -> str:
    """Return the digest of what is accepted as the text of the memory with that id, at *path*."""
    return _accepted(index.db, memory, path)[1]


def stays_edited(index: Queries, said: Record, old: bytes | None, new: bytes) -> bool:
    """Tell whether the memory *said* is still edited, once an operation has made *new* of *old*.

    One that comes back is accepted as it was before, whatever it says.
    """
    before, after = (accepted_text.of(data) if data else None for data in (old, new))
    took = accepted_text.by_operation("undo", before, after)
    _, *known = _accepted(index.db, said.id, said.path)
    accepts = accepted_text.known_after(took, *known)
    return accepts not in {"", accepted_text.digest(said.body)}


def _accepted(db: sqlite3.Connection, memory: str, path: str) -> tuple[str, str, str]:
    """Return which memory is accepted by that id, else at that path, and its text's digest.

    And that of the text which was accepted first.
    """
    for column, name in (("id", memory), ("path", path)):
        sql = f"SELECT id, text, first FROM accepted WHERE {column} = ?"  # noqa: S608  # our own
        if row := db.execute(sql, (name,)).fetchone():
            return str(row[0]), str(row[1]), str(row[2])
    return "", "", ""


def _accept(db: sqlite3.Connection, lines: Iterable[Line]) -> None:
    for entry in lines:
        if isinstance(entry, Release):
            _release(db, entry)
            continue
        if not entry.text:
            continue
        _, *known = _accepted(db, entry.id, entry.path)  # an id may have been taken away
        text = accepted_text.known_after(entry.text, *known)
        row = (entry.id, entry.path, text, text)
        if entry.text == AS_FIRST:
            db.execute("UPDATE accepted SET text = first WHERE id = ?", (entry.id,))
        elif entry.text.startswith(UNLESS_KNOWN):
            db.execute("INSERT OR IGNORE INTO accepted VALUES(?,?,?,?)", row)
        else:
            db.execute(
                "INSERT INTO accepted VALUES(?,?,?,?)"
                " ON CONFLICT(id) DO UPDATE SET text = excluded.text, path = excluded.path",
                row,
            )


def _release(db: sqlite3.Connection, gone: Release) -> None:
    """Let another memory stand where one was; one that a person let go is never asked for again."""
    here = "id = ? OR (path = ? AND path != '')"
    if gone.why == LET_GO:
        db.execute("DELETE FROM edited WHERE lost = ?", (gone.id,))
        db.execute(f"DELETE FROM accepted WHERE {here}", (gone.id, gone.path))  # noqa: S608  # our own
    else:
        db.execute(f"UPDATE accepted SET path = '' WHERE {here}", (gone.id, gone.path))  # noqa: S608  # likewise


class _Said(NamedTuple):
    """What a file says of itself."""

    id: str
    path: str
    type: str
    body: str


def _mark(db: sqlite3.Connection, doc: int, said: _Said) -> None:
    """Mark *doc*, which has no mark, if what it *said* is not what is accepted."""
    memory, text, _ = _accepted(db, said.id, said.path)
    # One without an id is named for that, and gets one.
    is_that = said.type == "memory" and (said.id == memory or not ulids.is_valid(said.id))
    if text and not (is_that and text == accepted_text.digest(said.body)):
        row = (doc, "" if is_that else memory)
        db.execute("INSERT OR REPLACE INTO edited VALUES(?,?)", row)
