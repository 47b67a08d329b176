"""Score candidates, purely: small signals, each weighted by what it is worth, in one sum.

A candidate is scored by its words and meaning, by what was said around it and in its session, and
by who said it and when. Sums of scores beat fusions of ranks on conversations.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import mul
from statistics import fmean
from typing import NamedTuple, TypeVar

from vaultmem.retrieval.search import query_dates
from vaultmem.retrieval.search.types import MaxSim
from vaultmem.storage.index.tokenizer import STOP_WORDS, plain, terms

_Key = TypeVar("_Key", bound=Hashable)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A question taken apart once; *said* are all of its words, in lower case.

    *max_sim* is how near each candidate comes to each of its tokens, where they were compared.
    """

    query: str
    terms: tuple[str, ...]
    said: frozenset[str]
    dates: tuple[query_dates.Date, ...] = ()
    now: str = ""
    max_sim: MaxSim = field(default_factory=MaxSim)


def parse_query(query: str, now: str = "") -> ParsedQuery:
    """Take *query* apart; relative dates are counted from *now*."""
    said = frozenset(_WORD.findall(query.lower()))
    return ParsedQuery(query, terms(query), said, query_dates.named(query, now), now)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One record that might answer, and what the sources say of it.

    *words* and *passage* are raw BM25 of the whole document and of its best passage (0 is no
    word), *held* that of each of the question's terms alone. *cosine* is its best passage's, 0
    without a vector. *before* and *after* are its neighbours in a session that has
    *session_length* words. *length* counts words; *asks* is whether it ends in a question
    mark, *times* and *counts* whether it holds a word of time or a number.
    """

    doc: int
    path: str = ""
    type: str = ""
    session: str = ""
    speaker: str = ""
    created: str = ""
    importance: float = 0.5
    length: int = 0
    asks: bool = False
    times: bool = False
    counts: bool = False
    outdated: bool = False
    superseded_by: str = ""
    words: float = 0.0
    passage: float = 0.0
    held: tuple[float, ...] = ()
    cosine: float = 0.0
    before: int | None = None
    after: int | None = None
    session_length: int = 0


Found = Mapping[int, Candidate]
Scores = Mapping[int, float]
_ByToken = Mapping[int, Sequence[float]]


class Signal(NamedTuple):
    """One reason to rank a candidate higher, and how much it weighs beside the words' 1."""

    name: str
    weight: float
    of: Callable[[ParsedQuery, Found], Scores]


# --- what it says -----------------------------------------------------------------------------


def by_words(_: ParsedQuery, found: Found) -> Scores:
    """Score its words: BM25 of the whole and of its best passage, which differ where it is long.

    Without the passage a long note that answers in one place is behind short ones that do not.
    """
    whole = _normalised({c.doc: c.words for c in found.values()})
    part = _normalised({c.doc: c.passage for c in found.values()})
    return {doc: (whole[doc] + part[doc]) / 2 for doc in found}


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


def by_neighbours(question: ParsedQuery, found: Found) -> Scores:
    """Score the words just before and after it: what is spoken of is not named in every turn."""
    words = by_words(question, found)
    beside = {c.doc: (c.before, c.after) for c in found.values()}
    return {
        doc: sum(words.get(d, 0.0) for d in docs if d is not None) for doc, docs in beside.items()
    }


def by_session(_: ParsedQuery, found: Found) -> Scores:
    """Score its session as one text, in which the words of a question stand in several turns.

    What was said in none is its own: beside conversations a note must not lack what turns have.
    """
    scores = _as_documents(found)
    return {c.doc: scores[_home(c)] for c in found.values()}


# --- who said it, and when --------------------------------------------------------------------


def by_speaker(question: ParsedQuery, found: Found) -> Scores:
    """Lift what the person named has said: who says "I" does not say the name."""
    return {c.doc: 1.0 for c in found.values() if question.said & _names(c.speaker)}


def by_date(question: ParsedQuery, found: Found) -> Scores:
    """Lift what was said at a time named; never hide the rest, which may tell of that time."""
    return {c.doc: max(d.fits(c.created) for d in question.dates) for c in found.values()
            if question.dates}  # fmt: skip


