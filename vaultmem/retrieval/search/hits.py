"""Show a candidate as a hit: where in its file it answers, in which words, how far to trust it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from vaultmem.records import Record, first_line
from vaultmem.retrieval.search.types import Candidate, Hit, Likeness
from vaultmem.storage.index import Index, passage_queries, passages, tokenizer

_SNIPPET = 240
_BEFORE = _SNIPPET // 4
"""So many characters of a snippet stand before the first of the words that it is shown for."""

_TITLE = 80
_OPENING = 400
_STEM = 5


@dataclass(frozen=True, slots=True)
class Showing:
    """What hits are shown by: the words of the question, or else what is nearest to it."""

    index: Index
    terms: Sequence[str]
    likeness: Likeness | None = None

    def hit(self, found: Candidate, score: float) -> Hit:
        """Return *found* as a hit, shown by its line that answers best."""
        record = self.index.numbered([found.doc])[found.doc]
        terms = [_Term(tokenizer.plain(term)) for term in self.terms]
        return _hit(record, found, score, _spot(record, terms, self._first(found)))

    def _first(self, found: Candidate) -> int:
        """Return where to look for words that hold nothing: at the nearest passage."""
        if found.words or found.passage or self.likeness is None:
            return 0
        near = self.likeness.passage(found.doc)
        return passage_queries.first_line(self.index, found.doc, near)


class _Passage(NamedTuple):
    """A line of a file, counted from 1, the heading it stands below, and what is shown of it."""

    line: int
    heading: str
    snippet: str


def _hit(record: Record, found: Candidate, score: float, spot: _Passage) -> Hit:
    return Hit(
        id=record.id,
        path=record.path,
        lines=(spot.line, spot.line),
        heading=spot.heading,
        title=record.title or first_line(record.body.lstrip()[:_OPENING], _TITLE),
        date=record.created,
        type=record.type,
        agent=record.agent,
        snippet=spot.snippet,
        score=round(score, 4),
        sha256=record.sha,
        trust=record.trust,
        stale=found.outdated,
        session=record.session,
        superseded_by=record.superseded_by,
    )


class _Term(NamedTuple):
    """A term of a question, as FTS5 compares words."""

    word: str

    @property
    def stem(self) -> str:
        """The letters that its forms have in common."""
        return self.word[:_STEM]

    def points(self, line: str) -> int:
        """Return 2 for a *line* with the whole word, 1 for one with its stem."""
        if self.stem not in line:
            return 0
        return 2 if self.wholes(line) else 1

    def wholes(self, line: str) -> list[int]:
        """Return where the whole word begins in *line*."""
        return _places(rf"(?<![^\W_]){re.escape(self.word)}(?![^\W_])", line)

    def stems(self, line: str) -> list[int]:
        """Return where its stem begins in *line*."""
        return _places(re.escape(self.stem), line)


def _places(pattern: str, line: str) -> list[int]:
    return [found.start() for found in re.finditer(pattern, line)]


def _spot(record: Record, terms: Sequence[_Term], first: int) -> _Passage:
    """Return the line of *record* that holds most of *terms*, else the field that does.

    Where nothing does, it is the first line from *first* on that says something.
    """
    lines, headings = record.body.split("\n"), _headings(record.body)
    at = _best(lines, terms, first)
    if at is None:
        facts = record.facts.split("\n")
        fact = _best(facts, terms, 0)
        if fact is not None:
            return _Passage(1, "", _cut(facts[fact], terms))
        at = _saying(lines, headings, first)
    above = max((n for n in headings if n <= at), default=-1)
    return _Passage(record.body_line + at, headings.get(above, ""), _cut(lines[at], terms))


def _headings(body: str) -> Mapping[int, str]:
    """Return the headings of *body* by their lines, counted from 0."""
    breaks = [m.start() for m in re.finditer("\n", body)]
    return {bisect_right(breaks, start): text for start, text in passages.headings(body)}


def _best(lines: Sequence[str], terms: Sequence[_Term], first: int) -> int | None:
    """Return which of *lines* has most of *terms*: of several the next from *first* on."""
    points = [sum(term.points(line) for term in terms) for line in map(tokenizer.plain, lines)]
    most = max(points)
    if not most:
        return None
    return points.index(most, first if most in points[first:] else 0)


def _saying(lines: Sequence[str], headings: Mapping[int, str], first: int) -> int:
    """Return the next of *lines* from *first* on that is neither blank nor, if any, a heading."""
    written = [n for n in range(first, len(lines)) if lines[n].strip()]
    return next((n for n in written if n not in headings), written[0] if written else first)


def _cut(text: str, terms: Sequence[_Term]) -> str:
    """Return *text* in one line, cut around most of *terms*, whole words if there are any."""
    line = " ".join(text.split())
    if len(line) <= _SNIPPET:
        return line
    start = max(min(_most(line, terms) - _BEFORE, len(line) - _SNIPPET), 0)
    cut = line[start : start + _SNIPPET]
    return ("…" if start else "") + cut + ("…" if start + _SNIPPET < len(line) else "")


def _most(line: str, terms: Sequence[_Term]) -> int:
    """Return where in *line* most of *terms* begin to stand, whole words if there are any.

    One that is rare in the line counts for more: it says where the others are meant.
    """
    letters = [line] if line.isascii() else list(line)
    folds = [tokenizer.plain(letter) for letter in letters]
    folded = "".join(folds)
    places = [t.wholes(folded) for t in terms]
    found = _densest(places if any(places) else [t.stems(folded) for t in terms])
    if line.isascii():
        return found
    # One letter of the line may be none or three of those: accents go, Korean comes apart.
    return bisect_right([0, *accumulate(map(len, folds))], found) - 1


def _densest(places: Sequence[Sequence[int]]) -> int:
    """Return where within a snippet's length stand most of several words, 0 if none does."""
    spots = sorted((at, n) for n, each in enumerate(places) for at in each)

    def weight(first: int) -> float:
        end = bisect_left(spots, (spots[first][0] + _SNIPPET - _BEFORE, 0))
        return sum(1 / len(places[n]) for n in {n for _, n in spots[first:end]})

    return spots[max(range(len(spots)), key=weight)][0] if spots else 0
