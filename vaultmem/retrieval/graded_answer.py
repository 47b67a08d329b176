"""Order the hits of an answer by how a reranker grades them, purely but for asking it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from vaultmem.errors import ModelAway
from vaultmem.models.reranking import Reranker
from vaultmem.records import Record
from vaultmem.retrieval import public_query
from vaultmem.retrieval.search.types import Answer, Hit, ScorePart

READ = 20
"""The best hits, which are read anew: what answers hardly ever stands below them."""
LONGEST = 600
"""Characters of a hit that are read."""

Text = Callable[[Hit], str]
"""Tells what a hit says."""


def shown(record: Record, hit: Hit) -> str:
    """Return what is read of *record*: from the line on that the *hit* found."""
    lines = record.body.split("\n")
    return "\n".join(lines[max(hit.lines[0] - record.body_line, 0) :]).strip()[:LONGEST]


def graded(answer: Answer, question: str, text: Text, reranker: Reranker, k: int) -> Answer:
    """Return the first *k* hits of *answer*, the `READ` best in the order of their grades.

    Of equal grades the former order holds. The scores stay in their places: they fall from hit to
    hit. Where the *reranker* is away the order stays, and the answer says why.
    """
    read, rest = answer.hits[:READ], answer.hits[READ:]
    try:
        asked = public_query.told(question, reranker.name)
        grades = list(reranker.grades(asked, [text(hit) for hit in read]))
    except ModelAway as e:
        reasons = filter(None, (answer.degraded_reason, f"{e}: not reranked"))
        return replace(answer, hits=answer.hits[:k], degraded_reason="; ".join(reasons))
    return replace(answer, hits=(*_ordered(read, grades), *rest)[:k])


def _ordered(hits: Sequence[Hit], grades: Sequence[float]) -> Sequence[Hit]:
    order = sorted(range(len(hits)), key=lambda n: -grades[n])
    scores = (hit.score for hit in hits)
    return [_placed(hits[n], score) for n, score in zip(order, scores, strict=True)]


def _placed(hit: Hit, score: float) -> Hit:
    """Return *hit* with the *score* of its place; what that adds to its own is the reranker's."""
    added = round(score - hit.score, 4)
    part = (ScorePart("reranker", added, 1.0, added),) if hit.signals and added else ()
    return replace(hit, score=score, signals=(*hit.signals, *part))
