"""Serve clients on this machine over Streamable HTTP, behind the gate."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence

from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette

from vaultmem.api.loopback import guard, server
from vaultmem.api.vault import Vault
from vaultmem.integrations.mcp import http_guard
from vaultmem.integrations.mcp import server as mcp_server
from vaultmem.integrations.mcp.http_guard import Gate
from vaultmem.integrations.mcp.registry import TOOLS, Tool
from vaultmem.integrations.mcp.vault_session import Limits
from vaultmem.integrations.mcp.worker import Worker

PATH = "/mcp"


def run(
    open_vault: Callable[[], Vault], limits: Limits, at: socket.socket, token: str,
    tools: Sequence[Tool] = TOOLS,
) -> None:  # fmt: skip
    """Serve at the socket *at* until a signal comes; who asks must know *token*."""
    worker, port = Worker(open_vault, limits), at.getsockname()[1]
    app = Gate(open_app(worker, port, tools), port, token)
    asyncio.run(server.serve(app, at, worker))


def open_app(worker: Worker, port: int, tools: Sequence[Tool] = TOOLS) -> Starlette:
    """Return the application without its gate; the protocol's own checks stay."""
    hosts = [*guard.hosts(port)]
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
