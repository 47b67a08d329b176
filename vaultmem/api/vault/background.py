"""Work that nobody waits for: on a thread of its own, with the vault opened anew for each piece.

A SQLite connection belongs to the thread that opened it. What was written is safe before any of
this begins; `wait` and the end of the process wait until all that was asked for is done.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from typing import Generic, Protocol, TypeVar

from vaultmem.errors import VaultError
from vaultmem.storage.fork_gate import GATE


class _Closes(Protocol):
    def close(self) -> None: ...


_V = TypeVar("_V", bound=_Closes)
_log = logging.getLogger(__name__)


class Background(Generic[_V]):
    """One thread, which takes up one piece of work after another, in the order of asking."""

    def __init__(self, reopened: Callable[[], _V]) -> None:
        """Work on what *reopened* opens; the thread starts with the first piece."""
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="vaultmem-background")
        self._reopened = reopened
        self._asked: dict[str, Future[None]] = {}

    def ask(self, what: str, work: Callable[[_V], object]) -> None:
        """Have *work* done; one that waits under the name *what* already does for both."""
        asked = self._asked.get(what)
        if asked is None or asked.running() or asked.done():
            self._asked[what] = self._pool.submit(self._do, work)

    def wait(self) -> None:
        """Wait until all that was asked for is done; a fault of the program in it is raised."""
        for asked in self._asked.values():
            asked.result()

    def close(self) -> None:
        """Wait, and let the thread go."""
        self._pool.shutdown()
        self.wait()

    def _do(self, work: Callable[[_V], object]) -> None:
        try:
            with GATE.at_work(), closing(self._reopened()) as vault:
                work(vault)
        except VaultError as e:  # whoever comes next tries again
            _log.warning("what was written is safe; what it made due waits: %s", e)
