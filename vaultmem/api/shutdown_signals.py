"""Signals that end a process: the first one begins the end, none cuts it short.

Who stops a program often sends two, SIGINT and a moment later SIGTERM; the second one must not kill
a commit half way.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from types import FrameType

STOPPING = (signal.SIGTERM, signal.SIGINT)
ENDING = (*STOPPING, signal.SIGHUP)


class Shutdown:
    """Whether the process was asked to end, and what to do about it."""

    def __init__(self) -> None:
        """Begin unasked."""
        self.asked = False
        self._stop: Callable[[], None] = lambda: None

    def begins_with(self, stop: Callable[[], None]) -> None:
        """Call *stop* when the first signal comes, at once if it came already."""
        self._stop = stop
        if self.asked:
            stop()

    def ask(self) -> None:
        """Begin to end, if that has not begun."""
        if not self.asked:
            self.asked = True
            self._stop()


@contextlib.contextmanager
def heeded(numbers: Sequence[signal.Signals] = ENDING) -> Iterator[Shutdown]:
    """Yield what the first signal of *numbers* asks; the others change nothing any more.

    The block holds all that is done at the end, too. On any thread but the main one, where Python
    takes no signals, nothing is ever asked.
    """
    shutdown = Shutdown()

    def ask(_number: int, _frame: FrameType | None) -> None:
        shutdown.ask()

    if threading.current_thread() is not threading.main_thread():
        yield shutdown
        return
    before = {number: signal.signal(number, ask) for number in numbers}
    try:
        yield shutdown
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
