"""Find what answers a question: scope first, then the sum of what each signal says of a candidate.

An index that is of no use, or behind the files, is brought up to them, and asked once more.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import islice

from vaultmem.errors import BadInput, DiskRefused, IndexFailed, ModelAway, Refused
from vaultmem.records import moment
from vaultmem.retrieval.search import candidates, relevance, reranking, scoring
from vaultmem.retrieval.search.indexes import Indexes
from vaultmem.retrieval.search.parsed_query import ParsedQuery, parse_query
from vaultmem.retrieval.search.reranking import Ranking
from vaultmem.retrieval.search.types import (
    LONGEST_QUERY,
    Answer,
    Dense,
    Found,
    Hit,
    Likeness,
    Question,
    Scope,
    ScorePart,
)
from vaultmem.storage.index import Index, word_queries

Still = Callable[[str, str], bool]
"""Tells whether the file at a path still has the sha-256."""

MOST_HITS = 50
_BY_WORDS = "ranked by words alone (BM25)"
NO_EMBEDDER = f"no embedder is set up: {_BY_WORDS}"
"""Why an answer is by words, where nobody embeds; any other reason stands behind it."""
_DAY = 86_400
_DIGITS = 4
"""Of the parts of a score that are told."""


def search(
    index: Index,
    question: Question,
    still: Still,
    dense: Dense | None = None,
    turns: Index | None = None,
) -> Answer:
    """Return the best hits as of now; what is deleted is not among them.

    *turns* are searched beside the *index*, by words alone, and ranked with what that has. *dense*
    finds what shares no word with the question. Without it, or when it is away, words
    decide alone, and the answer says why. Raises BadInput for a question that cannot be asked.
    """
    _check(question.query, question.k)
    both = Indexes(index, turns)
    if dense is None or question.mode == "lexical":
        why = "" if question.mode == "lexical" else NO_EMBEDDER
        return _mended(both, question, still, None, why)
    try:
        likeness = dense.ask(question.query)
        return _mended(both, question, still, likeness, likeness.degraded)
    except (ModelAway, IndexFailed) as e:
        return _mended(both, question, still, None, f"{e}: {_BY_WORDS}")


def _check(query: str, k: int) -> None:
    if not query.strip():
        raise BadInput("the query is empty: say what you are looking for")
    if len(query) > LONGEST_QUERY:
        raise BadInput(f"the query is longer than {LONGEST_QUERY} characters")
    if not 1 <= k <= MOST_HITS:
        raise BadInput(f"k is {k}, it must be from 1 to {MOST_HITS}")


def _mended(
    indexes: Indexes, question: Question, still: Still, likeness: Likeness | None, degraded: str
) -> Answer:
    """Answer, from indexes rebuilt when they are of no use: the files have all that they have."""
    try:
        return _checked_answer(indexes, question, still, likeness, degraded)
    except IndexFailed as e:
        for index in indexes.each:
            if index.is_damaged or len(indexes.each) == 1:
                index.recover(e)
            index.sync()
        return _checked_answer(indexes, question, still, likeness, degraded)


def _checked_answer(
    indexes: Indexes, question: Question, still: Still, likeness: Likeness | None, degraded: str
) -> Answer:
    """Answer, again from synced indexes when some file is not as they say."""
    answer = _answer(indexes, question, likeness, degraded)
    if all(stands(still, hit.path, hit.sha256) for hit in answer.hits):
        return answer
    for index in indexes.each:
        index.sync()
    return _answer(indexes, question, likeness, degraded)


def stands(still: Still, path: str, sha: str) -> bool:
    """Tell whether the file at *path* has the bytes of *sha* still; not where it cannot be read."""
    try:
        return still(path, sha)
    except (OSError, Refused, DiskRefused):
        return False


def _answer(
    indexes: Indexes, question: Question, likeness: Likeness | None, degraded: str
) -> Answer:
    index = indexes.files
    parsed = parse_query(question.query, question.now)
    alone = question.mode == "semantic" and likeness is not None
    with contextlib.ExitStack() as seeing:
        for each in indexes.each:
            seeing.enter_context(each.snapshot())
        scope = replace(question.scope, but_session="")
        found = candidates.find(index, parsed, scope, likeness, by_words=not alone)
        if not alone:
            found |= indexes.turn_candidates(parsed, question.scope, found)
        ranking = reranking.rank(parsed, found, likeness)
        scores = scoring.corrected(found, ranking.scores)
        concerned = _concerned(index, parsed, question, found, likeness)
        best = sorted(concerned, key=lambda doc: (-scores[doc], found[doc].path))
        shown = list(islice(_with_experiences(best, found, scores, question), question.k))
        hits = [
            _scoped(index, indexes.hit(parsed, likeness, found[doc], score), question.scope)
            for doc, score in shown
        ]
    if question.explain:
        explained = _explained(ranking, found, shown)
        hits = [replace(hit, signals=told) for hit, told in zip(hits, explained, strict=True)]
    homes = {found[doc].session for doc in concerned}
    shares = scoring.shares(scores, {doc: it.session for doc, it in found.items()})
    sessions = sorted(shares.keys() & homes, key=lambda session: (-shares[session], session))
    return Answer(tuple(hits), degraded or None, tuple(sessions[: question.k]))


def _concerned(
    index: Index, parsed: ParsedQuery, question: Question, found: Found, likeness: Likeness | None
) -> AbstractSet[int]:
    """Return the candidates that concern the question, or correct one that does."""
    usual = candidates.usual_cosine(index, question.scope, likeness) if likeness else None
    if usual is not None:
        alone = question.mode == "semantic"
        floor = relevance.BY_VECTORS if alone else relevance.WITH_VECTORS
        concerned = relevance.concerned(parsed, found, floor, usual)
    else:
        concerned = relevance.concerned(parsed, found, relevance.BY_WORDS)
        # Of a few texts that have vectors nobody knows what is far for them.
        concerned |= found.keys() - relevance.without_vector(found)
    return concerned | {by for old, by in scoring.corrections(found) if old in concerned}


def _scoped(index: Index, hit: Hit, scope: Scope) -> Hit:
    """Return *hit* without the name of what supersedes it, where that is another agent's own."""
    if not (scope.agent and hit.superseded_by):
        return hit
    others = word_queries.is_of_another(index, hit.superseded_by, scope.agent)
    return replace(hit, superseded_by="") if others else hit


