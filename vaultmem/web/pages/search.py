"""Search: what answers a question, why each hit ranks where it does, by filters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vaultmem.api.types import LONGEST_QUERY, Hit, Question, Scope
from vaultmem.web.types import Asked, Page, Reader

KINDS = ("memory", "card", "topic", "episode", "summary", "task", "note", "skill")
_MOST = 30


@dataclass(frozen=True, slots=True)
class Signal:
    """A part of what a hit ranks by, beside the score of the best, from 0 to 100."""

    name: str
    share: int


@dataclass(frozen=True, slots=True)
class Found:
    """A hit, and the signals that it ranks by."""

    hit: Hit
    signals: tuple[Signal, ...]


@dataclass(frozen=True, slots=True)
class Filters:
    """What a search is narrowed to, as the form shows it."""

    agent: str = ""
    kind: str = ""
    after: str = ""
    before: str = ""
    untrusted: bool = False

    @property
    def are_set(self) -> bool:
        """Whether any is."""
        return bool(self.agent or self.kind or self.after or self.before or self.untrusted)


@dataclass(frozen=True, slots=True)
class Search:
    """The page of a search."""

    query: str
    filters: Filters
    agents: Sequence[str]
    kinds: Sequence[str]
    hits: tuple[Found, ...]
    degraded: str


def query(reader: Reader, asked: Asked) -> Search:
    """Return what is found; raises BadInput for a date that is none."""
    words = asked.fields.get("q", "")[:LONGEST_QUERY].strip()
    kind = asked.fields.get("type", "")
    filters = Filters(
        asked.options.agent or asked.fields.get("agent", ""),
        kind if kind in KINDS else "",
        asked.fields.get("after", ""),
        asked.fields.get("before", ""),
        asked.fields.get("untrusted", "") == "1",
    )
    agents = reader.view.agents()
    if not words:
        return Search("", filters, agents, KINDS, (), "")
    scope = Scope(
        agent=filters.agent, shared=True, type=filters.kind, after=filters.after,
        before=filters.before, untrusted=filters.untrusted,
    )  # fmt: skip
    question = Question(words, _MOST, scope, explain=True)
    answer = reader.vault.queries.recall_here(question, asked.as_of)
    best = max((hit.score for hit in answer.hits), default=0.0)
    hits = tuple(Found(hit, _signals(hit, best)) for hit in answer.hits)
    return Search(words, filters, agents, KINDS, hits, answer.degraded_reason or "")


def _signals(hit: Hit, best: float) -> tuple[Signal, ...]:
    """Return how well *hit* answers, and what lifts it, the most first."""
    lifting = [Signal(it.name, _share(it.part, best)) for it in hit.signals]
    return (Signal("answers", _share(hit.score, best)), *(it for it in lifting if it.share))


def _share(score: float, best: float) -> int:
    return round(100 * max(score, 0.0) / best) if best > 0 else 0


PAGE = Page("/search", "Search", "search.html", query)
