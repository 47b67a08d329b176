"""The one tool that is shaped like Anthropic's memory tool."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from pydantic import Field

from vaultmem.integrations.mcp.tools.arguments import Arguments, Whole
from vaultmem.integrations.mcp.tools.types import TAKES_AWAY, Tool
from vaultmem.integrations.mcp.vault_session import ServerSession


class Command(Arguments):
    """What Anthropic's memory tool is given: a command, and the arguments of that one."""

    command: Literal["view", "create", "str_replace", "insert", "delete", "rename"] = Field(
        description="what to do"
    )
    path: str = Field("", description="of all but rename: /memories or a path in it")
    view_range: list[int] = Field(default=[], description="of view: first and last line")
    file_text: str = Field("", description="of create: the whole text")
    old_str: str = Field("", description="of str_replace: what stands there, once")
    new_str: str = Field("", description="of str_replace: what is to stand there")
    insert_line: Whole = Field(0, description="of insert: the line it goes behind, 0 for the start")
    insert_text: str = Field("", description="of insert: the lines")
    old_path: str = Field("", description="of rename")
    new_path: str = Field("", description="of rename")


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
