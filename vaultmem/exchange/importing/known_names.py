"""The names that an import has met so far: more of them than a process should hold."""

from __future__ import annotations

import hashlib

from vaultmem.storage import scratch_database


class KnownNames:
    """What was noted of each name; names themselves are kept as digests."""

    def __init__(self) -> None:
        """Know none yet."""
        table = "CREATE TABLE names(name BLOB PRIMARY KEY, noted) WITHOUT ROWID"
        self._db = scratch_database.opened(table)

    def close(self) -> None:
        """Forget all of them."""
        self._db.close()

    def get(self, name: str) -> str | None:
        """Return what was noted of *name*, None for one that was not met."""
        with scratch_database.refused():
            found = self._db.execute("SELECT noted FROM names WHERE name = ?", (_key(name),))
            row = found.fetchone()
        return None if row is None else str(row[0])

    def note(self, name: str, noted: str) -> None:
        """Keep in mind what is *noted* of *name* now."""
        with scratch_database.refused():
            self._db.execute("INSERT OR REPLACE INTO names VALUES(?, ?)", (_key(name), noted))

    def count(self, name: str) -> int:
        """Return how often *name* was counted, this time, too."""
        times = int(self.get(name) or 0) + 1
        self.note(name, str(times))
        return times


def _key(name: str) -> bytes:
    return hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()
