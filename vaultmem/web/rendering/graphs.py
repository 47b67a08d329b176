"""Lay links out: what is made of others as hubs on an oval, what it is made of in discs around.

What several hubs rest on is drawn between them. The same links are always drawn alike, in time that
grows with their number.
"""

from __future__ import annotations

import itertools
import math
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup, escape

from vaultmem.api.rendering import visible_text
from vaultmem.api.views.types import LinkedFiles
from vaultmem.records import first_line

_GOLDEN = math.pi * (3 - math.sqrt(5))
_GAP, _STEP = 44.0, 7.0
_TITLE = 90
_MARGIN = 90.0
_NAME = re.compile(r"^\d{8}-\d{6}-|(?:-[0-9a-z]{6})?\.md$")
_LEAF = 3.0
_NAMED = 120
"""Hubs whose names are drawn, where there is room."""
_OVAL = 1.45
"""How much wider than high the oval is: so are windows."""
_STEPS = 720
_SHOWN = (960, 640)
"""Pixels that the drawing is shown on, more or less."""
_LETTER, _WIDE_LETTER = 0.6, 1.05
"""How wide letters are beside their height."""
_SIZE = 11.5
_LONG_LINE, _LINES, _LINE = 26, 2, 1.2
"""Letters of a line of a name, lines of it, and the height of one beside that of its letters."""


@dataclass(frozen=True, slots=True)
class Node:
    """A file: where it is drawn, how large, of which kind.

    The lines of its *label*, the last drawn at the height *above*, are none where there is no room.
    """

    x: float
    y: float
    radius: float
    path: str
    kind: str
    title: str
    label: tuple[str, ...]
    above: float = 0.0


