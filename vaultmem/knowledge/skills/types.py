"""A skill as a value, and the limits that its format sets."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST_NAME, LONGEST_DESCRIPTION = 64, 1024
"""Characters."""


@dataclass(frozen=True, slots=True)
class Point:
    """One thing to know, and the wikilink targets it comes from."""

    text: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Skill:
    """A way of working: when to use it, its steps and tools, what to heed, where it was learnt.

    *name* is that of its folder, too; *learnt* tells of each experience it comes from, and
    *sources* are their wikilink targets. What the program holds of it is *id*, *created* and
    *trust*.
    """

    name: str
    title: str
    when: tuple[Point, ...]
    steps: tuple[str, ...]
    tools: tuple[str, ...]
    lessons: tuple[Point, ...]
    cautions: tuple[Point, ...]
    learnt: tuple[Point, ...]
    sources: tuple[str, ...]
    id: str
    created: str
    trust: str
