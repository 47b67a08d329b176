"""Whether texts concern a question at all, in figures that any two questions share.

A score only orders the candidates of one question: where nothing concerns it, something is best,
too. Here a text counts for the share of the question that it covers, alone and with the turns
around it, and for how much nearer in meaning it is than the vault's texts usually are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from vaultmem.retrieval.search import signals
from vaultmem.retrieval.search.parsed_query import ParsedQuery
from vaultmem.retrieval.search.types import Found, Scores
from vaultmem.storage.index import tokenizer


class Floor(NamedTuple):
    """Relevance below which nothing answers: of the *best* text, and of *each* beside it."""

    best: float
    each: float


BY_WORDS, WITH_VECTORS, BY_VECTORS = Floor(0.25, 0.15), Floor(0.5, 0.2), Floor(0.5, 0.0)
"""Found by `tests/bench/foreign.py`, which says what they lose and what they keep out."""
_TELLING = 6
"""Terms that a question counts as having, the rarest: nothing covers all of a long one."""
_ALONE = 0.3
"""What a text covers alone; the rest is what it covers with the turns around it."""
_UNSEEN = 500
"""Texts that are thought of beside those found: among a few, a word that all have would be none."""
_HARDLY = 0.5
"""What a pair of Chinese or Japanese characters counts that no text has: often it is no word."""
_NEARNESS = 2.0
"""What being nearer counts beside covering: as near as can be is worth twice the whole question."""


def concerned(
    question: ParsedQuery, found: Found, floor: Floor, usual: float | None = None
) -> frozenset[int]:
    """Return which of *found* concern *question*: none where the best of them does not.

    *usual* is the mean cosine of the vault's texts to it, None where words alone tell. What has no
    vector beside those that have one is held to the floor by words.
    """
    relevant = of(question, found, usual)
    bare = frozenset() if usual is None else without_vector(found)
    those = _above({doc: it for doc, it in relevant.items() if doc not in bare}, floor)
    return those | _above({doc: relevant[doc] for doc in bare}, BY_WORDS)


def without_vector(found: Found) -> frozenset[int]:
    """Return which of *found* have no vector, or none yet."""
    return frozenset(doc for doc, it in found.items() if not it.cosine)


def _above(relevant: Scores, floor: Floor) -> frozenset[int]:
    if max(relevant.values(), default=0.0) < floor.best:
        return frozenset()
    return frozenset(doc for doc, relevance in relevant.items() if relevance >= floor.each)


def of(question: ParsedQuery, found: Found, usual: float | None = None) -> Scores:
    """Return the relevance of each of *found*: what was said on a day that is named has 1 by that.

    Being nearer counts from the *usual* cosine (0) to the greatest there is, which is 1; without a
    vector nothing is known of it.
    """
    rare = _rarities(question.terms, found)
    whole = sum(sorted(rare)[-_TELLING:]) or 1.0
    windows = signals.windows(found)
    dates = signals.by_date(question, found)
    return {
        doc: _ALONE * _covered(it.held, rare) / whole
        + (1 - _ALONE) * _covered(windows[doc].holders, rare) / whole
        + dates.get(doc, 0.0)
        + (_nearer(it.cosine, usual) if usual is not None and it.cosine else 0.0)
        for doc, it in found.items()
    }


def _nearer(cosine: float, usual: float) -> float:
    return _NEARNESS * (cosine - usual) / (1 - usual)


def _rarities(terms: Sequence[str], found: Found) -> list[float]:
    """Return how rare each term is among the candidates, and those that are thought of beside."""
    texts = len(found) + _UNSEEN
    return [
        math.log(1 + texts / (n + 1)) * (1 if n or not tokenizer.is_run(term) else _HARDLY)
        for term, n in zip(terms, signals.holder_counts(found.values()), strict=False)
    ]


def _covered(held: Sequence[float], rare: Sequence[float]) -> float:
    """Return how much of a question is *held*: the sum of the rarities of its terms."""
    return math.fsum(rarity for rarity, often in zip(rare, held, strict=False) if often)
