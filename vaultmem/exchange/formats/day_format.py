"""The format in which Obsidian writes a day into the name of a note, read the other way round.

It is one of moment.js. The day is told in figures, by names of months in the languages that are
known here, by the number of the day in its year, or by the week of ISO 8601; weeks and hours
beside it are passed over. Source: https://momentjs.com/docs/#/displaying/format/
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date, timedelta

from vaultmem.nlp.text import date_formats

_WEEKDAY = r"[^\W\d_]+(?:-[^\W\d_]+)?\.?"
_MONTH = r"(?P<month>[^\W\d_]{3,}\.?|(?:\d{1,2}|[\u4e00-\u9fff]{1,2})\u6708)"
_FIGURES = r"\d\d?"
_TOKENS = {
    "YYYY": r"(?P<year>\d{4})",
    "YY": r"(?P<year>\d\d)",
    "MMMM": _MONTH,
    "MMM": _MONTH,
    "MM": r"(?P<month>\d\d)",
    "M": r"(?P<month>\d\d?)",
    "DDDD": r"(?P<day_of_year>\d{3})",
    "DDD": r"(?P<day_of_year>\d{1,3})",
    "DD": r"(?P<day>\d\d)",
    "D": r"(?P<day>\d\d?)",
    "Do": r"(?P<day>\d\d?)(?:[^\W\d_]{1,3}|\.)?",
    "GGGG": r"(?P<week_year>\d{4})",
    "WW": r"(?P<week>\d\d)",
    "W": r"(?P<week>\d\d?)",
    "E": r"(?P<weekday>[1-7])",
    "dddd": _WEEKDAY,
    "ddd": _WEEKDAY,
    "dd": _WEEKDAY,
    "gggg": r"\d{4}",
    **dict.fromkeys(("gg", "GG", "ww", "w", "HH", "H", "hh", "h", "mm", "m", "ss", "s"), _FIGURES),
    **dict.fromkeys(("Q", "d", "e"), r"\d"),
    **dict.fromkeys(("A", "a"), r"[AaPp][Mm]"),
}
_PIECE = re.compile(
    rf"\[([^\[\]]*)\]|{'|'.join(sorted(_TOKENS, key=len, reverse=True))}|.", re.DOTALL
)
_GROUP = re.compile(r"\?P<(\w+)>")
_DATE, _IN_YEAR, _IN_WEEK = (
    {"year", "month", "day"}, {"year", "day_of_year"}, {"week_year", "week", "weekday"},
)  # fmt: skip
"""What tells a day together."""

_MONTHS = (
    "janvier enero gennaio janeiro januari",
    "f\u00e9vrier febrero febbraio fevereiro februari",
    "mars marzo mar\u00e7o maart mrt marts",
    "avril abril aprile",
    "mayo maggio maio mei maj",
    "juin junio giugno junho",
    "juillet julio luglio julho",
    "ao\u00fbt agosto augustus augusti",
    "septembre septiembre setiembre settembre setembro",
    "octobre octubre ottobre outubro",
    "novembre noviembre novembro",
    "d\u00e9cembre diciembre dicembre dezembro desember",
)
"""In French, Spanish, Italian, Portuguese, Dutch and the languages of Scandinavia."""
_SHORTEST = 3
_CENTURY, _LAST_OF_OURS = 100, 68
"""Of two figures of a year those up to this one are of our century, as moment.js has it."""

_LONGEST = 100


def pattern(written: str) -> re.Pattern[str] | None:
    """Return what fits names *written* so, None where they do not tell a day that can be read."""
    if len(written) > _LONGEST:
        return None
    parts, told = [], set[str]()
    for piece in _PIECE.finditer(unicodedata.normalize("NFC", written)):
        part = _TOKENS.get(piece[0])
        if part is None:
            if piece[1] is None and piece[0].isascii() and piece[0].isalpha():
                return None  # a token that is not known here
            part = re.escape(piece[0] if piece[1] is None else piece[1])
        else:
            if group := _GROUP.search(part):
                part = _GROUP.sub("?:" if group[1] in told else group[0], part)
                told.add(group[1])
            # What a token took stays its own: no name takes longer, whatever the format.
            part = f"(?>{part})"
        parts.append(part)
    tells = any(told >= needed for needed in (_DATE, _IN_YEAR, _IN_WEEK))
    return re.compile("".join(parts)) if tells else None


def day(fits: re.Pattern[str], name: str) -> str:
    """Return the day that *name*, which *fits* the format, is of, "" where it is of none."""
    found = fits.fullmatch(unicodedata.normalize("NFC", name))
    if found is None:
        return ""
    try:
        return _date(found.groupdict()).isoformat()
    except ValueError:
        return ""


def _date(told: dict[str, str]) -> date:
    """Return the day that is *told* by its groups; raises ValueError for none."""
    if told.keys() >= _DATE:
        return date(_year(told["year"]), _month(told["month"]), int(told["day"]))
    if told.keys() >= _IN_WEEK:
        week = int(told["week_year"]), int(told["week"])
        return date.fromisocalendar(*week, int(told["weekday"]))
    first = date(_year(told["year"]), 1, 1)
    found = first + timedelta(int(told["day_of_year"]) - 1)
    if found.year != first.year:
        raise ValueError(f"{first.year} has no day {told['day_of_year']}")
    return found


def _year(written: str) -> int:
    year = int(written)
    return year if year >= _CENTURY else year + (2000 if year <= _LAST_OF_OURS else 1900)


def _month(written: str) -> int:
    """Return the number of a month by its name, whole or cut; raises ValueError for none."""
    name = written.casefold().removesuffix(".").removesuffix("\u6708")
    if re.fullmatch(f"{date_formats.MONTH_NAME}|{date_formats.FIGURE}", name):
        return date_formats.month(name)
    found = {n for n, names in enumerate(_MONTHS, 1) if f" {name}" in f" {names}"}
    if len(name) < _SHORTEST or len(found) != 1:
        raise ValueError(f"{written} is no month that is known here")
    return found.pop()
