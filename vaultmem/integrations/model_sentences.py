"""What a model does in place of what a sentence names for a terminal: a tool, or it asks a person.

The sentences of errors, repairs and reasons are for everybody (`vaultmem.errors`): a command stands
in backticks, whole, and an argument that only some callers have in a bracket, as `name=value`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_COMMAND = re.compile(r"(?P<asked>ask the person to run )?`(?P<line>(?:vaultmem|git) [^`]*)`")
_ARGUMENT = re.compile(r" \((?:`[a-z_]+=[^`]*`[^()]*|`vaultmem [^`]*`)\)")
_ASK = "; a command is for the person to run: ask them"


def for_model(text: str, tool: Callable[[str], str] = lambda _line: "") -> str:
    """Return *text* with the *tool* for each command line that has one; others are a person's."""

    def replaced(found: re.Match[str]) -> str:
        return found[0] if found["asked"] else tool(found["line"]) or found[0]

    told = _COMMAND.sub(replaced, _ARGUMENT.sub("", text))
    left = [found for found in _COMMAND.finditer(told) if not found["asked"]]
    return f"{told}{_ASK}" if left and not told.endswith(_ASK) else told