# --- what kind of text it is ------------------------------------------------------------------


def by_time_mentioned(question: ParsedQuery, found: Found) -> Scores:
    """Lift what tells a time where one is asked for."""
    asks = bool(_WHEN.match(question.query))
    return {c.doc: 1.0 for c in found.values() if asks and c.times}


def by_number_mentioned(question: ParsedQuery, found: Found) -> Scores:
    """Lift what tells a number where one is asked for."""
    asks = bool(_HOW_MANY.search(question.query))
    return {c.doc: 1.0 for c in found.values() if asks and c.counts}


def by_asking(_: ParsedQuery, found: Found) -> Scores:
    """Lower what ends in a question: it holds the words that are asked for, and no answer."""
    return {c.doc: -1.0 for c in found.values() if c.session and c.asks}


def by_brevity(_: ParsedQuery, found: Found) -> Scores:
    """Lower what is said in a few words, which BM25 likes best: "Thanks, Ada!" answers nothing."""
    return {c.doc: min(c.length / _SENTENCE, 1.0) ** 0.5 - 1 for c in found.values() if c.session}


def by_validity(_: ParsedQuery, found: Found) -> Scores:
    """Lower what is no longer so: behind what is and says the same, before what says less."""
    return {c.doc: -1.0 for c in found.values() if c.outdated}


_SENTENCE = 12
"""Words of a sentence that stands for itself; between 8 and 20 recall moves by half a point."""

_MARK = 0.3

# What a signal is worth where the best match of words is worth 1. Fitted by the likelihood of the
# evidence on three conversations of LoCoMo at a time, then rounded; the weights fitted elsewhere
# find as much. None is critical: half or twice of any but the words moves recall by a point or so.
# A date weighs most because few questions name one, and then it tells nearly all. The speaker's fit
# is 0.8, for friends who each speak of themselves; an assistant also says what its person decided,
# and at 0.5 nothing is lost.
SIGNALS = (
    Signal("words", 1.0, by_words),
    Signal("meaning", 0.5, by_meaning),
    Signal("question before", 0.6, by_question_before),
    Signal("neighbours", 0.3, by_neighbours),
    Signal("session", 1.0, by_session),
    Signal("speaker", 0.5, by_speaker),
    Signal("date", 2.0, by_date),
    Signal("time told", 0.6, by_time_mentioned),
    Signal("number told", 0.6, by_number_mentioned),
    Signal("asking", 0.2, by_asking),
    Signal("brevity", 0.5, by_brevity),
    Signal("validity", _MARK, by_validity),
)


_BESIDE_TOKENS = {"words": 0.4, "meaning": 0.1}

# With token vectors words and their average say little that those do not: at its full weight a word
# in common would outvote them. Fitted as above.
WITH_TOKENS = (
    *(s._replace(weight=_BESIDE_TOKENS.get(s.name, s.weight)) for s in SIGNALS),
    Signal("tokens", 0.8, by_tokens),
    Signal("tokens around", 1.3, by_tokens_around),
)


def rank(
    question: ParsedQuery, found: Found, signals: Sequence[Signal] = SIGNALS
) -> dict[int, float]:
    """Return the score of each candidate: the weighted sum of what the signals say of it."""
    scores = dict.fromkeys(found, 0.0)
    for signal in signals:
        for doc, score in signal.of(question, found).items():
            scores[doc] += signal.weight * score
    return scores


def corrected(found: Found, scores: Scores) -> dict[int, float]:
    """Return *scores*, a correction's no lower than that of what it corrects, but for its mark.

    Whoever asks for what was said wrongly is to hear what holds first, whatever words it has.
    """
    by_stem = {c.path.rpartition("/")[2].removesuffix(".md"): c.doc for c in found.values()}
    raised = dict(scores)
    for old in (c for c in found.values() if c.superseded_by):
        for by in _corrections(old, found, by_stem):
            raised[by] = max(raised[by], scores[old.doc] + _MARK)
    return raised


def _corrections(old: Candidate, found: Found, by_stem: Mapping[str, int]) -> Iterator[int]:
    """Yield what holds instead of *old*: the last of its corrections."""
    passed = {old.doc}
    while (by := by_stem.get(old.superseded_by)) is not None and by not in passed:
        passed.add(by)
        old = found[by]
    if not old.superseded_by:
        yield old.doc


