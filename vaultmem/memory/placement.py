"""In which folder a new memory's file goes: that of its month, or of its day where that is full.

A file never moves, so both hold memories of one month, and whoever reads looks into both.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from vaultmem.records import compact_stamp
from vaultmem.storage.index import file_queries
from vaultmem.storage.store import Store

Place = Callable[[str, datetime], str]
"""Returns the folder for what was said to an agent at a time."""

MOST = 1000
"""So many files a folder of a month holds: more are slow to list and to look through."""


def folder(agent: str, created: datetime, *, by_day: bool = False) -> str:
    """Return the folder for what was said to *agent* at *created*, by month or by day (UTC)."""
    when = compact_stamp(created)
    month = f"agents/{agent}/memories/{when[:4]}/{when[4:6]}"
    return f"{month}/{when[6:8]}" if by_day else month


def archived_path(path: str) -> str:
    """Return where the memory, or the folder of memories, at *path* lies once it is archived."""
    agents, agent, *rest = path.split("/")
    return "/".join((agents, agent, "archive", *(rest[1:] if rest[0] == "memories" else rest)))


class Placement:
    """Where the memories of one plan go; it counts those that it has placed."""

    def __init__(self, store: Store) -> None:
        """Place memories in the vault of *store*, as its settings say now."""
        self._index, self._by_day = store.index, store.config().layout == "day"
        self._held: dict[str, int] = {}

    def folder(self, agent: str, created: datetime) -> str:
        """Return the folder for one more memory."""
        month = folder(agent, created)
        if month not in self._held:
            self._held[month] = file_queries.count_directly_in(self._index, month, MOST)
        self._held[month] += 1
        by_day = self._by_day or self._held[month] > MOST
        return folder(agent, created, by_day=by_day)
