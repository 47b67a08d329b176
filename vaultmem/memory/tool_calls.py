"""The calls of tools in an assistant's turn, as the chat, the hooks and importers write them.

Pure: from a turn of a transcript.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from vaultmem.records import first_line
from vaultmem.storage.transcripts import Turn

_CALL = re.compile(r"\[uses ([\w.:-]{1,64}): (.*)\]|\[([\w.:-]{1,64})(?:: (.*))?\]")
_MAIN = (
    "url", "path", "file_path", "notebook_path", "command", "query", "pattern", "description",
)  # fmt: skip
_LONGEST = 400
# What stands behind these in an address is the page's to fill.
_BEHIND_THE_PLACE = re.compile(r"(?<=\S)[?#]\S*")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://\S*", re.IGNORECASE)


class ToolCall(NamedTuple):
    """A *tool*, and its *target*: what it is called for, in a line, "" where that is not known."""

    tool: str
    target: str


def of(turn: Turn) -> Iterator[ToolCall]:
    """Yield the tools that an assistant calls in *turn*, in order."""
    if turn.role != "assistant" or "[" not in turn.content:
        return
    for line in turn.content.splitlines():
        if found := _CALL.fullmatch(line.strip()):
            given = _main(found[2]) if found[1] else found[4] or ""
            # Of an address no more than where it is.
            bare = _ADDRESS.sub(lambda found: _BEHIND_THE_PLACE.sub("", found[0]), given)
            yield ToolCall(found[1] or found[3], first_line(bare, _LONGEST))


def is_one(line: str) -> bool:
    """Tell whether a *line* of an assistant's turn is a call."""
    return _CALL.fullmatch(line.strip()) is not None


def _main(arguments: str) -> str:
    try:
        given = json.loads(arguments)
    except (ValueError, RecursionError):
        return ""
    values = map(given.get, _MAIN) if isinstance(given, dict) else ()
    return next((x for x in values if isinstance(x, str) and x.strip()), "")
