"""The dates that a question counts from today: `last week`, `letzten Mai`, `去年五月`; purely.

So is a week or weekend of a month, which looks like one of them. What has been read is taken out of
the text, so that no other reading of the same words is made.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta

from vaultmem.nlp.text import date_formats
from vaultmem.nlp.text.date_formats import Reading
from vaultmem.records import lowered

_WEEK = 7
_MONTH = rf"(?P<month>{date_formats.MONTH_NAME})"
_CHINESE_MONTH = rf"(?P<month>{date_formats.FIGURE})\s?月(?:份)?[的の]?"

_YEARS: Mapping[str, int] = {
    "last year": -1, "this year": 0, "the year before last": -2, "next year": 1,
    "letzten jahres": -1, "vorigen jahres": -1, "vergangenen jahres": -1, "vorletzten jahres": -2,
    "dieses jahres": 0, "letztes jahr": -1, "voriges jahr": -1, "vergangenes jahr": -1,
    "vorletztes jahr": -2, "letztem jahr": -1, "dieses jahr": 0, "diesem jahr": 0,
    "nächstes jahr": 1, "nächsten jahres": 1,
    "año pasado": -1, "este año": 0, "próximo año": 1,
    "去年": -1, "昨年": -1, "前年": -2, "今年": 0, "明年": 1, "来年": 1,
}  # fmt: skip
_YEAR = rf"(?P<year>[0-9]{{4}}|{'|'.join(_YEARS)})"
_ORDINALS: Mapping[str, int] = {
    "first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1, "1st": 0, "2nd": 1, "3rd": 2,
    "4th": 3, "erste": 0, "zweite": 1, "dritte": 2, "vierte": 3, "letzte": -1,
    "第一": 0, "第二": 1, "第三": 2, "第四": 3, "最后一": -1,
}  # fmt: skip
_NTH = rf"\b(?P<nth>{'|'.join(_ORDINALS)})[nrs]?"
_CHINESE_NTH = "(?P<nth>第[一二三四]|最后一)个?"
_PAST = r"(?:last|past|letzte[nrs]?|vorige[nrs]?|vergangene[nrs]?)"
_LAST_BUT_ONE = r"vorletzte[nrsm]?"
_THIS, _NEXT = r"(?:this|diese[nrs]?)", r"(?:next|nächste[nrs]?|kommende[nrs]?)"
_WEEKDAYS = (
    "monday montag 一", "tuesday dienstag 二", "wednesday mittwoch 三", "thursday donnerstag 四",
    "friday freitag 五", "saturday samstag sonnabend 六", "sunday sonntag 日 天",
)  # fmt: skip
_WEEKDAY = {name: n for n, names in enumerate(_WEEKDAYS) for name in names.split()}
_DAY_NAMES = "|".join(name for name in _WEEKDAY if name.isascii())
_NUMBERS = (
    "a an one einem einer un una 一", "two zwei couple dos 二 两", "three drei tres 三",
    "four vier cuatro 四", "five fünf cinco 五", "six sechs seis 六", "seven sieben siete 七",
    "eight acht ocho 八", "nine neun nueve 九", "ten zehn diez 十", "eleven elf once",
    "twelve zwölf doce", "thirteen dreizehn trece", "fourteen vierzehn catorce",
    "fifteen fünfzehn quince", "sixteen sechzehn dieciséis", "seventeen siebzehn diecisiete",
    "eighteen achtzehn dieciocho", "nineteen neunzehn diecinueve", "twenty zwanzig veinte",
)  # fmt: skip
_NUMBER = {name: n for n, names in enumerate(_NUMBERS, 1) for name in names.split()}
_COUNT = (
    r"(?P<count>(?<![0-9])[0-9]{1,3}|[一二三四五六七八九十]{2,3}"
    rf"|{'|'.join(sorted(_NUMBER, key=len, reverse=True))})"
)
_UNITS: Mapping[str, str] = {
    "tag": "day", "天": "day", "日": "day", "día": "day", "woche": "week", "周": "week",
    "星期": "week", "semana": "week", "monat": "month", "月": "month", "mes": "month",
    "jahr": "year", "年": "year", "año": "year",
}  # fmt: skip

_THIRDS = (
    "beginning start early anfang 初 上旬",
    "middle mid mitte 中旬",
    "end late ende 底 末 下旬",
)
_THIRD = "|".join(name for names in _THIRDS for name in names.split() if name.isascii())
_CHINESE_THIRD = "(?P<third>初|底|末|[上中下]旬)"
_SEASONS = (
    "spring frühling frühjahr primavera 春", "summer sommer verano 夏",
    "autumn fall herbst otoño 秋", "winter invierno 冬",
)  # fmt: skip
_SEASON = "|".join(name for names in _SEASONS for name in names.split() if len(name) > 1)
_WINTER = 12

Dates = Iterator[Reading]


def taken(text: str, today: date | None) -> tuple[list[Reading], str]:
    """Return the dates that *text* counts from *today*, and the rest of the text.

    Without *today* only a part of a month is read.
    """
    found: list[Reading] = []
    for pattern, read in _READERS if today else _PARTS_OF_MONTHS:
        lower = lowered(text)
        for m in pattern.finditer(lower):
            if "month" in pattern.groupindex and not _is_month(text, m):
                continue
            try:
                found += read(m, today or date.min)
            except (ValueError, OverflowError):  # no date, or beyond the calendar's ends
                continue
            text = text[: m.start()] + _left_of(text, m) + text[m.end() :]
    return found, text


def _left_of(text: str, m: re.Match[str]) -> str:
    """Return what is left of what was read, as long: a season is a word that texts have, too."""
    start, end = m.span("season") if "season" in m.re.groupindex else (m.end(), m.end())
    return " " * (start - m.start()) + text[start:end] + " " * (m.end() - end)


def _is_month(text: str, m: re.Match[str]) -> bool:
    at, end = m.span("month")
    return (
        date_formats.is_month(text, at, m["month"])
        or lowered(text[:at]).endswith((" in ", " of ", " en "))
        or lowered(text[end:]).startswith((" of ", " de ", " del "))
    )


# --- readings ---------------------------------------------------------------------------------


def _week_of_month(m: re.Match[str], today: date) -> Dates:
    """Yield the days of the first, second … or last seven of a month."""
    month, year = date_formats.month(m["month"]), _year(m, today)
    nth = _ORDINALS[m["nth"]]
    first = _WEEK * nth + 1 if nth >= 0 else monthrange(year or 2001, month)[1] - _WEEK + 1
    days = (f"{day:02d}" for day in range(first, first + _WEEK))
    yield from (Reading(f"{year:04d}" if year else "", f"{month:02d}", day) for day in days)


def _third_of_month(m: re.Match[str], today: date) -> Dates:
    """Yield the first ten days of a month, the next ten, or the rest."""
    month, year = date_formats.month(m["month"]), _year(m, today)
    third = next(n for n, names in enumerate(_THIRDS) if m["third"] in names.split())
    last = 10 * third + 10 if third < len(_THIRDS) - 1 else monthrange(year or 2001, month)[1]
    for day in range(10 * third + 1, last + 1):
        yield Reading(f"{year:04d}" if year else "", f"{month:02d}", f"{day:02d}")


def _quarter(m: re.Match[str], today: date) -> Dates:
    number = m["quarter"] or m["ordinal"]
    nth = _ORDINALS[number] if number in _ORDINALS else date_formats.figure(number) - 1
    first = 3 * (nth % 4)
    yield from (_month(_year(m, today), month) for month in range(first + 1, first + 4))


def _season(m: re.Match[str], today: date) -> Dates:
    """Yield the months of a season of the northern half; a winter is of two years, and is both."""
    first = 3 * next(n for n, names in enumerate(_SEASONS, 1) if m["season"] in names.split())
    year = _year(m, today)
    if not year:
        year = today.year - (today.month < first + 3)
    months = [divmod(12 * year + first - 1 + n, 12) for n in range(3)]
    if first == _WINTER and m["year"]:
        months += [divmod(12 * year - 1 + n, 12) for n in range(3)]
    yield from (_month(of, month + 1) for of, month in months)


def _weekend_of_month(m: re.Match[str], today: date) -> Dates:
    """Yield the first, second … or last Saturday of a month and the day after it.

    Without a year nobody knows which days these are: then it is the month.
    """
    month, year = date_formats.month(m["month"]), _year(m, today)
    if not year:
        yield _month(0, month)
        return
    days = (date(year, month, day) for day in range(1, monthrange(year, month)[1] + 1))
    saturdays = [day for day in days if day.weekday() == _WEEKDAY["saturday"]]
    saturday = saturdays[_ORDINALS[m["nth"]]]
    yield from (_whole(saturday), _whole(saturday + timedelta(1)))


def _month_of_year(m: re.Match[str], today: date) -> Dates:
    day = next((m[name] for name in ("day", "after") if m.groupdict().get(name)), "")
    month = date_formats.month(m["month"])
    year = _year(m, today)
    if day:
        yield _whole(date(year, month, date_formats.figure(day)))
    else:
        yield _month(year, month)


def _year(m: re.Match[str], today: date) -> int:
    """Return the year that is named, 0 where none is."""
    named = m["year"] or ""
    return today.year + _YEARS[named] if named in _YEARS else int(named or 0)


def _nearest(way: int) -> Callable[[re.Match[str], date], Dates]:
    """Return what reads a month by its name: the last (-1), this year's (0), the next (1)."""

    def read(m: re.Match[str], today: date) -> Dates:
        month = date_formats.month(m["month"])
        passed = (month >= today.month) if way < 0 else (month <= today.month)
        yield _month(today.year + (way if passed else 0), month)

    return read


