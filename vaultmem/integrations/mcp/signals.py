"""Signals that end a server gently: what is under way is finished, and all of it committed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from vaultmem.api.shutdown_signals import ENDING, Shutdown


@contextmanager
def signals(stop: Callable[[], None]) -> Iterator[None]:
    """Let the first signal *stop* the server; a second one does nothing as long as the block lasts.

    The block must hold all that is done at the end: a client that stops a server by SIGINT sends
    SIGTERM a moment later.
    """
    loop, shutdown = asyncio.get_running_loop(), Shutdown()
    shutdown.begins_with(stop)
    for number in ENDING:
        loop.add_signal_handler(number, shutdown.ask)
    try:
        yield
    finally:
        for number in ENDING:
            loop.remove_signal_handler(number)
