"""Lay a vault out in time: bars in lanes, heights by day, a scale; places in percent of the width.

What is drawn is bounded, however much there is: days are drawn together where they are many.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from vaultmem.api.types import Record
from vaultmem.api.views.types import DayCount, Span
from vaultmem.errors import BadInput
from vaultmem.records import first_line, iso, moment

_COLUMNS = 180
_LANES = 6
_BARS = 160
_HIGH = 74
_LEAST = 0.45
_LABELLED = 3.0
_LABEL = 90
_KINDS = (
    ("longterm", "Long-term"), ("topic", "Topics"), ("recent", "Short-term"),
    ("episode", "Episodes"), ("session", "Sessions"),
)  # fmt: skip
_STEPS = (1, 2, 7, 14, 31, 61, 92, 183, 366, 731, 1827)
_TICKS = 9


@dataclass(frozen=True, slots=True)
class Bar:
    """What tells of a time: from where to where, in which lane, and where it leads."""

    x: float
    width: float
    lane: int
    path: str
    title: str
    label: str
    first: str
    last: str
    sources: int


@dataclass(frozen=True, slots=True)
class Row:
    """The bars of one kind in their lanes; *more* are not drawn."""

    kind: str
    name: str
    bars: tuple[Bar, ...]
    lanes: int
    more: int


@dataclass(frozen=True, slots=True)
class Column:
    """The memories of a day, or of several that are drawn as one: *first* to *last*."""

    x: float
    width: float
    height: float
    memories: int
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A place on the scale."""

    x: float
    text: str


@dataclass(frozen=True, slots=True)
class Dot:
    """One memory."""

    x: float
    path: str
    title: str


@dataclass(frozen=True, slots=True)
class Timeline:
    """All that is drawn between two times (ISO 8601), and how many memories lie there."""

    first: str
    last: str
    rows: tuple[Row, ...]
    columns: tuple[Column, ...]
    dots: tuple[Dot, ...]
    ticks: tuple[Tick, ...]
    memories: int
    wider: tuple[str, str]
    closer: tuple[str, str]
    earlier: tuple[str, str]
    later: tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Scale:
    first: datetime
    last: datetime

    def at(self, when: datetime) -> float:
        whole = (self.last - self.first).total_seconds()
        share = (when - self.first).total_seconds() / whole
        return round(100 * min(max(share, 0.0), 1.0), 3)


def drawn(
    days: Sequence[DayCount], spans: Iterable[Span], memories: Sequence[Record],
    first: str, last: str,
) -> Timeline:  # fmt: skip
    """Return the drawing of *days*, *spans* and single *memories* between two times."""
    scale = _Scale(moment(first), moment(last))
    dated = (span for span in spans if is_time(span.first) and is_time(span.last))
    held = sorted(dated, key=lambda span: (span.first, span.path))
    rows = tuple(row for kind, name in _KINDS if (row := _row(kind, name, held, scale)).bars)
    size = scale.last - scale.first
    return Timeline(
        first, last, rows, _columns(days, scale), _dots(memories, scale), _ticks(scale),
        sum(d.memories for d in days),
        wider=_span(scale.first - size / 2, scale.last + size / 2),
        closer=_span(scale.first + size / 4, scale.last - size / 4),
        earlier=_span(scale.first - size / 2, scale.last - size / 2),
        later=_span(scale.first + size / 2, scale.last + size / 2),
    )  # fmt: skip


def _span(first: datetime, last: datetime) -> tuple[str, str]:
    return iso(first), iso(last)


def _row(kind: str, name: str, spans: Iterable[Span], scale: _Scale) -> Row:
    found = [s for s in spans if kind in {s.type, s.tier} and _meets(s, scale)]
    kept = found if len(found) <= _BARS else found[:: -(-len(found) // _BARS)]
    ends: list[float] = []
    bars = []
    for span in kept:
        x, end = scale.at(moment(span.first)), scale.at(moment(span.last))
        width = max(end - x, _LEAST)
        x = min(x, 100 - width)
        lane = next((n for n, e in enumerate(ends) if e <= x + 0.05), len(ends))
        if lane >= _LANES:
            lane = _LANES - 1
        if lane == len(ends):
            ends.append(0.0)
        ends[lane] = max(ends[lane], x + width)
        title = first_line(span.title, 120) or span.path
        label = first_line(title.removeprefix(f"{name}, "), _LABEL) if width >= _LABELLED else ""
        bars.append(Bar(round(x, 3), round(width, 3), lane, span.path, title, label,
                        span.first, span.last, span.sources))  # fmt: skip
    return Row(kind, name, tuple(bars), len(ends), len(found) - len(kept))


def is_time(text: str) -> bool:
    """Tell whether *text* is a date or a time: files may say anything."""
    try:
        return bool(moment(text))
    except BadInput:
        return False


def _meets(span: Span, scale: _Scale) -> bool:
    return moment(span.last) >= scale.first and moment(span.first) <= scale.last


def _columns(days: Sequence[DayCount], scale: _Scale) -> tuple[Column, ...]:
    if not days:
        return ()
    whole = max((scale.last - scale.first).days + 1, 1)
    size = -(-whole // _COLUMNS)
    groups: dict[int, list[DayCount]] = {}
    start = scale.first.date()
    for day in days:
        number = (moment(day.day).date() - start).days // size
        groups.setdefault(number, []).append(day)
    most = max(sum(d.memories for d in group) for group in groups.values())
    found = []
    for number, group in groups.items():
        begin = moment(start.isoformat()) + timedelta(days=number * size)
        x, end = scale.at(begin), scale.at(begin + timedelta(days=size))
        count = sum(d.memories for d in group)
        height = round(max(_HIGH * (count / most) ** 0.6, 3), 1)
        width = round(max((end - x) * 0.82, 0.25), 3)
        found.append(Column(x, width, height, count, group[0].day, group[-1].day))
    return tuple(found)


def _dots(memories: Sequence[Record], scale: _Scale) -> tuple[Dot, ...]:
    return tuple(
        Dot(scale.at(moment(r.created)), r.path, first_line(r.body or r.title, 120))
        for r in memories
        if is_time(r.created)
    )


def _ticks(scale: _Scale) -> tuple[Tick, ...]:
    days = max((scale.last - scale.first).total_seconds() / 86_400, 0.01)
    if days <= 2:  # noqa: PLR2004  # hours tell more
        step = timedelta(hours=max(round(days * 24 / _TICKS), 1))
        at = scale.first.replace(minute=0, second=0)
        text = "%H:%M"
    else:
        step = timedelta(days=next((s for s in _STEPS if days / s <= _TICKS), _STEPS[-1]))
        at = scale.first.replace(hour=0, minute=0, second=0)
        text = "%-d %b" if days <= 400 else "%b %Y"  # noqa: PLR2004  # beyond a year
    found: list[Tick] = []
    while at <= scale.last and len(found) < 3 * _TICKS:
        if at >= scale.first:
            found.append(Tick(scale.at(at), at.strftime(text)))
        at += step
    return tuple(found)
