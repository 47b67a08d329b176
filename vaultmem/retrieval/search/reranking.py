"""Rank twice where there are token vectors: those of the best are read, and then decide with.

To read them for every candidate would take longer than all else; what is not among the best by the
other signals hardly ever answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from heapq import nsmallest
from typing import NamedTuple

from vaultmem.retrieval.search import scoring, signals
from vaultmem.retrieval.search.parsed_query import ParsedQuery
from vaultmem.retrieval.search.scoring import Signal
from vaultmem.retrieval.search.types import Found, Likeness, MaxSim, Scores
from vaultmem.storage.index.tokenizer import indexed

_BEST = 100
"""Candidates whose tokens are compared, and their neighbours': 60 find nearly as much."""


class Ranking(NamedTuple):
    """The score of each candidate, and the signals and the question that it comes from."""

    scores: dict[int, float]
    query: ParsedQuery
    signals: Sequence[Signal]


def rank(query: ParsedQuery, found: Found, likeness: Likeness | None) -> Ranking:
    """Score each candidate, by its tokens, too, when *likeness* has them."""
    if likeness is None:
        return _ranking(query, found, scoring.BY_WORDS)
    first = _ranking(query, found, scoring.WITH_VECTORS)
    tokenwise = compared(query, found, first.scores, likeness)
    return _ranking(tokenwise, found, scoring.WITH_TOKENS) if tokenwise else first


def _ranking(query: ParsedQuery, found: Found, by: Sequence[Signal]) -> Ranking:
    return Ranking(scoring.rank(query, found, by), query, by)


def compared(
    query: ParsedQuery, found: Found, scores: Scores, likeness: Likeness
) -> ParsedQuery | None:
    """Return the question with its tokens compared to *found*; None when that tells nothing.

    A candidate that was not read is taken to be as far from each token as any that was.
    """
    if not _are_words(query.terms):
        return None
    best = nsmallest(_BEST, scores, key=lambda doc: (-scores[doc], found[doc].path))
    turns = frozenset(turn.doc for doc in best for turn in signals.around(found, found[doc]))
    words, read = likeness.max_sim(turns)
    if not read:
        return None
    least = tuple(min(cosines) for cosines in zip(*read.values(), strict=True))
    return replace(query, max_sim=MaxSim(words, {doc: read.get(doc, least) for doc in found}))


def _are_words(terms: Iterable[str]) -> bool:
    """Tell whether none of *terms* is of Chinese characters, which are indexed one by one.

    To MiniLM they are noise: it would outvote the words.
    """
    return all(indexed(term) == term for term in terms)
