"""The names of turns, as links and sources have them: a transcript's path, `#` and a number."""

from __future__ import annotations

import re
from typing import NamedTuple

TYPE = "turn"
"""The type of a turn that is found beside files."""

_NAME = r"(?P<path>[^\[\]|#\n]+\.jsonl)#(?P<number>[1-9]\d{0,8})"
_LINK = re.compile(rf"\[\[{_NAME}[^\[\]]*\]\]")


class TurnName(NamedTuple):
    """Names the turn with that *number*, counted from 1, of the transcript at *path*."""

    path: str
    number: int

    def __str__(self) -> str:
        """Return it as links have it."""
        return f"{self.path}#{self.number}"


def parse(text: str) -> TurnName | None:
    """Return the turn that *text* names, None for another name."""
    return _of(re.fullmatch(_NAME, text))


def linked(link: str) -> TurnName | None:
    """Return the turn that a wikilink points at, None where it points at something else."""
    return _of(_LINK.search(link))


def _of(found: re.Match[str] | None) -> TurnName | None:
    return TurnName(found["path"], int(found["number"])) if found else None
