"""Until when something was so that is over: what the sentence tells of it, and no more."""

from __future__ import annotations

import re
from calendar import month_name
from datetime import date, timedelta

from vaultmem.documents.patterns import compiled
from vaultmem.nlp.text import absolute_dates, absolute_dates_de

_GERMAN = {
    "januar": 1, "februar": 2, "m\u00e4rz": 3, "mai": 5, "juni": 6, "juli": 7, "oktober": 10,
    "dezember": 12,
}  # fmt: skip
_MONTH = "|".join((*filter(None, month_name), *_GERMAN))
_YEAR = r"(?:19|20)\d\d"
_DATES = (
    rf"(?i)(?<!\d)(?P<week>week of |woche ab )?(?P<year>{_YEAR})"
    r"(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?(?!\d|-)"
    rf"|(?<!\d)(?P<zh>{_YEAR})\u5e74(?P<zh_month>\d{{1,2}})\u6708"
    rf"|\b(?:in|im|of|since|seit|anfang|mitte|ende) (?P<name>{_MONTH})(?: (?P<its>{_YEAR}))?\b"
    r"|\b(?P<feast>(?:at|over|since) christmas|(?:an|zu|seit) weihnachten)\b"
    rf"|\bon (?:(?P<first>\d{{1,2}})(?:st|nd|rd|th)? )?(?:of )?(?P<dated>{_MONTH})"
    r"(?: (?P<then>\d{1,2})(?:st|nd|rd|th)?)?\b"
)
_DECEMBER = 12
_WEEK = timedelta(days=6)
_UP_TO_YEAR, _UP_TO_MONTH, _DAY = 4, 7, 10


def known_end(sentence: str, said_on: date) -> str:
    """Return the day, the month or the year in which *sentence* says that it was over.

    Where it says none, that is *said_on*, the day by which it was over; of a week its last day.
    """
    told = absolute_dates_de.absolute(absolute_dates.absolute(sentence, said_on), said_on)
    found = (_named(each, said_on) for each in compiled(_DATES).finditer(told))
    today = str(said_on)
    return max((it for it in found if it and it <= today[: len(it)]), default=today)


def _named(found: re.Match[str], said_on: date) -> str:
    """Return what is *found* in ISO 8601, as far as it is named; "" where there is no such day."""
    month = _month(found)
    passed = said_on.year - (month > said_on.month)  # a month without a year is the last one
    year = int(found["year"] or found["zh"] or found["its"] or passed)
    day = int(found["day"] or found["first"] or found["then"] or 0)
    try:
        whole = date(year, month or 1, day or 1)
    except ValueError:
        return ""
    if found["week"] and day:
        return str(min(whole + _WEEK, said_on))
    return str(whole)[: _DAY if day else _UP_TO_MONTH if month else _UP_TO_YEAR]


def _month(found: re.Match[str]) -> int:
    if found["feast"]:
        return _DECEMBER
    if name := found["name"] or found["dated"]:
        return _GERMAN.get(name.lower()) or absolute_dates.month(name)
    return int(found["month"] or found["zh_month"] or 0)
