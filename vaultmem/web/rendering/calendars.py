"""A year as a calendar of small squares: a column a week, darker where more was said."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from vaultmem.api.views.types import DayCount

_WEEKS = 53
_CELL = 13
_LEFT, _TOP = 30, 18
_LEVELS = (1, 4, 16, 64)


@dataclass(frozen=True, slots=True)
class Square:
    """A day: where it is drawn, how many memories it has, and how dark that is (0 to 4)."""

    x: int
    y: int
    day: str
    memories: int
    level: int


@dataclass(frozen=True, slots=True)
class Label:
    """The name of a month above its first week."""

    x: int
    text: str


@dataclass(frozen=True, slots=True)
class Calendar:
    """The squares of a year, its months, its size in pixels, and how many memories it has."""

    squares: tuple[Square, ...]
    months: tuple[Label, ...]
    width: int
    height: int
    memories: int


def year(days: Iterable[DayCount], now: datetime) -> Calendar:
    """Return the 53 weeks up to *now*; up to the last memory, where all are older than those."""
    counts = {it.day: it.memories for it in days}
    last = now.date()
    first = _monday(last) - timedelta(weeks=_WEEKS - 1)
    if counts and max(counts) < first.isoformat():
        last = _date(max(counts)) or last
        first = _monday(last) - timedelta(weeks=_WEEKS - 1)
    shown = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    squares = tuple(_square(day, first, counts.get(day.isoformat(), 0)) for day in shown)
    return Calendar(
        squares, _months(shown, first), _LEFT + _WEEKS * _CELL, _TOP + 7 * _CELL,
        sum(it.memories for it in squares),
    )  # fmt: skip


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _square(day: date, first: date, memories: int) -> Square:
    week = (day - first).days // 7
    level = sum(memories >= least for least in _LEVELS)
    x, y = _LEFT + week * _CELL, _TOP + day.weekday() * _CELL
    return Square(x, y, day.isoformat(), memories, level)


def _months(days: Iterable[date], first: date) -> tuple[Label, ...]:
    starts = [day for day in days if day.day == 1]
    return tuple(Label(_LEFT + ((day - first).days // 7) * _CELL, f"{day:%b}") for day in starts)
