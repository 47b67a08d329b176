"""What a client does in place of what a sentence names for a terminal: a tool, or it asks a person.

The sentences of errors, repairs and reasons are for everybody (`vaultmem.errors`): a command stands
in backticks, whole, and an argument that only some callers have in a bracket, as `name=value`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_COMMAND = re.compile(r"(?P<asked>ask the person to run )?`(?P<line>(?:vaultmem|git) [^`]*)`")
_ARGUMENT = re.compile(r" \((?:`[a-z_]+=[^`]*`[^()]*|`vaultmem [^`]*`)\)")
_ASK = "; a command is for the person to run: ask them"
_TOOLS: Mapping[str, str] = {
    "card list": "memory_list with path cards",
    "card set": "memory_write with kind card",
    "compact": "memory_compact",
    "correct": "memory_correct",
    "experience": "memory_working with an outcome",
    "forget": "memory_forget",
    "log": "memory_history",
    "recall": "memory_search",
    "remember": "memory_write",
    "task": "memory_task",
    "task list": "memory_task with op list",
    "task update": "memory_task with op update",
    "topic list": "memory_list with kind topic",
    "topic set": "memory_write with kind topic and a strategy",
    "undo": "memory_undo",
    "why": "memory_history with why",
}
_OPTIONS: Mapping[str, str] = {"--owner": "owner", "--unblock": "unblocked_by"}
_SHOWN = {"--field"}
"""The options that only tell how a command is written."""


def for_client(text: str) -> str:
    """Return *text* with a tool in place of each command that has one; others are a person's."""
    told = _COMMAND.sub(_as_tool, _ARGUMENT.sub("", text))
    left = [found for found in _COMMAND.finditer(told) if not found["asked"]]
    return f"{told}{_ASK}" if left else told


def _as_tool(found: re.Match[str]) -> str:
    program, *words = found["line"].split()
    tool = _TOOLS.get(" ".join(words[:2])) or _TOOLS.get(words[0])
    if tool is None or found["asked"] or program != "vaultmem":
        return found[0]
    options = [word for word in words if word.startswith("--")]
    if not _OPTIONS.keys() | _SHOWN >= {*options}:
        return found[0]
    given = [f"{_OPTIONS[o]} {words[words.index(o) + 1]}" for o in options if o in _OPTIONS]
    return f"{tool} and {', '.join(given)}" if given else tool
