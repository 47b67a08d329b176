"""The threads that have the vault open: one reads, one looks back, one writes, a step at a time.

SQLite binds a connection to its thread. A dream that takes its time must not keep pages waiting,
nor must a moment of the past, whose index is built when it is first looked at.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self, TypeVar

from vaultmem.api.vault import Vault
from vaultmem.errors import VaultError

_T = TypeVar("_T")


class _VaultThread:
    """A thread of its own with an open vault."""

    def __init__(self, open_vault: Callable[[], Vault], name: str) -> None:
        self._thread = ThreadPoolExecutor(1, name)
        self._opening = self._thread.submit(open_vault)

    async def vault(self) -> Vault:
        try:
            return await asyncio.wrap_future(self._opening)
        except VaultError:
            self._thread.shutdown()
            raise

    async def do(self, step: Callable[[Vault], _T]) -> _T:
        vault = await self.vault()
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, lambda: step(vault))

    def close(self) -> None:
        if self._opening.done() and not self._opening.exception():
            self._thread.submit(self._opening.result().close)
        self._thread.shutdown()


class VaultThreads:
    """An async context manager inside of which the vault is open for each of the threads."""

    def __init__(self, open_vault: Callable[[], Vault]) -> None:
        """Begin to open it; who enters learns whether that went well."""
        self._reading = _VaultThread(open_vault, "vaultmem-web-read")
        self._past = _VaultThread(open_vault, "vaultmem-web-past")
        self._writing = _VaultThread(open_vault, "vaultmem-web-write")

    async def __aenter__(self) -> Self:
        """Wait until the vault is open; raises what `Vault.open` does."""
        for thread in (self._reading, self._past, self._writing):
            await thread.vault()
        return self

    async def __aexit__(
        self, _type: type[BaseException] | None, _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:  # fmt: skip
        """Close the vault after the steps under way."""
        for thread in (self._reading, self._past, self._writing):
            thread.close()

    async def read(self, step: Callable[[Vault], _T], *, past: bool = False) -> _T:
        """Take *step*, which writes nothing; *past*: it may have to wait for an index."""
        return await (self._past if past else self._reading).do(step)

    async def write(self, step: Callable[[Vault], _T]) -> _T:
        """Take *step*, which may write, when no other one does."""
        return await self._writing.do(step)
