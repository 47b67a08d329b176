"""The ledger of what a Chroma store holds: written after the store took it, cleared before it goes.

So an entry that is in the ledger before a question and still after it was there to be found.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from vaultmem.retrieval.vectors.database import Database, rows_of
from vaultmem.retrieval.vectors.embedding_cache import FLOAT, PORTION, Blob, Space
from vaultmem.storage.batches import batches
from vaultmem.storage.index import Index, passage_queries
from vaultmem.storage.index.passage_queries import Pair

FOLDER = "folder"
"""The place of the store that is embedded in the vault; a server's is its address."""

_BINDINGS = 5000
_STORE = "SELECT identity, token, due, starved FROM stores WHERE place = ? AND space = ?"


class Noted(NamedTuple):
    """What is noted of the store at one place for one space.

    *identity* is "" before there is one, *token* is what the last feeding left in it, *due* says
    why it must be rebuilt, *starved* counts how often entries were taken out.
    """

    identity: str = ""
    token: str = ""
    due: str = ""
    starved: int = 0


class Ledger:
    """What the store at *place* for *space* holds, as far as we know."""

    def __init__(self, database: Database, place: str, space: Space) -> None:
        """Keep it in *database*."""
        self.database, self.place, self.space = database, place, space

    def noted(self) -> Noted:
        """Return what is noted of the store."""
        rows = self.database.rows(_STORE, self.place, self.space.id)
        return Noted(*rows[0]) if rows else Noted()  # type: ignore[arg-type]  # the table's columns

    def adopt(self, identity: str, token: str, entries: Mapping[str, str]) -> None:
        """Begin anew with another store, which holds *entries* (key to sha)."""

        def begin(db: sqlite3.Connection) -> None:
            starved = self.noted().starved + 1
            row = (self.place, self.space.id, identity, token, starved)
            db.execute("INSERT OR REPLACE INTO stores VALUES(?,?,?,?,'',?)", row)
            db.execute("DELETE FROM stores WHERE space NOT IN (SELECT id FROM spaces)")
            db.execute("DELETE FROM fed WHERE store NOT IN (SELECT identity FROM stores)")
            _insert(db, identity, entries)

        self.database.write(begin)

    def feed(self, identity: str, entries: Mapping[str, str]) -> None:
        """Note that the store has taken *entries* (key to sha)."""
        self.database.write(lambda db: _insert(db, identity, entries))

    def note_removal(self, identity: str, keys: Collection[str]) -> None:
        """Note that the store is about to lose *keys*, or has lost them."""

        def take_out(db: sqlite3.Connection) -> None:
            rows = [(identity, key) for key in keys]
            db.executemany("DELETE FROM fed WHERE store = ? AND key = ?", rows)
            db.execute("UPDATE stores SET starved = starved + 1 WHERE identity = ?", (identity,))

        if keys:
            self.database.write(take_out)

    def stamp(self, token: str) -> None:
        """Note the *token* that a feeding left in the store."""
        sql = "UPDATE stores SET token = ? WHERE place = ? AND space = ?"
        self.database.write(lambda db: db.execute(sql, (token, self.place, self.space.id)))

    def make_due(self, why: str) -> None:
        """Note that the store must be rebuilt, and *why*."""
        sql = "UPDATE stores SET due = ? WHERE place = ? AND space = ?"
        self.database.write(lambda db: db.execute(sql, (why, self.place, self.space.id)))

    def entries(self, identity: str) -> dict[str, str]:
        """Return all keys that the store holds, and the shas of their texts."""
        return dict(self.database.rows("SELECT key, sha FROM fed WHERE store = ?", identity))  # type: ignore[arg-type]  # the table's columns

    def count(self, identity: str) -> int:
        """Return how many entries the store holds."""
        return self.database.number("SELECT count(*) FROM fed WHERE store = ?", identity)

    def horizon(self) -> int:
        """Return the number of the last entry of any store; each new one has a higher number."""
        return self.database.number("SELECT max(seq) FROM fed")

    def shas(self, identity: str, keys: Iterable[str]) -> set[str]:
        """Return the texts of those *keys* that the store is known to hold."""
        found: set[str] = set()
        for part in batches(keys, _BINDINGS):
            marks = ",".join("?" * len(part))
            sql = f"SELECT sha FROM fed WHERE store = ? AND key IN ({marks})"  # noqa: S608  # question marks
            found.update(str(sha) for (sha,) in self.database.rows(sql, identity, *part))
        return found

    def lacking(self, identity: str, horizon: int, after: int, dimensions: int) -> list[Blob]:
        """Return the next vectors beyond *after* whose texts were not fed up to *horizon*."""
        sql = (
            "SELECT id, sha, vector FROM vectors NOT INDEXED WHERE space = ? AND id > ?"
            " AND length(vector) = ? AND NOT EXISTS (SELECT 1 FROM fed WHERE store = ?"
            " AND fed.sha = vectors.sha AND seq <= ?) ORDER BY id LIMIT ?"
        )
        size = dimensions * FLOAT
        found = self.database.rows(sql, self.space.id, after, size, identity, horizon, PORTION)
        return [Blob(*row) for row in found]  # type: ignore[arg-type]  # the table's columns

    def sample(self, identity: str, many: int) -> list[bytes]:
        """Return the vectors of some entries, spread from the oldest to the newest."""
        sql = (
            "SELECT vector FROM vectors WHERE space = ? AND sha IN (SELECT sha FROM fed"
            " WHERE store = ? AND seq IN (SELECT max(seq) FROM (SELECT seq, ntile(?) OVER"
            " (ORDER BY seq) AS part FROM fed WHERE store = ?) GROUP BY part))"
        )
        found = self.database.rows(sql, self.space.id, identity, many, identity)
        return [vector for (vector,) in found if isinstance(vector, bytes)]


def servers(path: Path) -> list[str]:
    """Return the addresses of the Chroma servers that the file at *path* says were fed."""
    sql = "SELECT DISTINCT place FROM stores WHERE place != ?"
    return [str(place) for (place,) in rows_of(path, sql, FOLDER)]


def keys(index: Index) -> dict[str, Pair]:
    """Return passage number and sha of every passage, by its key in the store, the newest first.

    The key is made of path and text, so that no entry ever says anything else than it did.
    """
    return {
        sha256(f"{path}\0{sha}".encode()).hexdigest()[:32]: (number, sha)
        for number, path, sha in passage_queries.placed(index)
    }


def _insert(db: sqlite3.Connection, identity: str, entries: Mapping[str, str]) -> None:
    rows = [(identity, key, sha) for key, sha in entries.items()]
    db.executemany("INSERT OR REPLACE INTO fed(store, key, sha) VALUES(?,?,?)", rows)
