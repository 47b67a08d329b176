"""The reasons to rank a candidate higher, each told purely and by itself.

By its words and meaning, by what was said around it and in its session, by who said it and when,
and by what kind of text it is. A signal names the candidates that it has something to say of.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, repeat
from operator import mul
from statistics import fmean
from typing import NamedTuple, TypeVar

from vaultmem.retrieval.search.parsed_query import WORD, ParsedQuery
from vaultmem.retrieval.search.query_dates import Date
from vaultmem.retrieval.search.types import Candidate, Found, Scores
from vaultmem.storage.index.tokenizer import STOP_WORDS, plain, terms

_Key = TypeVar("_Key", bound=Hashable)
_ByToken = Mapping[int, Sequence[float]]


# --- what it says -----------------------------------------------------------------------------


def by_words(_: ParsedQuery, found: Found) -> Scores:
    """Score its words: BM25 of the whole and of its best passage, which differ where it is long.

    Without the passage a long note that answers in one place is behind short ones that do not.
    """
    whole = _normalised({c.doc: c.words for c in found.values()})
    part = _normalised({c.doc: c.passage for c in found.values()})
    return {doc: (whole[doc] + part[doc]) / 2 for doc in found}


def by_near_words(question: ParsedQuery, found: Found) -> Scores:
    """Score words written much as those asked for that it does not have, by how rare these are.

    The question before it counts as in `by_meaning`.
    """
    return _in_their_stead(question, found, {c.doc: c.near for c in found.values()})


def by_related_words(question: ParsedQuery, found: Found) -> Scores:
    """Score words that are said for those asked for and that it lacks, as those written alike."""
    return _in_their_stead(question, found, {c.doc: c.related for c in found.values()})


def _in_their_stead(question: ParsedQuery, found: Found, instead: _ByToken) -> Scores:
    """Score what each has *instead* of the terms that it lacks, by how rare these are."""
    rare = rarities(question, found)
    whole = sum(rare) or 1.0
    had = {
        doc: sum(r * n for r, n, held in zip(rare, each, found[doc].held, strict=False) if not held)
        / whole
        for doc, each in instead.items()
    }
    return {c.doc: max(had[c.doc], _question_score(found, had, c)) for c in found.values()}


def by_meaning(_: ParsedQuery, found: Found) -> Scores:
    """Score what it means: the only signal for an answer that shares no word with the question.

    An answer is as near as the question before it: "Seven years" means nothing alone.
    """
    near = _nearness(found)
    return {c.doc: max(near[c.doc], _question_score(found, near, c)) for c in found.values()}


def by_tokens(question: ParsedQuery, found: Found) -> Scores:
    """Score how near it comes to each token asked for: an average of a text hides one word of it.

    The question before it counts as in `by_meaning`.
    """
    near = _late_interaction(question, found, question.max_sim.of)
    return {
        doc: max(score, _question_score(found, near, found[doc])) for doc, score in near.items()
    }


# --- what was said around it ------------------------------------------------------------------


def by_tokens_around(question: ParsedQuery, found: Found) -> Scores:
    """Score its tokens together with those just before and after it: one turn names, one answers.

    Each token asked for counts where it is nearest, so three turns that say the same gain nothing.
    """
    near = question.max_sim.of
    best: dict[int, list[float]] = {}
    for doc in near:
        turns = (near[turn.doc] for turn in around(found, found[doc]))
        best[doc] = [max(cosines) for cosines in zip(*turns, strict=True)]
    return _late_interaction(question, found, best)


def by_question_before(question: ParsedQuery, found: Found) -> Scores:
    """Score the question that it answers: the answer leaves out what the question has said."""
    words = by_words(question, found)
    return {c.doc: _question_score(found, words, c) for c in found.values()}


def by_window(question: ParsedQuery, found: Found) -> Scores:
    """Score it and the four turns before and after as one text: what is spoken of is named once.

    BM25 of that text, in which a term is as often as turns hold it, and as rare as among all.
    """
    rare, around_it = rarities(question, found), windows(found)
    usual = _usual(window.length for window in around_it.values() if window.is_known)
    return _normalised(
        {doc: _bm25(it.holders, rare, it.relative(usual)) for doc, it in around_it.items()}
    )


def by_session(question: ParsedQuery, found: Found) -> Scores:
    """Score its session as one text, in which the words of a question stand in several turns.

    So do words that are said for them. What was said in none is its own: beside conversations a
    note must not lack what turns have.
    """
    scores = _as_documents(question, {c.doc: _with_related(c) for c in found.values()})
    return {c.doc: scores[_home(c)] for c in found.values()}


# --- who said it, and when --------------------------------------------------------------------


def by_speaker(question: ParsedQuery, found: Found) -> Scores:
    """Lift what the person named has said: who says "I" does not say the name."""
    named = {s for s in {c.speaker for c in found.values()} if question.said & _names(s)}
    return {c.doc: 1.0 for c in found.values() if c.speaker in named}


def by_date(question: ParsedQuery, found: Found) -> Scores:
    """Lift what was said at a time named, and what tells of that time; never hide the rest."""
    return {c.doc: _fit(question.dates, c) for c in found.values() if question.dates}


def _fit(dates: Iterable[Date], it: Candidate) -> float:
    """Return how well *it* fits the best of *dates*: all of what was said then is of then."""
    told = ((time, _OF_TOLD) for time in it.told)
    return max(part * d.fits(time) for d in dates for time, part in ((it.created, 1.0), *told))


# --- what kind of text it is ------------------------------------------------------------------


def by_time_mentioned(question: ParsedQuery, found: Found) -> Scores:
    """Lift what tells a time where one is asked for."""
    return {c.doc: 1.0 for c in found.values() if c.times} if question.asks_when else {}


def by_number_mentioned(question: ParsedQuery, found: Found) -> Scores:
    """Lift what tells a number where one is asked for."""
    return {c.doc: 1.0 for c in found.values() if c.counts} if question.asks_how_many else {}


def by_asking(_: ParsedQuery, found: Found) -> Scores:
    """Lower what ends in a question: it holds the words that are asked for, and no answer.

    What says nothing besides is lowered more, behind what answers it.
    """
    return {
        c.doc: _QUESTION_ALONE if c.only_asks else -1.0
        for c in found.values()
        if c.session and c.asks
    }


def by_brevity(_: ParsedQuery, found: Found) -> Scores:
    """Lower what is said in a few words, which BM25 likes best: "Thanks, Ada!" answers nothing."""
    return {c.doc: min(c.length / _SENTENCE, 1.0) ** 0.5 - 1 for c in found.values() if c.session}


def by_validity(_: ParsedQuery, found: Found) -> Scores:
    """Lower what is no longer so: behind what is and says the same, before what says less."""
    return {c.doc: -1.0 for c in found.values() if c.outdated}


def by_retelling(_: ParsedQuery, found: Found) -> Scores:
    """Lower what tells of what was said: behind that where both say it, before what says less."""
    return {c.doc: -1.0 for c in found.values() if c.type in _RETELLING}


_RETELLING = frozenset({"summary"})
_QUESTION_ALONE = -5.0
"""From -3 to -5 recall is the same: more than brevity takes from a short answer."""
_OF_TOLD = 0.8
"""What a time that is told counts beside when it was said; from .6 to .9 recall is the same."""
_SENTENCE = 12
"""Words of a sentence that stands for itself; between 8 and 20 recall moves by half a point."""


def _normalised(scores: Mapping[_Key, float]) -> dict[_Key, float]:
    top = max(scores.values(), default=0.0)
    return {key: score / top if top > 0 else 0.0 for key, score in scores.items()}


def _nearness(found: Found) -> Scores:
    """Return how much nearer than the average candidate each is, the nearest being 1.

    Models differ in where their cosines lie: to one of them all things are alike to 0.6.
    """
    above = _above_the_usual({c.doc: c.cosine for c in found.values() if c.cosine})
    return {doc: above.get(doc, 0.0) for doc in found}


def _above_the_usual(cosines: Scores) -> Scores:
    usual = fmean(cosines.values()) if cosines else 0.0
    return _normalised({doc: max(cosine - usual, 0.0) for doc, cosine in cosines.items()})


def _late_interaction(question: ParsedQuery, found: Found, max_sim: _ByToken) -> Scores:
    """Return the weighted sum of each one's *max_sim*, above the usual, the greatest being 1."""
    weights = _token_weights(question, found)
    return _above_the_usual(
        {doc: math.fsum(map(mul, weights, near)) for doc, near in max_sim.items()}
    )


