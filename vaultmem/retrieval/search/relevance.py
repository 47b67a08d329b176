"""Whether texts concern a question at all, in figures that any two questions share.

A score only orders the candidates of one question: where nothing concerns it, something is best,
too. Here a text counts for the share of the question that it covers, alone and with the turns
around it, and for how much nearer in meaning it is than the vault's texts usually are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from vaultmem.retrieval.search import signals
from vaultmem.retrieval.search.parsed_query import ParsedQuery
from vaultmem.retrieval.search.types import Candidate, Found, Scores
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
_HARDLY, _LACKING, _STRANGER = 0.5, 0.4, 2.0
"""What counts that no text has: a pair of Chinese or Japanese characters, which often is no word, a
word, and a name."""
_INSTEAD = 0.5
"""What a word counts that a text has instead of one."""
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
    rare = _rarities(question, found)
    whole = sum(sorted(rare)[-_TELLING:]) or 1.0
    windows = signals.windows(found)
    dates = signals.by_date(question, found)
    return {
        doc: _ALONE * _covered(it.held, rare) / whole
        + (1 - _ALONE) * _covered(windows[doc].holders, rare) / whole
        + _INSTEAD * _instead(it, rare) / whole
        + dates.get(doc, 0.0)
        + (_nearer(it.cosine, usual) if usual is not None and it.cosine else 0.0)
        for doc, it in found.items()
    }


def _nearer(cosine: float, usual: float) -> float:
    return _NEARNESS * (cosine - usual) / (1 - usual)


def _rarities(question: ParsedQuery, found: Found) -> list[float]:
    """Return how rare each term is among the candidates, and those that are thought of beside.

    It is as the term weighs, and 0 for what does not count.
    """
    texts = len(found) + _UNSEEN
    known = zip(question.terms, question.weights, _counting(question, found), strict=True)
    return [
        weight * math.log(1 + texts / (n + 1)) * (1 if n else _unknown(term, question))
        if counts
        else 0.0
        for (term, weight, counts), n in zip(
            known, signals.holder_counts(found.values()), strict=False
        )
    ]


def _counting(question: ParsedQuery, found: Found) -> list[bool]:
    """Return which terms count: the names of who speaks, only where nothing else is asked.

    Nearly every text is by one of them. Function words do not count, unless they are such a name.
    """
    said_by = signals.speaker_names(found)
    names = [term in said_by for term in question.terms]
    asked = zip(names, question.weights, strict=True)
    if question.is_idle or all(is_name or weight < 1 for is_name, weight in asked):
        return names
    return [not is_name for is_name in names]


def _unknown(term: str, question: ParsedQuery) -> float:
    """Return what *term* counts that no text has: a question is put in words that texts lack.

    Who asks for somebody that nobody has named asks for somebody else's texts.
    """
    if tokenizer.is_run(term):
        return _HARDLY
    return _STRANGER if term in question.names else _LACKING


def _instead(it: Candidate, rare: Sequence[float]) -> float:
    """Return how much of a question *it* has other words for, written alike or said for those."""
    return math.fsum(
        rarity * max(near, related)
        for rarity, held, near, related in zip_longest(
            rare, it.held, it.near, it.related, fillvalue=0.0
        )
        if not held
    )


def _covered(held: Sequence[float], rare: Sequence[float]) -> float:
    """Return how much of a question is *held*: the sum of the rarities of its terms."""
    return math.fsum(rarity for rarity, often in zip(rare, held, strict=False) if often)
