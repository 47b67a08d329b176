"""Lay links out: what is made of others as hubs on a ring, what it is made of in a disc around it.

What several hubs rest on is drawn between them. The same links are always drawn alike, in time that
grows with their number.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from vaultmem.api.rendering import visible_text
from vaultmem.api.views.types import LinkedFiles
from vaultmem.records import first_line

_GOLDEN = math.pi * (3 - math.sqrt(5))
_GAP, _STEP = 26.0, 7.0
_TITLE = 60
_MARGIN = 90.0
_NAME = re.compile(r"^\d{8}-\d{6}-|(?:-[0-9a-z]{6})?\.md$")
_LEAF = 3.0
_NAMED = 60
"""Hubs whose names are drawn."""


@dataclass(frozen=True, slots=True)
class Node:
    """A file: where it is drawn, how large, of which kind.

    *label*, which is drawn at the height *above*, is "" where there is no room.
    """

    x: float
    y: float
    radius: float
    path: str
    kind: str
    title: str
    label: str
    above: float = 0.0


@dataclass(frozen=True, slots=True)
class Edge:
    """A link between two nodes, by their numbers, as a curve."""

    one: int
    other: int
    curve: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """Nodes and edges, and the box they lie in: left, top, width, height."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    box: tuple[int, int, int, int]


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
    whole = sum(sizes)
    radius = max(whole / (2 * math.pi), 60.0) if len(hubs) > 1 else 0.0
    places, done = {}, 0.0
    for hub, size in zip(hubs, sizes, strict=True):
        angle = 2 * math.pi * (done + size / 2) / whole - math.pi / 2
        places[hub] = (radius * math.cos(angle), radius * math.sin(angle))
        done += size
    return places


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
    nodes = []
    for path, (x, y) in places.items():
        kind, said = named_files[path]
        title = first_line(said or _stem(path), _TITLE)
        radius = _LEAF if path not in weights else _radius(weights[path])
        label = first_line(title, 26) if path in named else ""
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
    return Drawing(tuple(nodes), edges, _box(places))


def _reach(leaves: int) -> float:
    """Return how far from the middle of a hub the last of so many leaves is drawn."""
    return _radius(leaves) + _STEP * math.sqrt(leaves + 1)


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
        f'<text x="{it.x}" y="{it.above}" text-anchor="middle">{escape(it.label)}</text>'
        for it in drawing.nodes
        if it.label
    )
    return Markup(  # noqa: S704  # what is no number of ours is escaped
        f'<g class="edges">{edges}</g><g class="nodes" aria-hidden="true">{rest}</g>'
        f'<g class="nodes">{hubs}</g>'
        f'<g class="names" aria-hidden="true">{names}</g>'
    )


def _node(number: int, node: Node, address: Callable[[str], str]) -> str:
    """Return a node as a link; one without a name is for those who point at it."""
    title, kind = escape(visible_text(node.title)), escape(node.kind)
    how = f'aria-label="{title}"' if node.label else 'tabindex="-1"'
    return (
        f'<a href="{escape(address(node.path))}" data-n="{number}" {how}>'
        f'<circle class="k-{kind}" cx="{node.x:g}" cy="{node.y:g}" r="{node.radius:g}"/></a>'
    )
