"""Let no fork fall into the middle of what a thread of ours does with SQLite.

SQLite and the allocator have locks of the whole process. A fork copies them as they are, without
the thread that would give them back: whoever closed or opened a vault there waited for ever.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 2.0
"""Seconds that a fork waits. Work that takes longer waits for a model mostly, not in SQLite."""


class ForkGate:
    """Counts the threads that are at work, and holds a fork back until there are none."""

    def __init__(self, patience: float = PATIENCE) -> None:
        """Hold a fork back for so many seconds of *patience* at most."""
        self._quiet, self._working, self._patience = threading.Condition(), 0, patience

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Be at work; a fork that is on its way goes first."""
        with self._quiet:
            self._working += 1
        try:
            yield
        finally:
            with self._quiet:
                self._working -= 1
                self._quiet.notify_all()

    def close(self) -> None:
        """Wait until nobody is at work, and let nobody begin: a fork is next."""
        self._quiet.acquire()
        self._quiet.wait_for(lambda: not self._working, self._patience)

    def open(self) -> None:
        """Let them begin again, in the process that was forked."""
        self._quiet.release()

    def open_in_child(self) -> None:
        """Let them begin, in the fork: there is nobody at work there."""
        self._working = 0
        self._quiet.release()


GATE = ForkGate()
os.register_at_fork(before=GATE.close, after_in_parent=GATE.open, after_in_child=GATE.open_in_child)
