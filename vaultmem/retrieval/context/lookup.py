"""Look a question up for a context: as many hits as score like answers, not a fixed number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from vaultmem.documents.bodies import prompt_blocks
from vaultmem.records import Record, iso
from vaultmem.retrieval import search as retrieval_search
from vaultmem.retrieval.context import topic_items
from vaultmem.retrieval.context.deduplication import singular
from vaultmem.retrieval.context.excerpts import excerpt
from vaultmem.retrieval.context.items import Piece
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


_KINDS = frozenset({"topic", "note", "memory"})
_RELATED, _SUMMARIES = 3, 2
"""So many past experiences stand in a context, and so many of them are summaries."""

_CONSIDERED = 16
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
class FoundPassages:
    """What recall found, and the turns beside it without which it is not understood."""

    piece: Piece
    before: Piece | None = None
    after: Piece | None = None


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
        scope = Scope(agent=self._reader.agent, shared=True, type=kind)
        question = Question(self._query, k, scope, iso(self._reader.now))
        return retrieval_search.search(
            self._reader.store.index, question, self._reader.store.exists, self._dense
        )

    def worthy(self, hits: Sequence[Hit]) -> list[tuple[Record, Hit]]:
        """Return those of *hits* that are worth their room and hold now, with what they found."""
        hits = [hit for hit in hits if hit.type in _KINDS]
        fresh = [hit for hit in hits if not hit.stale]
        # Up to the first break; behind them the stale, which recall has put last.
        kept = [*fresh[: worth([hit.score for hit in fresh])], *(hit for hit in hits if hit.stale)]
        known = self._reader.by_path(hit.path for hit in kept)
        there = ((known[hit.path], hit) for hit in kept if hit.path in known)
        return [(record, hit) for record, hit in there if self._reader.holds(record)]

    def passages(
        self, worthy: Sequence[tuple[Record, Hit]], longest: int, items: Mapping[str, int]
    ) -> Iterator[FoundPassages]:
        """Yield what is *worthy*, with its neighbours.

        Of a text of more than *longest* tokens the passage that was found stands for it, and of the
        topic at a path as many *items* as it may have: one that may have none is left out.
        """
        for record, hit in worthy:
            if record.path not in items:
                yield self._with_neighbours(record, self._within(record, hit, longest))
            elif most := items[record.path]:
                yield FoundPassages(self._topic(record, hit, longest, most))

    def _topic(self, record: Record, hit: Hit, longest: int, most: int) -> Piece:
        """Print a topic with *most* of its items, those that have most words of the question."""
        if prompt_blocks.size(topic_items.topic(record)) <= most:
            return self._within(record, hit, longest)
        wanted = _terms(self._query)
        made = topic_items.narrowed(
            record,
            most,
            matches=lambda text: len(wanted & _terms(text)),
            fits=lambda part: self._reader.piece(part, cut="yes").tokens <= longest,
        )
        return self._reader.piece(made, cut="yes")

    def _within(self, record: Record, hit: Hit, longest: int) -> Piece:
        """Print *record*, or where it is longer than *longest* tokens what *hit* found in it."""
        whole = self._reader.piece(record)
        part = excerpt(record, hit) if whole.tokens > longest else None
        return self._reader.piece(part[0], **part[1]) if part else whole

    def _with_neighbours(self, record: Record, piece: Piece) -> FoundPassages:
        """Add the turn before a short one, the question before it, and the answer to it."""
        if record.type != "memory" or not record.session:
            return FoundPassages(piece)
        before = self._beside(record, back=True)
        if before and not (len(piece.words) < _SHORT or _asks(before)):
            before = None
        after = self._beside(record, back=False) if _asks(record) else None
        return FoundPassages(
            piece,
            self._reader.piece(before, beside="before") if before else None,
            self._reader.piece(after, beside="after") if after else None,
        )

    def _beside(self, record: Record, *, back: bool) -> Record | None:
        """Return the turn that is next to *record* in its session, if it may be told and holds."""
        found = self._reader.store.index.next_turn(record, back=back)
        return found if found and may_be_told(found) and self._reader.holds(found) else None

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


class _Once:
    """A dense search that embeds the same question only once."""

    def __init__(self, dense: Dense) -> None:
        self._dense, self._likenesses = dense, dict[str, Likeness]()

    def ask(self, query: str) -> Likeness:
        if query not in self._likenesses:
            self._likenesses[query] = self._dense.ask(query)
        return self._likenesses[query]


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
