"""How many tokens a text costs, roughly: what budgets are counted in when no provider tells."""

from __future__ import annotations

import re

_WIDE = re.compile(r"[^\x00-\x7f]")
_PER_TOKEN = 4


def estimate(text: str) -> int:
    """Return the estimated tokens of *text*: four ASCII characters each, one a wide character."""
    wide = len(_WIDE.findall(text))
    return -(-(len(text) - wide) // _PER_TOKEN) + wide
