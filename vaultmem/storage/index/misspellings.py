"""Which words of a vault a word that stands nowhere in it may have been meant for; purely.

Two words are near by what it takes to make one of the other: a letter put in, left out or changed,
or two neighbours swapped (Damerau, "A technique for computer detection and correction of spelling
errors", 1964).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from string import ascii_lowercase

from vaultmem.storage.index import tokenizer

_SHORTEST, _LONG = 5, 9
"""Letters from which on a word may be mistaken in one, and in two."""
_LEAST = 4
"""Letters of a stem that is compared: one edit makes a shorter one of nearly any other."""


def edits(term: str) -> int:
    """Return how many mistakes *term* may have: none in numbers, and in what is indexed in pairs.

    Two letters at its beginning must be right but for one mistake, so that few words are compared.
    """
    if not term.isalpha() or tokenizer.is_run(term) or len(term) < _SHORTEST:
        return 0
    return 2 if len(term) >= _LONG else 1


def beginnings(stem: str) -> Iterator[str]:
    """Yield what words near *stem* begin with, none the beginning of another.

    The first letter is right, or swapped with the second. Nothing for a short one.
    """
    if len(stem) < _LEAST:
        return
    first, second, third = stem[0], stem[1], stem[2]
    others = {second + first + third, first + stem[2:4]}
    others |= {first + any_letter + known for any_letter in ascii_lowercase for known in stem[1:3]}
    yield first + second
    yield from sorted(it for it in others if not it.startswith(first + second))


def nearest(stem: str, words: Iterable[str], most: int) -> list[str]:
    """Return those of *words* that are nearest to *stem*, within *most* edits."""
    near = {
        word: distance
        for word in words
        if word.isalpha()
        and len(word) >= _LEAST
        and abs(len(word) - len(stem)) <= most
        and (distance := _distance(stem, word)) <= most
    }
    least = min(near.values(), default=0)
    return sorted(word for word, distance in near.items() if distance == least)


def _distance(one: str, other: str) -> int:
    """Return the edits between *one* and *other*, a swap of neighbours being one."""
    before, row = list[int](), list(range(len(other) + 1))
    for at, letter in enumerate(one):
        last, before, row = before, row, [at + 1]
        for to, its in enumerate(other):
            cost = min(before[to + 1] + 1, row[to] + 1, before[to] + (letter != its))
            if at and to and letter == other[to - 1] and its == one[at - 1]:
                cost = min(cost, last[to - 1] + 1)
            row.append(cost)
    return row[-1]
