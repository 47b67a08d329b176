"""Cut a text into passages: pieces small enough for one vector to mean, and to be pointed at.

Whoever changes how a text is cut or embedded raises the schema's revision: then all is cut anew.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from vaultmem.records import Record

WHOLE = 1200
"""Characters that no passage exceeds, and that a text may have to be a single one.

Some 270 tokens of English: a small embedder reads 256.
"""
OVERLAP = 150
_FULL = 1000
_TINY = 200

_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*)")
_FENCE = re.compile(r" {0,3}(?:```|~~~)")
_CLOSING = r"[\"'”\u2019)\]*_」』\uff09]*"
_END = re.compile(rf"[.!?…]+{_CLOSING}(?=\s)|[。\uff01\uff1f\uff1b]+{_CLOSING}|\n")
_GAP = re.compile(r"\s(?=\S)")

_DOC_SHIFT = 20
OWNER = f"max(words.rowid, -words.rowid >> {_DOC_SHIFT})"
"""SQL: the doc whose text, or whose passage, a row of `words` holds."""

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip

_Span = tuple[int, int]
"""Where something stands in a body: first character, one past the last."""
Heading = tuple[int, str]
"""Where a heading's line begins, and what it says."""


class Passage(NamedTuple):
    """A piece of a body: `body[first:last]`, and the lines it touches, counted from 0.

    *heading* is the one that it begins with or stands below, "" without one.
    """

    number: int
    first: int
    last: int
    line_first: int
    line_last: int
    heading: str


def cut(body: str) -> tuple[Passage, ...]:
    """Return the passages of *body* in order; a blank one has none.

    A short text is one. A long one is cut at its headings, and what is still long at the ends of
    sentences, each piece but the first beginning with the end of the one before it.
    """
    found = headings(body)
    sections = [(0, len(body))] if len(body) <= WHOLE else _sections(body, found)
    spans = [_stripped(body, piece) for span in sections for piece in _pieces(body, span)]
    return tuple(_passages(body, found, [(a, b) for a, b in spans if a < b]))


def key(doc: int, number: int) -> int:
    """Return what a passage is known by; its row in `words` has that below zero.

    So one search of `words` ranks texts and passages by the same statistics.
    """
    return doc << _DOC_SHIFT | number


def owner(row: int) -> int:
    """Return the doc whose text, or whose passage, the *row* of `words` holds."""
    return max(row, -row >> _DOC_SHIFT)


def embedded(said: Record, passage: Passage, *, dated: bool = True) -> str:
    """Return the text that is embedded for a *passage* of *said*: it alone does not say enough.

    `Ada (8 May 2023): …`: who or what it is of, and when. With the speaker and a written-out date
    MiniLM finds twice as many turns of a conversation as without. One that is not *dated* stands
    behind what says the day.
    """
    facts = said.facts.replace("\n", "; ")
    names = (said.title, *said.called)
    titles = (*names, said.description, said.person, facts, passage.heading)
    about = said.speaker or ". ".join(x for x in titles if x)
    text = said.body[passage.first : passage.last]
    return headed(text, about, said.created[:10] if dated else "")


def headed(text: str, about: str, day: str) -> str:
    """Return *text* behind who or what it is of, and when, as far as that is known."""
    written = _written_out(day)
    header = " ".join(x for x in (about, f"({written})" if written else "") if x)
    return f"{header}: {text}" if header else text


def _written_out(day: str) -> str:
    """Return `8 May 2023` for `2023-05-08`, "" for what is no date."""
    try:
        when = date.fromisoformat(day)
    except ValueError:
        return ""
    return f"{when.day} {_MONTHS[when.month - 1]} {when.year}"


def _passages(body: str, found: Sequence[Heading], spans: Sequence[_Span]) -> Iterator[Passage]:
    breaks = [m.start() for m in re.finditer("\n", body)]
    starts = [start for start, _ in found]
    for number, (first, last) in enumerate(spans):
        above = bisect_right(starts, first)
        heading = found[above - 1][1] if above else ""
        lines = bisect_right(breaks, first), bisect_right(breaks, last - 1)
        yield Passage(number, first, last, *lines, heading)


# --- headings ---------------------------------------------------------------------------------


def headings(body: str) -> list[Heading]:
    """Return the headings of *body* in order; a comment in fenced code is none."""
    return list(_found_headings(body)) if "#" in body else []


def _found_headings(body: str) -> Iterator[Heading]:
    start, fenced = 0, False
    for line in body.split("\n"):
        fenced ^= bool(_FENCE.match(line))
        if not fenced and (found := _HEADING.match(line)):
            yield start + len(line) - len(line.lstrip(" ")), found[1].rstrip("# \t\r")
        start += len(line) + 1


def _sections(body: str, found: Sequence[Heading]) -> list[_Span]:
    """Return the spans between headings, a tiny one together with the next or the one before."""
    made: list[_Span] = []
    for first, last in pairwise(sorted({0, *(start for start, _ in found), len(body)})):
        if made and _belong(made[-1], (first, last)):
            made[-1] = (made[-1][0], last)
        else:
            made.append((first, last))
    return made


def _belong(one: _Span, other: _Span) -> bool:
    first_is_tiny, other_is_tiny = one[1] - one[0] < _TINY, other[1] - other[0] < _TINY
    return first_is_tiny or (other_is_tiny and other[1] - one[0] <= WHOLE)


# --- sentences --------------------------------------------------------------------------------


def _pieces(body: str, span: _Span) -> Iterator[_Span]:
    first, last = span
    while last - first > WHOLE:
        end = _end(body, first + _FULL // 2, first + _FULL)
        yield first, end
        first = _again(body, end)
    yield first, last


def _end(body: str, low: int, high: int) -> int:
    """Return where to cut between two places: after a sentence, else after a word, else hard."""
    ends = [m.end() for m in _END.finditer(body, low, high + 1) if m.end() <= high]
    if ends:
        return ends[-1]
    gaps = [m.end() for m in _GAP.finditer(body, low, high)]
    return gaps[-1] if gaps else high


def _again(body: str, end: int) -> int:
    """Return where the piece after *end* begins: whole sentences before it, else whole words."""
    low, high = _stripped(body, (end - OVERLAP, end))
    for pattern in (_END, _GAP):
        found = next((m.end() for m in pattern.finditer(body, low, high) if m.end() < high), None)
        if found is not None:
            return found
    return low


def _stripped(body: str, span: _Span) -> _Span:
    first, last = span
    text = body[first:last]
    return first + len(text) - len(text.lstrip()), first + len(text.rstrip())
