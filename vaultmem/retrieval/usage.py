"""How often each thing was of use: counted for dream and forget, and never asked by the ranking.

The same question twice gives the same answer, whatever was asked in between. Of the questions a
keyed digest is kept, to tell how many different ones there were, and no word.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from vaultmem.storage.files import private_file
from vaultmem.storage.index import tokenizer

FILE = ".vaultmem/index/uses.sqlite3"
MOST_QUESTIONS = 32
"""Different questions that are told apart for one thing; more of them say nothing new."""

_TABLES = """\
CREATE TABLE IF NOT EXISTS uses(ref TEXT PRIMARY KEY, count INT, last TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS asked(ref TEXT, question BLOB, PRIMARY KEY(ref, question)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS keys(key BLOB);
INSERT INTO keys SELECT randomblob(16) WHERE NOT EXISTS (SELECT 1 FROM keys)
"""
_ADD = (
    "INSERT INTO uses VALUES(?, 1, ?) ON CONFLICT(ref)"
    " DO UPDATE SET count = count + 1, last = max(last, excluded.last)"
)
_ASK = (
    "INSERT OR IGNORE INTO asked SELECT ?, ?"
    " WHERE (SELECT count(*) FROM asked AS told WHERE told.ref = ?) < ?"
)
_LOAD = "SELECT ref, count, (SELECT count(*) FROM asked WHERE asked.ref = uses.ref), last FROM uses"
_PATIENCE = 0.2


@dataclass(frozen=True, slots=True)
class Use:
    """How often something was found, by how many different questions, and when last (ISO 8601)."""

    count: int
    questions: int
    last: str


def add(vault: Path, refs: Iterable[str], now: str, question: str = "") -> None:
    """Count one use more of each of *refs*, ids or else paths, at *now*, for a *question* if any.

    A count that cannot be kept is not worth an answer: a busy or unwritable file is let be.
    """
    found = list(dict.fromkeys(refs))
    with contextlib.suppress(sqlite3.Error, OSError), _opened(vault / FILE) as db:
        db.executemany(_ADD, [(ref, now) for ref in found])
        # How a question is put makes no difference.
        if found and (words := " ".join(sorted(tokenizer.terms(question)))):
            (key,) = db.execute("SELECT key FROM keys").fetchone()
            digest = blake2b(words.encode(errors="replace"), digest_size=8, key=key).digest()
            db.executemany(_ASK, [(ref, digest, ref, MOST_QUESTIONS) for ref in found])


def load(vault: Path) -> dict[str, Use]:
    """Return the uses of everything that was ever of any, by id or path."""
    try:
        with _opened(vault / FILE) as db:
            rows = db.execute(_LOAD).fetchall()
    except (sqlite3.Error, OSError):
        return {}
    return {ref: Use(count, questions, last) for ref, count, questions, last in rows}


def forget(vault: Path, refs: Iterable[str]) -> None:
    """Forget how often each of *refs* was of use, so that no byte of them is left in the file."""
    file, gone = vault / FILE, list(refs)
    if not file.exists():
        return
    try:
        with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as db:
            for statement in _TABLES.split(";\n"):  # an older file may lack one
                db.execute(statement)
            for table in ("uses", "asked"):
                db.executemany(f"DELETE FROM {table} WHERE ref = ?", [(ref,) for ref in gone])  # noqa: S608  # our own
            db.execute("VACUUM")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error:  # damaged, or held: counts are worth less than the promise
        for suffix in ("", "-wal", "-shm"):
            file.with_name(file.name + suffix).unlink(missing_ok=True)


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    private_file.folder(path.parent)
    # Never one that is there: whoever closes a file gives up every lock of this process on it.
    private_file.create(path)
    if path.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    with contextlib.closing(sqlite3.connect(path, timeout=_PATIENCE)) as db:
        # A count lost with the power is no loss, and an fsync would cost more than the recall.
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = OFF")
        with db:
            for statement in _TABLES.split(";\n"):
                db.execute(statement)
            yield db
