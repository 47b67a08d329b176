"""The vectors in SQLite, keyed by space and text: what was embedded once is not embedded again.

A space is a model under its name. When the weights behind the name change, what they made before
lies elsewhere than what they make now, and goes.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from vaultmem.retrieval.vectors.database import Database, rows_of
from vaultmem.storage.batches import batches

FLOAT = 4
"""Bytes of one dimension: float32, little-endian."""

PORTION = 4096
"""Vectors that are read at a time."""

_BINDINGS = 5000
_PRUNED = "pruned"
_SHARE, _FEW = 4, 64
"""A part of the living, and how many are never many where as many live."""


class Space(NamedTuple):
    """One model's vectors: its number here, its name, which weights filled it."""

    id: int
    name: str
    edition: str


class Mark(NamedTuple):
    """How far a reader of a space has read; of another one nothing that it read holds.

    *file* and *pruned* tell whether vectors went, *newest* which have come since.
    """

    file: int
    space: int
    pruned: str
    newest: int


class Blob(NamedTuple):
    """One vector as it is stored."""

    id: int
    sha: str
    vector: bytes


class Code(NamedTuple):
    """What a first pass compares of one vector: its number, its dimensions, a bit for each."""

    vector: int
    dimensions: int
    code: bytes


class Made(NamedTuple):
    """What was computed of one text: its vector, and those of its tokens, empty without."""

    vector: bytes
    tokens: bytes = b""


