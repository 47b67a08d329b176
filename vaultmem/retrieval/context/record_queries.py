"""Ask one vault, at one time, for the records of one agent; what is not trusted never comes out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from vaultmem.errors import BadInput, DiskRefused, Refused
from vaultmem.records import Record, moment
from vaultmem.retrieval.context.items import Piece, over, printed, stale
from vaultmem.storage.store import Store

TRUSTED = "docs.trust IN ('agent', 'user', 'verified')"
"""SQL over `docs`: untrusted text waits for a person, and for an explicit question."""

_UNREADABLE = (OSError, Refused, DiskRefused)
_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Reader:
    """One look into the vault at *store*, for *agent*, at the time *now*."""

    store: Store
    agent: str
    now: datetime

    def path(self, name: str) -> str:
        """Return the path of a file of the agent's own."""
        return f"agents/{self.agent}/{name}"

    def records(self, where: str, *args: object) -> list[Record]:
        """Return the trusted records that the SQL condition *where* selects, in order of time.

        What waits in the inbox is nobody's yet, whosoever it says it is.
        """
        return self.store.index.records(f"({where}) AND {TRUSTED} AND docs.recallable", args)

    def ours(self, where: str, *args: object) -> list[Record]:
        """Return those that are the agent's or nobody's."""
        return self.records(f"({where}) AND docs.agent IN ('', ?)", *args, self.agent)

    def by_path(self, paths: Iterable[str]) -> Mapping[str, Record]:
        """Return the trusted records at *paths*."""
        wanted = list(paths)
        marks = ", ".join("?" * len(wanted))
        return {r.path: r for r in self.records(f"docs.path IN ({marks})", *wanted)}

    def has(self, kind: str) -> bool:
        """Tell whether the agent has anything of a type: looking in vain costs as much as else."""
        found = "SELECT 1 FROM docs WHERE type = ? AND agent = ? LIMIT 1"
        return self.store.index.value(found, kind, self.agent) is not None

    def still(self, record: Record) -> bool:
        """Tell whether the file has the bytes that *record* was read from."""
        try:
            return self.store.exists(record.path, record.sha)
        except _UNREADABLE:
            return False

    def anew(self, record: Record) -> Record | None:
        """Return *record* as its file has it now, None when it is gone.

        Unreadable is not gone: such a file says what it said last.
        """
        try:
            now = self.store.load(record)
        except _UNREADABLE:
            return record
        return None if now is record else now

    def holds(self, record: Record) -> bool:
        """Tell whether *record* is true at this time, as far as it says."""
        return not over(record, self.now)

    def days(self, record: Record) -> float:
        """Return how many days old *record* is; none when it does not say."""
        try:
            return (self.now - moment(record.created)).total_seconds() / _DAY
        except BadInput:
            return 0.0

    def piece(self, record: Record, **marks: str) -> Piece:
        """Print *record* with *marks*, and with the state of a fact whose time is over."""
        state = over(record, self.now) or stale(record, self.now)
        return printed(record, {"state": state, **marks})

    def pieces(self, records: Iterable[Record]) -> tuple[Piece, ...]:
        """Print *records*."""
        return tuple(map(self.piece, records))
