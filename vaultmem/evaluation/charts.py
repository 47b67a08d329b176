"""Draw how recall grows: bars of characters for a terminal, a line chart as SVG for a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from xml.sax.saxutils import escape

from vaultmem.evaluation import retrieval
from vaultmem.evaluation.retrieval import Points, Run


@dataclass(frozen=True, slots=True)
class Chart:
    """Curves from 0 to 1 over the same x: what they are of, and what stands *across*."""

    title: str
    across: str
    curves: Mapping[str, Points]

    @property
    def xs(self) -> list[int]:
        """Every x of any curve, rising."""
        return sorted({x for points in self.curves.values() for x, _ in points})


def of_runs(runs: Sequence[Run]) -> list[Chart]:
    """Return recall against hits and against tokens: of one run, or one curve a mode."""
    by_k = {run.mode: retrieval.against_k(run) for run in runs}
    alone = by_k[runs[0].mode] if len(runs) == 1 else None
    hits = alone or {mode: curves["recall_any"] for mode, curves in by_k.items()}
    tokens = {"recall" if alone else run.mode: retrieval.against_tokens(run) for run in runs}
    return [
        Chart("recall" if alone else "recall_any", "hits", hits),
        Chart("recall", "tokens", tokens),
    ]


_LENGTH = 40
_EIGHTHS = " ▏▎▍▌▋▊▉"


def bars(chart: Chart, *, plain: bool) -> Iterator[str]:
    """Yield *chart* in lines, a bar for each curve at each x; *plain* is ASCII alone."""
    yield f"{chart.title}, by {chart.across}"
    left = max(len(str(x)) for x in chart.xs)
    names = max(map(len, chart.curves))
    for x in chart.xs:
        label = str(x)
        for name, points in chart.curves.items():
            for _, value in (point for point in points if point[0] == x):
                bar = _bar(value, plain=plain).ljust(_LENGTH)
                yield f"  {label:>{left}}  {name:<{names}}  {bar}  {value:.3f}"
                label = ""


def _bar(value: float, *, plain: bool) -> str:
    if plain:
        return "#" * round(value * _LENGTH)
    whole, eighths = divmod(round(value * _LENGTH * 8), 8)
    return ("█" * whole + _EIGHTHS[eighths]).rstrip()


_WIDTH, _HEIGHT = 420, 300
_LEFT, _TOP, _RIGHT, _BOTTOM = 48, 36, 16, 44
_GRID = (0.0, 0.25, 0.5, 0.75, 1.0)
# Okabe and Ito's: told apart by colour-blind eyes as well.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00")
_STYLE = "font-family='sans-serif' font-size='12' fill='#333'"


def svg(charts: Sequence[Chart]) -> str:
    """Return *charts* side by side as one SVG document; the x of each stand evenly apart."""
    panels = (_panel(chart, number * _WIDTH) for number, chart in enumerate(charts))
    size = f"width='{_WIDTH * len(charts)}' height='{_HEIGHT}'"
    lines = chain(
        [f"<svg xmlns='http://www.w3.org/2000/svg' {size} {_STYLE}>"],
        ["<rect width='100%' height='100%' fill='white'/>"],
        *panels,
        ["</svg>"],
    )
    return "".join(f"{line}\n" for line in lines)


def _panel(chart: Chart, offset: int) -> Iterator[str]:
    yield f"<g transform='translate({offset} 0)'>"
    yield _text(_LEFT, _TOP - 18, chart.title, anchor="start")
    yield from _axes(chart)
    for number, (name, points) in enumerate(chart.curves.items()):
        yield from _curve(chart, points, _COLOURS[number % len(_COLOURS)])
        yield from _legend(name, number)
    yield "</g>"


def _axes(chart: Chart) -> Iterator[str]:
    for value in _GRID:
        y = _y(value)
        yield f"<path d='M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}' stroke='#ddd'/>"
        yield _text(_LEFT - 8, y + 4, f"{value:.2f}", anchor="end")
    for x in chart.xs:
        yield _text(_x(chart, x), _HEIGHT - _BOTTOM + 18, str(x))
    yield _text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 8, chart.across)


def _curve(chart: Chart, points: Points, colour: str) -> Iterator[str]:
    places = [(_x(chart, x), _y(value), value) for x, value in points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in places)
    yield f"<polyline points='{path}' fill='none' stroke='{colour}' stroke-width='2'/>"
    for x, y, value in places:
        title = f"<title>{value:.3f}</title>"
        yield f"<circle cx='{x:.1f}' cy='{y:.1f}' r='3' fill='{colour}'>{title}</circle>"


def _legend(name: str, number: int) -> Iterator[str]:
    y = _HEIGHT - _BOTTOM - 12 - 16 * number
    colour = _COLOURS[number % len(_COLOURS)]
    yield f"<circle cx='{_WIDTH - _RIGHT - 110}' cy='{y - 4}' r='4' fill='{colour}'/>"
    yield _text(_WIDTH - _RIGHT - 100, y, name, anchor="start")


def _text(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}'>{escape(text)}</text>"


def _x(chart: Chart, x: int) -> float:
    steps = max(len(chart.xs) - 1, 1)
    return _LEFT + chart.xs.index(x) * (_WIDTH - _LEFT - _RIGHT) / steps


def _y(value: float) -> float:
    return _TOP + (1 - value) * (_HEIGHT - _TOP - _BOTTOM)
