"""Read which period is meant: `7d`, `2w`, `24h`, a date or a time, until now."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from vaultmem.errors import BadInput
from vaultmem.maintenance.digest.types import Period
from vaultmem.records import end_of, moment

_SPAN = re.compile(r"(\d{1,4})([hdw])", re.ASCII)
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
_WEEK = "7d"


def period(since: str, until: str, now: datetime) -> Period:
    """Return the period from *since* (the last seven days) to *until* (*now*); raises BadInput."""
    end = end_of(until) if until else now
    begin = _begin(since or _WEEK, end)
    if begin > end:
        raise BadInput(f"{since!r} is still to come: name a time before {end:%Y-%m-%d %H:%M}")
    return Period(begin, end)


def _begin(since: str, end: datetime) -> datetime:
    try:
        span = _SPAN.fullmatch(since.strip())
        return end - int(span[1]) * _UNITS[span[2]] if span else moment(since)
    except (BadInput, OverflowError) as e:
        raise BadInput(
            f"{since!r} is no time to begin at: write 7d, 2w, 24h, 2026-11-20 "
            "or 2026-11-20T10:15:00Z"
        ) from e
