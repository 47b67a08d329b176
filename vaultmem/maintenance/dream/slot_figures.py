"""Read what a slot has in figures: a time, a day, a date, a sum, an amount, a version, how often.

Each in one notation: `ten`, `10:00` and `10am` are one time, `35 euros a month` is a sum of another
kind than `35 euros`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from vaultmem.maintenance.dream import tool_sorts
from vaultmem.nlp.facts.synonyms import words
from vaultmem.nlp.text import analysis
from vaultmem.nlp.text.stopwords import MONTH_NAMES, MONTHS, NUMBER_WORDS


class Value(NamedTuple):
    """What fills a slot of some *kind*: its *key*, and as it is written.

    A *loose* one may be one of several.
    """

    kind: str
    key: str
    raw: str
    loose: bool = False


_HOURS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_TIME = (
    r"(?:(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))?(?: ?[ap]\.?m\.?|h| Uhr| o['\u2019]clock)?"
    rf"|(?P<spelt>{_HOURS})(?: o['\u2019]clock| thirty)?|(?P<noon>noon|midday|midnight)"
    rf"|half past (?P<past>{_HOURS}|\d{{1,2}}))"
)
_DAY = (
    r"(?:(?P<day>mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|(?P<tag>mon|diens|donners|frei|sams|sonn)tags?|(?P<mid>mittwochs?))"
)
_WHEN = re.compile(
    rf"(?i)(?:(?:at|um|on|for|am) )?(?:{_DAY},?)?(?(day) |(?(tag) |(?(mid) |)))"
    rf"(?:(?:at|um) )?{_TIME}(?: (?:on|am) (?P<on>\w+))?(?: an| statt)?"
)
_ON_DAY = re.compile(rf"(?i)(?:(?:on|for|am|auf) )?{_DAY}(?: statt)?")
_MONTHS = {name: MONTHS.index(name[:3]) + 1 for name in MONTH_NAMES} | {
    "januar": 1, "februar": 2, "m\u00e4rz": 3, "mai": 5, "juni": 6, "juli": 7, "oktober": 10,
    "dezember": 12,
}  # fmt: skip
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"(?i)(?:(?:on|for|the) )?(?:(?P<m1>{_MONTH}) (?P<d1>\d{{1,2}})(?:st|nd|rd|th)?"
    rf"|(?:the )?(?P<d2>\d{{1,2}})(?:st|nd|rd|th|\.)? (?:of )?(?P<m2>{_MONTH})"
    r"|(?P<y3>\d{4})-(?P<m3>\d\d)-(?P<d3>\d\d))(?:,? (?P<year>\d{4}))?"
)
_IN_MONTH = re.compile(rf"(?i)(?:in )?(?P<month>{_MONTH})(?: (?P<year>\d{{4}}))?")
_MONTHDAY = re.compile(r"(?:(?:on|to) )?the (?P<day>\d{1,2})(?:st|nd|rd|th)")
_NUMBER = rf"(?P<number>\d+(?:[.,]\d+)*|{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))})"
_RATE = r"(?: ?(?:a|an|per|/|each|every|im|pro) ?(?P<rate>\w+))?"
_CURRENCY = {
    "euro": "euro", "euros": "euro", "eur": "euro", "\u20ac": "euro", "dollar": "dollar",
    "dollars": "dollar", "usd": "dollar", "$": "dollar", "pounds": "pound", "\u00a3": "pound",
    "gbp": "pound", "franken": "franc", "francs": "franc", "chf": "franc",
}  # fmt: skip
_MONEY = re.compile(
    rf"(?i)(?:(?P<sign>[$\u20ac\u00a3]) ?{_NUMBER}"
    rf"|{_NUMBER.replace('number', 'count')} ?(?P<unit>{'|'.join(map(re.escape, _CURRENCY))}))"
    rf"{_RATE}"
)
_UNITS = words("""
    s sec secs second seconds min mins minute minutes h hour hours day days week weeks month months
    year years ms kb mb gb tb mbit gbit request requests connection connections user users people
    guests seats km miles kg litres liters percent % degrees tage wochen monate minuten stunden
    jahre pages lines files retries replicas workers cores threads
""")
_AMOUNT = re.compile(rf"(?i){_NUMBER} ?(?P<unit>[a-z%]+){_RATE}")
_VERSION = re.compile(
    r"(?:the )?(?P<of>(?:[A-Z][\w+#]*(?:\.js)?|v))[ -]?(?:version |v)?"
    r"(?P<version>\d+(?:\.\d+)*)"
)
_NUMBERED = words("""
    room gate platform track floor hall lane bus line route terminal highway channel studio exit
    pier chapter week day phase level unit building block table seat team group class grade year
    port
