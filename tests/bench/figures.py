"""What weights find in labelled cases, and the lines that say so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from tests.bench.labelled import Case, Vector
from vaultmem.retrieval.search import scoring

_HITS = 10
HEADER = f"{'':34} any@10   hit@1     MRR"


class Figures(NamedTuple):
    """Means over the conversations of the means over their questions."""

    any_at_10: float
    session_hit_at_1: float
    mrr: float


def mean(cases: Sequence[Sequence[Case]], weights: Iterable[Vector]) -> Figures:
    """Return the figures over all conversations, each one with its weights."""
    pairs = zip(cases, weights, strict=True)
    means = [np.mean([_of(case, w) for case in group], axis=0) for group, w in pairs]
    return Figures(*map(float, np.mean(means, axis=0)))


def _of(case: Case, weights: Vector) -> Figures:
    scores = weights @ case.signals
    order = np.argsort(-scores, kind="stable")
    answers = case.answers[order]
    mrr = 1 / (1 + int(answers.argmax())) if answers.any() else 0.0
    return Figures(float(answers[:_HITS].any()), float(_likeliest(case, scores) in case.homes), mrr)


def _likeliest(case: Case, scores: Vector) -> str:
    """Return the session that holds most of the likelihood."""
    shares = scoring.shares(dict(enumerate(scores.tolist())), dict(enumerate(case.sessions)))
    return max(shares, key=lambda session: shares[session], default="")


def line(name: str, figures: Figures, beside: Figures) -> str:
    """Return a line of figures, each with its difference to *beside* in points."""
    shown = (f"{f:.3f} {100 * (f - b):+4.1f}" for f, b in zip(figures, beside, strict=True))
    return f"{name:30} " + "  ".join(shown)
