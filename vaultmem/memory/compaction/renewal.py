"""When a summary is to be made anew: against drift, or for a better text than the offline one."""

from __future__ import annotations

from vaultmem.nlp.tasks import Summary
from vaultmem.records import Record

_STEPS = 32
"""The long-term summary is made anew each time that a part of so many was added to it."""


def has_drifted(absorbed: int, before: int, every: int) -> bool:
    """Tell whether the long-term summary is due to be made from all it has absorbed.

    By how many those are now and were *before*: no counter is kept. The more it has absorbed, the
    less often, so that each of them is read so many times, whatever their number. It is never due
    where *every* is 0.
    """
    while 0 < every <= absorbed // _STEPS:
        every *= 2
    return bool(every and absorbed // every > before // every)


def is_no_better(old: Record, summary: Summary) -> bool:
    """Tell whether *summary* is offline once more, and has nothing new to say of why."""
    if not summary.degraded:
        return summary.model == old.model  # nobody but the offline summarizer was asked
    kind = summary.degraded.partition(":")[0]
    return kind in {"away", "budget"} or old.degraded == summary.degraded
