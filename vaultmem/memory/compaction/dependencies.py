"""What the cascade needs from outside, and the files as they were when it was planned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from vaultmem.errors import StaleWrite
from vaultmem.nlp.tasks import Summary, Task
from vaultmem.records import Record
from vaultmem.storage.index.coverage import Member
from vaultmem.storage.progress import Progress, untold


@dataclass(frozen=True, slots=True)
class Dependencies:
    """What proposing needs from outside: a summarizer, ids, the present, and the files.

    *ask* always answers: what no vault should hold it has replaced. *load* takes paths, each with
    the sha it is planned with, and returns the records of the files as they are now, None for one
    that is gone. *progress* is told how many chunks of how many are summarized. *earlier* yields
    the short-term summaries that a page of a past has not, those with an id before the one it is
    given.
    """

    ask: Callable[[Task], Summary]
    mint: Callable[[], str]
    now: str
    read: Callable[[str], bytes | None]
    load: Callable[[Sequence[tuple[str, str]]], Sequence[Record | None]]
    progress: Progress = untold
    earlier: Callable[[str], Iterable[Record]] = lambda _: ()

    def as_planned(self, planned: Sequence[Member | Record]) -> list[Record]:
        """Return *planned* with their texts; raises StaleWrite for one that is otherwise now."""
        found: list[Record] = []
        loaded = self.load([(it.path, it.sha) for it in planned])
        for it, now in zip(planned, loaded, strict=True):
            if now is None or now.sha != it.sha:
                raise StaleWrite(it.path, it.sha, now.sha if now else None)
            found.append(now)
        return found

    def bytes_as_planned(self, summary: Record) -> bytes:
        """Return the bytes of a summary that is planned with; raises StaleWrite for any others.

        What a person wrote there since would be neither kept nor in git.
        """
        data, (now,) = self.read(summary.path), self.as_planned([summary])
        if data is None:
            raise StaleWrite(summary.path, summary.sha, now.sha)
        return data