@dataclass(frozen=True, slots=True)
class Edge:
    """A link between two nodes, by their numbers, as a curve."""

    one: int
    other: int
    curve: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """Nodes and edges, the box they lie in (left, top, width, height), and how high letters are."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    box: tuple[int, int, int, int]
    letter: float = 11.0


def drawn(links: Sequence[LinkedFiles]) -> Drawing:
    """Return the drawing of *links* between files."""
    hubs = list(dict.fromkeys(it.path for it in links))
    held: dict[str, list[str]] = {hub: [] for hub in hubs}
    above: dict[str, list[str]] = {}
    for it in links:
        above.setdefault(it.source_path, []).append(it.path)
        if it.source_path not in held:
            held[it.path].append(it.source_path)
    own = {hub: [p for p in held[hub] if len(above[p]) == 1] for hub in hubs}
    places = _ring(_ordered(hubs, links), own)
    for hub in hubs:
        places |= _disc(places[hub], own[hub], _radius(len(held[hub])))
    shared = [p for p, over in above.items() if len(over) > 1 and p not in places]
    places |= {path: _between(path, above[path], places) for path in shared}
    return _drawing(
        links,
        places,
        {hub: len(held[hub]) for hub in hubs},
        {hub: len(own[hub]) for hub in hubs},
    )


def _ordered(hubs: Sequence[str], links: Sequence[LinkedFiles]) -> list[str]:
    """Return *hubs* with those side by side that rest on each other, or on the same."""
    near: dict[str, set[str]] = {hub: set() for hub in hubs}
    over: dict[str, list[str]] = {}
    for it in links:
        if it.source_path in near:
            near[it.path].add(it.source_path)
            near[it.source_path].add(it.path)
        else:
            over.setdefault(it.source_path, []).append(it.path)
    for several in over.values():
        for one, other in itertools.pairwise(several):
            near[one].add(other)
            near[other].add(one)
    found: list[str] = []
    seen: set[str] = set()
    for start in sorted(hubs, key=lambda hub: (-len(near[hub]), hub)):
        stack = [start]
        while stack:
            hub = stack.pop()
            if hub not in seen:
                seen.add(hub)
                found.append(hub)
                stack += sorted(near[hub] - seen, key=lambda it: (len(near[it]), it))
    return found


def _ring(hubs: Sequence[str], own: Mapping[str, Sequence[str]]) -> dict[str, tuple[float, float]]:
    sizes = [
        _GAP + 2 * (_STEP * math.sqrt(len(own[hub]) + 1) + _radius(len(own[hub]))) for hub in hubs
    ]
    if len(hubs) == 1:
        return {hubs[0]: (0.0, 0.0)}
    whole = sum(sizes)
    around = _oval(max(whole, 60.0 * 2 * math.pi))
    places, done = {}, 0.0
    for hub, size in zip(hubs, sizes, strict=True):
        places[hub] = around[int((done + size / 2) / whole * _STEPS)]
        done += size
    return places


def _oval(length: float) -> list[tuple[float, float]]:
    """Return the points of an oval of that length, at equal distances along it, from the top."""
    turns = [2 * math.pi * n / (4 * _STEPS) - math.pi / 2 for n in range(4 * _STEPS + 1)]
    line = [(_OVAL * math.cos(t), math.sin(t)) for t in turns]
    along = [0.0, *itertools.accumulate(math.dist(a, b) for a, b in itertools.pairwise(line))]
    size = length / along[-1]
    found, at = [], 0
    for n in range(_STEPS):
        while along[at] < along[-1] * n / _STEPS:
            at += 1
        found.append((line[at][0] * size, line[at][1] * size))
    return found


def _disc(
    middle: tuple[float, float], paths: Sequence[str], inner: float
) -> dict[str, tuple[float, float]]:
    """Return places around *middle*, as the seeds of a sunflower have them."""
    x, y = middle
    found = {}
    for n, path in enumerate(paths, 1):
        reach = inner + _STEP * math.sqrt(n)
        found[path] = (x + reach * math.cos(n * _GOLDEN), y + reach * math.sin(n * _GOLDEN))
    return found


def _between(
    path: str, hubs: Sequence[str], places: Mapping[str, tuple[float, float]]
) -> tuple[float, float]:
    points = [places[hub] for hub in hubs]
    x = sum(p[0] for p in points) / len(points)
    y = sum(p[1] for p in points) / len(points)
    # So that what lies between the same hubs does not lie on one point.
    turn, reach = sum(path.encode()) * _GOLDEN, 4 + sum(path.encode()) % 23
    return x * 0.86 + reach * math.cos(turn), y * 0.86 + reach * math.sin(turn)


def _drawing(
    links: Sequence[LinkedFiles],
    places: Mapping[str, tuple[float, float]],
    weights: Mapping[str, int],
    own: Mapping[str, int],
) -> Drawing:
    paths = list(places)
    named_files = {it.source_path: (it.source_type, it.source_title) for it in links}
    named_files |= {it.path: (it.type, it.title) for it in links}
    numbers = {path: n for n, path in enumerate(paths)}
    named = set(sorted(weights, key=lambda p: -weights[p])[:_NAMED])
    box = _box(places)
    letter = _SIZE * max(box[2] / _SHOWN[0], box[3] / _SHOWN[1])
    nodes = []
    for path, (x, y) in places.items():
        kind, said = named_files[path]
        title = first_line(said or _stem(path), _TITLE)
        radius = _LEAF if path not in weights else _radius(weights[path])
        label = _wrapped(title) if path in named else ()
        above = radius + _STEP * math.sqrt(own.get(path, 0)) + 8 if own.get(path) else radius + 5
        nodes.append(
            Node(
                round(x, 1),
                round(y, 1),
                radius,
                path,
                kind,
                title,
                label,
                round(y - above, 1),
            )
        )
    edges = tuple(
        Edge(a, b, _curve(places[it.path], places[it.source_path]))
        for it in links
        if (a := numbers[it.path]) != (b := numbers[it.source_path])
    )
    return Drawing(_readable(nodes, weights, letter), edges, box, round(letter, 1))


def _readable(nodes: Sequence[Node], weights: Mapping[str, int], letter: float) -> tuple[Node, ...]:
    """Return *nodes* without the names that would lie on those of heavier ones."""
    taken: list[tuple[float, float, float, float]] = []
    hushed = set()
    for node in sorted(nodes, key=lambda it: (-weights.get(it.path, 0), it.path)):
        if not node.label:
            continue
        half = max(map(_width, node.label)) * letter / 2
        high = _LINE * letter * len(node.label)
        if any(
            abs(node.x - x) < half + other and node.above - high < y and y - tall < node.above
            for x, y, other, tall in taken
        ):
            hushed.add(node.path)
        else:
            taken.append((node.x, node.above, half, high))
    return tuple(replace(it, label=()) if it.path in hushed else it for it in nodes)


def _wrapped(title: str) -> tuple[str, ...]:
    """Return *title* in lines of whole words, as many as there is room for above a node."""
    lines = textwrap.wrap(title, _LONG_LINE, max_lines=_LINES, placeholder=" …")
    # Titles list what a time was about: of a list, the first may stand for all.
    return tuple(line.removesuffix(", …") for line in lines)


def _width(line: str) -> float:
    """Return how wide *line* is, beside the height of its letters."""
    return sum(_WIDE_LETTER if c > "\u2e80" else _LETTER for c in line)


def _stem(path: str) -> str:
    """Return the words of a file's name, which begins with a time and ends in a mark."""
    return _NAME.sub("", path.rpartition("/")[2]).replace("-", " ") or path


