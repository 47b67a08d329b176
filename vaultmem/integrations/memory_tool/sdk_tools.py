"""The tool for the SDK's loops: its abstract classes, filled by what `executor` does."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from anthropic.tools import ToolError
from anthropic.tools.memory import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool

from vaultmem.api.vault import Vault
from vaultmem.integrations import construction
from vaultmem.integrations.memory_tool import messages as memory_tool_messages
from vaultmem.integrations.memory_tool.executor import answer

if TYPE_CHECKING:
    from anthropic.types.beta import BetaCacheControlEphemeralParam

    from vaultmem.api.async_api import AsyncVault


class VaultMemoryTool(BetaAbstractMemoryTool):
    """Anthropic's memory tool (`memory_20250818`) on a vault, in the thread that opened it.

    Every method returns what the model is told, and raises `ToolError` alone.
    """

    def __init__(
        self,
        vault: Vault,
        *,
        agent: str = "",
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        """Reach into *vault* as *agent*, "" being the vault's own, who sees every agent's files.

        Raises BadInput for what is no such vault, or can be no agent.
        """
        construction.check_vault(vault, Vault)
        construction.check_agent(agent)
        super().__init__(cache_control=cache_control)
        self._reach = vault.reach(agent)

    def call(self, input: object) -> str:  # noqa: A002  # the SDK's name for it
        """Return the answer to what a model sent."""
        return answer(self._reach, input)

    def execute(self, command: object) -> str:
        """Return the answer to a command, one of the SDK's models or a mapping."""
        return answer(self._reach, command)

    view = create = str_replace = insert = delete = rename = execute

    def clear_all_memory(self) -> NoReturn:
        """Refuse: a memory is not lost by one call; raises ToolError, which says the way."""
        raise ToolError(memory_tool_messages.NO_CLEARING)


class AsyncVaultMemoryTool(BetaAsyncAbstractMemoryTool):
    """`VaultMemoryTool` for asyncio: on the thread of an `AsyncVault`."""

    def __init__(
        self,
        vault: AsyncVault,
        *,
        agent: str = "",
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        """Reach into *vault* as *agent*, "" being the vault's own, who sees every agent's files.

        Raises BadInput for what is no such vault, or can be no agent.
        """
        construction.check_vault(vault)
        construction.check_agent(agent)
        super().__init__(cache_control=cache_control)
        self._vault, self._agent = vault, agent

    async def call(self, input: object) -> str:  # noqa: A002  # the SDK's name for it
        """Return the answer to what a model sent."""
        return await self._vault.do(_answered, self._agent, input)

    async def execute(self, command: object) -> str:
        """Return the answer to a command, one of the SDK's models or a mapping."""
        return await self._vault.do(_answered, self._agent, command)

    view = create = str_replace = insert = delete = rename = execute

    async def clear_all_memory(self) -> NoReturn:
        """Refuse: a memory is not lost by one call; raises ToolError, which says the way."""
        raise ToolError(memory_tool_messages.NO_CLEARING)


def _answered(vault: Vault, agent: str, said: object) -> str:
    return answer(vault.reach(agent), said)
