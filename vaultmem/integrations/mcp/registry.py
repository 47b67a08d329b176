"""The tools, in the order in which a client is told of them."""

from __future__ import annotations

from vaultmem.integrations.mcp.tools import (
    compact,
    correct,
    edit,
    forget,
    history,
    listing,
    read,
    search,
    status,
    task,
    undo,
    working,
    write,
)
from vaultmem.integrations.mcp.tools.memory_directory import memory
from vaultmem.integrations.mcp.tools.types import Tool

__all__ = ["TOOLS", "Tool", "memory"]

TOOLS = (
    search.TOOL,
    read.TOOL,
    listing.TOOL,
    write.TOOL,
    edit.TOOL,
    correct.TOOL,
    forget.TOOL,
    task.TOOL,
    working.TOOL,
    status.TOOL,
    compact.TOOL,
    history.TOOL,
    undo.TOOL,
)
