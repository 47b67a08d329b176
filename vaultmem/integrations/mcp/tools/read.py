"""`memory_read`: read a file, whole or by lines."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import Field, TypeAdapter

from vaultmem.api.agent_files.fenced_page import fenced
from vaultmem.integrations.mcp.tools import shown_text
from vaultmem.integrations.mcp.tools.arguments import (
    LONGEST_PATH,
    PATH,
    Arguments,
    When,
    Whole,
    also,
    inner,
)
from vaultmem.integrations.mcp.tools.types import LOOKS, Tool
from vaultmem.integrations.mcp.vault_session import ServerSession

_PAGE = 16_000
"""Characters of a file that are read at once, as Anthropic advises for its memory tool."""


class Read(Arguments):
    """What `memory_read` is asked."""

    path: str = Field(max_length=LONGEST_PATH, validation_alias=PATH, description="path or id")
    from_line: Whole = Field(
        1, ge=1, validation_alias=also("from_line", "start_line", "offset", "line", "first"),
        description="first line",
    )  # fmt: skip
    max_lines: Whole = Field(
        400, ge=1, validation_alias=also("max_lines", "limit", "lines", "count"),
        description="how many lines at most",
    )  # fmt: skip
    as_of: When = Field("", description="date")
    untrusted: bool = Field(default=False, description=shown_text.UNTRUSTED_TOO)


@dataclass(frozen=True, slots=True)
class Page:
    """A file or a part of it; *next_line* is where to go on, None at its end.

    Of an untrusted one the frontmatter stands in the text, within its fence.
    """

    path: str
    text: str
    frontmatter: dict[str, object]
    sha256: str
    trust: str
    first_line: int
    lines: int
    next_line: int | None
    note: str = shown_text.DATA


def read(server: ServerSession, asked: Read) -> Page:
    """Read a file, at most a page of it at once."""
    found = server.reach.page(
        inner(asked.path), first=asked.from_line, most=asked.max_lines, room=_PAGE,
        as_of=asked.as_of, untrusted=asked.untrusted,
    )  # fmt: skip
    page = fenced(found)
    return Page(
        page.path, page.text, dict(page.frontmatter), page.sha256, page.trust, page.first_line,
        page.lines, page.next_line,
    )  # fmt: skip


TOOL = Tool(
    "memory_read", "Read a memory file",
    "Read a file, whole or by lines; pass its sha256 to memory_edit for a safe edit.",
    LOOKS, Read, TypeAdapter(Page), read,
)  # fmt: skip