def _weekday(m: re.Match[str], today: date) -> Dates:
    """Yield the last such day before today."""
    back = (today.weekday() - _WEEKDAY[m["weekday"]] - 1) % _WEEK + 1
    yield _whole(today - timedelta(back))


def _weekday_of_last_week(m: re.Match[str], today: date) -> Dates:
    yield _whole(today - timedelta(today.weekday() + _WEEK - _WEEKDAY[m["weekday"]]))


def _ago(m: re.Match[str], today: date) -> Dates:
    written = m["count"]
    count = _NUMBER[written] if written in _NUMBER else date_formats.figure(written)
    unit = _UNITS.get(m["unit"], m["unit"])
    if unit == "year":  # this month of it first
        yield _month(today.year - count, today.month)
    yield from _SPANS[unit](today, -count)


def _days(today: date, count: int) -> Dates:
    yield _whole(today + timedelta(count))


def _weeks(today: date, count: int) -> Dates:
    monday = today + timedelta(_WEEK * count - today.weekday())
    yield from (_whole(monday + timedelta(n)) for n in range(_WEEK))


def _weekends(today: date, count: int) -> Dates:
    yield from list(_weeks(today, count))[-2:]


def _months(today: date, count: int) -> Dates:
    months = 12 * today.year + today.month - 1 + count
    yield _month(months // 12, months % 12 + 1)


def _years(today: date, count: int) -> Dates:
    yield Reading(f"{date(today.year + count, 1, 1).year:04d}", "", "")


def _whole(day: date) -> Reading:
    return Reading(f"{day.year:04d}", f"{day.month:02d}", f"{day.day:02d}")


def _month(year: int, month: int) -> Reading:
    first = date(year, month, 1) if year else date(2000, month, 1)
    return Reading(f"{first.year:04d}" if year else "", f"{first.month:02d}", "")


_SPANS: Mapping[str, Callable[[date, int], Dates]] = {
    "day": _days, "week": _weeks, "month": _months, "year": _years,
}  # fmt: skip


# --- patterns ---------------------------------------------------------------------------------

_Reader = tuple[re.Pattern[str], Callable[[re.Match[str], date], Dates]]


def _fixed(pattern: str, span: Callable[[date, int], Dates], count: int) -> _Reader:
    return re.compile(pattern), lambda _, today: span(today, count)


def _of_months(week: str, woche: str, chinese: str) -> Iterator[re.Pattern[str]]:
    """Yield what names a part of a month by its number, in three languages."""
    yield re.compile(rf"{_NTH} {week} (?:of|in) {_MONTH}\b(?:,? (?:of )?{_YEAR}\b)?")
    yield re.compile(rf"{_NTH} {woche} (?:im|des|vom) {_MONTH}\b(?: {_YEAR}\b)?")
    yield re.compile(rf"{_NTH} {_MONTH}{woche}\b(?: {_YEAR}\b)?")
    yield re.compile(rf"(?:{_YEAR}年?的?)?{_CHINESE_MONTH}{_CHINESE_NTH}(?:{chinese})")


_OF_YEAR = rf"(?:,? (?:of |des |im |del? )?(?:the )?{_YEAR}\b)"
_PARTS_OF_MONTHS: Sequence[_Reader] = (
    (
        re.compile(
            rf"\b(?P<third>{_THIRD})(?: of| in|-)? ?\b{_MONTH}\b(?! [0-9]{{1,2}}\b){_OF_YEAR}?"
        ),
        _third_of_month,
    ),
    (re.compile(rf"(?:{_YEAR}年?[的の]?)?{_CHINESE_MONTH}{_CHINESE_THIRD}"), _third_of_month),
    (
        re.compile(
            rf"\b(?:q(?P<quarter>[1-4])|(?P<ordinal>{'|'.join(_ORDINALS)})s? (?:quarter|quartal))"
            rf"{_OF_YEAR}"
        ),
        _quarter,
    ),
    (re.compile(rf"{_YEAR}年?的?第?(?P<quarter>[一二三四1-4])(?P<ordinal>季度|四半期)"), _quarter),
    (re.compile(rf"\b(?P<season>{_SEASON}){_OF_YEAR}"), _season),
    (re.compile(rf"{_YEAR}年?[的の]?(?P<season>[春夏秋冬])[天季]?"), _season),
    *((p, _weekend_of_month) for p in _of_months("weekend", "wochenende", "周末")),
    *((p, _week_of_month) for p in _of_months("week", "woche", "周|星期")),
)
_FIGURES_OF_DAY = r"[0-9]{1,2}"
_READERS: Sequence[_Reader] = (
    *_PARTS_OF_MONTHS,
    (
        re.compile(
            rf"(?:\b(?P<day>{_FIGURES_OF_DAY})(?:st|nd|rd|th|\.)? (?:of )?)?\b{_MONTH}\b"
            rf"(?: (?P<after>{_FIGURES_OF_DAY})(?:st|nd|rd|th)?)?,? (?:of |des |im |del? )?"
            rf"(?P<year>{'|'.join(_YEARS)})\b"
        ),
        _month_of_year,
    ),
    (
        re.compile(rf"\b(?P<year>{'|'.join(_YEARS)}),? (?:in|im|en) {_MONTH}\b(?! [0-9])"),
        _month_of_year,
    ),
    (
        re.compile(
            rf"(?P<year>[去昨前今明来]年)[的の]?{_CHINESE_MONTH}(?:(?P<day>{date_formats.FIGURE})\s?[日号])?"
        ),
        _month_of_year,
    ),
    (re.compile(rf"\b{_PAST} {_MONTH}\b(?! [0-9])"), _nearest(-1)),
    (re.compile(rf"\b{_THIS} {_MONTH}\b(?! [0-9])"), _nearest(0)),
    (re.compile(rf"\b{_NEXT} {_MONTH}\b(?! [0-9])"), _nearest(1)),
    (re.compile(rf"\b(?P<year>){_PAST} (?P<season>{_SEASON})\b"), _season),
    (re.compile(rf"\b{_PAST} (?P<weekday>{_DAY_NAMES})\b"), _weekday),
    (
        re.compile("(?<!上)上个?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])"),
        _weekday_of_last_week,
    ),
    (re.compile(rf"\b(?:a )?{_COUNT} (?:of )?(?P<unit>day|week|month|year)s? ago\b"), _ago),
    (re.compile(rf"\bvor {_COUNT} (?P<unit>tag|woche|monat|jahr)(?:en|e|n)?\b"), _ago),
    (re.compile(rf"\bhace {_COUNT} (?P<unit>día|semana|mes|año)(?:e?s)?\b"), _ago),
    (re.compile(rf"(?<!月){_COUNT}\s?[个か]?(?P<unit>天|日|周|星期|月|年)间?(?:以|之)?前"), _ago),
    _fixed(r"\bhalf a year ago\b|\bvor einem halben jahr\b|\bhace medio año\b|半年前", _months, -6),
    _fixed(r"\bday before yesterday\b|\bvorgestern\b|\banteayer\b|前天|一昨日", _days, -2),
    _fixed(r"\b(?:today|heute|hoy)\b|今[天日]", _days, 0),
    _fixed(r"\byesterday\b|\bgestern\b|\bayer\b|昨[天日]", _days, -1),
    _fixed(
        rf"\bthe week before last\b|\b{_LAST_BUT_ONE} woche\b|上上个?(?:周|星期|礼拜)(?!末)",
        _weeks,
        -2,
    ),
    _fixed(rf"\bthe month before last\b|\b{_LAST_BUT_ONE} monats?\b|上上个?月", _months, -2),
    _fixed(
        rf"\bthe weekend before last\b|\b{_LAST_BUT_ONE} wochenende\b|上上个?(?:周|星期)末",
        _weekends,
        -2,
    ),
    _fixed(rf"\b{_PAST} (?:weekend|wochenende)\b|上个?(?:周|星期)末", _weekends, -1),
    _fixed(
        rf"\b{_PAST} (?:week|woche)\b(?! of\b)|\bsemana pasada\b|上个?(?:周|星期|礼拜)|先周",
        _weeks,
        -1,
    ),
    _fixed(rf"\b{_THIS} (?:week|woche)\b|[这本]个?(?:周|星期)|今周", _weeks, 0),
    _fixed(rf"\b{_PAST} mon(?:th|at)s?\b(?! of\b)|\bmes pasado\b|上个?月|先月", _months, -1),
    _fixed(rf"\b{_THIS} mon(?:th|at)s?\b|[这本]个?月|今月", _months, 0),
    _fixed(rf"\bthe year before last\b|\b{_LAST_BUT_ONE} jahr(?:es)?\b|前年|一昨年", _years, -2),
    _fixed(rf"\b{_PAST} (?:year|jahr(?:es)?)\b(?! of\b)|\baño pasado\b|去年|昨年", _years, -1),
    _fixed(rf"\b{_THIS} (?:year|jahr(?:es)?)\b|今年", _years, 0),
)