def _token_weights(question: ParsedQuery, found: Found) -> list[float]:
    """Return how rare the word of each token is; all weigh the same where no word is known.

    The words of a date are as rare as any: a turn is embedded with its day, and few name one.
    """
    rare = dict(zip(map(plain, question.terms), rarities(question, found), strict=False))
    rarest = max(rare.values(), default=1.0)
    rare = dict.fromkeys(map(plain, question.date_words), rarest) | rare
    weights = [rare.get(plain(word), 0.0) for word in question.max_sim.words]
    return weights if any(weights) else [1.0] * len(weights)


def around(found: Found, it: Candidate) -> list[Candidate]:
    """Return *it* and the turns just before and after that were found."""
    docs = (it.before, it.doc, it.after)
    return [found[doc] for doc in docs if doc is not None and doc in found]


def _question_score(found: Found, scores: Scores, answer: Candidate) -> float:
    """Return the score of the question that *answer* follows, 0 where it follows none."""
    before = found.get(answer.before) if answer.before is not None else None
    return scores[before.doc] if before and before.asks else 0.0


def speaker_names(found: Found) -> frozenset[str]:
    """Return the terms that a question may call the speakers of *found* by."""
    every = chain.from_iterable(_names(speaker) for speaker in {c.speaker for c in found.values()})
    return frozenset(term for name in every for term in terms(name))


