"""`memory_list`: list files and folders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field, TypeAdapter

from vaultmem.api.rendering import quoted
from vaultmem.errors import BadInput
from vaultmem.integrations.mcp.tools.arguments import LONGEST_PATH, Arguments, Whole, also, inner
from vaultmem.integrations.mcp.tools.types import LOOKS, Tool
from vaultmem.integrations.mcp.vault_session import ServerSession

_ENTRIES = 200
_LONGEST_CURSOR = 9


class List(Arguments):
    """What `memory_list` is asked."""

    path: str = Field(
        "/",
        max_length=LONGEST_PATH,
        validation_alias=also("path", "folder", "directory", "dir", "prefix"),
        description="the folder",
    )
    depth: Whole = Field(
        2, ge=1, le=9, validation_alias=also("depth", "levels"), description="levels of folders"
    )
    kind: str = Field(
        "", validation_alias=also("kind", "type"), description="only files of it, as topic"
    )
    cursor: str = Field(
        "", max_length=_LONGEST_CURSOR, description="the next_cursor of the page before"
    )


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or folder in a list; *size* is in bytes."""

    path: str
    folder: bool
    size: int
    date: str
    description: str
    kind: str


@dataclass(frozen=True, slots=True)
class Listing:
    """Part of a folder; *next_cursor* asks for the rest, None when this was all."""

    entries: Sequence[Entry]
    next_cursor: str | None = None


def entries(server: ServerSession, asked: List) -> Listing:
    """List files and folders, a page at a time."""
    cursor, folder = asked.cursor, inner(asked.path).strip("/")
    found = server.reach.listing(folder, depth=asked.depth, kind=asked.kind)
    if cursor and not (cursor.isascii() and cursor.isdigit()):
        raise BadInput(
            f"{quoted(cursor)} is not a cursor: give the next_cursor of the previous list"
        )
    start = int(cursor or 0)
    page = [
        Entry(e.path, e.folder, e.size, e.date, e.description, e.type)
        for e in found[start : start + _ENTRIES]
    ]
    more = start + _ENTRIES < len(found)
    return Listing(page, str(start + _ENTRIES) if more else None)


TOOL = Tool(
    "memory_list", "List memory files",
    "List files and folders.",
    LOOKS, List, TypeAdapter(Listing), entries,
)  # fmt: skip
