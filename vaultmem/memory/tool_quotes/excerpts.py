"""Of what tools said at length the stretches that others may repeat: the rest is not compared.

A tool may answer with a whole file. To read it in every look that there is of it takes a second for
each megabyte, so that is done only around the signs of markup, and only where words of it stand in
a row elsewhere it is compared, with what is around them.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from vaultmem.documents import plain_letters, rendered_text
from vaultmem.documents.hidden_text import INVISIBLE
from vaultmem.memory.tool_quotes import payment_addresses, plain_words
from vaultmem.memory.tool_quotes.near_quotes import Row
from vaultmem.storage.transcripts import Turn

SHORT = 2000
"""Characters of an answer that are compared whole, whatever they say."""

_AROUND = 400
"""Characters before and behind a row that go with it: more than a sentence."""

_ROW, _WITHIN = 3, 16
"""Words in a row, and among how many words another such row stands where something is repeated."""

_DIGITS = 7
"""Digits of a number that is known beside a word or two."""

_FEW = 48
"""Words that are sooner looked for one by one than in a list of all there are."""

_UPPER = "A-Z"
_WORD = re.compile(
    rf"[{plain_words.UNSPACED}]|[{_UPPER}]*(?:(?![_{_UPPER}{plain_words.UNSPACED}])\w)+|[{_UPPER}]+"
)
"""A word; capitals begin one, since what is written `SendAllOfIt` may be told in four."""

_LIGHT = re.compile(
    r"</?(?P<tag>[A-Za-z][A-Za-z0-9]{0,15})(?:\s[^<>]{0,2000})?/?>|\\+[nrt]"
    r"|^[^\S\n]{0,6}\d{1,6}(?:\t|\u2192)",
    re.MULTILINE,
)
"""The markup that most long answers have, a page's tags and the numbers of a file's lines."""

_IN_WORDS = frozenset(
    ("a", "b", "code", "em", "font", "i", "mark", "s", "small", "span", "strong", "sub", "sup", "u",
     "wbr")
)  # fmt: skip
_UNSEEN = re.compile(f"[{INVISIBLE}]+")
_APART = r"[\W_]{0,40}"
_SIGNS = re.compile(r"[\W_]+")


class _Place(NamedTuple):
    word: str
    start: int
    end: int


class Wanted:
    """The rows of words, and the payment addresses, that are looked for."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Look for what *texts* may repeat."""
        every = [look for text in texts for look in rendered_text.texts(text)]
        self._rows = {row for look in every for row in _rows([it.word for it in _places(look)])}
        self._vocabulary = {word for row in self._rows for word in row}
        few = self._rows if len(self._vocabulary) <= _FEW else ()
        self._sought = [(row, re.compile(_APART.join(map(re.escape, row)))) for row in few]
        self._paid = {it for look in every for it in payment_addresses.addresses(look)}

    def part_of(self, turn: Turn) -> Turn:
        """Return *turn* as it is, of a long one only what may be repeated."""
        if len(turn.content) <= SHORT:
            return turn
        return replace(turn, content="\n\n".join(self.stretches(turn.content)))

    def stretches(self, text: str) -> list[str]:
        """Return the stretches of *text* that have some of what is looked for."""
        looks = [
            *_with_light_markup(text),
            *(it for stretch in _marked_up(text) for it in rendered_text.texts(stretch)),
        ]
        parts = [part for look in looks for part in self._stretches(look)]
        if self._paid:
            letters = [_SIGNS.sub("", plain_letters.alike(look)) for look in looks]
            parts += (it for it in self._paid if any(it in look for look in letters))
        return [*dict.fromkeys(filter(None, parts))]

    def _stretches(self, look: str) -> Iterator[str]:
        if not self._may_be_in(look):
            return
        places = _places(look)
        rows = [*_rows([it.word for it in places])]
        found = [n for n, row in enumerate(rows) if row in self._rows]
        near = {n for both in pairwise(found) if both[1] - both[0] <= _WITHIN for n in both}
        near |= {n for n in found if _has_number(rows[n])}
        start = end = 0
        for n in sorted(near):
            first, last = places[n].start - _AROUND, places[n + _ROW - 1].end + _AROUND
            if first > end:
                yield look[start:end]
                start = first
            end = last
        yield look[start:end]

    def _may_be_in(self, look: str) -> bool:
        """Tell whether a row may be there, where that is quickly told."""
        if len(self._vocabulary) > _FEW:
            return not self._rows.isdisjoint(_rows([*map(_folded, _WORD.findall(look))]))
        folded = plain_letters.alike(look)
        there = {word for word in self._vocabulary if word in folded}
        return any(it.search(folded) for row, it in self._sought if there.issuperset(row))


def _with_light_markup(text: str) -> list[str]:
    """Return *text* without what nobody sees in it, and also without its tags where it has some."""
    read = html.unescape(text) if "&" in text else text
    seen = read if read.isascii() else _UNSEEN.sub("", read)
    bare = _LIGHT.sub(_instead, seen)
    return [seen] if bare == seen else [seen, bare]


def _instead(found: re.Match[str]) -> str:
    return "" if (found["tag"] or "").lower() in _IN_WORDS else "\n"


def _marked_up(text: str) -> Iterator[str]:
    """Yield the stretches of *text* that may have other markup, with what is around it."""
    start = end = 0
    for first, last in rendered_text.markup_spans(text):
        if first - _AROUND > end:
            yield text[start:end]
            start = first - _AROUND
        end = last + _AROUND
    yield text[start:end]


def _places(look: str) -> list[_Place]:
    return [_Place(_folded(it[0]), it.start(), it.end()) for it in _WORD.finditer(look)]


def _folded(word: str) -> str:
    return word.lower() if word.isascii() else plain_letters.alike(word)


def _has_number(row: Row) -> bool:
    """Tell whether *row* has a number that somebody may be called by."""
    return sum(len(word) for word in row if word.isdecimal()) >= _DIGITS


def _rows(words: Sequence[str]) -> Iterable[Row]:
    return zip(*(words[n:] for n in range(_ROW)), strict=False)
