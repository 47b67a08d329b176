"""The dates that a question names, and how well a time fits them: purely, from the words alone."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from vaultmem.documents.languages import letters
from vaultmem.nlp.text import date_formats
from vaultmem.nlp.text.date_formats import Reading
from vaultmem.records import day_of
from vaultmem.retrieval.search import relative_dates

_NEAR = 3
"""Days: what happened on one is told within so many, and who asks names the one or the other.

From 3 to 7 recall on four conversations of LoCoMo is the same.
"""


_HALF_A_YEAR = 6


class Date(NamedTuple):
    """A date that a question names, empty where it leaves it open."""

    year: str
    month: str
    day: str

    def fits(self, time: str) -> float:
        """Return 1 for the very day, 0.75 near it, 0.5 for the month, 0.25 for the year, else 0.

        A *time* is one as the vault writes it, or a month, `2026-05`, or a year.
        """
        year, month = time[:4], time[5:7]
        apart = self._days_to(time)
        if apart is not None and apart <= _NEAR:
            return 0.75 if apart else 1.0
        if self.year not in {"", year} or self.month not in {"", month}:
            return 0.0
        return 0.5 if self.month else 0.25

    def is_over(self, time: str) -> bool:
        """Tell whether it is over at *time*, as far as it says; without a year it always is."""
        own = "-".join(filter(None, (self.year, self.month, self.day)))
        return not self.year or own < time[: len(own)]

    def _days_to(self, time: str) -> int | None:
        """Return how many days lie between it and *time*, None where either is no day."""
        own = day_of(f"{self.year or time[:4]}-{self.month}-{self.day}")
        other = day_of(time)
        return abs((other - own).days) if own and other else None


class NamedDates(NamedTuple):
    """The *dates* that a question names, the *words* of those written out, and the *rest* of it."""

    dates: tuple[Date, ...]
    words: str
    rest: str


def named(query: str, now: str = "") -> NamedDates:
    """Return the dates that *query* names: `2026-05-05`, `5.5.2026`, `May 5th`, `in May`.

    `yesterday`, `last May` and the like are counted from *now*, and mean nothing without it.
    """
    counted, text = relative_dates.taken(_plain(query), day_of(now))
    rest, words = text, []
    found = list(date_formats.named(text))
    for it in found:
        rest = rest[: it.start] + " " * (it.end - it.start) + rest[it.end :]
        words.append(text[it.start : it.end])
    dates = dict.fromkeys(Date(*reading) for reading in (*(it.reading for it in found), *counted))
    return NamedDates(tuple(dates), " ".join(words), rest)


def counted(text: str, said: str) -> tuple[str, ...]:
    """Return the days, months and years that *text* counts from when it was *said*, as ISO 8601."""
    readings, _ = relative_dates.taken(_plain(text), day_of(said))
    return tuple(dict.fromkeys("-".join(filter(None, it)) for it in readings if it.year))


def written(text: str, said: str) -> tuple[str, ...]:
    """Return the days, months and years that *text* writes out, as ISO 8601.

    One without a year is the nearest to when it was *said*.
    """
    found = (_nearest(it.reading, said) for it in date_formats.named(_plain(text)))
    return tuple(dict.fromkeys("-".join(filter(None, it)) for it in found))


def _plain(text: str) -> str:
    """Return *text* as dates are read in it: folded, and with figures of any script as ASCII's."""
    if text.isascii():
        return text
    folded = letters.folded(text)
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in folded)


def _nearest(it: Reading, said: str) -> Reading:
    if it.year or not said[:4].isdecimal():
        return it
    apart = int(it.month) - int(said[5:7])
    return it._replace(
        year=f"{int(said[:4]) + (apart < -_HALF_A_YEAR) - (apart > _HALF_A_YEAR):04}"
    )
