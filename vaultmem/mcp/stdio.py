"""Serve one client over standard input and output, and end when it does."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import anyio

from vaultmem.mcp import serving, wire
from vaultmem.mcp.desk import Limits
from vaultmem.mcp.tools import TOOLS, Tool
from vaultmem.mcp.worker import Worker
from vaultmem.vault import Vault

_LOOK = 2.0
_ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def run(open_vault: Callable[[], Vault], limits: Limits, tools: Sequence[Tool] = TOOLS) -> None:
    """Serve until the client closes our input, a signal comes, or our parent is gone."""
    worker = Worker(open_vault, limits)
    anyio.run(_serve, worker, tools, os.getppid())


async def _serve(worker: Worker, tools: Sequence[Tool], parent: int) -> None:
    async with worker, anyio.create_task_group() as tasks:
        with _signals(tasks.cancel_scope.cancel):
            tasks.start_soon(_watch, parent, tasks.cancel_scope)
            async with wire.streams(*wire.take_over()) as (incoming, outgoing):
                server = serving.server(worker, tools)
                await server.run(incoming, outgoing, server.create_initialization_options())
        tasks.cancel_scope.cancel()


async def _watch(parent: int, scope: anyio.CancelScope) -> None:
    """Cancel *scope* once the process that started us is gone: whoever has our pipes."""
    while os.getppid() == parent:  # noqa: ASYNC110  # nobody tells of that
        await anyio.sleep(_LOOK)
    scope.cancel()


@contextmanager
def _signals(stop: Callable[[], None]) -> Iterator[None]:
    """Let a signal stop gently, the second one at once."""
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
