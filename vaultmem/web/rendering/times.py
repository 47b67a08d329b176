"""Times as people say them, with the exact one beside."""

from __future__ import annotations

from datetime import datetime

from vaultmem.errors import BadInput
from vaultmem.records import moment

_STEPS = (
    (60, 1, "second"), (3600, 60, "minute"), (86_400, 3600, "hour"), (7 * 86_400, 86_400, "day"),
    (31 * 86_400, 7 * 86_400, "week"), (365 * 86_400, 30.44 * 86_400, "month"),
)  # fmt: skip
_YEAR = 365.25 * 86_400
_A_MOMENT = 10


def ago(text: str, now: datetime) -> str:
    """Return a time (ISO 8601) as seen from *now*: `3 days ago`; what is none as it is."""
    try:
        seconds = (now - moment(text)).total_seconds()
    except BadInput:
        return text
    if abs(seconds) < _A_MOMENT:
        return "just now"
    number, unit = _counted(abs(seconds))
    told = f"{number} {unit}{'s' * (number != 1)}"
    return f"{told} ago" if seconds > 0 else f"in {told}"


def _counted(seconds: float) -> tuple[int, str]:
    for limit, size, unit in _STEPS:
        if seconds < limit:
            return max(round(seconds / size), 1), unit
    return max(round(seconds / _YEAR), 1), "year"


def exact(text: str) -> str:
    """Return the time *text* for people: `20 November 2026, 10:15 UTC`; as it is if it is none."""
    try:
        when = moment(text)
    except BadInput:
        return text
    day = f"{when.day} {when:%B} {when.year}"
    return day if len(text) <= len("2026-11-20") else f"{day}, {when:%H:%M} UTC"


def day(text: str) -> str:
    """Return the day of a time: `20 Nov 2026`."""
    try:
        when = moment(text)
    except BadInput:
        return text
    return f"{when.day} {when:%b} {when.year}"


def clock(text: str) -> str:
    """Return the hour and minute of a time, "" for a mere date or none."""
    try:
        return f"{moment(text):%H:%M}" if len(text) > len("2026-11-20") else ""
    except BadInput:
        return ""
