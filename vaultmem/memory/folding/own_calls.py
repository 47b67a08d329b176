"""Calls of this very memory, and a look for tools: of what was said they tell nothing.

What they found is in the vault already, and told again it would come back as news. The transcript
keeps them.
"""

from __future__ import annotations

import re

from vaultmem.storage.transcripts import Turn

# The server as an installation names it, in settings and in a plugin; `memory` as the manual does.
_OWN = re.compile(
    r"mcp__(?:plugin_vaultmem_)?vaultmem__[\w-]+|mcp__memory__memory(?:_\w+)?|ToolSearch"
)
_CALL = re.compile(r"\[(?:uses )?([\w.:-]{1,64})(?:: .*)?\]")
_REFERENCES = re.compile(r"(?:\s*\[tool_reference\])+\s*")
"""What a look for tools answers, where it is not known which tool was called."""


def is_result(turn: Turn) -> bool:
    """Tell whether *turn* is what such a call answered."""
    if turn.role != "tool":
        return False
    return bool(_OWN.fullmatch(turn.tool) or _REFERENCES.fullmatch(turn.content))


def without(turn: Turn) -> str:
    """Return what *turn* says, if it is an assistant's without such calls; "" for their results."""
    if is_result(turn):
        return ""
    if turn.role != "assistant" or "[" not in turn.content:
        return turn.content
    lines = turn.content.split("\n")
    kept = [line for line in lines if not _is_call(line)]
    return turn.content if len(kept) == len(lines) else "\n".join(kept).strip()


def _is_call(line: str) -> bool:
    found = _CALL.fullmatch(line.strip())
    return bool(found and _OWN.fullmatch(found[1]))
