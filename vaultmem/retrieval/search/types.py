"""What is asked and what is answered, as values; and what dense search must be able to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

from vaultmem import arguments
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput
from vaultmem.records import TRUST, end_of, iso, moment
from vaultmem.storage.index import Filter

Mode = Literal["auto", "lexical", "semantic"]

LONGEST_QUERY = 4096
"""Characters of a question, and of whatever narrows it: SQLite compares no longer patterns."""


def reaching(least: str) -> tuple[str, ...]:
    """Return the trusts that are *least* or above, all for ""; raises BadInput for none."""
    if least and least not in TRUST:
        raise BadInput(f"trust is {', '.join(TRUST)}, not {quoted(least)}")
    return TRUST[TRUST.index(least) :] if least else TRUST


@dataclass(frozen=True, slots=True)
class Scope:
    """Where to look, before anything is ranked; empty is everywhere.

    *shared* looks beside the agent's own files into those that belong to nobody, *below* into one
    folder alone, at any depth. What is
    *untrusted*, a page from the web that no person has accepted, is left out unless it is asked
    for; *trust* is the least that is wanted (`user`, `verified`), "" for all but that. What a
    *person* said, or what is about them, has their name in it.
    Turns of the session *but_session* are left out.
    """

    agent: str = ""
    shared: bool = False
    type: str = ""
    tags: tuple[str, ...] = ()
    after: str = ""
    before: str = ""
    untrusted: bool = False
    person: str = ""
    trust: str = ""
    below: str = ""
    but_session: str = ""

    def __post_init__(self) -> None:
        """Raise BadInput for one tag that is given as if it were several, or no trust.

        So it does for what is longer than a question may be.
        """
        arguments.check("tags", self.tags, "tuple[str, ...]")
        narrowed = [("type", self.type), ("person", self.person), ("below", self.below)]
        for name, text in (*narrowed, *(("tag", tag) for tag in self.tags)):
            if len(text) > LONGEST_QUERY:
                raise BadInput(f"a {name} to search by has at most {LONGEST_QUERY} characters")
        reaching(self.trust)

    def filter(self) -> Filter:
        """Return which records of the index it means; raises BadInput for a bad date."""
        return Filter(
            type=self.type,
            agent=("", self.agent) if self.agent and self.shared else self.agent,
            below=self.below,
            tags=self.tags,
            person=self.person,
            trusts=reaching(self.trust) if self.trust else (),
            after=iso(moment(self.after)) if self.after else "",
            before=iso(end_of(self.before)) if self.before else "",
            recallable=True,
            trusted=not self.untrusted,
            other_session=self.but_session,
        )


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: the words, how many hits, where, by words or vectors, and when.

    *now* is what `stale_after`, `valid_to` and recency are held to. To *explain* is to tell of each
    hit what its score is the sum of.
    """

    query: str
    k: int = 10
    scope: Scope = field(default_factory=Scope)
    now: str = ""
    mode: Mode = "auto"
    explain: bool = False


@dataclass(frozen=True, slots=True)
class ScorePart:
    """What one signal adds to a score: its *value* times its *weight*."""

    name: str
    value: float
    weight: float
    part: float


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing found: where it stands, when it was said, how well it answers.

    *stale* is a fact whose time is over: past its `stale_after` or `valid_to`, or superseded.
    *retriever* is who found it beside the vault's own search, "" where that did; of a hit that is
    no file of the vault the type is `external`, and the path begins with that name and a colon.
    *signals* are the parts that the score is the sum of, where an explanation was asked for.
    """

    id: str
    path: str
    lines: tuple[int, int]
    heading: str
    title: str
    date: str
    type: str
    agent: str
    snippet: str
    score: float
    sha256: str
    trust: str
    stale: bool
    session: str = ""
    superseded_by: str = ""
    retriever: str = ""
    signals: tuple[ScorePart, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """The hits, best first, and what was not up to its best, if anything.

    *sessions* are those the answer most likely lies in, best first: ranked by all that each one
    holds, not by its best hit alone.
    """

    hits: tuple[Hit, ...]
    degraded_reason: str | None = None
    sessions: tuple[str, ...] = ()


class Candidate(NamedTuple):
    """One record that might answer, and what the sources say of it.

    *words* and *passage* are raw BM25 of the whole document and of its best passage (0 is no
    word), *held* that of each of the question's terms alone, *near* how near the nearest of its
    words comes to each, from 0 to 1, *related* whether a word is said for it. *cosine* is its best
    passage's, 0 without a vector. *before* and *after* are its neighbours in a session that has
    *session_length* words. *length* counts words; *asks* is whether it ends in a question,
    and *only_asks* whether it is one alone,
    *times* and *counts* whether it holds a word of time or a number. *told* are the times that it
    counts from its own, `2026-04` for "last month", where the question names a date that was over
    by then.
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
    only_asks: bool = False
    times: bool = False
    counts: bool = False
    outdated: bool = False
    superseded_by: str = ""
    words: float = 0.0
    passage: float = 0.0
    held: tuple[float, ...] = ()
    near: tuple[float, ...] = ()
    related: tuple[bool, ...] = ()
    cosine: float = 0.0
    before: int | None = None
    after: int | None = None
    session_length: int = 0
    told: tuple[str, ...] = ()


Found = Mapping[int, Candidate]
Scores = Mapping[int, float]


class MaxSim(NamedTuple):
    """The word of each token of a question, its greatest cosine in each doc; empty without."""

    words: tuple[str, ...] = ()
    of: Mapping[int, tuple[float, ...]] = {}


class Likeness(Protocol):
    """How alike everything in the index is to one question, by cosine (-1 to 1)."""

    degraded: str
    """Why it is not at its best, "" when it is."""

    def nearest(self, where: Filter, k: int) -> Mapping[int, float]:
        """Return the *k* docs nearest to the question among those that *where* selects."""

    def of(self, docs: Iterable[int]) -> Mapping[int, float]:
        """Return the cosine of each of *docs* that has a vector: its best passage's."""

    def passage(self, doc: int) -> str:
        """Return the sha of the passage of *doc* that is nearest, "" when none has a vector."""

    def max_sim(self, docs: Iterable[int]) -> MaxSim:
        """Return how near each token of the question comes to one of each doc's best passage."""


class Dense(Protocol):
    """Dense search: vectors of the same catalog that the words are in."""

    def ask(self, query: str) -> Likeness:
        """Embed *query*; raises ModelAway when there is nobody to do it."""
