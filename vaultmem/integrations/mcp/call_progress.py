"""How far one call is: told to its client as it goes, and where the call is stopped when asked to.

The vault's thread tells; a client hears the newest, as fast as it listens.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from functools import partial

from vaultmem.api.types import Progress

Report = Callable[[float, float | None, str | None], Awaitable[None]]
"""Sends a client how many steps are done, of how many, and what they are."""


class Stopped(asyncio.CancelledError):
    """The client wants its answer no more: what was being done ends between two steps.

    No error of ours, so that nobody on the way goes on without what was stopped.
    """


class CallProgress:
    """The progress of one call, of all that it does in turn: it only ever grows."""

    def __init__(self, report: Report) -> None:
        """Tell by *report*, on the loop that is running."""
        self._report, self._loop = report, asyncio.get_running_loop()
        self._stopped = threading.Event()
        self._sent: Future[None] | None = None
        self._what, self._steps, self._before, self._last = "", 0, 0, -1

    def of(self, what: str) -> Progress:
        """Return what is to be told of *what* is being done; raises Stopped once the call is."""
        return partial(self._step, what)

    def of_all(self, what: str) -> Progress:
        """Do the same for what is not stopped, since the next call would need it as well."""
        return partial(self._tell, what)

    def stop(self) -> None:
        """Have the work end before its next step."""
        self._stopped.set()

    async def heard(self) -> None:
        """Wait for what is being sent: nothing may come after the answer."""
        if self._sent:
            await asyncio.wrap_future(self._sent)

    def _step(self, what: str, done: int, total: int) -> None:
        if self._stopped.is_set():
            raise Stopped
        self._tell(what, done, total)

    def _tell(self, what: str, done: int, total: int) -> None:
        if what != self._what or done < self._steps:  # something else, or the same once more
            self._what, self._before = what, max(self._last, 0)
        self._steps, now = done, self._before + done
        if now > self._last and (self._sent is None or self._sent.done()):
            self._last = now
            told = self._send(now, self._before + total, what)
            self._sent = asyncio.run_coroutine_threadsafe(told, self._loop)

    async def _send(self, done: int, total: int, what: str) -> None:
        await self._report(done, total, what)


async def unreported(_done: float, _total: float | None, _what: str | None) -> None:
    """Report to nobody."""
