"""The names that an import has met so far: more of them than a process should hold.

They stand in a database without a name, which SQLite keeps in memory while it is small, and else in
a temporary file that nobody can open by another name and that goes with the process.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import tempfile
from collections.abc import Iterator

from vaultmem.errors import DiskRefused

_CACHE = 8 << 10
"""KiB of it that are held in memory."""


class KnownNames:
    """What was noted of each name; names themselves are kept as digests."""

    def __init__(self) -> None:
        """Know none yet."""
        with _refused():
            # Where a reading is broken off, whichever thread collects its garbage closes this.
            self._db = sqlite3.connect("", isolation_level=None, check_same_thread=False)
            self._db.execute(f"PRAGMA cache_size = -{_CACHE}")
            self._db.execute("PRAGMA journal_mode = OFF")
            self._db.execute("CREATE TABLE names(name BLOB PRIMARY KEY, noted) WITHOUT ROWID")
            self._db.execute("BEGIN")  # which never ends: nothing of it is to stay

    def close(self) -> None:
        """Forget all of them."""
        self._db.close()

    def get(self, name: str) -> str | None:
        """Return what was noted of *name*, None for one that was not met."""
        with _refused():
            found = self._db.execute("SELECT noted FROM names WHERE name = ?", (_key(name),))
            row = found.fetchone()
        return None if row is None else str(row[0])

    def note(self, name: str, noted: str) -> None:
        """Keep in mind what is *noted* of *name* now."""
        with _refused():
            self._db.execute("INSERT OR REPLACE INTO names VALUES(?, ?)", (_key(name), noted))

    def count(self, name: str) -> int:
        """Return how often *name* was counted, this time, too."""
        times = int(self.get(name) or 0) + 1
        self.note(name, str(times))
        return times


def _key(name: str) -> bytes:
    return hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()


@contextlib.contextmanager
def _refused() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise DiskRefused(tempfile.gettempdir(), str(error)) from error