def _names(speaker: str) -> frozenset[str]:
    """Return the words that a question may call *speaker* by; Will is one where it stands alone."""
    parts = frozenset(WORD.findall(speaker.lower()))
    return parts - STOP_WORDS or parts


# --- texts that several candidates make ---------------------------------------------------------

_SATURATION, _LENGTHS = 1.2, 0.75
"""BM25's k1 and b, as FTS5 has them."""
REACH = 4
"""Turns before and after that one is read with."""
_Home = str | int
"""A session, or a doc that stands for itself."""


def _home(candidate: Candidate) -> _Home:
    return candidate.session or candidate.doc


def _with_related(it: Candidate) -> Candidate:
    """Return *it* as if it held each term for which it has a related word."""
    if not it.related:
        return it
    either = zip(it.held, it.related, strict=False)
    return it._replace(held=tuple(held or float(related) for held, related in either))


def _as_documents(question: ParsedQuery, found: Found) -> dict[_Home, float]:
    """Return BM25 of each home as one text, the best being 1: its candidates are its turns.

    A term is as often in it as candidates hold it, and as rare as it is among candidates.
    """
    turns: dict[_Home, list[Candidate]] = {}
    for candidate in found.values():
        turns.setdefault(_home(candidate), []).append(candidate)
    rare = rarities(question, found)
    lengths = {home: max(c.session_length or c.length for c in t) for home, t in turns.items()}
    talks = [n for home, n in lengths.items() if isinstance(home, str)]
    usual = _usual(talks or lengths.values())
    return _normalised(
        {h: _bm25(holder_counts(t), rare, lengths[h] / usual) for h, t in turns.items()}
    )


class Window(NamedTuple):
    """A candidate with the turns around it: how many hold each term, how many words they have.

    Those around a turn that is not among the best were not looked up; then it is not *known*.
    """

    holders: Sequence[int]
    length: int
    is_known: bool

    def relative(self, usual: float) -> float:
        """Return its length in *usual* ones; what is not known has no less than that."""
        return self.length / usual if self.is_known else max(self.length / usual, 1.0)


def windows(found: Found) -> dict[int, Window]:
    """Return the window of each of *found*."""
    made = {c.doc: Window(holder_counts([c]), c.length, not c.session) for c in found.values()}
    for first in (c for c in found.values() if _previous(found, c) is None):
        if len(run := list(_run(found, first))) > 1:
            made.update(_along(run))
    return made


def _previous(found: Found, turn: Candidate) -> Candidate | None:
    """Return the turn before *turn*, None where it is not known, or knows another after it."""
    before = found.get(turn.before) if turn.before is not None else None
    return before if before and before.after == turn.doc else None


def _run(found: Found, turn: Candidate) -> Iterator[Candidate]:
    """Yield *turn* and those after it, as far as they are known."""
    following: Candidate | None = turn
    while following is not None:
        yield following
        after = found.get(following.after) if following.after is not None else None
        following = after if after and _previous(found, after) is following else None


def _along(run: Sequence[Candidate]) -> Iterator[tuple[int, Window]]:
    """Yield the window of each turn of a *run*: what is summed up to its end, less its start."""
    held = [[0, *accumulate(map(bool, term))] for term in zip(*(c.held for c in run), strict=True)]
    words = [0, *accumulate(c.length for c in run)]
    for n, turn in enumerate(run):
        first, last = max(n - REACH, 0), min(n + REACH + 1, len(run))
        holders = [term[last] - term[first] for term in held]
        yield turn.doc, Window(holders, words[last] - words[first], is_known=True)


def _bm25(holders: Sequence[int], rare: Sequence[float], length: float) -> float:
    """Return BM25 of a text in which terms are so often, *length* times as long as is usual."""
    room = _SATURATION * (1 - _LENGTHS + _LENGTHS * length)
    return sum(r * n / (n + room) for r, n in zip(rare, holders, strict=True) if n)


def _usual(lengths: Iterable[int]) -> float:
    """Return the mean of *lengths*, never 0."""
    return fmean([*lengths] or [0]) or 1.0


def rarities(question: ParsedQuery, found: Found) -> list[float]:
    """Return BM25's inverse document frequency of each term among the candidates, as it weighs."""
    holders = holder_counts(found.values())
    weights = chain(question.weights, repeat(1.0))
    return [
        weight * math.log(1 + (len(found) - n + 0.5) / (n + 0.5))
        for weight, n in zip(weights, holders, strict=False)
    ]


def holder_counts(candidates: Iterable[Candidate]) -> list[int]:
    """Return how many of *candidates* hold each term."""
    return [len(term) - term.count(0.0) for term in zip(*(c.held for c in candidates), strict=True)]
