"""Compare ways of asking the same questions, pair by pair: which difference is more than luck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from vaultmem.evaluation import metrics, retrieval
from vaultmem.evaluation.metrics import Paired
from vaultmem.evaluation.retrieval import Run

_COMPARED = ("hit@1", "recall_any@5", "recall_any@10", "recall_all@10", "recall@10", "mrr")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two ways over the same questions; a win is the *second* one's."""

    first: str
    second: str
    overall: Mapping[str, Paired]
    sessions: Mapping[str, Paired]


def pairs(runs: Sequence[Run]) -> tuple[Pair, ...]:
    """Compare every two runs; they asked the same questions in the same order."""
    turns = {run.mode: retrieval.turn_scores(run.found, run.k) for run in runs}
    sessions = {run.mode: retrieval.session_scores(run.found, run.k) for run in runs}
    return tuple(
        Pair(a, b, _paired(turns[a], turns[b]), _paired(sessions[a], sessions[b]))
        for a, b in combinations(turns, 2)
    )


def _paired(first: Sequence[metrics.Scores], second: Sequence[metrics.Scores]) -> dict[str, Paired]:
    names = [name for name in _COMPARED if first and name in first[0]]
    return {
        name: metrics.paired((row[name] for row in first), (row[name] for row in second))
        for name in names
    }
