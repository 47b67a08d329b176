"""Tasks as a drawing: what waits stands to the right of what it waits for, in columns.

Only what is linked is drawn, and only where something of it is still open.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from vaultmem.api.types import Task

_WIDE, _HIGH = 196, 46
_BESIDE, _BELOW = 44, 14
_MARGIN = 4
_SWEEPS = 4
MOST = 150
"""Tasks that are drawn."""

Edge = tuple[int, int]
"""A task and one that waits for it."""


@dataclass(frozen=True, slots=True)
class Box:
    """A task: where its box begins, and whether something keeps it from being begun."""

    task: Task
    x: int
    y: int
    waits: bool


@dataclass(frozen=True, slots=True)
class Arrow:
    """A line from a task to one that waits for it; it is *open* while that must wait."""

    curve: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class Dependencies:
    """The boxes, the arrows between them, and the size of all; *more* tasks are not drawn."""

    boxes: tuple[Box, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    width: int = 0
    height: int = 0
    more: int = 0
    box: tuple[int, int] = (_WIDE, _HIGH)


def drawn(tasks: Mapping[int, Task], edges: Collection[Edge]) -> Dependencies:
    """Return the drawing of *tasks* by number, as *edges* link them."""
    linked = sorted((a, b) for a, b in edges if a in tasks and b in tasks and a != b)
    wanted = [n for group in _groups(linked) if any(tasks[m].is_open for m in group) for n in group]
    shown = frozenset(wanted[:MOST])
    kept = [(a, b) for a, b in linked if a in shown and b in shown]
    columns, ways = _routed(_columns(shown, kept), kept)
    columns = _ordered(columns, [step for way in ways for step in pairwise(way)])
    places = _placed(columns)
    boxes = tuple(
        Box(tasks[n], *places[n], any(b == n and tasks[a].is_open for a, b in kept))
        for n in sorted(shown)
    )
    arrows = tuple(
        Arrow(_curve([places[n] for n in way]), tasks[way[0]].is_open and tasks[way[-1]].is_open)
        for way in ways
    )
    high = max(map(len, columns), default=0)
    return Dependencies(
        boxes, arrows, 2 * _MARGIN + len(columns) * (_WIDE + _BESIDE) - _BESIDE,
        2 * _MARGIN + high * (_HIGH + _BELOW) - _BELOW, len(wanted) - len(shown),
    )  # fmt: skip


def _groups(edges: Iterable[Edge]) -> list[list[int]]:
    """Return the tasks that hang together, the groups with the newest ones first."""
    near: dict[int, set[int]] = {}
    for one, other in edges:
        near.setdefault(one, set()).add(other)
        near.setdefault(other, set()).add(one)
    found: list[list[int]] = []
    seen: set[int] = set()
    for start in sorted(near, reverse=True):
        group, stack = [], [start]
        while stack:
            task = stack.pop()
            if task not in seen:
                seen.add(task)
                group.append(task)
                stack += near[task]
        if group:
            found.append(sorted(group))
    return found


def _columns(shown: Iterable[int], edges: Sequence[Edge]) -> list[list[int]]:
    """Return the tasks by how long the longest way to them is.

    Tasks that wait for each other, which only a person's hand can have made, stand side by side.
    """
    before: dict[int, list[int]] = {n: [] for n in sorted(shown)}
    for blocker, blocked in edges:
        before[blocked].append(blocker)
    depth: dict[int, int] = {}

    def deep(task: int, way: frozenset[int]) -> int:
        if task not in depth:
            ahead = [deep(n, way | {task}) + 1 for n in before[task] if n not in way and n != task]
            depth[task] = max(ahead, default=0)
        return depth[task]

    columns: list[list[int]] = []
    for task in before:
        level = deep(task, frozenset())
        columns += [[] for _ in range(level + 1 - len(columns))]
        columns[level].append(task)
    return columns


def _routed(
    columns: Sequence[Sequence[int]], edges: Iterable[Edge]
) -> tuple[list[list[int]], list[list[int]]]:
    """Return *columns* with room where an edge passes through one, and the way of each edge.

    Such a room has a number below zero.
    """
    found = [list(column) for column in columns]
    level = {task: n for n, column in enumerate(columns) for task in column}
    ways, room = [], 0
    for one, other in edges:
        way = [one]
        for between in range(level[one] + 1, level[other]):
            room -= 1
            found[between].append(room)
            way.append(room)
        ways.append([*way, other])
    return found, ways


def _ordered(columns: Sequence[Sequence[int]], edges: Sequence[Edge]) -> list[list[int]]:
    """Return *columns* with each task near the middle of those it is linked with."""
    found = [list(column) for column in columns]
    near: dict[int, list[int]] = {}
    for one, other in edges:
        near.setdefault(one, []).append(other)
        near.setdefault(other, []).append(one)
    for sweep in range(_SWEEPS):
        for column in found if sweep % 2 == 0 else reversed(found):
            at = {n: (k + 0.5) / len(it) for it in found for k, n in enumerate(it)}
            column.sort(key=lambda n: (sum(at[m] for m in near[n]) / len(near[n]), n))
    return found


def _placed(columns: Sequence[Sequence[int]]) -> dict[int, tuple[int, int]]:
    high = max(map(len, columns), default=0)
    step = _HIGH + _BELOW
    return {
        task: (
            _MARGIN + level * (_WIDE + _BESIDE),
            _MARGIN + (high - len(column)) * step // 2 + n * step,
        )
        for level, column in enumerate(columns)
        for n, task in enumerate(column)
    }


def _curve(way: Sequence[tuple[int, int]]) -> str:
    """Return the path from the right of a box to the left of another one, through rooms between."""
    parts = [f"M{way[0][0] + _WIDE} {way[0][1] + _HIGH // 2}"]
    for (x, y), (further, there) in pairwise(way):
        x1, y1, x2, y2 = x + _WIDE, y + _HIGH // 2, further - 2, there + _HIGH // 2
        bend = max((x2 - x1) // 2, _BESIDE // 2)
        parts.append(f"C{x1 + bend} {y1} {x2 - bend} {y2} {x2} {y2}")
        if (further, there) != way[-1]:
            parts.append(f"H{further + _WIDE}")
    return "".join(parts)
