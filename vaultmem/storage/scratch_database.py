"""A database without a name, for more than a process should hold.

SQLite keeps it in memory while it is small, and else in a temporary file that nobody can open by
another name and that goes with the process.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator

from vaultmem.errors import DiskRefused

_CACHE = 8 << 10
"""KiB of it that are held in memory."""


def opened(*tables: str) -> sqlite3.Connection:
    """Return a new one with *tables*; raises DiskRefused, as all that is asked of it should."""
    with refused():
        # Where a reading is broken off, whichever thread collects its garbage closes this.
        db = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        for statement in (f"PRAGMA cache_size = -{_CACHE}", "PRAGMA journal_mode = OFF", *tables):
            db.execute(statement)
        db.execute("BEGIN")  # which never ends: nothing of it is to stay
        return db


@contextlib.contextmanager
def refused() -> Iterator[None]:
    """Raise DiskRefused for what SQLite says."""
    try:
        yield
    except sqlite3.Error as error:
        import tempfile  # noqa: PLC0415  # every command would pay for it

        raise DiskRefused(tempfile.gettempdir(), str(error)) from error
