"""Signals that end a server gently: what is under way is finished, and all of it committed."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@contextmanager
def signals(stop: Callable[[], None]) -> Iterator[None]:
    """Let a signal *stop* the server gently, the second one at once."""
    loop = asyncio.get_running_loop()

    def gently() -> None:
        for number in _ENDING:
            loop.remove_signal_handler(number)
        stop()

    for number in _ENDING:
        loop.add_signal_handler(number, gently)
    try:
        yield
    finally:
        for number in _ENDING:
            loop.remove_signal_handler(number)
