"""The line that says no more than who talked, and when: of talk of which nothing stands alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vaultmem.records import first_line

_FEW, _LONGEST = 4, 80
_LINE = re.compile(r"[^\n]+ talked(?: on \d{4}-\d\d-\d\d)?\.")


def who(voices: Sequence[str]) -> str:
    """Return the names of *voices*, or how many they are: `Ana, Ben and Cy`, `7 people`."""
    if len(voices) not in range(1, _FEW + 1):
        return f"{len(voices)} people"
    *rest, last = voices
    return f"{', '.join(rest)} and {last}" if rest else last


def line(voices: Sequence[str], day: str) -> str:
    """Return the line of *voices* who talked on a *day*, which may not be known."""
    return f"{first_line(who(voices), _LONGEST)} talked" + (f" on {day}." if day else ".")


def is_one(text: str) -> bool:
    """Tell whether *text* says no more than that."""
    return _LINE.fullmatch(text.strip()) is not None
