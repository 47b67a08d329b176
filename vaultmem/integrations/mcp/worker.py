"""The one thread that has the vault open: what is asked of it waits its turn there.

SQLite binds a connection to its thread. What was written is committed, and offline compactions are
made, once writing has rested, so that nobody waits for git.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from vaultmem.api.vault import Vault
from vaultmem.errors import VaultError
from vaultmem.integrations.mcp import errors as mcp_errors
from vaultmem.integrations.mcp.call_progress import CallProgress, Report, unreported
from vaultmem.integrations.mcp.vault_session import Limits, ServerSession

_log = logging.getLogger(__name__)
_T = TypeVar("_T")
REST = 1.0
"""Seconds without a write after which what was written is committed."""


class Worker:
    """A session and its thread, as an async context manager: the vault is open inside of it."""

    def __init__(self, open_vault: Callable[[], Vault], limits: Limits, rest: float = REST) -> None:
        """Begin to open the vault at once; who enters learns whether that went well."""
        self._thread = ThreadPoolExecutor(1, "vaultmem-mcp")
        self.limits, self._rest = limits, rest
        self._opening = self._thread.submit(lambda: ServerSession(open_vault(), limits))
        self._due: asyncio.TimerHandle | None = None
        self._compacts = True

    async def __aenter__(self) -> Self:
        """Wait for the vault; raises what `Vault.open` does."""
        try:
            self._server = await asyncio.wrap_future(self._opening)
        except VaultError:
            self._thread.shutdown()
            raise
        return self

    async def __aexit__(
        self, _type: type[BaseException] | None, _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:  # fmt: skip
        """Commit what waits and close the vault, after the step under way."""
        if self._due:
            self._due.cancel()
        self._thread.submit(_end, self._server, compacts=self._compacts)
        self._thread.shutdown()

    async def do(
        self, step: Callable[[ServerSession], _T], report: Report = unreported, *,
        writes: str = "",
    ) -> _T:  # fmt: skip
        """Take *step* on the vault's thread, and *report* how far it is.

        One that is cancelled is not begun any more, or stops where it tells its progress; one
        that did neither is told of to whoever calls next. What is written by one, the tool that
        *writes*, is seen to once writing has rested.
        """
        call, ended = CallProgress(report), threading.Event()

        def run() -> _T:
            with self._server.during(call):
                done = step(self._server)
            ended.set()
            return done

        def tell_if_ended() -> None:
            if ended.is_set():
                self._server.cancelled_too_late(writes)

        cancelled = False
        try:
            done = await asyncio.get_running_loop().run_in_executor(self._thread, run)
        except asyncio.CancelledError:
            cancelled = True
            call.stop()
            if writes:
                self._thread.submit(tell_if_ended)
            raise
        finally:
            if writes:
                self._follow_up_later(compacts=not cancelled)
        await call.heard()
        return done

    @property
    def path(self) -> Path:
        """The vault's folder, which no client is told of."""
        return self._server.vault.path

    @property
    def agent(self) -> str:
        """The agent that is served, "" for all."""
        return self._server.agent

    def _follow_up_later(self, *, compacts: bool) -> None:
        """Follow up once writing has rested; who cancelled wants nothing compacted after it."""
        self._compacts = compacts
        if self._due:
            self._due.cancel()
        self._due = asyncio.get_running_loop().call_later(self._rest, self._submit_follow_up)

    def _submit_follow_up(self) -> None:
        self._due = None
        self._thread.submit(follow_up, self._server, compacts=self._compacts)


def follow_up(server: ServerSession, *, compacts: bool) -> None:
    """Do what writes made due, unless a daemon does: commit, and where it *compacts*, offline.

    What needs a model waits for `compact` or a daemon: nobody asked for its cost.
    """
    vault = server.vault
    if vault.watched:
        return
    try:
        if compacts:
            vault.compactions.run_offline()
        vault.history.commit_pending()
    except mcp_errors.EXPECTED as e:
        _log.warning("what was written is safe; the rest waits: %s", e)


def _end(server: ServerSession, *, compacts: bool) -> None:
    follow_up(server, compacts=compacts)
    server.vault.close()
