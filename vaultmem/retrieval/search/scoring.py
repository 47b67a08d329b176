"""Score candidates, purely: small signals, each weighted by what it is worth, in one sum.

Sums of scores beat fusions of ranks on conversations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from vaultmem.retrieval.search import signals, weights
from vaultmem.retrieval.search.parsed_query import ParsedQuery
from vaultmem.retrieval.search.types import Found, ScorePart, Scores


class Signal(NamedTuple):
    """One reason to rank a candidate higher, and how much it weighs."""

    name: str
    weight: float
    of: Callable[[ParsedQuery, Found], Scores]


ALL: Mapping[str, Callable[[ParsedQuery, Found], Scores]] = {
    "words": signals.by_words,
    "near words": signals.by_near_words,
    "related words": signals.by_related_words,
    "window": signals.by_window,
    "question before": signals.by_question_before,
    "session": signals.by_session,
    "meaning": signals.by_meaning,
    "tokens": signals.by_tokens,
    "tokens around": signals.by_tokens_around,
    "speaker": signals.by_speaker,
    "date": signals.by_date,
    "time told": signals.by_time_mentioned,
    "number told": signals.by_number_mentioned,
    "asking": signals.by_asking,
    "brevity": signals.by_brevity,
    "validity": signals.by_validity,
    "retelling": signals.by_retelling,
}


def _weighted(of: Mapping[str, float]) -> tuple[Signal, ...]:
    return tuple(Signal(name, of[name], ALL[name]) for name in ALL if of.get(name))


BY_WORDS = _weighted(weights.BY_WORDS)
WITH_VECTORS = _weighted(weights.WITH_VECTORS)
WITH_TOKENS = _weighted(weights.WITH_TOKENS)


def rank(
    question: ParsedQuery, found: Found, signals: Sequence[Signal] = BY_WORDS
) -> dict[int, float]:
    """Return the score of each candidate: the weighted sum of what the signals say of it."""
    scores = dict.fromkeys(found, 0.0)
    for signal in signals:
        for doc, score in signal.of(question, found).items():
            scores[doc] += signal.weight * score
    return scores


def parts(
    question: ParsedQuery, found: Found, signals: Sequence[Signal], docs: Sequence[int]
) -> dict[int, list[ScorePart]]:
    """Return what each signal adds to the scores of *docs*, without those that say nothing."""
    told: dict[int, list[ScorePart]] = {doc: [] for doc in docs}
    for signal in signals:
        values = signal.of(question, found)
        for doc, added in told.items():
            if value := values.get(doc, 0.0):
                added.append(ScorePart(signal.name, value, signal.weight, signal.weight * value))
    return told


def corrected(found: Found, scores: Scores) -> dict[int, float]:
    """Return *scores*, a correction's no lower than that of what it corrects, but for its mark.

    Whoever asks for what was said wrongly is to hear what holds first, whatever words it has.
    """
    raised = dict(scores)
    for old, by in corrections(found):
        raised[by] = max(raised[by], scores[old] + weights.OUTDATED)
    return raised


def corrections(found: Found) -> Iterator[tuple[int, int]]:
    """Yield each of *found* that is superseded, and what holds instead: the last of them."""
    by_stem = {c.path.rpartition("/")[2].removesuffix(".md"): c.doc for c in found.values()}
    for old in (c for c in found.values() if c.superseded_by):
        passed, newest = {old.doc}, old
        while (by := by_stem.get(newest.superseded_by)) is not None and by not in passed:
            passed.add(by)
            newest = found[by]
        if not newest.superseded_by:
            yield old.doc, newest.doc


CONFIDENCE = 6
"""How fast likelihood falls with the score, as a logit: the fit says 3 to 4 for a memory. From 4 to
12 a session's hit@1 moves by less than a point."""


def shares(scores: Scores, homes: Mapping[int, str]) -> dict[str, float]:
    """Return how likely the answer lies in each home: 1 is shared out among the *scores*.

    So a session whose best memory is beaten narrowly, but which holds another good one, is first.
    """
    top = max(scores.values(), default=0.0)
    likely = {doc: math.exp(CONFIDENCE * (score - top)) for doc, score in scores.items()}
    held: dict[str, list[float]] = {}
    for doc, home in homes.items():
        if home:
            held.setdefault(home, []).append(likely[doc])
    total = math.fsum(likely.values())
    return {home: math.fsum(parts) / total for home, parts in held.items()}


def by_experience(similarity: float, days: float, importance: float) -> float:
    """Return what a past experience is worth now: *similarity* and *importance* go from 0 to 1.

    It fades by a twentieth a day; what lies in the future has not begun to.
    """
    freshness: float = 0.95 ** max(days, 0.0)
    return 0.5 * similarity + 0.3 * freshness + 0.2 * importance
