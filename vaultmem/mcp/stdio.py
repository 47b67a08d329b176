"""Serve one client over standard input and output, and end when it does."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

import anyio

from vaultmem.api.vault import Vault
from vaultmem.mcp import ending, serving, wire
from vaultmem.mcp.desk import Limits
from vaultmem.mcp.tools import TOOLS, Tool
from vaultmem.mcp.worker import Worker

_LOOK = 2.0


def run(open_vault: Callable[[], Vault], limits: Limits, tools: Sequence[Tool] = TOOLS) -> None:
    """Serve until the client closes our input, a signal comes, or our parent is gone."""
    worker = Worker(open_vault, limits)
    anyio.run(_serve, worker, tools, os.getppid())


async def _serve(worker: Worker, tools: Sequence[Tool], parent: int) -> None:
    scope = anyio.CancelScope()
    with ending.signals(scope.cancel):
        async with worker:
            with scope:
                await _answer(worker, tools, parent, scope)


async def _answer(
    worker: Worker, tools: Sequence[Tool], parent: int, scope: anyio.CancelScope
) -> None:
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_watch, parent, scope)
        async with wire.streams(*wire.take_over()) as (incoming, outgoing):
            server = serving.server(worker, tools)
            await server.run(incoming, outgoing, server.create_initialization_options())
        scope.cancel()


async def _watch(parent: int, scope: anyio.CancelScope) -> None:
    """Cancel *scope* once the process that started us is gone: whoever has our pipes."""
    while os.getppid() == parent:  # noqa: ASYNC110  # nobody tells of that
        await anyio.sleep(_LOOK)
    scope.cancel()
