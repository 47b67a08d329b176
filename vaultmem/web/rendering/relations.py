"""People around the vault's owner: their own next to them, others beyond those whose they are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from vaultmem.api.views.types import Relation

_WIDTH, _HEIGHT = 860, 400
_EACH = 26
"""Pixels of height for each person at the rim."""
_BESIDE, _ABOVE = 130, 46
_LONGEST = 22
_LEVELS = 3
_TOWARDS = 0.66
"""Where on a line it says what the person at its end is."""
OWNER = ""


@dataclass(frozen=True, slots=True)
class Around:
    """A person: where drawn, what they are to the owner, and a card about them, "" for none."""

    x: float
    y: float
    name: str
    relationship: str
    path: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Tie:
    """A line between two people, and at *x* and *y* what *other* is to *one*."""

    one: Around
    other: Around
    label: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Relations:
    """The drawing: people, ties between them, its size and its middle, where the owner stands."""

    people: tuple[Around, ...]
    ties: tuple[Tie, ...]
    has_owner: bool
    width: int = _WIDTH
    height: int = _HEIGHT

    @property
    def middle(self) -> tuple[int, int]:
        """Where the one who talks stands."""
        return self.width // 2, self.height // 2

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Where something is drawn: left, top, width, height."""
        heights = [self.middle[1], *(it.y for it in self.people)]
        top, bottom = int(min(heights)) - _ABOVE, int(max(heights)) + _ABOVE
        return 0, top, self.width, bottom - top


def drawn(cards: Mapping[str, str], relations: Sequence[Relation]) -> Relations:
    """Return the drawing of the people who have *cards* (paths by name), and whom those name."""
    named = [n for it in relations for n in (it.one, it.other) if n != OWNER]
    names = list(dict.fromkeys((*cards, *named)))
    children = _families(names, relations)
    leaves = {name: _leaves(name, children) for name in (OWNER, *names)}
    height = max(_HEIGHT, _EACH * leaves[OWNER])
    said = {it.other: it.label for it in relations if it.one == OWNER}
    depth = _depth(OWNER, children)
    people: dict[str, Around] = {}

    def place(parent: str, start: float, level: int) -> None:
        for name in children[parent]:
            end = start + leaves[name] / leaves[OWNER]
            angle = 2 * math.pi * (start + end) / 2 - math.pi / 2
            reach = level / depth
            cos, sin = math.cos(angle), math.sin(angle)
            x = _WIDTH / 2 + cos * (_WIDTH / 2 - _BESIDE) * reach
            y = height / 2 + sin * (height / 2 - _ABOVE) * reach
            anchor = "middle" if abs(cos) < 0.3 else "start" if cos > 0 else "end"  # noqa: PLR2004  # steep
            people[name] = Around(
                round(x, 1), round(y, 1), _cut(name), _cut(said.get(name, "")),
                cards.get(name, ""), anchor,
            )  # fmt: skip
            place(name, start, level + 1)
            start = end

    place(OWNER, 0.0, 1)
    ties = tuple(
        _tie(people[it.one], people[it.other], it.label)
        for it in relations
        if OWNER not in {it.one, it.other}
    )
    return Relations(tuple(people.values()), ties, bool(said), height=height)


def _families(names: Iterable[str], relations: Sequence[Relation]) -> dict[str, list[str]]:
    """Return whom each is drawn inside of: next to the owner those who are the owner's own.

    Whoever is nobody's own begins a family, whoever is linked with most first.
    """
    near: dict[str, list[str]] = {name: [] for name in names}
    for it in relations:
        if it.one != OWNER:
            near[it.one].append(it.other)
            near[it.other].append(it.one)
    children: dict[str, list[str]] = {name: [] for name in (OWNER, *near)}
    level = {it.other: 1 for it in relations if it.one == OWNER}
    first = [*level, *sorted(near, key=lambda name: -len(near[name]))]
    queue = [name for name in first if name in level]
    for name in _beside(queue, near):
        children[OWNER].append(name)
    for start in first:
        if start not in level:
            level[start] = 1
            children[OWNER].append(start)
            queue.append(start)
        while queue:
            name = queue.pop(0)
            for other in near[name]:
                if other not in level and level[name] < _LEVELS:
                    level[other] = level[name] + 1
                    children[name].append(other)
                    queue.append(other)
    return children


def _beside(names: Sequence[str], near: Mapping[str, Sequence[str]]) -> list[str]:
    """Return *names* with those side by side who are something to each other."""
    found: list[str] = []
    for start in names:
        stack = [start]
        while stack:
            name = stack.pop()
            if name in names and name not in found:
                found.append(name)
                stack += reversed(near[name])
    return found


def _leaves(name: str, children: Mapping[str, Sequence[str]]) -> int:
    return sum(_leaves(child, children) for child in children[name]) or 1


def _depth(name: str, children: Mapping[str, Sequence[str]]) -> int:
    """Return how many rings of people there are around *name*."""
    return max((1 + _depth(child, children) for child in children[name]), default=0)


def _tie(one: Around, other: Around, label: str) -> Tie:
    x = one.x + (other.x - one.x) * _TOWARDS
    y = one.y + (other.y - one.y) * _TOWARDS
    return Tie(one, other, _cut(label), round(x, 1), round(y, 1))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
