"""The line of talk of which nothing stands alone: who talked, when, and which things came up."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vaultmem.records import first_line

_FEW, _LONGEST = 4, 80
_BARE = r"[^\n]+ talked(?: on \d{4}-\d\d-\d\d)?"
_LINE = re.compile(rf"{_BARE}(?: \([^()\n]+\))?\.")
_SAYS_NOTHING = re.compile(rf"{_BARE}\.")


def who(voices: Sequence[str]) -> str:
    """Return the names of *voices*, or how many they are: `Ana, Ben and Cy`, `7 people`."""
    if len(voices) not in range(1, _FEW + 1):
        return f"{len(voices)} people"
    *rest, last = voices
    return f"{', '.join(rest)} and {last}" if rest else last


def line(voices: Sequence[str], day: str, things: Sequence[str] = ()) -> str:
    """Return the line of *voices* who talked on a *day*, which may not be known, of some *things*.

    It is `Ana and Ben talked on 2026-03-01 (boiler, rent).`
    """
    when = f" on {day}" if day else ""
    of = f" ({', '.join(things)})" if things else ""
    return f"{first_line(who(voices), _LONGEST)} talked{when}{of}."


def is_one(text: str) -> bool:
    """Tell whether *text* is such a line, be it with the things or without."""
    return _LINE.fullmatch(text.strip()) is not None


def says_nothing(text: str) -> bool:
    """Tell whether *text* is such a line, and names no thing."""
    return _SAYS_NOTHING.fullmatch(text.strip()) is not None
