"""Why evidence was missed: each question that its first hits do not answer, under one cause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from vaultmem.api import probe_questions
from vaultmem.evaluation.phrase_match import normal
from vaultmem.evaluation.retrieval import Library, RankedResult, Run

Cause = Literal[
    "nothing found", "only a turn beside it", "ranked low", "no word in common", "not found"
]
"""What is said of a miss; of several causes the first.

Beside it are up to two turns before or after, of the same session; low is behind the first ten
hits. Without a word in common words alone cannot find it.
"""

FIRST = 10
"""Hits among which evidence must be; with fewer asked for, among those."""
_BESIDE = 2
_STEM = 5
_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Miss:
    """A question whose evidence came late, at *rank*, or not at all; and what came *first*.

    *gold* and *first* are paths.
    """

    question: str
    category: str
    gold: tuple[str, ...]
    rank: int | None
    first: str


@dataclass(frozen=True, slots=True)
class CauseCount:
    """How many misses have a cause, the *share* of all questions they are, and some of them."""

    cause: Cause
    n: int
    share: float
    examples: tuple[Miss, ...]


def worst(run: Run, most: int) -> tuple[Miss, ...]:
    """Return up to *most* questions whose evidence is not the first hit, the worst first."""
    late = [found for found in run.found if found.at.ranks[:1] != (1,)]
    late.sort(key=lambda f: f.at.ranks[0] if f.at.ranks else float("inf"), reverse=True)
    return tuple(_miss(found, run.library) for found in late[:most])


def by_cause(run: Run) -> tuple[CauseCount, ...]:
    """Return the misses of a *run* by their causes, in the order of `Cause`."""
    turns = _Turns(run.library)
    first = min(FIRST, run.k)
    grouped: dict[Cause, list[RankedResult]] = {cause: [] for cause in get_args(Cause)}
    for found in run.found:
        if not found.at.count_within(first):
            grouped[_cause(found, turns, first, run.k)].append(found)
    return tuple(
        CauseCount(
            cause,
            len(some),
            round(len(some) / len(run.found), 4),
            tuple(_miss(found, run.library) for found in some[:_EXAMPLES]),
        )
        for cause, some in grouped.items()
        if some
    )


@dataclass(frozen=True)
class _Turns:
    """Which turns were said beside which."""

    library: Library

    @cached_property
    def _places(self) -> Mapping[str, tuple[str, int]]:
        """The session of each turn, and its place in that."""
        turns = [it for it in self.library.files.items() if it[1].session]
        turns.sort(key=lambda it: (it[1].created, it[1].id))
        numbers, places = dict[str, int](), dict[str, tuple[str, int]]()
        for name, record in turns:
            numbers[record.session] = number = numbers.get(record.session, 0) + 1
            places[name] = record.session, number
        return places

    def are_beside(self, one: str, other: str) -> bool:
        """Tell whether two turns follow each other, or have one between them."""
        if one not in self._places or other not in self._places:
            return False
        (home, place), (its, there) = self._places[one], self._places[other]
        return home == its and abs(place - there) <= _BESIDE

    def texts(self, names: Iterable[str]) -> Iterator[str]:
        """Yield title and text of those *names* that are known."""
        for name in names:
            if name in self.library.files:
                yield f"{self.library.files[name].title} {self.library.body(name)}"


def _cause(found: RankedResult, turns: _Turns, first: int, k: int) -> Cause:
    gold = [name for piece in found.known.gold for name in sorted(piece)]
    if not found.ranked:
        return "nothing found"
    if any(turns.are_beside(hit, name) for hit in found.ranked[:first] for name in gold):
        return "only a turn beside it"
    if found.at.count_within(k):
        return "ranked low"
    if not any(_share_a_word(found.known.asked.text, text) for text in turns.texts(gold)):
        return "no word in common"
    return "not found"


def _share_a_word(question: str, text: str) -> bool:
    """Tell whether a telling word of *question* begins like one of *text*: forms differ later."""
    return not _stems(question).isdisjoint(_stems(text))


def _stems(text: str) -> frozenset[str]:
    words = probe_questions.distinctive_words(text)
    return frozenset(normal(word.term)[:_STEM] for word in words)


def _miss(found: RankedResult, library: Library) -> Miss:
    return Miss(
        question=found.known.asked.text,
        category=found.known.asked.category,
        gold=tuple(sorted(library.path(ref) for piece in found.known.gold for ref in piece)),
        rank=found.at.ranks[0] if found.at.ranks else None,
        first=library.path(found.ranked[0]) if found.ranked else "",
    )
