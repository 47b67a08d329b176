"""Gather what might answer: what each source finds, and what was said around the best of it.

The sources are the words of whole texts, those of their passages, and the nearest vectors. Nothing
is ranked here: whichever source found a candidate, each says what it holds of it.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from itertools import chain, pairwise
from statistics import fmean
from typing import NamedTuple

from vaultmem import records
from vaultmem.records import moment
from vaultmem.retrieval.search import near_words, query_dates, related_words
from vaultmem.retrieval.search.parsed_query import ParsedQuery
from vaultmem.retrieval.search.signals import REACH
from vaultmem.retrieval.search.types import Candidate, Likeness, Scope
from vaultmem.storage.index import Filter, Index, meant_words, word_queries, word_ranking
from vaultmem.storage.index.word_forms import Forms
from vaultmem.storage.index.word_queries import DocRow
from vaultmem.storage.index.word_ranking import Matches

_BEST = 200
"""Candidates of one source: what answers hardly ever stands below that."""
_EXPANDED = 20
"""The best of a source, whose neighbours become candidates, too."""
_SAMPLE, _ENOUGH, _OF_FEW = 128, 16, 4096
"""Texts whose cosines tell what is usual, how few still do, and so many of those that have one."""
_ON_A_DATE = 100
"""Candidates by a date alone: who asks what was said on a day may share no word with it."""
_MISSPELT = 0.9
"""How near a word is that one is taken for which stands nowhere."""
_SENTENCE_ENDS = re.compile(r"[.!](?=\s)|[\u3002\uff01\n]")


class _Turns(NamedTuple):
    """Who speaks before and after whom in a session."""

    before: Mapping[int, int]
    after: Mapping[int, int]


class _Pool(NamedTuple):
    """Who the candidates are, and what the sources say of them."""

    docs: AbstractSet[int]
    matches: Matches
    held: Mapping[int, tuple[float, ...]]
    near: Mapping[int, tuple[float, ...]]
    related: Mapping[int, tuple[bool, ...]]
    cosines: Mapping[int, float]
    turns: _Turns
    texts: Mapping[int, str]
    dated: AbstractSet[int]
    """Those that have words of the dates asked for."""


def find(
    index: Index,
    query: ParsedQuery,
    scope: Scope,
    likeness: Likeness | None,
    *,
    by_words: bool = True,
) -> dict[int, Candidate]:
    """Return the candidates in *scope*, by doc; without *by_words* the vectors alone tell.

    Raises BadInput for a scope that cannot be, ModelAway when *likeness* cannot answer.
    """
    where = scope.filter()
    terms = query.terms if by_words else ()
    forms = word_queries.forms(index, terms)
    instead = meant_words.forms(index, terms, forms)
    hidden = _hidden(index)
    most = _BEST + len(hidden)
    asked = _by_weight(query, [own or other for own, other in zip(forms, instead, strict=True)])
    # What a word is taken for that stands nowhere is brought up, and weighs nothing beside others.
    parts = _by_weight(query, forms) if any(forms) else asked
    leading = (word_ranking.leading(index, part, where, most) for part in asked.values())
    near = likeness.nearest(where, _BEST) if likeness else {}
    rankings = [_best(index, scores, most) for scores in (*chain.from_iterable(leading), near)]
    first = {doc for ranking in rankings for doc in ranking} - hidden
    expanded = {doc for ranking in rankings for doc in ranking[:_EXPANDED]} - hidden
    on_dates = set(word_queries.said_on(index, _dates(index, query), where, _ON_A_DATE)) - hidden
    dated = _dated(index, query, where) - hidden if by_words else set()
    turns = _turns(index, expanded)
    docs = (first | on_dates | dated | turns.before.keys() | turns.after.keys()) - hidden
    docs |= _corrections(index, docs) - hidden
    texts = word_queries.openings(index, docs) if by_words or query.dates else {}
    pool = _Pool(
        docs=docs,
        matches=_matches(index, parts, docs),
        held=word_queries.term_scores(index, forms, docs),
        near=_near(index, query.terms, texts, instead) if by_words else {},
        related=related_words.held(query.related, texts) if by_words else {},
        cosines=likeness.of(docs) if likeness else {},
        turns=turns,
        texts=texts,
        dated=dated,
    )
    return {c.doc: c for c in _candidates(index, query, pool, where)}


def _near(
    index: Index, terms: Sequence[str], texts: Mapping[int, str], instead: Sequence[Forms]
) -> Mapping[int, tuple[float, ...]]:
    """Return how near the words of *texts* are to *terms*: at most what stands *instead* of one."""
    near = near_words.near(terms, texts)
    if not any(instead):
        return near
    read = word_queries.term_scores(index, instead, texts.keys())
    nothing = (0.0,) * len(terms)
    return {
        doc: tuple(
            max(value, _MISSPELT if score else 0.0)
            for value, score in zip(near.get(doc, nothing), scores, strict=True)
        )
        for doc, scores in read.items()
    }


def _by_weight(query: ParsedQuery, forms: Sequence[Forms]) -> dict[float, list[Forms]]:
    """Return the *forms* of the terms of each weight; most questions have one."""
    parts: dict[float, list[Forms]] = {}
    for weight, each in zip(query.weights, forms, strict=False):  # there are none by vectors alone
        parts.setdefault(weight, []).append(each)
    return parts


def _matches(
    index: Index, parts: Mapping[float, Sequence[Forms]], docs: AbstractSet[int]
) -> Matches:
    """Return how well *docs* match: by the terms of each weight times that."""
    texts, passages = dict[int, float](), dict[int, float]()
    for weight, forms in parts.items():
        found = word_ranking.scores(index, forms, docs)
        for total, scores in ((texts, found.texts), (passages, found.passages)):
            for doc, score in scores.items():
                total[doc] = total.get(doc, 0.0) + weight * score
    return Matches(texts, passages)


def usual_cosine(index: Index, scope: Scope, likeness: Likeness) -> float | None:
    """Return the mean cosine of texts in *scope*, a sample of them; None of too few to tell.

    Where few of the sample have vectors yet, it is that of those that have.
    """
    where, hidden = scope.filter(), _hidden(index)
    cosines = likeness.of(set(word_queries.sample(index, where, _SAMPLE)) - hidden)
    if len(cosines) < _ENOUGH:
        near = likeness.nearest(where, _OF_FEW)
        cosines = {doc: cosine for doc, cosine in near.items() if doc not in hidden}
    return fmean(cosines.values()) if len(cosines) >= _ENOUGH else None


def _hidden(index: Index) -> frozenset[int]:
    """Return what vanished in a crowd: it is not given up, and not to be shown."""
    vanished = index.vanished()
    return word_queries.docs_at(index, vanished) if vanished else frozenset()


def _best(index: Index, scores: Mapping[int, float], most: int) -> list[int]:
    """Return the docs with the highest scores, best first; of equals the first by path."""
    least = min(heapq.nlargest(most, scores.values()), default=0.0)
    paths = word_queries.paths(index, (doc for doc, score in scores.items() if score >= least))
    return heapq.nsmallest(most, paths, key=lambda doc: (-scores[doc], paths[doc]))


def _turns(index: Index, docs: AbstractSet[int]) -> _Turns:
    """Return what was said around each of *docs*, and that they were said around that."""
    before, after = dict[int, int](), dict[int, int]()
    for one, other in chain.from_iterable(map(pairwise, word_queries.runs(index, docs, REACH))):
        before[other], after[one] = one, other
    return _Turns(before, after)


def _dates(index: Index, query: ParsedQuery) -> list[str]:
    """Return the times that *query* names: a day or month of each year where it names none."""
    asked = [it for it in query.dates if it.year or it.month]
    years = word_queries.years(index) if any(not it.year for it in asked) else ()
    return [
        "-".join(filter(None, (year, it.month, it.day)))
        for it in asked
        for year in ([it.year] if it.year else years)
    ]


def _dated(index: Index, query: ParsedQuery, where: Filter) -> set[int]:
    """Return what has most of the words of the dates that *query* writes out."""
    forms = word_queries.forms(index, query.date_words)
    found = word_ranking.leading(index, forms, where, _ON_A_DATE)
    return {doc for scores in found for doc in _best(index, scores, _ON_A_DATE)}


def _corrections(index: Index, docs: AbstractSet[int]) -> AbstractSet[int]:
    """Return what supersedes one of *docs*, and what supersedes that: it may share no word."""
    found: set[int] = set()
    newest: AbstractSet[int] = docs
    while newest:
        newest = word_queries.superseding(index, newest) - docs - found
        found |= newest
    return found


def _candidates(
    index: Index, query: ParsedQuery, pool: _Pool, where: Filter
) -> Iterator[Candidate]:
    rows = word_queries.rows(index, pool.docs, where)
    lengths = word_queries.session_lengths(index, {(row.agent, row.session) for row in rows})
    when = moment(query.now) if query.now else None
    for row in rows:
        text = pool.matches.texts.get(row.doc, 0.0)
        yield Candidate(
            doc=row.doc,
            path=row.path,
            type=row.type,
            session=row.session,
            speaker=row.speaker,
            created=row.created,
            importance=row.importance,
            length=row.length,
            asks=bool(row.asks),
            only_asks=bool(row.asks) and _is_one_sentence(pool.texts.get(row.doc, "")),
            times=bool(row.times),
            counts=bool(row.counts),
            outdated=_is_outdated(row, when),
            superseded_by=row.superseded_by,
            words=text,
            passage=pool.matches.passages.get(row.doc, text),
            held=pool.held.get(row.doc, ()),
            near=pool.near.get(row.doc, ()),
            related=pool.related.get(row.doc, ()),
            cosine=pool.cosines.get(row.doc, 0.0),
            before=pool.turns.before.get(row.doc),
            after=pool.turns.after.get(row.doc),
            session_length=lengths.get((row.agent, row.session), 0),
            told=_times_told(row, query, pool),
        )


def _is_one_sentence(text: str) -> bool:
    return bool(text.strip()) and not _SENTENCE_ENDS.search(text.strip())


def _times_told(row: DocRow, query: ParsedQuery, pool: _Pool) -> tuple[str, ...]:
    """Return the times that a text counts from when it was said, where one that is over is asked.

    And those that it writes out, where it has their words. To read them takes as long as all else
    does for a candidate, so it is done for few.
    """
    text = pool.texts.get(row.doc, "")
    written = query_dates.written(text, row.created) if row.doc in pool.dated else ()
    asked = row.times and any(it.is_over(row.created) for it in query.dates)
    return (*written, *query_dates.counted(text, row.created)) if asked else written


def _is_outdated(row: DocRow, when: datetime | None) -> bool:
    """Tell whether a fact's time is over, or has not come, at *when*."""
    if row.superseded_by or when is None:
        return bool(row.superseded_by)
    if not (row.stale_after or row.valid_from or row.valid_to):  # nearly always
        return False
    over = records.is_over(row.stale_after, when)
    return over or not records.holds(row.valid_from, row.valid_to, when)