def _radius(weight: int) -> float:
    """Return how large a hub is drawn that rests on so many files."""
    return round(5 + 0.9 * math.sqrt(weight), 1)


def _curve(one: tuple[float, float], other: tuple[float, float]) -> str:
    """Return the path of a line that bends towards the middle of the drawing."""
    (x1, y1), (x2, y2) = one, other
    far = math.hypot(x2 - x1, y2 - y1)
    bend = 0.55 if far > 120 else 1.0  # noqa: PLR2004  # within a disc lines are straight
    x, y = (x1 + x2) / 2 * bend, (y1 + y2) / 2 * bend
    return f"M{x1:.0f} {y1:.0f}Q{x:.0f} {y:.0f} {x2:.0f} {y2:.0f}"


def _box(places: Mapping[str, tuple[float, float]]) -> tuple[int, int, int, int]:
    if not places:
        return 0, 0, 100, 100
    xs, ys = zip(*places.values(), strict=True)
    left, top = min(xs) - _MARGIN, min(ys) - _MARGIN
    return int(left), int(top), int(max(xs) - left + _MARGIN), int(max(ys) - top + _MARGIN)


def svg(drawing: Drawing, address: Callable[[str], str]) -> Markup:
    """Return the marks of *drawing*: its edges, its nodes as links, its names.

    In a template this takes three times as long: nearly all of it are numbers.
    """
    edges = "".join(
        f'<path d="{it.curve}" data-a="{it.one}" data-b="{it.other}"/>' for it in drawing.edges
    )
    nodes = [(_node(n, it, address), bool(it.label)) for n, it in enumerate(drawing.nodes)]
    hubs = "".join(text for text, is_named in nodes if is_named)
    rest = "".join(text for text, is_named in nodes if not is_named)
    names = "".join(
        f'<text x="{it.x:.0f}" y="{it.above - up:.0f}" text-anchor="middle">{escape(line)}</text>'
        for it in drawing.nodes
        for line, up in _stacked(it.label, drawing.letter)
    )
    return Markup(  # noqa: S704  # what is no number of ours is escaped
        f'<g class="edges">{edges}</g><g class="nodes" aria-hidden="true">{rest}</g>'
        f'<g class="nodes">{hubs}</g>'
        f'<g class="names" font-size="{drawing.letter}" aria-hidden="true">{names}</g>'
    )


def _stacked(lines: Sequence[str], letter: float) -> Iterator[tuple[str, float]]:
    """Yield each of *lines* with how high it stands above the last."""
    for n, line in enumerate(reversed(lines)):
        yield line, n * _LINE * letter


def _node(number: int, node: Node, address: Callable[[str], str]) -> str:
    """Return a node as a link; one without a name is for those who point at it."""
    title, kind = escape(visible_text(node.title)), escape(node.kind)
    how = f'aria-label="{title}"' if node.label else 'tabindex="-1"'
    return (
        f'<a href="{escape(address(node.path))}" data-n="{number}" {how}>'
        f'<circle class="k-{kind}" cx="{node.x:g}" cy="{node.y:g}" r="{node.radius:g}"/></a>'
    )
