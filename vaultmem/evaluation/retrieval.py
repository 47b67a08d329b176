"""Ask questions whose evidence is known, and judge what comes up: memories and their sessions.

Each question is asked once, for as many hits as are judged; every figure follows from that.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import NamedTuple

from vaultmem.api.rendering import token_count
from vaultmem.api.types import Answer
from vaultmem.evaluation import metrics
from vaultmem.evaluation.evidence import Known, LeftOut, ref
from vaultmem.evaluation.metrics import BUDGETS, Interval, Places, Scores
from vaultmem.evaluation.questions import LabelledQuestion
from vaultmem.records import Record

Ask = Callable[[LabelledQuestion, int], Answer]
"""Answers a question with so many hits."""
Timer = Callable[[], float]

_TOKENS = (250, 500, 1000, 1500, 2000, 3000, 4000)
_MS = 1000


class Filed(NamedTuple):
    """A file that a hit may be of; a tuple without its text, for there are very many."""

    path: str
    title: str
    session: str
    created: str
    id: str


@dataclass(frozen=True, slots=True)
class Library:
    """What the hits are of: each file by its ref, and what says a *text* by its path."""

    files: Mapping[str, Filed]
    text: Callable[[str], str]

    @classmethod
    def of(cls, records: Iterable[Record], text: Callable[[str], str]) -> Library:
        """Return the library of *records*, whose bodies *text* says again."""
        known, sessions = dict[str, Filed](), dict[str, str]()
        for it in records:
            session = sessions.setdefault(it.session, it.session)  # held once for all its turns
            known[ref(it)] = Filed(it.path, it.title, session, it.created, it.id)
        return cls(known, text)

    def body(self, name: str) -> str:
        """Return the text of the file of that ref, "" when it is none of these."""
        return self.text(self.files[name].path) if name in self.files else ""

    def path(self, name: str) -> str:
        """Return where the file of that ref lies; the ref itself when it is none of these."""
        return self.files[name].path if name in self.files else name

    def sessions(self, refs: Iterable[str]) -> tuple[str, ...]:
        """Return the sessions of *refs*, each where it comes first."""
        known = (self.files[r].session for r in refs if r in self.files)
        return tuple(dict.fromkeys(session for session in known if session))


@dataclass(frozen=True, slots=True)
class RankedResult:
    """What one question brought up: refs and sessions, best first, and the hits' tokens."""

    known: Known
    ranked: tuple[str, ...]
    sessions: tuple[str, ...]
    costs: tuple[int, ...]
    seconds: float
    degraded: str = ""

    @property
    def at(self) -> Places:
        """Where its evidence turned up."""
        return metrics.places(self.ranked, self.known.gold)

    @property
    def session_at(self) -> Places | None:
        """Where the sessions of its evidence turned up, None when it has none."""
        return metrics.places(self.sessions, self.known.sessions) if self.known.sessions else None


@dataclass(frozen=True, slots=True)
class Run:
    """One way of asking all questions: what each found among *k* hits of the *library*.

    *index_s* are the seconds it took to index and embed; *left_out* are questions nobody asked.
    """

    mode: str
    k: int
    library: Library
    found: Sequence[RankedResult]
    index_s: float = 0.0
    left_out: Sequence[LeftOut] = ()


def ask_all(
    questions: Iterable[Known], ask: Ask, library: Library, k: int, timer: Timer = time.perf_counter
) -> Iterator[RankedResult]:
    """Ask each question for *k* hits and yield what it found; only the asking itself is timed."""
    cost = cache(lambda name: token_count(library.body(name)))
    for known in questions:
        started = timer()
        answer = ask(known.asked, k)
        seconds = timer() - started
        ranked = tuple(hit.id or hit.path for hit in answer.hits)
        yield RankedResult(
            known,
            ranked,
            answer.sessions or library.sessions(ranked),
            tuple(cost(name) for name in ranked),
            seconds,
            answer.degraded_reason or "",
        )


@dataclass(frozen=True, slots=True)
class Category:
    """The figures of the questions of one category."""

    n: int
    overall: Scores
    sessions: Scores


