"""How often each thing was of use: counted for dream and forget, and never asked by the ranking.

The same question twice gives the same answer, whatever was asked in between.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

FILE = ".vaultmem/index/uses.sqlite3"
_TABLE = "CREATE TABLE IF NOT EXISTS uses(ref TEXT PRIMARY KEY, count INT, last TEXT) WITHOUT ROWID"
_ADD = (
    "INSERT INTO uses VALUES(?, 1, ?) ON CONFLICT(ref)"
    " DO UPDATE SET count = count + 1, last = max(last, excluded.last)"
)
_PATIENCE = 0.2


@dataclass(frozen=True, slots=True)
class Use:
    """How often something was found, and when last (ISO 8601)."""

    count: int
    last: str


def add(vault: Path, refs: Iterable[str], now: str) -> None:
    """Count one use more of each of *refs*, ids or else paths, at *now*.

    A count that cannot be kept is not worth an answer: a busy or unwritable file is let be.
    """
    with contextlib.suppress(sqlite3.Error, OSError), _opened(vault / FILE) as db:
        db.executemany(_ADD, [(ref, now) for ref in dict.fromkeys(refs)])


def load(vault: Path) -> dict[str, Use]:
    """Return the uses of everything that was ever of any, by id or path."""
    try:
        with _opened(vault / FILE) as db:
            rows = db.execute("SELECT ref, count, last FROM uses").fetchall()
    except (sqlite3.Error, OSError):
        return {}
    return {ref: Use(count, last) for ref, count, last in rows}


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600))
    with contextlib.closing(sqlite3.connect(path, timeout=_PATIENCE)) as db:
        # A count lost with the power is no loss, and an fsync would cost more than the recall.
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = OFF")
        with db:
            db.execute(_TABLE)
            yield db
