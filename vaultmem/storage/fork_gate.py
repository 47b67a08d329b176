"""Let no fork fall into the middle of what another thread of ours does.

A fork copies what is open as it is, without the thread that would give it back. SQLite and the
allocator have locks of the whole process: whoever closed or opened a vault there waited for ever.
And who starts a program reads a pipe until its last writer is gone: that was the fork.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 2.0
"""Seconds that a fork waits. Work that takes longer waits for a model mostly, not in SQLite."""

_LONG = 30.0
"""Seconds that a fork waits for a program to start, which waits for the disk alone."""


class ForkGate:
    """Knows the threads that are at work, and holds a fork back until no other one is."""

    def __init__(self, patience: float = PATIENCE) -> None:
        """Hold a fork back for so many seconds of *patience* at most."""
        self._quiet, self._working, self._patience = threading.Condition(), list[int](), patience

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Be at work; a fork that is about to happen goes first."""
        with self._quiet:
            self._working.append(thread := threading.get_ident())
        try:
            yield
        finally:
            with self._quiet:
                if thread in self._working:  # a fork within the block has nobody at work
                    self._working.remove(thread)
                self._quiet.notify_all()

    def close(self) -> None:
        """Wait until no other thread is at work, and let nobody begin: a fork is next."""
        self._quiet.acquire()
        own = {threading.get_ident()}
        self._quiet.wait_for(lambda: own.issuperset(self._working), self._patience)

    def open(self) -> None:
        """Let them begin again, in the process that was forked."""
        self._quiet.release()

    def open_in_child(self) -> None:
        """Let them begin, in the fork: there is nobody at work there."""
        self._working.clear()
        self._quiet.release()


def _made(patience: float) -> ForkGate:
    gate = ForkGate(patience)
    os.register_at_fork(
        before=gate.close, after_in_parent=gate.open, after_in_child=gate.open_in_child
    )
    return gate


# The last to be made is closed first: work that a fork waits for may still start a program.
STARTS = _made(_LONG)
"""For the start of a program."""
GATE = _made(PATIENCE)
"""For what uses SQLite."""
