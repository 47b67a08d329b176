"""A page of a long text: whole lines from one on, as many as fit."""

from __future__ import annotations

from typing import NamedTuple

from vaultmem.api.agent_files import edits
from vaultmem.errors import BadInput


class Cut(NamedTuple):
    """A page's text, where it and the next one begin, and how many lines there are in all."""

    text: str
    first_line: int
    next_line: int | None
    lines: int


def cut(text: str, first: int, most: int | None, room: int | None) -> Cut:
    """Return the page of *text* from line *first* on, at most *most* lines and *room* characters.

    A line that is too long for a page of its own is cut, and says so. Raises BadInput for a page
    that cannot be.
    """
    if first < 1 or (most is not None and most < 1):
        raise BadInput("lines are numbered from 1, and a page has at least one")
    there = edits.lines(text)
    if first > max(len(there), 1):
        raise BadInput(f"there are {len(there)} lines: none is the {first}th")
    stop = min(len(there), first - 1 + most) if most else len(there)
    if room is not None:
        stop = _fitting(there, first - 1, stop, room)
    if stop == len(there) and first == 1 and (room is None or len(text) <= room):
        return Cut(text, 1, None, len(there))
    page = "".join(f"{_short(line, room)}\n" for line in there[first - 1 : stop])
    return Cut(page, first, stop + 1 if stop < len(there) else None, len(there))


def _fitting(there: list[str], first: int, stop: int, room: int) -> int:
    """Return where the page stops, at least one line behind its *first*."""
    for at in range(first, stop):
        room -= len(there[at]) + 1
        if room < 0:
            return max(at, first + 1)
    return stop


def _short(line: str, room: int | None) -> str:
    if room is None or len(line) <= room:
        return line
    return f"{line[:room]}… ({len(line) - room} more characters in this line)"
