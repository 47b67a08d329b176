"""The questions that went worst, so that a person can look at them."""

from __future__ import annotations

from dataclasses import dataclass

from vaultmem.evaluation.retrieval import Library, RankedResult, Run


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


def worst(run: Run, most: int) -> tuple[Miss, ...]:
    """Return up to *most* questions whose evidence is not the first hit, the worst first."""
    late = [found for found in run.found if found.at.ranks[:1] != (1,)]
    late.sort(key=lambda f: f.at.ranks[0] if f.at.ranks else float("inf"), reverse=True)
    return tuple(_miss(found, run.library) for found in late[:most])


def _miss(found: RankedResult, library: Library) -> Miss:
    return Miss(
        question=found.known.asked.text,
        category=found.known.asked.category,
        gold=tuple(sorted(library.path(ref) for piece in found.known.gold for ref in piece)),
        rank=found.at.ranks[0] if found.at.ranks else None,
        first=library.path(found.ranked[0]) if found.ranked else "",
    )
