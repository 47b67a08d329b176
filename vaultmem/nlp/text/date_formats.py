"""How people write a date: in figures, in English, German and Chinese words; purely, from a text.

Every reading that the text allows is yielded, and none that no calendar has.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from vaultmem.records import lowered


class Reading(NamedTuple):
    """A date as its figures, empty where it leaves one open."""

    year: str
    month: str
    day: str


class Named(NamedTuple):
    """What a date is read as, and where it stands in its text."""

    reading: Reading
    start: int
    end: int


_MONTHS = (
    "january enero jan januar j\u00e4nner",
    "february febrero feb februar",
    "march marzo mar m\u00e4rz m\u00e4r maerz mrz",
    "april abril apr",
    "may mayo mai",
    "june junio jun juni",
    "july julio jul juli",
    "august agosto aug",
    "september septiembre sep sept",
    "october octubre oct oktober okt",
    "november noviembre nov",
    "december diciembre dec dezember dez",
)
_NUMBERS = {name: n for n, names in enumerate(_MONTHS, 1) for name in names.split()}
_WORD_MONTHS = frozenset({"may", "mayo", "march", "mar", "sep", "dec", "jan"})
"""Months, or short for them, that are other words, too: they need a day, a year or a capital."""

_LEAP_YEAR = 2000
MONTH_NAME = "|".join(sorted(_NUMBERS, key=len, reverse=True))
"""The names of months in lower case, as alternatives of a pattern."""
_WRITTEN = re.compile(
    r"(?:\b(?P<d1>[0-9]{1,2})(?:st|nd|rd|th|\.)?(?:-|\s+)(?:(?:of|de)\s+)?)?"
    rf"\b(?P<month>{MONTH_NAME})\b\.?(?:(?:-|\s+)(?P<d2>[0-9]{{1,2}})(?:st|nd|rd|th)?\b)?"
    r"(?:(?:-|,?\s+(?:del?\s+)?)(?P<year>[0-9]{4})\b)?"
)
_BEFORE, _BEHIND = r"(?<![0-9])(?<![0-9][-/.])", r"(?![0-9]|[-/.][0-9])"
_FIGURES = re.compile(
    rf"{_BEFORE}(?P<a>[0-9]{{1,4}})(?P<sep>[-/.]) ?(?P<b>[0-9]{{1,2}})(?P=sep) ?"
    rf"(?P<c>[0-9]{{1,4}}){_BEHIND}"
)
_COMPACT = re.compile(r"(?<!\w)(?P<y>(?:19|20)[0-9]{2})(?P<m>[01][0-9])(?P<d>[0-3][0-9])(?!\w)")
_MONTH_OF_YEAR = re.compile(
    rf"{_BEFORE}(?:(?P<y1>[0-9]{{4}})[-/](?P<m1>[0-9]{{2}})"
    rf"|(?P<m2>[0-9]{{1,2}})[/.](?P<y2>(?:19|20)[0-9]{{2}})){_BEHIND}"
)
_DAY_OF_MONTH = re.compile(
    r"\b(?:am|vom|seit|bis|zum|den|der)\s+(?P<day>[0-9]{1,2})\. ?(?P<month>[0-9]{1,2})\.(?! ?[0-9])"
)
_YEAR = re.compile(
    r"\b(?:in|of|since|during|seit|jahre?)\s+(?P<year>(?:19|20)[0-9]{2})\b(?![-/]|\.[0-9])"
)
_DIGITS = "\u3007\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d"
_TEN = "\u5341"
FIGURE = rf"[0-9]{{1,2}}|[{_DIGITS[1:]}{_TEN}]{{1,3}}"
"""A number of at most 31 in figures or in Chinese characters, as a pattern."""
_NIL = str.maketrans("\u96f6", "\u3007")
_CHINESE = re.compile(
    rf"(?:(?P<year>[0-9]{{4}}|[{_DIGITS}]{{4}})\s?[\u5e74\ub144]\s?)?(?P<month>{FIGURE})\s?[\u6708\uc6d4]"
    rf"(?:\s?(?P<day>{FIGURE})\s?[\u65e5\u53f7\u865f\uc77c])?"
    rf"|(?P<only>[0-9]{{4}}|[{_DIGITS}]{{4}})\s?[\u5e74\ub144]"
)


def readings(text: str) -> Iterator[Reading]:
    """Yield each date that *text* names; `05/06/2023`, which two countries read apart, is two."""
    return (it.reading for it in named(unicodedata.normalize("NFKC", text)))


def named(text: str) -> Iterator[Named]:
    """Yield what `readings` does, with where it stands in *text*, which is NFKC."""
    lower = lowered(text)
    found = (*_figures(lower), *_written(text, lower), *_years(lower), *_chinese(lower))
    yield from (it for it in found if _is_possible(it.reading))


def _is_possible(reading: Reading) -> bool:
    """Tell whether a calendar has it; without a year, that of a leap year."""
    try:
        date(int(reading.year or _LEAP_YEAR), int(reading.month or 1), int(reading.day or 1))
    except ValueError:
        return False
    return True


def _reading(year: str, month: str, day: str) -> Reading:
    return Reading(year and year.zfill(4), month and month.zfill(2), day and day.zfill(2))


def _figures(lower: str) -> Iterator[Named]:
    for m in _FIGURES.finditer(lower):
        for reading in _in_order(m["a"], m["b"], m["c"], m["sep"]):
            yield Named(reading, *m.span())
    for m in _COMPACT.finditer(lower):
        yield Named(_reading(m["y"], m["m"], m["d"]), *m.span())
    for m in _MONTH_OF_YEAR.finditer(lower):
        yield Named(_reading(m["y1"] or m["y2"], m["m1"] or m["m2"], ""), *m.span())
    for m in _DAY_OF_MONTH.finditer(lower):
        yield Named(_reading("", m["month"], m["day"]), *m.span())


def _in_order(a: str, b: str, c: str, sep: str) -> Iterator[Reading]:
    """Yield what three figures may mean: with dots the day is first, with others nobody knows."""
    if len(a) == len("2023"):
        yield from [_reading(a, b, c)] if len(c) <= len("31") else []
        return
    is_short = len(c) == len("23") and (sep == "/" or (sep == "." and len(a + b) == len("2912")))
    year = f"20{c}" if is_short else c
    if len(year) != len("2023") or len(a) > len("31"):
        return
    by_day, by_month = _reading(year, b, a), _reading(year, a, b)
    yield by_day
    if sep != "." or not (is_short or _is_possible(by_day)):
        yield by_month


def _written(text: str, lower: str) -> Iterator[Named]:
    for m in _WRITTEN.finditer(lower):
        day = m["d1"] or m["d2"] or ""
        if day or m["year"] or _is_month(text, m):
            reading = _reading(m["year"] or "", str(_NUMBERS[m["month"]]), day)
            yield Named(reading, *m.span())


def _years(lower: str) -> Iterator[Named]:
    for m in _YEAR.finditer(lower):
        yield Named(_reading(m["year"], "", ""), *m.span())


def month(written: str) -> int:
    """Return the number of a month by its name in lower case, or by a `FIGURE`."""
    return _NUMBERS.get(written) or figure(written)


def _is_month(text: str, m: re.Match[str]) -> bool:
    """Tell whether it is a month without day and year: "May" begins a sentence as a verb."""
    return is_month(text, m.start("month"), m["month"]) and (
        m["month"] not in _WORD_MONTHS or m.start("month") > 0
    )


def is_month(text: str, at: int, name: str) -> bool:
    """Tell whether *name*, which stands in *text* there, is a month: `may` is a verb."""
    return name not in _WORD_MONTHS or text[at].isupper()


def _chinese(text: str) -> Iterator[Named]:
    for m in _CHINESE.finditer(text.translate(_NIL)):
        year, month, day = m["year"] or m["only"] or "", m["month"] or "", m["day"] or ""
        yield Named(_reading(_figure(year), _figure(month), _figure(day)), *m.span())


def figure(written: str) -> int:
    """Return the number that a `FIGURE` is."""
    return int(_figure(written.translate(_NIL)))


def _figure(written: str) -> str:
    """Return a number as figures: `2023`, one digit after the other, or `29` with tens."""
    if _TEN not in written:
        return "".join(str(_DIGITS.index(c)) if c in _DIGITS else c for c in written)
    tens, _, ones = written.partition(_TEN)
    return (_figure(tens) or "1") + (_figure(ones) or "0")
