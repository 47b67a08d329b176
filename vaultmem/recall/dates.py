"""The dates that a question names, and how well a time fits them: purely, from the words alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_SHORT = "|".join(f"{m[:3]}(?:{m[3:]})?" for m in _MONTHS)
_DAY = r"(?P<{}>\d{{1,2}})(?:st|nd|rd|th)?\b"
_WRITTEN = re.compile(
    rf"(?:\b{_DAY.format('d1')}\s+(?:of\s+)?)?\b(?P<month>{_SHORT}|sept)\b\.?"
    rf"(?:\s+{_DAY.format('d2')})?(?:,?\s+(?P<year>\d{{4}})\b)?"
)
_ISO = re.compile(r"\b(?P<year>\d{4})-(?P<month>\d\d)(?:-(?P<day>\d\d))?\b")
_YEAR = re.compile(r"\b(?:in|of|since|during)\s+(?P<year>(?:19|20)\d\d)\b(?!-)")
_CHINESE = re.compile(
    r"(?:(?P<year>\d{4})年)?(?P<month>\d{1,2})月(?:(?P<day>\d{1,2})[日号])?|(?P<only>\d{4})年"
)
_WORD_MONTHS = frozenset({"may", "march", "mar", "sep", "dec", "jan"})
"""Months, or short for them, that are other words, too: they need a day, a year or a capital."""


@dataclass(frozen=True, slots=True)
class Date:
    """A date that a question names, empty where it leaves it open."""

    year: str
    month: str
    day: str

    def fits(self, created: str) -> float:
        """Return 1 for the very day, 0.5 for the month, 0.25 for the year; 0 for another."""
        asked = (self.year, self.month, self.day)
        said = (created[:4], created[5:7], created[8:10])
        if any(a and a != s for a, s in zip(asked[:2], said, strict=False)):
            return 0.0
        if not self.month:
            return 0.25
        return 1.0 if self.day and self.day == said[2] else 0.5


def named(query: str, now: str = "") -> tuple[Date, ...]:
    """Return the dates that *query* names: `2026-05-05`, `5 May`, `May 5th, 2026`, `in May`.

    `yesterday`, `last month` and the like are counted from *now*, and mean nothing without it.
    """
    lower = query.lower()
    found = (*_iso(query), *_written(query, lower), *_years(lower), *_chinese(query))
    return tuple(dict.fromkeys((*found, *_relative(lower, now))))


def _iso(query: str) -> Iterator[Date]:
    for m in _ISO.finditer(query):
        yield Date(m["year"], m["month"], m["day"] or "")


def _written(query: str, lower: str) -> Iterator[Date]:
    for m in _WRITTEN.finditer(lower):
        day = m["d1"] or m["d2"] or ""
        if day or m["year"] or _is_month(query, m):
            yield Date(m["year"] or "", _month(m["month"]), day.zfill(2) if day else "")


def _is_month(query: str, m: re.Match[str]) -> bool:
    """Tell whether it is a month without day and year: "May" begins a sentence as a verb."""
    at = m.start("month")
    return m["month"] not in _WORD_MONTHS or (at > 0 and query[at].isupper())


def _month(name: str) -> str:
    return next(f"{n:02d}" for n, m in enumerate(_MONTHS, 1) if m.startswith(name[:3]))


def _years(lower: str) -> Iterator[Date]:
    for m in _YEAR.finditer(lower):
        yield Date(m["year"], "", "")


def _chinese(query: str) -> Iterator[Date]:
    for m in _CHINESE.finditer(query):
        month, day = m["month"] or "", m["day"] or ""
        yield Date(m["year"] or m["only"] or "", month and month.zfill(2), day and day.zfill(2))


# --- counted from now -------------------------------------------------------------------------


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
    r"\btoday\b|今天": _on(0),
    r"\byesterday\b|昨天": _on(-1),
    r"\blast week\b|上周|上星期": _last_week,
    r"\blast month\b|上个月|上月": _last_month,
    r"\blast year\b|去年": _last_year,
}


def _relative(lower: str, now: str) -> Iterator[Date]:
    try:
        today = date.fromisoformat(now[:10])
        for words, dates in _RELATIVE.items():
            if re.search(words, lower):
                yield from dates(today)
    except (ValueError, OverflowError):  # no date, or the first days of the calendar
        return
