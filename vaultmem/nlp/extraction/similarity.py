"""Compare items: whether two tell the same, or of the same thing."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from vaultmem.nlp.extraction import utterances
from vaultmem.nlp.text import analysis, segmentation

_SUBJECT = 0.6
_NO = r"(?i)\b(?:no|not|never|cannot)\b|n['\u2019]t\b|[\u4e0d\u6ca1\u672a\u65e0]"


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
    """Whether two items tell the same in nearly the same words, with the same figures."""
    if plain(one) == plain(two):
        return True
    alike = segmentation.same(items(one), items(two)) and negates(one) == negates(two)
    return alike and _figures(one) == _figures(two)


def _figures(text: str) -> tuple[frozenset[str], frozenset[str]]:
    numbers, dates = analysis.figures(utterances.quoted(text).text)
    return frozenset(numbers), frozenset(dates)


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
