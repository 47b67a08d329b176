"""People around the one who talks: where each is drawn, and what they are to them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

_WIDTH, _HEIGHT = 720, 380
_LONGEST = 22
_RINGS = 12
"""People on one ring."""


@dataclass(frozen=True, slots=True)
class Around:
    """A person: where drawn, what they are, and the path of a card about them."""

    x: float
    y: float
    name: str
    relationship: str
    path: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Relations:
    """The drawing, its size and its middle."""

    people: tuple[Around, ...]
    width: int = _WIDTH
    height: int = _HEIGHT

    @property
    def middle(self) -> tuple[int, int]:
        """Where the one who talks stands."""
        return self.width // 2, self.height // 2


def drawn(people: Sequence[tuple[str, str, str]]) -> Relations:
    """Return the drawing of *people*: name, relationship, path of a card."""
    rings = [people[at : at + _RINGS] for at in range(0, len(people), _RINGS)]
    found = [
        _around(person, n, len(ring), level, len(rings))
        for level, ring in enumerate(rings)
        for n, person in enumerate(ring)
    ]
    return Relations(tuple(found))


def _around(person: tuple[str, str, str], n: int, many: int, level: int, levels: int) -> Around:
    name, relationship, path = person
    angle = 2 * math.pi * (n + level / 2) / many - math.pi / 2
    reach = (level + 1) / levels
    x = _WIDTH / 2 + math.cos(angle) * (_WIDTH / 2 - 130) * reach
    y = _HEIGHT / 2 + math.sin(angle) * (_HEIGHT / 2 - 46) * reach
    cos = math.cos(angle)
    anchor = "middle" if abs(cos) < 0.3 else "start" if cos > 0 else "end"  # noqa: PLR2004  # steep
    return Around(round(x, 1), round(y, 1), _cut(name), _cut(relationship), path, anchor)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
