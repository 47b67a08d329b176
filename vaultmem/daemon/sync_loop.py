"""`sync --watch`: bring a clone in step again and again, ever later while that fails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vaultmem.errors import Refused, Unavailable
from vaultmem.exchange.sync import Synced, backoff


@dataclass(frozen=True, slots=True)
class Rounds:
    """What the loop is given: one sync, who hears of it, and what time and chance are.

    *wait* returns after so many seconds, or at once when *stopping* says so from then on.
    """

    sync: Callable[[], Synced]
    every: Callable[[], float]
    done: Callable[[Synced], None]
    failed: Callable[[str], None]
    wait: Callable[[float], None]
    stopping: Callable[[], bool]
    chance: Callable[[], float]


def run(given: Rounds) -> int:
    """Sync until somebody stops it; return how often that went well.

    What a person or a remote may mend is told once and tried again; raises what else goes wrong.
    """
    went, failures, before = 0, 0, ""
    while not given.stopping():
        try:
            done = given.sync()
        except (Refused, Unavailable) as e:
            failures += 1
            if str(e) != before:
                given.failed(str(e))
            before = str(e)
            given.wait(backoff.after_failure(failures, given.chance()))
        else:
            went, failures, before = went + 1, 0, ""
            given.done(done)
            given.wait(given.every())
    return went
