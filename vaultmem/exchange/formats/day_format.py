"""The format in which Obsidian writes a day into the name of a note, read the other way round.

It is one of moment.js; only what tells year, month and day in figures or English names is read.
Source: https://momentjs.com/docs/#/displaying/format/
"""

from __future__ import annotations

import re
from datetime import date

_PIECE = re.compile(r"\[([^\[\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|Do|DD|D|dddd|ddd|dd|.", re.DOTALL)
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_SHORT = 3
_TOKENS = {
    "YYYY": r"(?P<year>\d{4})",
    "YY": r"(?P<year>\d\d)",
    "MMMM": rf"(?P<month>{'|'.join(_MONTHS)})",
    "MMM": rf"(?P<month>{'|'.join(name[:_SHORT] for name in _MONTHS)})",
    "MM": r"(?P<month>\d\d)",
    "M": r"(?P<month>\d\d?)",
    "DD": r"(?P<day>\d\d)",
    "D": r"(?P<day>\d\d?)",
    "Do": r"(?P<day>\d\d?)(?:st|nd|rd|th)",
    "dddd": r"[^\W\d_]+",
    "ddd": r"[^\W\d_]+\.?",
    "dd": r"[^\W\d_]+",
}
_GROUP = re.compile(r"\?P<(\w+)>")
_CENTURY, _LAST_OF_OURS = 100, 68
"""Of two figures of a year those up to this one are of our century, as moment.js has it."""

_LONGEST = 100


def pattern(written: str) -> re.Pattern[str] | None:
    """Return what fits names *written* so, None where they do not tell a day that can be read."""
    if len(written) > _LONGEST:
        return None
    parts, told = [], set[str]()
    for piece in _PIECE.finditer(written):
        part = _TOKENS.get(piece[0])
        if part is None:
            if piece[1] is None and piece[0].isalpha():
                return None  # a token that tells something else: a week, an hour
            part = re.escape(piece[0] if piece[1] is None else piece[1])
        elif group := _GROUP.search(part):
            part = _GROUP.sub("?:" if group[1] in told else group[0], part)
            told.add(group[1])
        parts.append(part)
    return re.compile("".join(parts)) if told == {"year", "month", "day"} else None


def day(fits: re.Pattern[str], name: str) -> str:
    """Return the day that *name*, which *fits* the format, is of, "" where it is of none."""
    found = fits.fullmatch(name)
    if found is None:
        return ""
    year, month = int(found["year"]), found["month"]
    if year < _CENTURY:
        year += 2000 if year <= _LAST_OF_OURS else 1900
    short = [known[:_SHORT] for known in _MONTHS]
    number = int(month) if month.isdecimal() else short.index(month[:_SHORT]) + 1
    try:
        return date(year, number, int(found["day"])).isoformat()
    except ValueError:
        return ""