def _with_experiences(
    best: Sequence[int], found: Found, scores: Mapping[int, float], question: Question
) -> Iterator[tuple[int, float]]:
    """Yield the docs and the scores of their places, the experiences shared out anew among theirs.

    Relevance says how many come when; which of the first does follows its age and its weight, too.
    Considered are twice as many as are asked for.
    """
    episodes = [found[doc] for doc in best[: 2 * question.k] if found[doc].type == "episode"]
    top = max(scores.values(), default=0.0) or 1.0
    worth = {
        it.doc: scoring.by_experience(
            max(scores[it.doc] / top, 0.0), _days(it.created, question.now), it.importance
        )
        for it in episodes
    }
    worthiest = iter(sorted(worth, key=lambda doc: -worth[doc]))
    for doc in best:
        yield (next(worthiest) if doc in worth else doc), scores[doc]


def _days(created: str, now: str) -> float:
    try:
        return (moment(now) - moment(created)).total_seconds() / _DAY
    except BadInput:
        return math.inf


def _explained(
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
        parts = map(_rounded, sorted([*told[doc], *more], key=lambda it: -abs(it.part)))
        yield tuple(it for it in parts if it.part)


def _rounded(it: ScorePart) -> ScorePart:
    return ScorePart(it.name, round(it.value, _DIGITS), it.weight, round(it.part, _DIGITS))
