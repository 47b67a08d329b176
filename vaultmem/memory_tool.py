"""Anthropic's memory tool on a vault: the name that agents import it by."""

from vaultmem.integrations.memory_tool import AsyncVaultMemoryTool, VaultMemoryTool

__all__ = ["AsyncVaultMemoryTool", "VaultMemoryTool"]
