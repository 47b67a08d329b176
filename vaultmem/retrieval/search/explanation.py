"""Tell of each hit what its score is the sum of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vaultmem.retrieval.search import scoring
from vaultmem.retrieval.search.reranking import Ranking
from vaultmem.retrieval.search.types import Found, ScorePart

_DIGITS = 4


def of(
    ranking: Ranking, found: Found, shown: Sequence[tuple[int, float]]
) -> Iterator[tuple[ScorePart, ...]]:
    """Yield the parts of each score that is *shown* for a doc, the greatest first.

    What the signals do not account for is that a correction stands no lower than what it corrects,
    or that an experience has the place that its age and weight give it.
    """
    told = scoring.parts(ranking.query, found, ranking.signals, [doc for doc, _ in shown])
    for doc, score in shown:
        rest = round(score - sum(part.part for part in told[doc]), _DIGITS)
        name = "experience" if found[doc].type == "episode" else "correction"
        more = [ScorePart(name, rest, 1.0, rest)] if rest else []
        yield tuple(map(_rounded, sorted([*told[doc], *more], key=lambda it: -abs(it.part))))


def _rounded(it: ScorePart) -> ScorePart:
    return ScorePart(it.name, round(it.value, _DIGITS), it.weight, round(it.part, _DIGITS))