@dataclass(frozen=True, slots=True)
class Report:
    """The figures of one way of asking; their names are those that scripts rely on.

    *overall* judges memories, *sessions* sessions; *degraded_reason* is the
    first one that an answer gave, and *degraded* how many answers gave one.
    """

    mode: str
    k: int
    n: int
    overall: Scores
    sessions: Scores
    intervals: Mapping[str, Mapping[str, Interval]]
    categories: Mapping[str, Category]
    latency_ms: Mapping[str, float]
    index_s: float
    degraded: int
    degraded_reason: str | None
    left_out: Sequence[LeftOut] = ()

    def figures(self) -> dict[str, float]:
        """Return what a floor may be set for, by name: sessions' figures are `sessions.hit@1`."""
        return {**self.overall, **{f"sessions.{n}": v for n, v in self.sessions.items()}}


def report(run: Run, seed: int = 0) -> Report:
    """Return the figures of a *run* that asked something; *seed* is the bootstrap's."""
    reasons = [f.degraded for f in run.found if f.degraded]
    judged = [f for f in run.found if f.known.sessions]
    turns, sessions = turn_scores(run.found, run.k), session_scores(judged, run.k)
    return Report(
        mode=run.mode,
        k=run.k,
        n=len(run.found),
        overall=_rounded(metrics.mean(turns)),
        sessions=_rounded(metrics.mean(sessions)),
        intervals={
            "overall": metrics.intervals(turns, clusters(run.found), seed),
            "sessions": metrics.intervals(sessions, clusters(judged), seed),
        },
        categories={c: _category(some, run.k) for c, some in _by_category(run.found).items()},
        latency_ms=_latency([f.seconds for f in run.found]),
        index_s=round(run.index_s, 3),
        degraded=len(reasons),
        degraded_reason=reasons[0] if reasons else None,
        left_out=run.left_out,
    )


def turn_scores(found: Sequence[RankedResult], k: int) -> list[dict[str, float]]:
    """Return every figure of every question's memories, the first *k* of them."""
    return [{**metrics.scores(f.at, k), **_in_tokens(f)} for f in found]


def session_scores(found: Sequence[RankedResult], k: int) -> list[dict[str, float]]:
    """Return every figure of every question's sessions, for the questions that have some."""
    return [metrics.scores(at, k) for f in found if (at := f.session_at)]


def _in_tokens(found: RankedResult) -> dict[str, float]:
    """Return what fits of the hits' own texts, without the frame that a prompt puts around them."""
    return {
        f"recall@{budget // 1000}k_tokens": metrics.within(found.at, found.costs, budget)
        for budget in BUDGETS
    }


def clusters(found: Sequence[RankedResult]) -> list[str]:
    """Return which cluster each question is of: its conversation, or itself where none is named.

    One conversation alone says nothing of how conversations differ: then questions are drawn.
    """
    named = [f.known.asked.conversation for f in found]
    if len(set(named)) > 1:
        return [name or f"#{number}" for number, name in enumerate(named)]
    return [f"#{number}" for number in range(len(named))]


def _by_category(found: Sequence[RankedResult]) -> dict[str, list[RankedResult]]:
    grouped: dict[str, list[RankedResult]] = {}
    for f in found:
        grouped.setdefault(f.known.asked.category or "uncategorized", []).append(f)
    return dict(sorted(grouped.items()))


def _category(found: Sequence[RankedResult], k: int) -> Category:
    turns, sessions = turn_scores(found, k), session_scores(found, k)
    return Category(len(found), _rounded(metrics.mean(turns)), _rounded(metrics.mean(sessions)))


def _latency(seconds: Sequence[float]) -> dict[str, float]:
    """Return the median and the 95th percentile in ms, by the nearest rank."""
    rising = sorted(seconds)
    return {
        f"p{share}": round(_MS * rising[-(-share * len(rising) // 100) - 1], 3)
        for share in (50, 95)
    }


def _rounded(scores: Scores) -> dict[str, float]:
    return {name: round(value, 4) for name, value in scores.items()}


Points = Sequence[tuple[int, float]]
"""A curve: at each x (hits, or tokens) the mean over the questions."""


def against_k(run: Run) -> dict[str, Points]:
    """Return how any-recall and fractional recall grow with the hits that are read."""
    at = [f.at for f in run.found]
    cuts = [c for c in metrics.CUTS if c <= run.k]
    return {
        "recall_any": [(c, fmean(metrics.recall_any(a, c) for a in at)) for c in cuts],
        "recall": [(c, fmean(metrics.recall(a, c) for a in at)) for c in cuts],
    }


def against_tokens(run: Run) -> Points:
    """Return how fractional recall grows with the tokens that are read."""
    found = [(f.at, f.costs) for f in run.found]
    return [(t, fmean(metrics.within(at, costs, t) for at, costs in found)) for t in _TOKENS]
