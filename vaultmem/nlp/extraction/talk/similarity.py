"""Compare items: whether two tell the same, or of the same thing."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from vaultmem.nlp.extraction.talk import utterances
from vaultmem.nlp.text import analysis, segmentation, word_order

_SUBJECT = 0.6
_NO = (
    r"(?i)\b(?:no|not|never|cannot|instead of|rather than)\b|n['\u2019]t\b"
    r"|[\u4e0d\u6ca1\u672a\u65e0]"
)
_SENTENCE = 40
_OPENING = r"(?i)(?:at|by|during|for|from|in|on|under|until|within|every|each)\b"
_TURNING = frozenset(
    {"before", "after", "above", "below", "more", "less", "over", "under", "until", "since",
     "without", "from", "to"}
)  # fmt: skip

_HOW_FEW = r"(?i)\b(?:an? )?(?:few|little)\b"
"""`A few` came, and `few` did."""


def negates(text: str) -> bool:
    """Whether *text* says no to something."""
    return re.search(_NO, text) is not None


@functools.lru_cache(maxsize=4096)
def items(text: str) -> frozenset[str]:
    """Return the terms and figures of *text* without its frame."""
    own = utterances.quoted(text).text
    numbers, dates = analysis.figures(own)
    return frozenset([*analysis.terms(own), *numbers, *dates])


@functools.lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Return *text* with nothing left but its letters and digits, in lower case."""
    own = utterances.quoted(text).text
    return "".join(letter for letter in own.casefold() if letter.isalnum())


def same(one: str, two: str) -> bool:
    """Whether two items tell the same in nearly the same words.

    Figures are the same then, what both say stands in the same order, and no word turns it round.
    """
    if plain(one) == plain(two):
        return True
    alike = segmentation.same(items(one), items(two)) and _turns(one) == _turns(two)
    if not alike or not _are_in_order(_numbers(one), _numbers(two)):
        return False
    in_order = _are_in_order(_ordered(one), _ordered(two))
    return in_order or _opens_with_what_is_inside(one, two) or _opens_with_what_is_inside(two, one)


def _turns(text: str) -> tuple[object, ...]:
    """Return what makes another statement of the same words."""
    own = utterances.quoted(text).text
    numbers, dates = analysis.figures(own)
    turning = _TURNING.intersection(analysis.words(own.casefold()))
    few = tuple(found.casefold() for found in re.findall(_HOW_FEW, own))
    return negates(text), frozenset(numbers), frozenset(dates), turning, few


def _ordered(text: str) -> list[str]:
    """Return the terms of *text* in the usual order: who likes whom, and what goes where."""
    return analysis.terms(word_order.usual(utterances.quoted(text).text))


def _numbers(text: str) -> list[str]:
    return re.findall(r"\d+(?:[.:]\d+)*", utterances.quoted(text).text.replace(",", ""))


def _opens_with_what_is_inside(one: str, two: str) -> bool:
    """Whether *one* opens with a phrase of where or when that *two* has, and is like it else."""
    opening = utterances.quoted(one).text
    if not re.match(_OPENING, opening):
        return False
    told, other = analysis.terms(opening), analysis.terms(utterances.quoted(two).text)
    return len(told) <= _SENTENCE and any(
        other[n : n + end] == told[:end] and other[:n] + other[n + end :] == told[end:]
        for end in range(1, len(told))
        for n in range(len(other))
    )


def _are_in_order(one: list[str], two: list[str]) -> bool:
    """Whether what both name stands in the same order: who likes whom."""
    return [word for word in one if word in two] == [word for word in two if word in one]


def within(part: frozenset[str], whole: frozenset[str]) -> float:
    """Return the share of *part* that *whole* has; nothing is in nothing."""
    return len(part & whole) / len(part) if part else 0.0


def is_related(one: frozenset[str], two: frozenset[str]) -> bool:
    """Whether two items are about the same subject: the smaller is mostly in the larger."""
    small, large = sorted((one, two), key=len)
    return len(small & large) > 1 and within(small, large) >= _SUBJECT


def distinct(texts: Iterable[str]) -> tuple[str, ...]:
    """Return *texts* without those that one before has told."""
    kept: list[str] = []
    for text in texts:
        if not any(same(text, other) for other in kept):
            kept.append(text)
    return tuple(kept)
