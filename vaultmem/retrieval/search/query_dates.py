"""The dates that a question names, and how well a time fits them: purely, from the words alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from vaultmem.nlp.text import date_formats
from vaultmem.records import lowered


@dataclass(frozen=True, slots=True)
class Date:
    """A date that a question names, empty where it leaves it open."""

    year: str
    month: str
    day: str

    def fits(self, created: str) -> float:
        """Return 1 for the very day, 0.5 for the month, 0.25 for the year; 0 for another."""
        year, month, day = created[:4], created[5:7], created[8:10]
        if self.year not in {"", year} or self.month not in {"", month}:
            return 0.0
        if not self.month:
            return 0.25
        return 1.0 if self.day and self.day == day else 0.5


def named(query: str, now: str = "") -> tuple[Date, ...]:
    """Return the dates that *query* names: `2026-05-05`, `5.5.2026`, `May 5th`, `in May`.

    `yesterday`, `last month` and the like are counted from *now*, and mean nothing without it.
    """
    found = (Date(*reading) for reading in date_formats.readings(query))
    return tuple(dict.fromkeys((*found, *_relative(lowered(query), now))))


def _on(days: int) -> Callable[[date], tuple[Date, ...]]:
    return lambda today: (_whole(today + timedelta(days)),)


def _whole(day: date) -> Date:
    return Date(f"{day.year:04d}", f"{day.month:02d}", f"{day.day:02d}")


def _last_week(today: date) -> tuple[Date, ...]:
    monday = today - timedelta(today.weekday() + 7)
    return tuple(_whole(monday + timedelta(n)) for n in range(7))


def _last_month(today: date) -> tuple[Date, ...]:
    day = today.replace(day=1) - timedelta(1)
    return (Date(f"{day.year:04d}", f"{day.month:02d}", ""),)


def _last_year(today: date) -> tuple[Date, ...]:
    return (Date(f"{today.year - 1:04d}", "", ""),)


_RELATIVE: Mapping[str, Callable[[date], tuple[Date, ...]]] = {
    r"\b(?:today|heute)\b|今[天日]": _on(0),
    r"(?<!before )\byesterday\b|\bgestern\b|昨[天日]": _on(-1),
    r"\bday before yesterday\b|\bvorgestern\b|前天": _on(-2),
    r"\b(?:last|letzte|vorige)[rn]? (?:week|woche)\b|上周|上星期": _last_week,
    r"\b(?:last|letzten|vorigen) mon(?:th|at)\b|上个月|上月": _last_month,
    r"\b(?:last year|(?:letzte|vorige)[sn] jahr)\b|去年": _last_year,
}


def _relative(lower: str, now: str) -> Iterator[Date]:
    try:
        today = date.fromisoformat(now[:10])
        for words, dates in _RELATIVE.items():
            if re.search(words, lower):
                yield from dates(today)
    except (ValueError, OverflowError):  # no date, or the first days of the calendar
        return
