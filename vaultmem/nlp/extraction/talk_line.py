"""The line that says no more than who talked, and when: of talk of which nothing stands alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vaultmem.records import first_line

_FEW, _LONGEST = 2, 80
_LINE = re.compile(r"[^\n]+ talked(?: on \d{4}-\d\d-\d\d)?\.")


def line(voices: Sequence[str], day: str) -> str:
    """Return the line of *voices* who talked on a *day*, which may not be known."""
    who = " and ".join(voices) if 0 < len(voices) <= _FEW else f"{len(voices)} people"
    return f"{first_line(who, _LONGEST)} talked" + (f" on {day}." if day else ".")


def is_one(text: str) -> bool:
    """Tell whether *text* says no more than that."""
    return _LINE.fullmatch(text.strip()) is not None
