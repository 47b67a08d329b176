"""`mcp`: serve the vault to any client of the Model Context Protocol."""

from __future__ import annotations

import logging
import os
import secrets
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from vaultmem.api.vault import Vault
from vaultmem.cli import output
from vaultmem.config import VAULT_AGENT, agent_name
from vaultmem.errors import BadInput, Refused

if TYPE_CHECKING:
    from vaultmem.integrations.mcp.registry import Tool
    from vaultmem.integrations.mcp.vault_session import Limits, ServerSession

_TOKEN = "VAULTMEM_MCP_TOKEN"  # noqa: S105  # the name of a variable
_SHORTEST = 16


@click.command()
@output.common
@output.agent(
    "Serve only what this agent may see, and write in its name; @vault: the vault's agent."
)
@click.option("--read-only", is_flag=True, help="Offer only the tools that read.")
@click.option("--allow-purge", is_flag=True, help="Let clients purge things from the git history.")
@click.option("--memory-tool", is_flag=True, help="Also offer Anthropic's `memory` tool.")
@click.option("--http", is_flag=True, help="Serve HTTP on 127.0.0.1 instead of stdin and stdout.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="The port for --http; 0 picks a free one.",
)
def mcp(  # noqa: PLR0913  # click calls with keywords
    *, agent: str, read_only: bool, allow_purge: bool, memory_tool: bool, http: bool, port: int
) -> None:
    """Serve the vault over the Model Context Protocol, on stdin and stdout.

    With --http it prints its address and a token on stderr. The token is new at each start unless
    VAULTMEM_MCP_TOKEN sets it.
    """
    if port and not http:
        raise BadInput("--port is for --http: stdin and stdout have none")
    from vaultmem.integrations.mcp.vault_session import Limits

    _logging()
    named = agent if agent in {"", VAULT_AGENT} else agent_name(agent)
    limits = Limits(named, read_only, allow_purge)
    opening = partial(Vault.open, output.where())
    tools = offered(memory_tool=memory_tool)
    if http:
        _over_http(opening, limits, port, tools)
    else:
        from vaultmem.integrations.mcp import stdio

        stdio.run(opening, limits, tools)


def offered(*, memory_tool: bool) -> Sequence[Tool]:
    """Return the tools and, where it is asked for, Anthropic's one."""
    from vaultmem.integrations.mcp import registry

    return (*registry.TOOLS, registry.memory(_answered)) if memory_tool else registry.TOOLS


def _answered(server: ServerSession, command: dict[str, object]) -> str:
    """Return what Anthropic's memory tool says to *command*; raises Refused with its words."""
    from anthropic.tools import ToolError

    from vaultmem.integrations.mcp.commands import for_client
    from vaultmem.integrations.memory_tool.executor import answer

    try:
        return answer(server.reach, command, for_client)
    except ToolError as e:
        raise Refused(str(e)) from e


def _logging() -> None:
    """Log to stderr with -v alone: clients show what a server prints there as an error."""
    if output.shared().verbose:
        logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(name)s: %(message)s")
    else:
        logging.getLogger().addHandler(logging.NullHandler())


def _over_http(
    opening: Callable[[], Vault], limits: Limits, port: int, tools: Sequence[Tool]
) -> None:
    from vaultmem.api.loopback import server
    from vaultmem.integrations.mcp import http

    token = _token()
    with server.listening(port) as at:
        click.echo(f"http://127.0.0.1:{at.getsockname()[1]}{http.PATH}", err=True)
        if not os.environ.get(_TOKEN):
            click.echo(f"Authorization: Bearer {token}", err=True)
        http.run(opening, limits, at, token, tools)


def _token() -> str:
    """Return the token that the environment names, else a new one; raises BadInput."""
    named = os.environ.get(_TOKEN, "")
    if named and (len(named) < _SHORTEST or not named.isascii() or not named.isprintable()):
        raise BadInput(f"{_TOKEN} is shorter than {_SHORTEST} plain characters: make it longer")
    return named or secrets.token_urlsafe(32)


COMMANDS = {"mcp": mcp}
