"""The units of which a text is merged: its lines, and bullets with what is nested in them."""

from __future__ import annotations

import re
from typing import Literal

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_BULLET = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?=\s)")
_HEADING = re.compile(r"#{1,6}(?!\S)")

Kind = Literal["heading", "bullet", "prose", "blank"]


def split(text: str) -> list[str]:
    """Return the lines of *text*; a bullet is one with the lines that are nested in it."""
    made: list[str] = []
    indent = -1  # of the bullet that is open
    for line in _LINE.findall(text):
        deep = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
        if indent >= 0 and line.strip() and deep > indent:
            made[-1] += line
            continue
        made.append(line)
        indent = deep if _BULLET.match(line) else -1
    return made


def parts(unit: str) -> tuple[str, str]:
    """Return the first line of *unit*, and what is nested in it."""
    first = _LINE.match(unit)
    line = first[0] if first else ""
    return line, unit[len(line) :]


def key(unit: str) -> str:
    """Return what *unit* says, whatever ends its lines."""
    return unit.replace("\r\n", "\n").rstrip("\n")


def kind(unit: str) -> Kind:
    """Return what *unit* is."""
    if not unit.strip():
        return "blank"
    if _BULLET.match(unit):
        return "bullet"
    return "heading" if _HEADING.match(unit) else "prose"


def level(unit: str) -> int:
    """Return how deep the heading is that *unit* is."""
    return len(unit) - len(unit.lstrip("#"))
