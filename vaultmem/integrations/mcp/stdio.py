"""Serve one client over standard input and output, and end when it does."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

import anyio

from vaultmem.api.loopback.server import signals
from vaultmem.api.vault import Vault
from vaultmem.integrations.mcp import server as mcp_server
from vaultmem.integrations.mcp import stdio_transport
from vaultmem.integrations.mcp.registry import TOOLS, Tool
from vaultmem.integrations.mcp.vault_session import Limits
from vaultmem.integrations.mcp.worker import Worker

_LOOK = 2.0


def run(open_vault: Callable[[], Vault], limits: Limits, tools: Sequence[Tool] = TOOLS) -> None:
    """Serve until the client closes our input, a signal comes, or our parent is gone."""
    worker = Worker(open_vault, limits)
    anyio.run(_serve, worker, tools, os.getppid())


async def _serve(worker: Worker, tools: Sequence[Tool], parent: int) -> None:
    scope = anyio.CancelScope()
    with signals(scope.cancel):
        async with worker:
            with scope:
                await _answer(worker, tools, parent, scope)


async def _answer(
    worker: Worker, tools: Sequence[Tool], parent: int, scope: anyio.CancelScope
) -> None:
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_watch, parent, scope)
        async with stdio_transport.streams(*stdio_transport.take_over()) as (incoming, outgoing):
            server = mcp_server.server(worker, tools)
            await server.run(incoming, outgoing, server.create_initialization_options())
        scope.cancel()


async def _watch(parent: int, scope: anyio.CancelScope) -> None:
    """Cancel *scope* once the process that started us is gone: whoever has our pipes."""
    while os.getppid() == parent:  # noqa: ASYNC110  # nobody tells of that
        await anyio.sleep(_LOOK)
    scope.cancel()
