"""Tell which result of a test run a later one takes the place of.

`pytest: 2 failed, 118 passed.` holds until `Fixed; 120 passed.`: a run that names no tool is of
the one before it.
"""

from __future__ import annotations

import re

_COUNTS = re.compile(
    r"(?i)(?<![\w.,])\d[\d,]* (?:(?:unit )?tests? )?(?:passed|failed|failing|green)\b"
)
_TOOL = re.compile(r"(?P<tool>[a-z][\w.-]*): (?=.*\d)|(?:^| )(?P<ran>[a-z][\w.-]*test)\b")


def is_one(text: str) -> bool:
    """Whether *text* counts what passed or failed."""
    return _COUNTS.search(text) is not None


def replaces(newer: str, older: str) -> bool:
    """Whether the result *newer* is of what *older* tells an earlier result of."""
    if not (is_one(newer) and is_one(older)):
        return False
    now, before = _tool(newer), _tool(older)
    return now in {"", before}


def _tool(text: str) -> str:
    found = _TOOL.search(text)
    return (found["tool"] or found["ran"]) if found else ""