""")
"""What is called by a number: it has no versions."""

_OFTEN = re.compile(
    r"(?:every (?P<every>\w+)|(?P<how>hourly|daily|weekly|fortnightly|biweekly|monthly|quarterly"
    r"|yearly|annually)|(?:once|twice|\w+ times) (?:a|per) \w+)"
)
_EVERY = {"hour": "hourly", "day": "daily", "week": "weekly", "month": "monthly", "year": "yearly"}


def any_of(said: str) -> Iterator[Value]:
    """Yield what *said* may be in figures."""
    yield from (*when("", said), *date(said), *money(said), *version(said))
    yield from (*amount("amount", said), *amount("lasts", said))


def when(kind: str, said: str) -> Iterator[Value]:
    """Yield the day and the time of a *kind* in *said*: when something is, or when it opens."""
    m = _ON_DAY.fullmatch(said) or _WHEN.fullmatch(said)
    if m is None:
        return
    day = (m["day"] or m["tag"] or m["mid"] or "").casefold()
    if day:
        yield Value(f"day {kind}".strip(), _DAYS.get(day, day), said, loose=True)
    if m.re is _WHEN and _is_clock(m) and not m["on"]:
        yield Value(f"time {kind}".strip(), _clock(m), said, loose=bool(day))


def _is_clock(m: re.Match[str]) -> bool:
    """Whether it is a time and no other number."""
    return bool(
        m["minute"] or not m["hour"] or re.search(r"(?i)\b(?:at|um) |[ap]\.?m|uhr|clock|h\Z", m[0])
    )


_DAYS = {"diens": "tues", "donners": "thurs", "frei": "fri", "sams": "satur", "sonn": "sun"} | {
    "mittwoch": "wednes", "mittwochs": "wednes",
}  # fmt: skip


def _clock(m: re.Match[str]) -> str:
    """Return the time on a dial: not everybody says which half of the day is meant."""
    if m["noon"]:
        return "0:00"
    hour = m["hour"] or m["spelt"] or m["past"]
    minute = "30" if m["past"] or "thirty" in m[0] else m["minute"] or "00"
    return f"{int(NUMBER_WORDS.get(hour.casefold(), hour)) % 12}:{minute}"


def date(said: str) -> Iterator[Value]:
    """Yield the day or the month of a year."""
    if m := _DATE.fullmatch(said):
        named = m["m1"] or m["m2"]
        month = int(m["m3"]) if m["m3"] else _MONTHS[named.casefold()]
        day = int(m["d1"] or m["d2"] or m["d3"])
        yield Value("date", f"{month}-{day}", said)
        yield Value("day of month", str(day), said, loose=True)
    elif m := _IN_MONTH.fullmatch(said):
        kind = "month of a year" if m["year"] else "month"
        key = f"{_MONTHS[m['month'].casefold()]} {m['year'] or ''}"
        yield Value(kind, key, said, loose=True)
    elif m := _MONTHDAY.fullmatch(said):
        yield Value("day of month", m["day"], said, loose=True)


def money(said: str) -> Iterator[Value]:
    """Yield the sum, by its currency and what it is paid for."""
    if m := _MONEY.fullmatch(said):
        unit = _CURRENCY[(m["sign"] or m["unit"]).casefold()]
        yield Value(f"costs {unit}{_rate(m)}", number(m["number"] or m["count"]), said)


def _rate(m: re.Match[str]) -> str:
    return f" per {analysis.stem(m['rate'].casefold())}" if m["rate"] else ""


def number(said: str) -> str:
    """Return the digits of a number, written as such or in words."""
    return NUMBER_WORDS.get(said.casefold(), said.replace(",", ""))


def amount(kind: str, said: str) -> Iterator[Value]:
    """Yield how much of a unit it is, for a slot of the *kind*."""
    m = _AMOUNT.fullmatch(said)
    if m and m["unit"].casefold() in _UNITS:
        unit = analysis.stem(m["unit"].casefold())
        yield Value(f"{kind} {unit}{_rate(m)}", number(m["number"]), said)


def version(said: str) -> Iterator[Value]:
    """Yield the version of a program that is named with it."""
    m = _VERSION.fullmatch(said)
    if m and m["of"].casefold() not in _NUMBERED:
        of = m["of"].casefold()
        sure = tool_sorts.of(of) or "." in m["version"] or of == "v"
        yield Value(f"version {of}", m["version"], said, loose=not sure)


def often(said: str) -> Iterator[Value]:
    """Yield how often something is done."""
    if m := _OFTEN.fullmatch(said):
        every = _EVERY.get(m["every"] or "", "")
        yield Value("often", every or said.casefold(), said, loose=True)
