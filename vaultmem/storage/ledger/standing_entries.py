"""What the lines of a ledger leave acknowledged: all of it, however much that is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing

from vaultmem.storage import scratch_database
from vaultmem.storage.ledger.types import Entry, Line

_TABLES = (
    "CREATE TABLE alive(id TEXT PRIMARY KEY, path BLOB, op TEXT, text TEXT) WITHOUT ROWID",
    "CREATE INDEX alive_path ON alive(path)",
)
_RELEASED = "DELETE FROM alive WHERE (id = ? AND ? IN (x'', path)) OR (path = ? AND path != x'')"


def alive(lines: Iterable[Line]) -> Iterator[Entry]:
    """Yield what *lines*, in their order, leave acknowledged, by path; raises DiskRefused."""
    with closing(scratch_database.opened(*_TABLES)) as db, scratch_database.refused():
        for line in lines:
            path = line.path.encode("utf-8", "surrogatepass")  # a person may have named the file
            if isinstance(line, Entry):
                row = (line.id, path, line.op, line.text)
                db.execute("INSERT OR REPLACE INTO alive VALUES(?, ?, ?, ?)", row)
            else:
                db.execute(_RELEASED, (line.id, path, path))
        for memory, path, op, text in db.execute("SELECT * FROM alive ORDER BY path, id"):
            yield Entry(memory, path.decode("utf-8", "surrogatepass"), op, text)
