"""The dates that a question names, and how well a time fits them: purely, from the words alone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from vaultmem.documents.languages import letters
from vaultmem.nlp.text import date_formats
from vaultmem.retrieval.search import relative_dates


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

    `yesterday`, `last May` and the like are counted from *now*, and mean nothing without it.
    """
    counted, rest = relative_dates.taken(letters.folded(query), _day(now))
    found = (*date_formats.readings(rest), *counted)
    return tuple(dict.fromkeys(Date(*reading) for reading in found))


def _day(now: str) -> date | None:
    try:
        return date.fromisoformat(now[:10])
    except ValueError:
        return None
