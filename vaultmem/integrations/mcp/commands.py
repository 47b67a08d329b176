"""The tools that clients have in place of the commands which sentences name for a terminal."""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.integrations.model_sentences import for_model

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
    return for_model(text, _as_tool)


def _as_tool(line: str) -> str:
    program, *words = line.split()
    tool = _TOOLS.get(" ".join(words[:2])) or _TOOLS.get(words[0])
    if tool is None or program != "vaultmem":
        return ""
    options = [word for word in words if word.startswith("--")]
    if not _OPTIONS.keys() | _SHOWN >= {*options}:
        return ""
    given = [f"{_OPTIONS[o]} {words[words.index(o) + 1]}" for o in options if o in _OPTIONS]
    return f"{tool} and {', '.join(given)}" if given else tool
