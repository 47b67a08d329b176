"""Sentences that another text says with a few words changed, left out or put in.

Pure, and linear in the text whatever it says: a sentence is compared only where three of its words
stand in a row, the quickest ones first, and where that is nearly everywhere, no longer by places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

LEAST = 7
"""Words of a sentence that is looked for: fewer may be the same by chance."""

_KEPT = 0.8
"""How much of a sentence stands in a text that says nearly the same, in this order."""

_ANCHOR = 3

_MOST_ROWS = 256
"""Sentences with the same three words that are looked for by these: others are by other words."""

_STEPS = 64
"""Steps for each word of a text, in which sentences are compared with it place by place."""

_BITS = 256
"""Words of a sentence that one step goes over."""

Row = tuple[str, ...]


@dataclass(slots=True)
class _Steps:
    """How many steps are *left* for one text."""

    left: int

    def take(self, steps: int) -> bool:
        """Tell whether there are so many, which are gone then."""
        if steps > self.left:
            return False
        self.left -= steps
        return True


class NearQuotes:
    """The sentences *rows*, to be found in texts."""

    def __init__(self, rows: Iterable[Row]) -> None:
        """Look for *rows*, as words in a row."""
        self._rows = [row for row in dict.fromkeys(rows) if len(row) >= LEAST]
        self._least = [*map(_least, self._rows)]
        self._anchors: dict[Row, list[int]] = {}
        for n, row in enumerate(self._rows):
            for anchor in _anchors(row):
                sharing = self._anchors.setdefault(anchor, [])
                if len(sharing) < _MOST_ROWS:
                    sharing.append(n)

    def found(self, words: Sequence[str]) -> set[Row]:
        """Return those that the text of these *words* says, or nearly says."""
        vocabulary, places = frozenset(words), dict[Row, list[int]]()
        for at, anchor in enumerate(_anchors(words)):
            places.setdefault(anchor, []).append(at)
        met = {n for anchor in places.keys() & self._anchors.keys() for n in self._anchors[anchor]}
        # Counted first: of sentences that differ in a name, most need no comparing of places.
        is_there = vocabulary.__contains__
        near = [
            self._rows[n]
            for n in sorted(met)
            if self._least[n] <= len(words) and sum(map(is_there, self._rows[n])) >= self._least[n]
        ]
        steps = _Steps(_STEPS * len(words))
        waiting = sorted((_pairs(row, places), n) for n, row in enumerate(near))
        return {near[n] for pairs, n in waiting if _is_said(near[n], pairs, words, places, steps)}


def _is_said(
    row: Row, pairs: int, words: Sequence[str], places: Mapping[Row, Sequence[int]], steps: _Steps
) -> bool:
    """Tell whether *words* say *row* somewhere, or are made of what it is made of.

    The latter counts where *steps* do not suffice, in a text that says the same again and again.
    """
    if not steps.take(pairs):
        return _is_alike(row, places)
    of_one = (len(row) + room(row)) * (1 + len(row) // _BITS)
    for start in _starts(row, places):
        if not steps.take(of_one):
            return _is_alike(row, places)
        if _is_near(row, words, start):
            return True
    return False


def _is_alike(row: Row, places: Mapping[Row, Sequence[int]]) -> bool:
    """Tell whether most anchors of *row* are among *places*."""
    return 2 * sum(anchor in places for anchor in _anchors(row)) > len(row) - _ANCHOR + 1


def _pairs(row: Row, places: Mapping[Row, Sequence[int]]) -> int:
    """Return how often an anchor of *row* stands at one of *places*."""
    return sum(len(places.get(anchor, ())) for anchor in _anchors(row))


def _starts(row: Row, places: Mapping[Row, Sequence[int]]) -> Iterator[int]:
    """Return about where *row* would begin: where it shares enough anchors with the text."""
    reach, shared = _reach(row), Counter[int]()
    for within, anchor in enumerate(_anchors(row)):
        for at in places.get(anchor, ()):
            start = (at - within) // reach * reach
            shared[start] += 1
            shared[start - reach] += 1  # a word that was put in moves the rest
    return (start for start, anchors in shared.items() if anchors >= len(row) // 4)


def _anchors(words: Sequence[str]) -> Iterator[Row]:
    return zip(*(words[n:] for n in range(_ANCHOR)), strict=False)


def _reach(row: Row) -> int:
    return len(row) // 8 + 1


def _is_near(row: Row, words: Sequence[str], start: int) -> bool:
    reach = _reach(row)
    there = words[max(0, start - reach) : start + len(row) + 2 * reach]
    return _shared(row, there) >= _least(row)


def room(row: Row) -> int:
    """Return how many words may be taken to say *row* nearly."""
    return len(row) + 2 * _reach(row)


def opens(row: Row, words: Sequence[str]) -> bool:
    """Tell whether *words* begin with what is nearly *row*."""
    return _shared(row, words[: room(row)]) >= _least(row)


def _least(row: Row) -> int:
    return ceil(_KEPT * len(row))


def _shared(row: Row, words: Sequence[str]) -> int:
    """Return how many words of *row* stand in *words* in this order: the longest such choice.

    A bit stands for each word of *row* (Hyyrö 2004), so that a word of the text costs a few steps.
    """
    places: dict[str, int] = {}
    for n, word in enumerate(row):
        places[word] = places.get(word, 0) | 1 << n
    whole = (1 << len(row)) - 1
    left = whole
    for word in words:
        met = left & places.get(word, 0)
        left = (left + met | left - met) & whole
    return len(row) - left.bit_count()
