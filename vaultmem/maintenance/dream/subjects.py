"""What many memories of an agent are about: those that share a telling word, from several sessions.

They share more words with one another than with the rest. Of all memories nothing is held but the
numbers of their terms; what one says is read when it is asked for.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import (
    Callable,
    Collection,
    Container,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field
from itertools import chain, groupby
from operator import attrgetter
from typing import NamedTuple

from vaultmem.maintenance.dream.types import Cluster, Subjects
from vaultmem.nlp.extraction.talk import self_contained
from vaultmem.nlp.text import analysis, salience
from vaultmem.nlp.text.stopwords import EVENTS, VAGUE
from vaultmem.records import TRUST, Record, moment
from vaultmem.storage import ulids
from vaultmem.storage.index.facets import Said

_LEAST_MEMORIES, LEAST_SESSIONS = 6, 3
# A word that more than this share of all memories has names no subject.
_COMMON = 0.06
# Words that its memories share must be in a quarter of them, one in half, each of them five times
# as often as overall.
_SHARED, _STRONG, _LIFT, _KIN = 0.25, 0.5, 5.0, 2
_LEAST_SHARED = 3
_OVERLAP = 0.4
# What life is full of, whatever it is about.
_PLAIN = ("day", "family", "friend", "hard", "help", "job", "kid", "life", "people", "place", "see",
          "store", "work", "year")  # fmt: skip
_EMPTY = frozenset(map(analysis.stem, [*EVENTS, *_PLAIN])) | VAGUE | {"fam"}
_SHORTEST_TERM = 3
_A_MOMENT = 0.001
_LONGEST_QUOTE, _TELLING = 240, 2.0
QUOTABLE = 4
"""The mark of a memory that has a sentence to be quoted."""


def terms(memory: Record) -> tuple[str, ...]:
    """Return the terms of *memory*, each once."""
    return tuple(dict.fromkeys(analysis.terms(salience.spoken(memory.body))))


def sentences(body: str) -> Iterator[str]:
    """Yield the sentences of *body* as they may be quoted."""
    return map(salience.without_lead, analysis.sentences(salience.spoken(body)))


def weight(sentence: str, terms: Sequence[str]) -> float:
    """Return how much a *sentence* of these *terms* tells, 0 where it cannot stand alone."""
    if not salience.is_news(sentence, terms) or len(sentence) > _LONGEST_QUOTE:
        return 0.0
    if not self_contained.stands(sentence):
        return 0.0
    substance = salience.substance(sentence)
    return substance if substance >= _TELLING else 0.0


def is_quotable(memory: Record) -> bool:
    """Tell whether a topic may quote a sentence of *memory*, whatever that is about."""
    return any(weight(text, analysis.terms(text)) for text in sentences(memory.body))


def of_records(memories: Iterable[Record], since: str) -> tuple[Subjects, ...]:
    """Return the subjects of *memories*, those of each agent by itself: they are its own.

    Those that were learnt after *since* are new.
    """
    told = [m for m in memories if TRUST.index(m.trust) > 0 and m.body.strip()]
    told.sort(key=attrgetter("agent"))
    first = newer(since) if since else ""
    numbers: dict[str, int] = {}
    said = (
        Said(
            at, m.agent, m.session or m.created[: len("2026-11-20")],
            QUOTABLE * is_quotable(m),
            array("I", (numbers.setdefault(term, len(numbers)) for term in terms(m))),
        )
        for at, m in enumerate(told)
    )  # fmt: skip
    return of_said(
        said, lambda: {n: term for term, n in numbers.items()},
        lambda agent: [m.speaker for m in told if m.agent == agent],
        frozenset(at for at, m in enumerate(told) if m.id >= first) if first else None,
        lambda docs: ((doc, told[doc]) for doc in docs),
    )  # fmt: skip


def newer(since: str) -> str:
    """Return the lowest id of what is learnt after *since*; raises BadInput."""
    return ulids.first_at(moment(since).timestamp() + _A_MOMENT)


def of_said(
    said: Iterable[Said],
    words: Callable[[], dict[int, str]],
    speakers: Callable[[str], Iterable[str]],
    new: Container[int] | None,
    load: Callable[[Collection[int]], Iterable[tuple[int, Record]]],
) -> tuple[Subjects, ...]:
    """Return the subjects of what was *said*, in order of agents and of time.

    *words* gives the terms by number, *speakers* who speaks to an agent, *load* memories by theirs;
    *new* are the numbers of those that are new, None for all.
    """
    made = []
    for agent, some in groupby(said, key=attrgetter("agent")):
        corpus = _Corpus()
        for one in some:
            corpus.add(one)
        voices = {analysis.stem(w) for name in speakers(agent) for w in analysis.heads(name)}
        found = tuple(_distinct(_Search(corpus, words(), frozenset(voices)).clusters()))
        made.append(Subjects(found, corpus.docs, corpus.places, corpus.quotable, new, load))
    return tuple(made)


@dataclass(slots=True)
class _Corpus:
    """Memories by their places in time: their numbers, where they were said, their terms."""

    docs: array[int] = field(default_factory=lambda: array("q"))
    places: array[int] = field(default_factory=lambda: array("I"))
    quotable: bytearray = field(default_factory=bytearray)
    ends: array[int] = field(default_factory=lambda: array("Q", [0]))
    flat: array[int] = field(default_factory=lambda: array("I"))
    having: dict[int, array[int]] = field(default_factory=dict)
    _known: dict[str, int] = field(default_factory=dict)

    def add(self, one: Said) -> None:
        at = len(self.docs)
        self.docs.append(one.doc)
        self.places.append(self._known.setdefault(one.place, len(self._known)))
        self.quotable.append(bool(one.marks & QUOTABLE))
        self.flat.extend(one.terms)
        self.ends.append(len(self.flat))
        for term in one.terms:
            if (members := self.having.get(term)) is None:
                self.having[term] = members = array("I")
            members.append(at)

    def terms(self, at: int) -> array[int]:
        return self.flat[self.ends[at] : self.ends[at + 1]]


class _Found(NamedTuple):
    """A cluster, the number of its term, and the terms that most of its memories have.

    So whether it is within another one is known without the members of either.
    """

    number: int
    cluster: Cluster
    within: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Search:
    """A look for clusters in *memories*; the names of who speaks are no subjects."""

    memories: _Corpus
    words: dict[int, str]
    voices: frozenset[str]

    def clusters(self) -> Iterator[_Found]:
        whole = len(self.memories.docs)
        most = max(2 * _LEAST_MEMORIES, _COMMON * whole)
        for number, members in self.memories.having.items():
            if not (_LEAST_MEMORIES <= len(members) <= most and self._is_telling(number)):
                continue
            if len({self.memories.places[at] for at in members}) < LEAST_SESSIONS:
                continue
            counts = Counter(chain.from_iterable(map(self.memories.terms, members)))
            related = self._shared(number, counts)
            if len(related) >= _KIN and max(related.values()) >= _STRONG:
                strength = round(sum(related.values()) * len(members), 6)
                within = frozenset(n for n, it in counts.items() if it > _OVERLAP * len(members))
                cluster = Cluster(self.words[number], members, related, strength)
                yield _Found(number, cluster, within)

    def _is_telling(self, number: int) -> bool:
        term = self.words[number]
        short = term.isascii() and len(term) < _SHORTEST_TERM
        return not (short or term in _EMPTY or term in self.voices)

    def _shared(self, number: int, counts: Mapping[int, int]) -> dict[str, float]:
        """Return the words that those with a term share beside it, each by its share of them.

        *counts* says how many of them have each term.
        """
        members = counts[number]
        least = max(_LEAST_SHARED, _SHARED * members)
        often = {n: count for n, count in counts.items() if n != number and count >= least}
        whole = len(self.memories.docs)
        return {
            self.words[n]: count / members
            for n, count in sorted(often.items(), key=lambda it: self.words[it[0]])
            if count / members >= _LIFT * len(self.memories.having[n]) / whole
        }


def _distinct(found: Iterable[_Found]) -> list[Cluster]:
    """Return the clusters, the strongest first, none mostly within a stronger one."""
    kept: dict[int, Cluster] = {}
    for it in sorted(found, key=lambda it: (-it.cluster.strength, it.cluster.term)):
        if it.within.isdisjoint(kept):
            kept[it.number] = it.cluster
    return list(kept.values())
