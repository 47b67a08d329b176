"""The ends of lines, which a file may have of several kinds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_END = re.compile(r"\r\n|\n|\r")


class _Line(NamedTuple):
    said: str
    end: str


def of(text: str) -> str:
    """Return how the first line of *text* ends."""
    first, newline, _ = text.partition("\n")
    return "\r\n" if newline and first.endswith("\r") else "\n"


def kept(before: str, after: str) -> str:
    """Return *after*, whose line ends say nothing, with those of *before*, which it was made from.

    A line that was not there ends as the one above it does, the first as those of *before* do.
    """
    was, now = [*_lines(before)], [*_lines(after)]
    ends = {line.end for line in was if line.end} or {"\n"}
    if len(ends) > 1:
        return "".join(_ended(was, now))
    (usual,) = ends
    return "".join(f"{said}{usual}" if end else said for said, end in now)


def _ended(was: list[_Line], now: list[_Line]) -> Iterator[str]:
    import difflib  # noqa: PLC0415  # only who edits such a file pays for it

    ends: dict[int, str] = {}
    said_before, said_now = ([line.said for line in lines] for lines in (was, now))
    matcher = difflib.SequenceMatcher(None, said_before, said_now)
    for i, j, size in matcher.get_matching_blocks():
        ends |= {j + n: was[i + n].end for n in range(size)}
    last = was[0].end
    for number, (said, end) in enumerate(now):
        last = ends.get(number) or last
        yield said + (last if end else "")


def _lines(text: str) -> Iterator[_Line]:
    at = 0
    for end in _END.finditer(text):
        yield _Line(text[at : end.start()], end[0])
        at = end.end()
    if at < len(text):
        yield _Line(text[at:], "")
