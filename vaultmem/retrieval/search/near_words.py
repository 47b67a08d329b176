"""Find words that are written much as those asked for: `adopting` where `adoption` is asked for.

A stemmer knows the endings of grammar, not the words that are made of another. Two words are near
that begin alike and share enough of their trigrams, by Dice's coefficient (Adamson and Boreham,
"The use of an association measure based on character structure", 1974).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from vaultmem.storage.index.tokenizer import is_run

_BEGINNING = 3
"""Letters that near words begin with alike."""
_LEAST = 0.45
"""From so much on two words are near; at .55 there are half as many, at .35 mostly strangers."""

Near = Mapping[str, float]
"""How near words are to a term, from 0 to 1."""


def near(terms: Sequence[str], texts: Mapping[int, str]) -> dict[int, tuple[float, ...]]:
    """Return how near the nearest word of each of *texts* comes to each of *terms*, from 0 to 1.

    Texts without a word that begins like a term are left out.
    """
    asked = [term.lower() for term in terms]
    beginnings = {term[:_BEGINNING] for term in asked if _counts(term)}
    if not beginnings:
        return {}
    begun = re.compile(rf"\b(?:{'|'.join(sorted(beginnings))})\w+")
    held = {doc: words for doc, text in texts.items() if (words := {*begun.findall(text.lower())})}
    known = frozenset().union(*held.values())
    found = [_near(term, known) for term in asked]
    return {
        doc: tuple(max((each[word] for word in words & each.keys()), default=0.0) for each in found)
        for doc, words in held.items()
    }


def _counts(term: str) -> bool:
    return len(term) >= _BEGINNING and term.isalpha() and not is_run(term)


def _near(term: str, words: Iterable[str]) -> Near:
    """Return those of *words* that are near *term*."""
    if not _counts(term):
        return {}
    own = _trigrams(term)
    alike = {
        word: _dice(own, _trigrams(word)) for word in words if word.startswith(term[:_BEGINNING])
    }
    return {word: value for word, value in alike.items() if value >= _LEAST}


def _dice(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other))


def _trigrams(word: str) -> frozenset[str]:
    marked = f"^{word}$"
    return frozenset(marked[at : at + 3] for at in range(len(marked) - 2))
