"""The one tool that is shaped like Anthropic's memory tool."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from pydantic import Field

from vaultmem.integrations.mcp.tools.arguments import Arguments
from vaultmem.integrations.mcp.tools.types import TAKES_AWAY, Tool
from vaultmem.integrations.mcp.vault_session import ServerSession


class Command(Arguments):
    """What Anthropic's memory tool is given: a command, and the arguments of that one."""

    command: Literal["view", "create", "str_replace", "insert", "delete", "rename"]
    path: str = ""
    view_range: list[int] = Field(default=[])
    file_text: str = ""
    old_str: str = ""
    new_str: str = ""
    insert_line: int = 0
    insert_text: str = ""
    old_path: str = ""
    new_path: str = ""


def memory(answer: Callable[[ServerSession, dict[str, Any]], str]) -> Tool:
    """Return the one tool that is shaped like Anthropic's, done by *answer*."""

    def run(server: ServerSession, given: Command) -> str:
        return answer(server, given.model_dump(exclude_unset=True))

    return Tool(
        "memory", "Memory directory",
        "Work with the files in /memories: view a folder or a file, create, str_replace, insert, "
        "delete, rename.",
        TAKES_AWAY, Command, None, run,
    )  # fmt: skip
