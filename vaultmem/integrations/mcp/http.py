"""Serve clients on this machine over Streamable HTTP, behind the gate."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette

from vaultmem.api.vault import Vault
from vaultmem.errors import Unavailable
from vaultmem.integrations.mcp import http_guard
from vaultmem.integrations.mcp import server as mcp_server
from vaultmem.integrations.mcp.connection import Connection
from vaultmem.integrations.mcp.http_guard import Gate
from vaultmem.integrations.mcp.registry import TOOLS, Tool
from vaultmem.integrations.mcp.vault_session import Limits
from vaultmem.integrations.mcp.worker import Worker, signals

PATH = "/mcp"
_HERE = "127.0.0.1"
_GRACE = 3


def listening(port: int) -> socket.socket:
    """Return a socket at *port* of this machine alone, 0 being any free one."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((_HERE, port))
        found.listen()
    except OSError as e:
        found.close()
        raise Unavailable(f"port {port} is not available ({e.strerror}): choose another") from e
    return found


def run(
    open_vault: Callable[[], Vault], limits: Limits, at: socket.socket, token: str,
    tools: Sequence[Tool] = TOOLS,
) -> None:  # fmt: skip
    """Serve at the socket *at* until a signal comes; who asks must know *token*."""
    worker, port = Worker(open_vault, limits), at.getsockname()[1]
    app = Gate(open_app(worker, port, tools), port, token)
    asyncio.run(_serve(worker, app, at))


async def _serve(worker: Worker, app: Gate, at: socket.socket) -> None:
    config = uvicorn.Config(
        app, http=Connection, ws="none", log_level="error", log_config=None, access_log=False,
        server_header=False, timeout_graceful_shutdown=_GRACE,
    )  # fmt: skip
    server = _Server(config)
    with signals(server.stop):
        async with worker:
            await server.serve(sockets=[at])


class _Server(uvicorn.Server):
    """One that leaves the signals to us: uvicorn dies of them once it has shut down."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    def stop(self) -> None:
        """Answer what was asked, and end."""
        self.should_exit = True


def open_app(worker: Worker, port: int, tools: Sequence[Tool] = TOOLS) -> Starlette:
    """Return the application without its gate; the protocol's own checks stay."""
    hosts = [f"{host}:{port}" for host in ("127.0.0.1", "localhost", "[::1]")]
    checks = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=hosts,
        allowed_origins=[f"http://{host}" for host in hosts],
    )
    return mcp_server.server(worker, tools).streamable_http_app(
        streamable_http_path=PATH,
        transport_security=checks,
        max_request_body_size=http_guard.LARGEST,
    )
