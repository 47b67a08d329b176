"""Look a question up for a context: as many hits as score like answers, not a fixed number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from vaultmem.documents.bodies import prompt_blocks
from vaultmem.records import Record, iso
from vaultmem.retrieval import search as retrieval_search
from vaultmem.retrieval.context import selection, topic_items
from vaultmem.retrieval.context.deduplication import distinctive_words, singular
from vaultmem.retrieval.context.items import Piece, passage
from vaultmem.retrieval.context.record_queries import Reader, may_be_told
from vaultmem.retrieval.search.scoring import by_experience
from vaultmem.retrieval.search.types import Answer, Dense, Hit, Likeness, Question, Scope
from vaultmem.storage.index import Filter, tokenizer

# On four conversations of LoCoMo, 99 in 100 of the best-placed gold turns score more than this part
# of the best hit, and have no wider gap above them; a third of the first 50 hits score less.
_FLOOR = 0.5
_GAP = 0.3


def worth(scores: Sequence[float]) -> int:
    """Return how many of *scores*, best first, to take: up to the first break, at least one."""
    best = max([0.0, *scores[:1]])
    for n, (above, score) in enumerate(pairwise(scores), 1):
        if score < _FLOOR * best or above - score > _GAP * best:
            return n
    return len(scores)


_KINDS = frozenset({"topic", "note", "file", "memory", "turn"})
_PAR = 0.8
"""The part of the best hit's score from which another answers as well."""

_RELATED, _SUMMARIES = 3, 2
"""So many past experiences stand in a context, and so many of them are summaries."""

_LONG = 8
"""A hit that would need more than this part of the budget stands by the passage that was found."""

_CONSIDERED = 16
_REACH = 2
"""Turns before and after a hit that are looked at."""

_SHORT = 12
"""Telling words; a turn with fewer is seldom understood without the one before."""

_OFFERED = 2
_FITS = 0.5
"""The share of a question's words that a skill says of itself, or of its name's that are asked."""

_BY_CHANCE = 1
"""So many words of a name stand in any long question."""

_PARTS = re.compile(r"[.;:\n]+")
_SKILLS = Filter(type="skill")
_ASKS = ("?", "\uff1f")


@dataclass(frozen=True, slots=True)
class Offer:
    """A skill that fits the question: whole, and what it says of itself where room is short."""

    whole: Piece
    hint: Piece


class Lookup:
    """One question, asked of what *reader* reads; an empty one finds nothing."""

    def __init__(self, reader: Reader, query: str, dense: Dense | None) -> None:
        """Ask *query*, by meaning too where there is a *dense* search."""
        self._reader, self._query = reader, query[: retrieval_search.LONGEST_QUERY]
        self._dense = dense and _Once(dense)

    def search(self, kind: str = "", k: int = retrieval_search.MOST_HITS) -> Answer:
        """Return the hits among what is the agent's or nobody's."""
        if not self._query.strip():
            return Answer(())
        reader = self._reader
        scope = Scope(agent=reader.agent, shared=True, type=kind, but_session=reader.asking_session)
        question = Question(self._query, k, scope, iso(reader.now))
        return retrieval_search.search(
            reader.store.index, question, reader.store.exists, self._dense,
            None if kind else reader.turns,
        )  # fmt: skip

    def holding(self, hits: Sequence[Hit]) -> list[tuple[Record, Hit]]:
        """Return those of *hits* that may stand as notes and hold now, with what they found."""
        hits = [hit for hit in hits if hit.type in _KINDS]
        known = self._reader.by_path(hit.path for hit in hits)
        there = ((known[hit.path], hit) for hit in hits if hit.path in known)
        return [(record, hit) for record, hit in there if self._reader.holds(record)]

    def found(
        self, holding: Sequence[tuple[Record, Hit]], budget: int, items: Mapping[str, int]
    ) -> Iterator[Piece]:
        """Yield what is *holding* and the turns beside it, in the order in which it is worth room.

        The passage that was found stands for a text that is long for the *budget*, and of the topic
        at a path as many *items* as it may have: one that may have none is left out.
        """
        longest, ease = budget // _LONG, selection.ease(budget)
        hits = {r.path: (r, hit) for r, hit in holding if items.get(r.path, 1)}
        talk = _Talk()
        beside = {r.path: list(self._beside(r, talk)) for r, _ in hits.values() if _is_turn(r)}
        worth = selection.worths(list(hits), beside, ease)
        known = {**talk.turns, **{path: record for path, (record, _) in hits.items()}}
        sessions = {path: known[path].session for path in worth}
        listed = selection.lists(self._query)
        said = _said(hits.values()) if listed else {}
        spread = selection.spread(worth, sessions, ease, listed=listed)
        for path in selection.new_first(spread, said):
            if path in items:
                yield self._topic(*hits[path], longest, items[path])
            else:
                turn = self._reader.turn(
                    known[path], talk.before.get(path, ""), brief=selection.is_small(budget)
                )
                yield _within(turn, hits[path][1] if path in hits else None, longest)

    def _topic(self, record: Record, hit: Hit, longest: int, most: int) -> Piece:
        """Print a topic with *most* of its items, those that have most words of the question."""
        if prompt_blocks.size(topic_items.topic(record)) <= most:
            return _within(self._reader.turn(record), hit, longest)
        wanted = _terms(self._query)
        made = topic_items.narrowed(
            record,
            most,
            matches=lambda text: len(wanted & _terms(text)),
            fits=lambda part: self._reader.piece(part, cut="yes").tokens <= longest,
        )
        return self._reader.piece(made, cut="yes")

    def _beside(self, record: Record, talk: _Talk) -> Iterator[tuple[str, float]]:
        """Yield the turns beside *record* that may be told and hold, and their part of its worth.

        It needs the one before it where it is short or answers, and the answer where it asks.
        """
        turns = self._reader.index_of(record).next_turns
        earlier, later = turns(record, _REACH, back=True), turns(record, _REACH)
        talk.add([*reversed(earlier), record, *later])
        needs_question = len(distinctive_words(record.body)) < _SHORT or any(
            map(_asks, earlier[:1])
        )
        for side, needed in ((earlier, needs_question), (later, _asks(record))):
            parts = (selection.NEEDED if needed else selection.NEXT, selection.NEXT_BUT_ONE)
            for turn, part in zip(side, parts, strict=False):
                if may_be_told(turn) and self._reader.holds(turn):
                    yield turn.path, part

    def skills(self) -> Iterator[Offer]:
        """Yield the skills that fit the question, the best first: data, as all that is found."""
        if not self._reader.store.index.has(_SKILLS):
            return
        hits = self.search("skill", _CONSIDERED).hits
        known = self._reader.by_path(hit.path for hit in hits)
        found = (known[hit.path] for hit in hits if hit.path in known)
        fitting = [r for r in found if self._reader.holds(r) and _fits(r, self._query)]
        for record in fitting[:_OFFERED]:
            hint = replace(record, body=record.description)
            whole = replace(record, body=f"{record.description}\n\n{record.body}")
            yield Offer(self._reader.piece(whole), self._reader.piece(hint))

    def related(self, shown: Iterable[Record]) -> list[Record]:
        """Return the past experiences that are worth most now, none that is *shown*."""
        kinds = [kind for kind in ("summary", "episode") if self._reader.has(kind)]
        hits = [h for kind in kinds for h in self.search(kind, _CONSIDERED).hits]
        known = self._reader.by_path(hit.path for hit in hits)
        hidden = {record.path for record in shown}
        scores = {h.path: h.score for h in hits if h.path in known and h.path not in hidden}
        past = [known[path] for path in scores if self._is_experience(known[path])]
        best = max((scores[r.path] for r in past), default=0.0) or 1.0
        days = self._reader.days
        value = {r.path: by_experience(scores[r.path] / best, days(r), r.importance) for r in past}
        worthiest = sorted(past, key=lambda r: -value[r.path])
        summaries = [r for r in worthiest if r.type == "summary"]
        return [r for r in worthiest if r not in summaries[_SUMMARIES:]][:_RELATED]

    def _is_experience(self, record: Record) -> bool:
        own = record.agent == self._reader.agent
        return own and (record.tier == "recent" or record.type == "episode")