_CONFIDENCE = 6
"""How fast likelihood falls with the score, as a logit: the fit says 3 to 4 for a memory. From 4 to
12 a session's hit@1 moves by less than a point."""


def shares(scores: Scores, homes: Mapping[int, str]) -> dict[str, float]:
    """Return how likely the answer lies in each home: 1 is shared out among the *scores*.

    So a session whose best memory is beaten narrowly, but which holds another good one, is first.
    """
    top = max(scores.values(), default=0.0)
    likely = {doc: math.exp(_CONFIDENCE * (score - top)) for doc, score in scores.items()}
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


# --- what a question asks for -----------------------------------------------------------------

_WHEN = re.compile(
    r"\W*(?:when|since when|how long|(?:what|which) (?:date|day|month|year|time))\b"
    r"|.*(?:什么时候|何时|几点|哪天|哪年|多久)",
    re.IGNORECASE | re.DOTALL,
)
_HOW_MANY = re.compile(r"\bhow (?:many|much|often|long|old|far)\b|多少|几", re.IGNORECASE)


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
    """Return how rare the word of each token is; all weigh the same where no word is known."""
    rarities = _rarities(found)
    rare = {plain(term): rarity for term, rarity in zip(question.terms, rarities, strict=False)}
    weights = [rare.get(plain(word), 0.0) for word in question.max_sim.words]
    return weights if any(weights) else [1.0] * len(weights)


def around(found: Found, it: Candidate) -> list[Candidate]:
    """Return *it* and the turns just before and after that were found."""
    docs = (it.before, it.doc, it.after)
    return [found[doc] for doc in docs if doc is not None and doc in found]


_SATURATION, _LENGTHS = 1.2, 0.75
"""BM25's k1 and b, as FTS5 has them."""
_Home = str | int
"""A session, or a doc that stands for itself."""


def _home(candidate: Candidate) -> _Home:
    return candidate.session or candidate.doc


def _as_documents(found: Found) -> dict[_Home, float]:
    """Return BM25 of each home as one text, the best being 1: its candidates are its turns.

    A term is as often in it as candidates hold it, and as rare as it is among candidates.
    """
    turns: dict[_Home, list[Candidate]] = {}
    for candidate in found.values():
        turns.setdefault(_home(candidate), []).append(candidate)
    rarities = _rarities(found)
    lengths = {home: max(c.session_length or c.length for c in t) for home, t in turns.items()}
    talks = [n for home, n in lengths.items() if isinstance(home, str)]
    usual = fmean(talks or lengths.values()) if lengths else 0.0
    relative = {home: length / usual if usual else 1.0 for home, length in lengths.items()}
    return _normalised({h: _as_document(t, rarities, relative[h]) for h, t in turns.items()})


def _as_document(turns: Sequence[Candidate], rarities: Sequence[float], length: float) -> float:
    room = _SATURATION * (1 - _LENGTHS + _LENGTHS * length)
    often = _holders(turns)
    return sum(r * n / (n + room) for r, n in zip(rarities, often, strict=True) if n)


def _rarities(found: Found) -> list[float]:
    """Return BM25's inverse document frequency of each term among the candidates."""
    holders = _holders(found.values())
    return [math.log(1 + (len(found) - n + 0.5) / (n + 0.5)) for n in holders]


def _holders(candidates: Iterable[Candidate]) -> list[int]:
    """Return how many of *candidates* hold each term."""
    return [sum(map(bool, term)) for term in zip(*(c.held for c in candidates), strict=True)]


def _question_score(found: Found, scores: Scores, answer: Candidate) -> float:
    """Return the score of the question that *answer* follows, 0 where it follows none."""
    before = found.get(answer.before) if answer.before is not None else None
    return scores[before.doc] if before and before.asks else 0.0


def _names(speaker: str) -> frozenset[str]:
    """Return the words that a question may call *speaker* by; Will is one where it stands alone."""
    parts = frozenset(_WORD.findall(speaker.lower()))
    return parts - STOP_WORDS or parts
