"""Anthropic's memory tool on a vault: `/memories` is what an agent may read of it.

`VaultMemoryTool(vault)` goes into the SDK's `tool_runner(tools=[…])`; `AsyncVaultMemoryTool` does
the same on an `AsyncVault`. Writes pass the store, what is deleted leaves a tombstone.
"""

from vaultmem.integrations.memory_tool.sdk_tools import AsyncVaultMemoryTool as AsyncVaultMemoryTool
from vaultmem.integrations.memory_tool.sdk_tools import VaultMemoryTool as VaultMemoryTool
