"""What an integration is made with, looked at then: later nobody would see where it came from."""

from __future__ import annotations

from vaultmem import arguments
from vaultmem.api.async_api import AsyncVault
from vaultmem.api.vault import Vault
from vaultmem.config import agent_name
from vaultmem.errors import BadInput


def check_vault(vault: object, kind: type[Vault | AsyncVault] = AsyncVault) -> None:
    """Raise BadInput for what is no *kind* of vault."""
    arguments.check_kind("vault", vault, kind)


def check_agent(agent: object) -> None:
    """Raise BadInput for what can be no agent; "" is the usual one."""
    arguments.check("agent", agent, "str")
    if agent:
        try:
            agent_name(str(agent))
        except BadInput as e:
            raise BadInput(f"agent: {e}") from e
