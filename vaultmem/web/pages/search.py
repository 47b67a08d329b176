"""Search: what answers a question, why each hit ranks where it does, by filters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vaultmem.api.types import LONGEST_QUERY, Hit, Question, Scope
from vaultmem.web.pages import filters, since
from vaultmem.web.pages.filters import Filters
from vaultmem.web.types import Asked, Page, Reader

KINDS = (
    "memory", "turn", "card", "topic", "episode", "summary", "task", "note", "file", "skill",
)  # fmt: skip
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
class Search:
    """The page of a search; *since* tells, in the past, what became of what was found."""

    query: str
    kind: str
    filters: Filters
    agents: Sequence[str]
    people: Sequence[str]
    kinds: Sequence[str]
    hits: tuple[Found, ...]
    degraded: str
    since: Mapping[str, str]


def query(reader: Reader, asked: Asked) -> Search:
    """Return what is found; raises BadInput for a date that is none."""
    words = asked.fields.get("q", "")[:LONGEST_QUERY].strip()
    kind = asked.fields.get("type", "")
    kind = kind if kind in KINDS else ""
    narrowed = filters.asked_for(asked)
    hits, degraded = _found(reader, asked, words, kind, narrowed) if words else ((), "")
    agents, people = reader.view.agents(), reader.view.people()
    told = since.told(reader, asked, [it.hit.path for it in hits])
    return Search(words, kind, narrowed, agents, people, KINDS, hits, degraded, told)


def _found(
    reader: Reader, asked: Asked, words: str, kind: str, narrowed: Filters
) -> tuple[tuple[Found, ...], str]:
    scope = Scope(
        agent=narrowed.agent, shared=True, type=kind, after=narrowed.after, before=narrowed.before,
        person=narrowed.person, trust=narrowed.least, untrusted=not narrowed.least,
    )  # fmt: skip
    question = Question(words, _MOST, scope, explain=True)
    answer = reader.vault.queries.recall_here(question, asked.as_of)
    best = max((hit.score for hit in answer.hits), default=0.0)
    hits = tuple(Found(hit, _signals(hit, best)) for hit in answer.hits)
    return hits, answer.degraded_reason or ""


def _signals(hit: Hit, best: float) -> tuple[Signal, ...]:
    """Return how well *hit* answers, and what lifts it, the most first."""
    lifting = [Signal(it.name, _share(it.part, best)) for it in hit.signals]
    return (Signal("answers", _share(hit.score, best)), *(it for it in lifting if it.share))


def _share(score: float, best: float) -> int:
    return round(100 * max(score, 0.0) / best) if best > 0 else 0


PAGE = Page("/search", "Search", "search.html", query)
