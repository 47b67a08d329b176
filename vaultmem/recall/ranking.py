"""Score candidates, purely: what their words, neighbours and session say, in one sum."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from vaultmem.index.words import STOP_WORDS

# Fitted on four conversations of LoCoMo and rounded; no single one of them is critical.
_BEFORE, _BEFORE_ASKS = 0.2, 0.7
_AFTER = 0.2
_SESSION, _SESSION_BEST = 0.3, 5
_SPEAKER = 0.5
_DATE = 0.5
_ASKS = 0.1
_SHORT, _SHORT_POWER = 12, 0.4


@dataclass(frozen=True, slots=True)
class Candidate:
    """One record that might answer; *words* is its BM25 score, the best one's being 1."""

    doc: int
    words: float
    path: str = ""
    session: str = ""
    speaker: str = ""
    created: str = ""
    length: int = 0
    asks: bool = False
    before: int | None = None
    after: int | None = None


def rank(query: str, found: Mapping[int, Candidate]) -> dict[int, float]:
    """Return the score of each candidate: its own words, its neighbours', its session's, and more.

    Each leg is normalised by its maximum and weighted, and the legs are summed: on conversations
    that beats rank fusion. A named speaker and a named date lift what was said by or then.
    """
    sessions = _sessions(found.values())
    said = set(_WORD.findall(query.lower()))
    dates = tuple(_dates(query))
    return {c.doc: _score(c, found, sessions, said, dates) for c in found.values()}


def _score(
    it: Candidate,
    found: Mapping[int, Candidate],
    sessions: Mapping[str, float],
    said: AbstractSet[str],
    dates: Sequence[_Date],
) -> float:
    before, after = found.get(it.before or -1), found.get(it.after or -1)
    score = it.words + _SESSION * sessions.get(it.session, 0.0)
    if before:
        score += (_BEFORE_ASKS if before.asks else _BEFORE) * before.words
    if after:
        score += _AFTER * after.words
    if said & _names(it.speaker):
        score += _SPEAKER
    if it.session:
        score *= min(1.0, it.length / _SHORT) ** _SHORT_POWER
        score -= _ASKS * it.asks
    return score + _DATE * max((d.matches(it.created) for d in dates), default=0)


def _names(speaker: str) -> AbstractSet[str]:
    """Return the words that a question may call *speaker* by; Will is one where it stands alone."""
    parts = frozenset(_WORD.findall(speaker.lower()))
    return parts - STOP_WORDS or parts


def _sessions(found: Iterable[Candidate]) -> dict[str, float]:
    """Return how well each session answers as a whole, the best one being 1."""
    scores: dict[str, list[float]] = {}
    for candidate in found:
        if candidate.session:
            scores.setdefault(candidate.session, []).append(candidate.words)
    sums = {s: sum(sorted(v, reverse=True)[:_SESSION_BEST]) for s, v in scores.items()}
    top = max(sums.values(), default=0.0) or 1.0
    return {session: total / top for session, total in sums.items()}


_WORD = re.compile(r"\w+")
_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_WRITTEN_DATE = re.compile(
    rf"(?:\b(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?\b(?P<month>{'|'.join(_MONTHS)})\b"
    r"(?:\s+(?P<d2>\d{1,2})(?:st|nd|rd|th)?\b)?(?:,?\s+(?P<year>\d{4}))?"
)
_ISO_DATE = re.compile(r"\b(?P<year>\d{4})-(?P<month>\d\d)(?:-(?P<day>\d\d))?\b")


@dataclass(frozen=True, slots=True)
class _Date:
    """A date that a question names, empty where it leaves it open."""

    year: str
    month: str
    day: str

    def matches(self, created: str) -> int:
        """Return 2 for the same day, 1 for the same month, 0 for another."""
        if created[5:7] != self.month or (self.year and created[:4] != self.year):
            return 0
        return 2 if self.day and created[8:10] == self.day else 1


def _dates(query: str) -> Iterator[_Date]:
    for m in _ISO_DATE.finditer(query):
        yield _Date(m["year"], m["month"], m["day"] or "")
    for m in _WRITTEN_DATE.finditer(query.lower()):
        # "May" alone is more often a verb than a month.
        if m["month"] != "may" or m["d1"] or m["d2"] or m["year"] or "May" in query[1:]:
            day = m["d1"] or m["d2"]
            month = f"{_MONTHS.index(m['month']) + 1:02d}"
            yield _Date(m["year"] or "", month, day.zfill(2) if day else "")
