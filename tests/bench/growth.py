"""What a command costs at several sizes: fitted, as a table, and as a log-log plot.

The exponent is the slope of the logarithm of processor seconds over that of memories: 0 costs the
same at any size, 1 grows with the vault.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

_WIDTH, _HEIGHT, _LEFT, _TOP, _LEGEND = 520, 440, 64, 44, 220
_COLOURS = (
    "#4269d0", "#b7791f", "#e5533d", "#2a9d8f", "#3a8f3a", "#d6589f", "#8e5bd0", "#6b8cae",
)  # fmt: skip
"""Each told from white and from nearly black."""
_STYLE = (
    "text{font:12px sans-serif;fill:#1f2328}.back{fill:#fff}.grid{stroke:#d0d7de}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.back{fill:#0d1117}.grid{stroke:#30363d}}"
)


@dataclass(frozen=True, slots=True)
class Cost:
    """What one process took: wall and processor seconds, and memory at its peak in bytes."""

    wall: float
    cpu: float
    peak: int


@dataclass(frozen=True, slots=True)
class Growth:
    """The median costs of one command, by how many memories there are."""

    name: str
    costs: Mapping[int, Cost]

    @property
    def exponent(self) -> float:
        """The slope of the processor's seconds, both ways logarithmic."""
        return slope([(n, cost.cpu) for n, cost in self.costs.items()])


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Return the slope of the least squares through the logarithms of *points*; 0 of one point."""
    xs, ys = ([math.log(max(p[axis], 1e-9)) for p in points] for axis in (0, 1))
    return statistics.linear_regression(xs, ys).slope if len(points) > 1 else 0.0


def head(sizes: Sequence[int]) -> str:
    """Return the head of a table in Markdown of what commands cost at those *sizes*."""
    named = " | ".join(map(_spaced, sizes))
    return f"| ms (processor ms; MB) | {named} | exponent |\n{'|---' * (len(sizes) + 2)}|\n"


def row(it: Growth) -> str:
    """Return a row of it: wall ms, processor ms and MB at each size, and the exponent."""
    cells = (
        f"{c.wall * 1000:.0f} ({c.cpu * 1000:.0f}; {c.peak / 1e6:.0f})" for c in it.costs.values()
    )
    return f"| {it.name} | {' | '.join(cells)} | {it.exponent:.2f} |\n"


def svg(growths: Sequence[Growth]) -> str:
    """Return a log-log plot of the processor's seconds over memories, a line a command."""
    plot, title = _Plot(growths), "processor seconds over memories, both logarithmic (exponent)"
    width, height = _LEFT + _WIDTH + _LEGEND, _TOP + _HEIGHT + 40
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"'
    parts = (
        f'{opening} aria-label="{title}">',
        f"<style>{_STYLE}</style>",
        f'<rect class="back" width="{width}" height="{height}"/>',
        f'<text x="{_LEFT}" y="24">{title}</text>',
        *plot.grid(),
        *plot.lines(),
        "</svg>\n",
    )
    return "\n".join(parts)


class _Plot:
    """The scales of a plot, and what is drawn by them."""

    def __init__(self, growths: Sequence[Growth]) -> None:
        self._growths = growths
        sizes = [n for it in growths for n in it.costs]
        seconds = [c.cpu for it in growths for c in it.costs.values()]
        self._x = math.log10(min(sizes)), math.log10(max(sizes))
        self._y = math.floor(math.log10(min(seconds))), math.ceil(math.log10(max(seconds)))

    def _at(self, size: float, seconds: float) -> tuple[float, float]:
        x, y = (
            (math.log10(value) - low) / ((high - low) or 1)
            for value, (low, high) in ((size, self._x), (seconds, self._y))
        )
        return _LEFT + x * _WIDTH, _TOP + (1 - y) * _HEIGHT

    def grid(self) -> Iterator[str]:
        """Yield a line for each power of ten of seconds, and the sizes below."""
        for power in range(self._y[0], self._y[1] + 1):
            _, y = self._at(10 ** self._x[0], 10.0**power)
            yield (
                f'<path class="grid" d="M{_LEFT} {y:.1f}h{_WIDTH}"/>'
                f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g} s</text>'
            )
        for size in sorted({n for it in self._growths for n in it.costs}):
            x, _ = self._at(size, 1)
            yield (
                f'<path class="grid" d="M{x:.1f} {_TOP}v{_HEIGHT}"/>'
                f'<text x="{x:.1f}" y="{_TOP + _HEIGHT + 20}" text-anchor="middle">'
                f"{_spaced(size)}</text>"
            )

    def lines(self) -> Iterator[str]:
        """Yield the line of each command, and what it is called."""
        for number, it in enumerate(self._growths):
            colour = _COLOURS[number % len(_COLOURS)]
            dash = ("", ' stroke-dasharray="6 3"', ' stroke-dasharray="2 3"')
            stroke = f'stroke="{colour}" stroke-width="2"{dash[number // len(_COLOURS) % 3]}'
            points = (self._at(n, c.cpu) for n, c in it.costs.items())
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            x, y = _LEFT + _WIDTH + 14, _TOP + 8 + 19 * number
            yield f'<polyline points="{path}" fill="none" {stroke}/>'
            yield f'<path d="M{x} {y}h22" {stroke}/>'
            yield f'<text x="{x + 30}" y="{y + 4}">{it.name} ({it.exponent:.2f})</text>'


def _spaced(size: int) -> str:
    return f"{size:,}".replace(",", " ")