class _Talk:
    """The turns around what was found, by path, and which stands right before which."""

    def __init__(self) -> None:
        self.turns, self.before = dict[str, Record](), dict[str, str]()

    def add(self, turns: Sequence[Record]) -> None:
        """Note *turns* that stand next to each other in their session, in order."""
        self.turns.update((turn.path, turn) for turn in turns)
        self.before.update((turn.path, above.path) for above, turn in pairwise(turns))


class _Once:
    """A dense search that embeds the same question only once."""

    def __init__(self, dense: Dense) -> None:
        self._dense, self._likenesses = dense, dict[str, Likeness]()

    def ask(self, query: str) -> Likeness:
        if query not in self._likenesses:
            self._likenesses[query] = self._dense.ask(query)
        return self._likenesses[query]


def _within(whole: Piece, hit: Hit | None, longest: int) -> Piece:
    """Return the *whole*, or if it is longer than *longest* tokens what *hit* found in it."""
    whole = replace(whole, hit=hit)
    part = passage(whole) if whole.tokens > longest else None
    return part or whole


def _said(found: Iterable[tuple[Record, Hit]]) -> dict[str, frozenset[str]]:
    """Return the telling words of each that answers about as well as the best, but for numbers.

    The same with another number is no other thing.
    """
    found = list(found)
    par = _PAR * max((hit.score for _, hit in found), default=0.0)
    words = {r.path: distinctive_words(r.body) for r, hit in found if hit.score >= par}
    return {
        path: frozenset(word for word in each if not any(map(str.isdigit, word)))
        for path, each in words.items()
    }


def _is_turn(record: Record) -> bool:
    return record.type in {"memory", "turn"} and bool(record.session)


def _asks(record: Record) -> bool:
    return record.body.rstrip().endswith(_ASKS)


def _fits(skill: Record, query: str) -> bool:
    """Tell whether *skill* is for what *query* asks: by what it says of itself, or by its name."""
    wanted, named = _terms(query), _terms(skill.title)
    known = len(wanted & named)
    by_name = known > _BY_CHANCE and known >= _FITS * len(named)
    described = wanted & (named | _terms(skill.description))
    return by_name or (bool(wanted) and len(described) >= _FITS * len(wanted))


def _terms(text: str) -> frozenset[str]:
    terms = (term for part in _PARTS.split(text) for term in tokenizer.terms(part))
    return frozenset(map(singular, terms))
