"""What an evaluation must reach: `recall_any@10=0.7`, for whatever figure it reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from vaultmem.errors import BadInput


@dataclass(frozen=True, slots=True)
class Floor:
    """The *least* that a *figure* may be."""

    figure: str
    least: float


@dataclass(frozen=True, slots=True)
class Held:
    """A floor beside what was *seen*."""

    figure: str
    least: float
    seen: float
    holds: bool


def read(text: str) -> Floor:
    """Read `FIGURE=NUMBER`; raises BadInput."""
    figure, _, least = text.partition("=")
    try:
        return Floor(figure.strip(), float(least))
    except ValueError as e:
        raise BadInput(f"{text!r} is not a floor: write recall_any@10=0.7") from e


def check(floors: Iterable[Floor], figures: Mapping[str, float]) -> tuple[Held, ...]:
    """Hold *figures* to *floors*; raises BadInput for a figure that is not among them."""
    return tuple(_held(floor, figures) for floor in floors)


def _held(floor: Floor, figures: Mapping[str, float]) -> Held:
    if floor.figure not in figures:
        raise BadInput(f"no figure {floor.figure!r} was taken; there are: {', '.join(figures)}")
    seen = figures[floor.figure]
    return Held(floor.figure, floor.least, seen, seen >= floor.least)