class Blobs:
    """All vectors of all spaces."""

    def __init__(self, database: Database) -> None:
        """Keep them in *database*."""
        self.database = database

    def known(self, name: str) -> Space | None:
        """Return the space of that *name*, None before anything was embedded in it."""
        rows = self.database.rows("SELECT id, name, edition FROM spaces WHERE name = ?", name)
        return Space(*rows[0]) if rows else None  # type: ignore[arg-type]  # the table's columns

    def space(self, name: str, edition: str) -> Space:
        """Return the space of that *name*, emptied when other weights than *edition* filled it."""
        found = self.known(name)
        if found and found.edition == edition:
            return found
        self.database.write(lambda db: _begin(db, name, edition))
        return self.space(name, edition)

    def mark(self, space: Space) -> Mark:
        """Return where a reader of *space* would stand now."""
        newest = self.database.number("SELECT max(id) FROM vectors")  # of any space: no search
        return Mark(self.database.file, space.id, self.database.noted(_PRUNED), newest)

    def put(self, space: Space, made: Mapping[str, Made]) -> None:
        """Keep what was *made* by the sha of its text; what is there already stays."""
        self.database.write(lambda db: _put(db, space, made))

    def shas(self, space: Space, after: int = 0) -> list[str]:
        """Return the texts that have a vector with a number beyond *after*."""
        sql = "SELECT sha FROM vectors WHERE space = ? AND id > ?"
        return [str(sha) for (sha,) in self.database.rows(sql, space.id, after)]

    def rising(self, space: Space) -> Iterator[str]:
        """Yield the texts that have a vector, in the order of their shas, few of them in memory."""
        sql = "SELECT sha FROM vectors WHERE space = ? AND sha > ? ORDER BY sha LIMIT ?"
        last: object = ""
        while found := self.database.rows(sql, space.id, last, PORTION):
            yield from (str(sha) for (sha,) in found)
            (last,) = found[-1]

    def since(self, space: Space, after: int, dimensions: int) -> list[Blob]:
        """Return the next vectors of so many dimensions beyond *after*, at most `PORTION`."""
        sql = (  # by number, or SQLite would read the whole space and sort it
            "SELECT id, sha, vector FROM vectors NOT INDEXED WHERE space = ? AND id > ?"
            " AND length(vector) = ? ORDER BY id LIMIT ?"
        )
        found = self.database.rows(sql, space.id, after, dimensions * FLOAT, PORTION)
        return [Blob(*row) for row in found]  # type: ignore[arg-type]  # the table's columns

    def uncoded(self, space: Space) -> list[Blob]:
        """Return the next vectors that have no code yet, at most `PORTION`."""
        # Numbers rise, and codes are made in their order.
        last = "SELECT vector FROM codes WHERE space = ? ORDER BY vector DESC LIMIT 1"
        sql = (
            "SELECT id, sha, vector FROM vectors NOT INDEXED"
            " WHERE space = ? AND id > ? ORDER BY id LIMIT ?"
        )
        after = self.database.number(last, space.id)
        return [Blob(*row) for row in self.database.rows(sql, space.id, after, PORTION)]  # type: ignore[arg-type]  # the table's columns

    def keep_codes(self, space: Space, codes: Iterable[Code]) -> None:
        """Keep the *codes* of vectors, unless these went meanwhile."""
        sql = "INSERT OR IGNORE INTO codes SELECT id, ?, ?, ? FROM vectors WHERE id = ?"
        rows = [(space.id, it.dimensions, it.code, it.vector) for it in codes]
        self.database.write(lambda db: db.executemany(sql, rows))

    def codes(self, space: Space, after: int, dimensions: int) -> list[Code]:
        """Return the next codes of vectors beyond *after*, of so many dimensions each."""
        sql = (
            "SELECT vector, dimensions, code FROM codes"
            " WHERE space = ? AND vector > ? AND dimensions = ? ORDER BY vector LIMIT ?"
        )
        found = self.database.rows(sql, space.id, after, dimensions, PORTION)
        return [Code(*row) for row in found]  # type: ignore[arg-type]  # the table's columns

    def numbered(self, ids: Iterable[int]) -> dict[str, bytes]:
        """Return the vectors with these numbers, by the sha of their text."""
        sql = "SELECT sha, vector FROM vectors WHERE id IN (SELECT value FROM json_each(?))"
        return dict(self.database.rows(sql, json.dumps(list(ids))))  # type: ignore[arg-type]  # as above

    def of(self, space: Space, shas: Iterable[str]) -> dict[str, bytes]:
        """Return the vectors of those texts that have one."""
        return self._by_sha("SELECT sha, vector FROM vectors", space, shas)

    def tokens(self, space: Space, shas: Iterable[str]) -> dict[str, bytes]:
        """Return the token vectors of those texts that have any."""
        joined = "vectors JOIN token_vectors ON token_vectors.vector = vectors.id"
        return self._by_sha(f"SELECT sha, tokens FROM {joined}", space, shas)  # noqa: S608  # our own

    def _by_sha(self, sql: str, space: Space, shas: Iterable[str]) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for part in batches(shas, _BINDINGS):
            marks = ",".join("?" * len(part))
            query = f"{sql} WHERE space = ? AND sha IN ({marks})"
            found.update(self.database.rows(query, space.id, *part))  # type: ignore[arg-type]  # as above
        return found

    def basis(self, space: Space) -> bytes:
        """Return the basis that token vectors are kept in, empty before there is one."""
        found = self.database.value("SELECT basis FROM spaces WHERE id = ?", space.id)
        return found if isinstance(found, bytes) else b""

    def keep_basis(self, space: Space, basis: bytes) -> None:
        """Keep *basis* for all token vectors to come; the first one that is kept stays."""
        sql = "UPDATE spaces SET basis = ? WHERE id = ? AND basis IS NULL"
        self.database.write(lambda db: db.execute(sql, (basis, space.id)))

    def dimensions(self, space: Space) -> int:
        """Return the length of the newest vector, 0 when there is none."""
        sql = (
            "SELECT length(vector) FROM vectors NOT INDEXED WHERE space = ?"
            " ORDER BY id DESC LIMIT 1"  # the newest
        )
        return self.database.number(sql, space.id) // FLOAT

    def prune(self, space: Space, living: frozenset[str]) -> int:
        """Drop the vectors of texts that no passage has when there are many, beside the *living*.

        Until then a text that comes back, by an undo or a branch, costs nothing; but each new turn
        leaves a vector of the one before, and all are compared. Returns how many went, of every
        space.
        """
        dead = len(frozenset(self.shas(space)) - living)
        many = max(len(living) // _SHARE, min(len(living), _FEW))
        return self.drop_dead(living) if dead > many else 0

    def drop_dead(self, living: frozenset[str]) -> int:
        """Drop all vectors but those of the *living* texts; return how many went."""
        return self.database.write(lambda db: _prune(db, living))

    def lose(self, shas: Collection[str]) -> None:
        """Drop the vectors of those texts, of every space: nobody is to find them again."""
        if shas:
            self.database.write(lambda db: _drop(db, _numbers(db, shas)))


def stored(path: Path, shas: Iterable[str]) -> list[bytes]:
    """Return the vectors that the file at *path* has of those texts, in whatever space."""
    sql = "SELECT vector FROM vectors WHERE sha IN (SELECT value FROM json_each(?))"
    found = rows_of(path, sql, json.dumps(list(shas)))
    return [vector for (vector,) in found if isinstance(vector, bytes)]


def _begin(db: sqlite3.Connection, name: str, edition: str) -> None:
    """Start a space under a number never used before, so that nobody takes the old for it."""
    old = "SELECT id FROM spaces WHERE name = ? AND edition != ?"
    for (space,) in db.execute(old, (name, edition)).fetchall():
        db.execute("DELETE FROM vectors WHERE space = ?", (space,))
        db.execute("DELETE FROM spaces WHERE id = ?", (space,))
    db.execute("INSERT OR IGNORE INTO spaces(name, edition) VALUES(?,?)", (name, edition))


def _put(db: sqlite3.Connection, space: Space, made: Mapping[str, Made]) -> None:
    vectors = [(space.id, sha, it.vector, space.id) for sha, it in made.items()]
    db.executemany(
        "INSERT OR IGNORE INTO vectors(space, sha, vector) SELECT ?, ?, ?"
        " WHERE EXISTS (SELECT 1 FROM spaces WHERE id = ?)",
        vectors,
    )
    tokens = [(it.tokens, space.id, sha) for sha, it in made.items() if it.tokens]
    db.executemany(
        "INSERT OR IGNORE INTO token_vectors SELECT id, ? FROM vectors WHERE space = ? AND sha = ?",
        tokens,
    )


def _prune(db: sqlite3.Connection, living: frozenset[str]) -> int:
    rows: Sequence[tuple[int, str]] = db.execute("SELECT id, sha FROM vectors").fetchall()
    gone = [number for number, sha in rows if sha not in living]
    _drop(db, gone)
    return len(gone)


def _numbers(db: sqlite3.Connection, shas: Iterable[str]) -> list[int]:
    sql = (
        "SELECT vectors.id FROM spaces CROSS JOIN vectors ON space = spaces.id"
        " WHERE sha IN (SELECT value FROM json_each(?))"
    )
    return [number for (number,) in db.execute(sql, (json.dumps(list(shas)),))]


def _drop(db: sqlite3.Connection, gone: Iterable[int]) -> None:
    db.executemany("DELETE FROM vectors WHERE id = ?", [(number,) for number in gone])
    db.execute(
        "INSERT INTO meta VALUES(?, '1') ON CONFLICT(key) DO UPDATE SET value = value + 1",
        (_PRUNED,),
    )
