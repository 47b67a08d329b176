"""What an integration is made with, looked at then: later nobody would see where it came from."""

from __future__ import annotations

from vaultmem import arguments
from vaultmem.api.async_api import AsyncVault
from vaultmem.config import agent_name


def check_vault(vault: object) -> None:
    """Raise BadInput for what is no AsyncVault."""
    arguments.check_kind("vault", vault, AsyncVault)


def check_agent(agent: object) -> None:
    """Raise BadInput for what can be no agent; "" is the usual one."""
    arguments.check("agent", agent, "str")
    if agent:
        agent_name(str(agent))
