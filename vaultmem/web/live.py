"""What open pages are told while they are open: that files of the vault changed."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from types import TracebackType
from typing import Self

from vaultmem.api import watcher
from vaultmem.api.watcher import Watch

_GATHER = 0.4
"""Seconds in which what changes together is told once."""
_ALIVE = 25.0
"""Seconds after which a silent stream says that it is there."""
_LONG = 3600.0
MOST = 64
"""Streams at once; a browser opens one for all of its tabs."""


class Live:
    """A count of changes that streams wait on; inside of it the vault at *path* is watched.

    *changes* is that count. It begins anywhere, so that no page takes the count of a server that
    ended for this one's.
    """

    def __init__(self, path: Path) -> None:
        """Watch nothing yet."""
        self._path, self._streams = path, 0
        self.changes = secrets.randbelow(2**31)
        self._news, self._over = asyncio.Event(), False

    async def __aenter__(self) -> Self:
        """Begin to watch."""
        self._loop = asyncio.get_running_loop()
        self._watching = watcher.watching(self._path)
        self._watch = await self._loop.run_in_executor(None, self._watching.__enter__)
        self._thread = threading.Thread(target=self._look, args=(self._watch,), daemon=True)
        self._thread.start()
        return self

    async def __aexit__(
        self, type_: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        """Watch no more."""
        self.close()
        self._watch.wake()
        self._thread.join()
        self._watching.__exit__(type_, error, trace)

    def close(self) -> None:
        """End all streams."""
        self._over = True
        self._news.set()

    def _look(self, watch: Watch) -> None:
        while not self._over:
            watch.wait(_LONG)
            if not self._over and watch.take():
                self._loop.call_soon_threadsafe(self._tell)

    def _tell(self) -> None:
        self.changes += 1
        self._news.set()
        self._news = asyncio.Event()

    @property
    def is_full(self) -> bool:
        """Whether there are as many streams as there may be."""
        return self._streams >= MOST

    async def events(self, seen: int) -> AsyncIterator[bytes]:
        """Yield server-sent events: `change` for what changed, comments to stay open.

        What changed since the count was *seen* is told at once: a tab may begin to listen long
        after its page was made, when the tab that listened for all is closed.
        """
        self._streams += 1
        try:
            yield b"retry: 2000\n\n"
            while not self._over:
                if seen == self.changes:
                    try:
                        await asyncio.wait_for(self._news.wait(), _ALIVE)
                        await asyncio.sleep(0 if self._over else _GATHER)
                    except TimeoutError:
                        yield b": here\n\n"
                if seen != self.changes and not self._over:
                    seen = self.changes
                    yield f"event: change\nid: {seen}\ndata: {seen}\n\n".encode()
        finally:
            self._streams -= 1
