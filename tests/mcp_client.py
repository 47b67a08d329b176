"""A server and its client in this process, asked from a scene step by step."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import mcp_types as types
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client

from vaultmem import Vault
from vaultmem.integrations.mcp import server
from vaultmem.integrations.mcp.registry import TOOLS, Tool
from vaultmem.integrations.mcp.vault_session import Limits
from vaultmem.integrations.mcp.worker import Worker
from vaultmem.records import Clock, utc_now

ANYBODY = Limits()


@dataclass(frozen=True)
class Served:
    """A client that is connected; every answer was checked against its schema by the SDK."""

    client: Client
    portal: BlockingPortal

    def ask(self, name: str, **arguments: object) -> types.CallToolResult:
        """Return what calling the tool *name* came to."""
        return self.portal.call(partial(self.client.call_tool, name, arguments))

    def do(self, name: str, **arguments: object) -> dict[str, Any]:
        """Return the structured result of a call, which says in text the same."""
        done = self.ask(name, **arguments)
        assert not done.is_error, text(done)
        assert json.loads(text(done)) == done.structured_content
        found: dict[str, Any] = done.structured_content
        return found

    def refused(self, name: str, **arguments: object) -> str:
        """Return why a call was refused."""
        done = self.ask(name, **arguments)
        assert done.is_error, text(done)
        assert done.structured_content is None
        return text(done)


def text(result: types.CallToolResult) -> str:
    """Return the text of a result."""
    (block,) = result.content
    assert isinstance(block, types.TextContent)
    return block.text


@contextmanager
def served(
    folder: Path, limits: Limits = ANYBODY, *, clock: Clock = utc_now, rest: float = 60.0,
    tools: Sequence[Tool] = TOOLS,
) -> Iterator[Served]:  # fmt: skip
    """Serve the vault at *folder* to a client of the official SDK."""
    worker = partial(Worker, partial(Vault.open, folder, clock=clock), limits, rest)
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(_connected(worker, tools)) as client,
    ):
        yield Served(client, portal)


def make_due(folder: Path) -> None:
    """Have four short-term summaries due for ada."""
    with Vault.open(folder) as vault:
        for n in range(17):
            vault.remember(f"On day {n} Ada met Bob {n} in Oslo.", agent="ada", source="user")
    config = folder / "config/memory_compaction.md"
    text = config.read_text().replace("immediate_window: 64", "immediate_window: 2")
    config.write_text(text.replace("recent_window: 64", "recent_window: 3"))


@asynccontextmanager
async def _connected(worker: Callable[[], Worker], tools: Sequence[Tool]) -> AsyncIterator[Client]:
    async with worker() as working, Client(server.server(working, tools)) as client:
        yield client
