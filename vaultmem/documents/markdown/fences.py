"""Fenced code, for who reads a text line by line and takes a comment in it for text.

`code_and_comments` says where code stands beside comments and formulas.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

MARK = re.compile(r"\s*(`{3,}|~{3,})")
"""What begins code at the start of a line, and names its fence."""


def closes(line: str, fence: str) -> bool:
    """Tell whether *line* ends the code that *fence* began: alone, with as many signs or more."""
    bare = line.strip(" \t\r")
    return bare.startswith(fence) and not bare.strip(fence[0])


def outside(lines: Iterable[str]) -> Iterator[bool]:
    """Tell of each of *lines* whether it stands outside of code, and is no fence of it."""
    fence = ""
    for line in lines:
        mark = MARK.match(line)
        yield not fence and not mark
        if not fence and mark:
            fence = mark[1]
        elif mark and closes(line, fence):
            fence = ""
