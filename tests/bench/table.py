"""One plain table: what was seen beside what it is held to, in one run on one machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

_HEADINGS = ("figure", "seen", "bound", "ratio", "holds")


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: what was *seen*, the *yardstick* it is divided by, and how often that may be.

    Without *most* it is a comparison that holds or breaks nothing.
    """

    figure: str
    seen: float
    unit: str
    yardstick: float | None = None
    most: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many yardsticks were seen."""
        return self.seen / self.yardstick if self.yardstick else None

    @property
    def holds(self) -> bool | None:
        """Whether the bound is kept; None where there is none."""
        return self.ratio <= self.most if self.ratio is not None and self.most else None

    @property
    def bound(self) -> str:
        """The bound in words: `150 ms`, or `5 x 24.1 ms` for one that was measured as well."""
        if not self.most or self.yardstick is None:
            return ""
        times = "" if self.most == 1 else f"{self.most:g} x "
        return times + measured(self.yardstick, self.unit)

    def cells(self) -> tuple[str, ...]:
        """Return the row as it is printed."""
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}"
        holds = {True: "yes", False: "NO", None: ""}[self.holds]
        return self.figure, measured(self.seen, self.unit), self.bound, ratio, holds


def measured(value: float, unit: str) -> str:
    """Return *value* with three digits that count, and its unit."""
    digits = next((d for d, most in ((3, 1), (2, 10), (1, 100)) if abs(value) < most), 0)
    return f"{value:.{digits}f} {unit}".rstrip()


def text(rows: Sequence[Row]) -> str:
    """Return the table, figures to the left and numbers to the right."""
    printed = [_HEADINGS, *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*printed, strict=True)]
    return "".join(_lines(printed, widths))


def _lines(printed: Iterable[Sequence[str]], widths: Sequence[int]) -> Iterator[str]:
    for figure, *numbers in printed:
        right = (n.rjust(w) for n, w in zip(numbers, widths[1:], strict=True))
        yield "  ".join((figure.ljust(widths[0]), *right)).rstrip() + "\n"


def plain(row: Row) -> dict[str, str | float | bool | None]:
    """Return *row* for JSON."""
    return {
        "figure": row.figure,
        "seen": row.seen,
        "unit": row.unit,
        "bound": row.bound,
        "ratio": row.ratio,
        "holds": row.holds,
    }
