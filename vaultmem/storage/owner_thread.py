"""Who may use what is held open: the thread that opened it, until it closes it.

A descriptor that was given back may be another vault's by now, and an SQLite connection that two
threads use at once takes the process with it. So both are asked for through here. For the same
reason what is open is not copied: two would give back one descriptor. And a fork has a copy of all
that it did not open: there SQLite takes the locks of the other process for its own.
"""

from __future__ import annotations

import os
import threading
from typing import Never, SupportsIndex

from vaultmem.errors import Closed, OtherProcess, OtherThread, Refused


class Uncopied:
    """What is open in one place: neither `copy` nor `pickle` makes a second one of it."""

    __slots__ = ()

    def __reduce_ex__(self, _protocol: SupportsIndex, /) -> Never:
        """Raise Refused: both ask here how it could be made again."""
        raise Refused(
            "an open vault cannot be copied or pickled, nor can what holds one; nothing was done: "
            "hand on its path, and open it there"
        )


class Owner:
    """The thread that opened something, and whether it is still open."""

    def __init__(self, what: str) -> None:
        """Let this thread alone use *what* it has just opened."""
        self._what, self._thread, self.closed = what, threading.get_ident(), False
        self._process = os.getpid()

    @property
    def inherited(self) -> bool:
        """Whether this process is a fork of the one that opened it."""
        return os.getpid() != self._process

    @property
    def interrupted(self) -> bool:
        """Whether this is a fork without the thread that may have been in the middle of using it.

        A fork has no thread but the one that made it, under the same identity.
        """
        return self.inherited and threading.get_ident() != self._thread

    def check(self) -> None:
        """Raise Closed once it is closed, OtherProcess in a fork of the process that opened it.

        And OtherThread in a thread that did not open it.
        """
        if self.closed:
            raise Closed(self._what)
        if os.getpid() != self._process:  # asked for at every step: `inherited`, without a call
            raise OtherProcess(self._what)
        if threading.get_ident() != self._thread:
            raise OtherThread(self._what)

    def end(self) -> bool:
        """Let nobody use it any more; False when that was so before.

        Raises OtherThread while the thread that opened it lives and may be using it.
        """
        if not self.closed and threading.get_ident() != self._thread and self._lives():
            raise OtherThread(self._what)
        was, self.closed = self.closed, True
        return not was

    def _lives(self) -> bool:
        return any(thread.ident == self._thread for thread in threading.enumerate())
