"""The sentences of the tool, as they are documented: models were trained on them.

Source: the memory tool page of Anthropic's documentation; where the SDK's own implementation says
it otherwise, the documentation holds. Numbers and sizes are laid out as the SDK does it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vaultmem.api.agent_files import Entry
from vaultmem.integrations.memory_tool.commands import MEMORIES

MOST_LINES = 999_999
_WIDTH = 6
_AROUND = 2
_MOST_ROWS = 1000
_MOST_TEXT = 100_000
"""Characters that one view shows: a longer file is read in parts."""
_UNITS = "BKMG"
_STEP = 1024

MISSING = "The path {path} does not exist. Please provide a valid path."
NOT_THERE = "Error: The path {path} does not exist"
NO_FILE = "The path {path} is not a file."
NO_TEXT = "The file {path} is not a valid UTF-8 text file."
TOO_LONG = "File {path} exceeds maximum line limit of 999,999 lines."
QUOTES = "{tool} said what it says: nobody vouches for it, and no context shows it."
UNKEPT = "Left out of its frontmatter, where they are the program's to set: {fields}."
CONTENT = "Here's the content of {path} with line numbers:"
CREATED = "File created successfully at: {path}"
TAKEN = "Error: File {path} already exists"
IN_THE_WAY = "Error: The path {path} cannot be made: {other} is there, {why}"
BY_ANOTHER = "rename it to another name first, and that to this one"
NO_MATCH = "No replacement was performed, old_str `{old}` did not appear verbatim in {path}."
MATCHES = (
    "No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}. "
    "Please ensure it is unique"
)
REPLACED = (
    "The memory file has been edited. Here is the snippet showing the change (with line numbers):"
)
EDITED = "The file {path} has been edited."
NO_LINE = (
    "Error: Invalid `insert_line` parameter: {line}. It should be within the range of lines of the "
    "file: [0, {lines}]"
)
DELETED = "Successfully deleted {path}"
ROOT_STAYS = "Cannot {verb} the /memories directory itself"
HOLDS_ALL = (
    "Cannot {verb} {path}: what you keep in /memories lies in it. Name the single files or folders"
)
RENAMED = "Successfully renamed {old} to {new}"
DESTINATION = "Error: The destination {path} already exists"
OUTSIDE = "Path must start with /memories, got: {path}"
ESCAPES = "Path {path} would escape /memories directory"
BACKSLASH = "Path {path} has a backslash: write / between folder and file"
LINKS = "These files still link to the old name: {files}"
NO_CLEARING = (
    "The memory is not cleared at once. Delete single files or folders here, and ask the person "
    "for more: they can have everything forgotten, or start anew."
)


def folder(path: str, inner: str, entries: Sequence[Entry]) -> str:
    """Return the view of the folder that the tool calls *path*, and the vault *inner*."""
    shown = entries[:_MOST_ROWS]
    size = sum(e.size for e in entries if e.path.rpartition("/")[0] == inner)
    head = (
        f"Here're the files and directories up to 2 levels deep in {path}, "
        "excluding hidden items and node_modules:"
    )
    rows = [head, f"{_size(size)}\t{path}", *map(_row, shown)]
    if more := len(entries) - len(shown):
        rows.append(f"({more} more items are not shown: view a file by its path)")
    return "\n".join(rows)


def _row(entry: Entry) -> str:
    return f"{_size(entry.size)}\t{MEMORIES}/{entry.path}{'/' if entry.folder else ''}"


def _size(size: int) -> str:
    """Return *size* bytes as `ls -h` would: 0B, 27B, 4K, 5.5K."""
    step = min(max(size.bit_length() - 1, 0) // 10, len(_UNITS) - 1)
    scaled = size / _STEP**step
    return f"{scaled:.0f}{_UNITS[step]}" if scaled.is_integer() else f"{scaled:.1f}{_UNITS[step]}"


def file(path: str, lines: Sequence[str], first: int) -> str:
    """Return the view of the file at *path*: *lines* with their numbers, from *first* on."""
    shown = _fitting(lines)
    rows = [CONTENT.format(path=path), *numbered(shown, first)]
    if len(shown) < len(lines):
        at, last = first + len(shown), first + len(lines) - 1
        rows.append(f"(lines {at} to {last} are not shown: view them with view_range)")
    return "\n".join(rows)


def behind(path: str, lines: int) -> str:
    """Return the view of what lies behind the last of the *lines* of the file at *path*."""
    return f"{CONTENT.format(path=path)}\n(the file ends at line {lines})"


def _fitting(lines: Sequence[str]) -> Sequence[str]:
    room = _MOST_TEXT
    for at, line in enumerate(lines):
        room -= len(line)
        if room < 0 and at:
            return lines[:at]
    return lines


def numbered(lines: Iterable[str], first: int) -> list[str]:
    """Return *lines* with their numbers, from *first* on, each six wide and followed by a tab."""
    return [f"{number:>{_WIDTH}}\t{line}" for number, line in enumerate(lines, first)]


def snippet(text: str, line: int) -> str:
    """Return the lines of *text* around *line*, which counts from 0, as an edit shows them."""
    lines = text.split("\n")
    start = max(0, line - _AROUND)
    return "\n".join([REPLACED, *numbered(lines[start : line + _AROUND + 1], start + 1)])
