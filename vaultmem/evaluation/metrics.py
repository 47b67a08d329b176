"""What a ranking is worth, question by question and in the mean: pure, each figure named exactly.

A question's evidence is pieces; a piece is found by any of the refs that hold it (a memory, its
exact duplicates). Everything follows from the ranks, from 1, at which pieces are found first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import log2
from statistics import fmean

import numpy as np

Gold = Sequence[AbstractSet[str]]
"""The pieces of evidence, each as the refs of which any one will do."""
Scores = Mapping[str, float]
"""What one question, or the mean of many, has in each figure."""

CUTS = (1, 3, 5, 10, 20, 50)
"""The k at which a ranking is judged."""
BUDGETS = (1000, 2000, 4000)
"""The tokens at which what fits is judged."""
_DISCOUNTED = 10
_RESAMPLES = 2000
_CENTRAL = 95


@dataclass(frozen=True, slots=True)
class Places:
    """Where evidence turned up: *ranks* of the pieces that were found, rising, of *pieces*."""

    ranks: tuple[int, ...]
    pieces: int

    def count_within(self, k: int) -> int:
        """Return how many pieces are among the first *k*."""
        return sum(rank <= k for rank in self.ranks)


def places(ranked: Sequence[str], gold: Gold) -> Places:
    """Return where the pieces of *gold* are found first among *ranked*; raises ValueError for none.

    Pieces that the same refs hold are one piece.
    """
    pieces = {frozenset(piece) for piece in gold}
    if not pieces:
        raise ValueError("a question without evidence has no score")
    first: dict[str, int] = {}
    for rank, ref in enumerate(ranked, 1):
        first.setdefault(ref, rank)
    ranks = (min((first[r] for r in piece if r in first), default=0) for piece in pieces)
    return Places(tuple(sorted(rank for rank in ranks if rank)), len(pieces))


def recall_any(at: Places, k: int) -> float:
    """Return 1 when any piece is among the first *k*; many call this plain recall, or hit rate."""
    return float(at.count_within(k) > 0)


def recall_all(at: Places, k: int) -> float:
    """Return 1 when every piece is among the first *k*."""
    return float(at.count_within(k) == at.pieces)


def recall(at: Places, k: int) -> float:
    """Return the share of the pieces that are among the first *k*: fractional recall."""
    return at.count_within(k) / at.pieces


def reciprocal_rank(at: Places, k: int) -> float:
    """Return 1 / the rank of the first piece among the first *k*, else 0; its mean is the MRR@k."""
    return 1 / at.ranks[0] if at.count_within(k) else 0.0


def ndcg(at: Places, k: int = _DISCOUNTED) -> float:
    """Return the normalised discounted cumulative gain at *k* (Jarvelin and Kekalainen 2002).

    Gains are 0 or 1, the discount is log2(rank + 1) from the first rank on. The ideal ranking has
    all pieces of the question at its top, found or not, cut at *k*. Two pieces at one rank (a
    memory that holds both) never make more than 1.
    """
    gained = sum(1 / log2(rank + 1) for rank in at.ranks if rank <= k)
    ideal = sum(1 / log2(rank + 1) for rank in range(1, min(at.pieces, k) + 1))
    return min(gained / ideal, 1.0)


def within(at: Places, costs: Sequence[int], budget: int) -> float:
    """Return the share of the pieces that a reader sees within *budget* tokens.

    *costs* are the tokens of the ranked texts. They are packed in rank order and whole; the first
    that does not fit ends it.
    """
    return recall(at, sum(spent <= budget for spent in accumulate(costs)))


def scores(at: Places, depth: int) -> dict[str, float]:
    """Return every figure of one ranking, at all cuts up to its *depth*.

    `hit@1` is `recall_any@1` by the name that session ranking uses.
    """
    cuts = [k for k in CUTS if k <= depth]
    deep = {f"ndcg@{_DISCOUNTED}": ndcg(at)} if depth >= _DISCOUNTED else {}
    return {
        "hit@1": recall_any(at, 1),
        **{f"recall_any@{k}": recall_any(at, k) for k in cuts},
        **{f"recall_all@{k}": recall_all(at, k) for k in cuts},
        **{f"recall@{k}": recall(at, k) for k in cuts},
        "mrr": reciprocal_rank(at, depth),
        **deep,
    }


def mean(rows: Sequence[Scores]) -> dict[str, float]:
    """Return the macro mean of every figure that the rows have; nothing for no rows."""
    return {name: fmean(row[name] for row in rows) for name in (rows[0] if rows else ())}


@dataclass(frozen=True, slots=True)
class Interval:
    """Between *low* and *high* the true mean lies, in 95 of 100 such samples."""

    low: float
    high: float


def intervals(
    rows: Sequence[Scores], clusters: Sequence[str], seed: int, resamples: int = _RESAMPLES
) -> dict[str, Interval]:
    """Return the bootstrap percentile interval of each figure's mean (Efron and Tibshirani 1993).

    Rows of one cluster (questions about one conversation) are drawn together: what is alike in
    them is no independent evidence. The same *seed* gives the same intervals.
    """
    if not rows:
        return {}
    names, member = np.unique(np.asarray(clusters), return_inverse=True)
    values = np.array([list(row.values()) for row in rows])
    sums, sizes = np.zeros((len(names), values.shape[1])), np.bincount(member)
    np.add.at(sums, member, values)
    share = np.full(len(names), 1 / len(names))
    draws = np.random.default_rng(seed).multinomial(len(names), share, size=resamples)
    means = (draws @ sums) / (draws @ sizes)[:, None]
    tail = (100 - _CENTRAL) / 2
    low, high = np.percentile(means, [tail, 100 - tail], axis=0)
    return {
        name: Interval(float(a), float(b)) for name, a, b in zip(rows[0], low, high, strict=True)
    }


@dataclass(frozen=True, slots=True)
class Paired:
    """Two ways over the same questions: how often the second *wins*, *loses* and is level.

    *p* is how likely a difference as large as this is when neither is better.
    """

    wins: int
    losses: int
    ties: int
    p: float


def paired(first: Iterable[float], second: Iterable[float]) -> Paired:
    """Compare *second* with *first*, question by question, by the exact two-sided sign test."""
    differences = [b - a for a, b in zip(first, second, strict=True)]
    wins, losses = sum(d > 0 for d in differences), sum(d < 0 for d in differences)
    return Paired(wins, losses, len(differences) - wins - losses, _sign_test(wins, losses))


def _sign_test(wins: int, losses: int) -> float:
    """Return the chance of a split at least as uneven in fair tosses; ties say nothing."""
    tosses = wins + losses
    ways = tail = 1
    for tails in range(1, min(wins, losses) + 1):
        ways = ways * (tosses - tails + 1) // tails
        tail += ways
    return min(1.0, float(Fraction(2 * tail, 2**tosses)))
