"""Write a skill as its file: frontmatter that agents choose by, a body that they work by."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from itertools import count

from vaultmem.documents.bodies import bullets
from vaultmem.documents.bodies.bullets import Bullet, at_line, code, normal
from vaultmem.knowledge.skills import nested_frontmatter
from vaultmem.knowledge.skills.types import LONGEST_DESCRIPTION, LONGEST_NAME, Point, Skill
from vaultmem.records import first_line
from vaultmem.storage.files import fits, slug

FOLDER, FILE = "skills", "SKILL.md"
CAUTIONS = "Watch out"
_MOST = 40
"""Bullets a section, so that a body stays far below its limit of lines."""

_SHORT, _STEPS, _TASKS = 120, 300, 500
_NO_TAGS = str.maketrans("<>", "()")


def name(title: str, taken: Collection[str]) -> str:
    """Return a name for the skill *title*: 1 to 64 of a-z, 0-9 and single hyphens, not *taken*."""
    base = slug(title, LONGEST_NAME - 4)
    if not base or not fits(base):
        base = f"skill-{hashlib.sha256(title.encode()).hexdigest()[:8]}"
    tries = (base if n == 1 else f"{base}-{n}" for n in count(1))
    return next(each for each in tries if each not in taken)


def text(skill: Skill) -> str:
    """Return the text of *skill*'s `SKILL.md`."""
    head: nested_frontmatter.Head = {
        "name": skill.name,
        "description": description(skill),
        "metadata": {
            "id": skill.id,
            "created": skill.created,
            "source": "dream",
            "trust": skill.trust,
            "sources": ", ".join(f"[[{source}]]" for source in skill.sources[-_MOST:]),
        },
    }
    found = (Bullet(step).normal() for step in skill.steps)
    lines = (bullets.write(bullet, set(), f"{n}. ") for n, bullet in enumerate(found, start=1))
    sections = (
        f"# {at_line(normal(skill.title))}",
        _section("When to use", points(skill.when)),
        _section("Steps", [line for each in lines for line in each]),
        _section("Tools", (f"- {code(normal(tool))}" for tool in skill.tools)),
        _section("Lessons", points(skill.lessons)),
        _section(CAUTIONS, points(skill.cautions)),
        _section("Learnt from", points(skill.learnt)),
    )
    return nested_frontmatter.text(head, "\n\n".join(filter(None, sections)) + "\n")


def description(skill: Skill) -> str:
    """Return what the skill does and when to use it, within the format's limit."""
    steps = "; ".join(first_line(step, _SHORT).rstrip(".;") for step in skill.steps)
    tasks = "; ".join(first_line(point.text, _SHORT).rstrip(".;") for point in skill.when)
    what = f"{first_line(skill.title, _SHORT).rstrip('.')}: {first_line(steps, _STEPS)}."
    when = f"Use it for a task like: {first_line(tasks, _TASKS)}."
    return normal(f"{what} {when}".translate(_NO_TAGS))[:LONGEST_DESCRIPTION]


def points(said: Iterable[Point]) -> list[str]:
    """Return a bullet for each point, its sources behind it."""
    found = (Bullet(point.text, sources=point.sources).normal() for point in said)
    return [line for bullet in found if bullet for line in bullets.write(bullet, {"sources"})]


def _section(heading: str, lines: Iterable[str]) -> str:
    kept = list(lines)[:_MOST]
    return "\n".join([f"## {heading}", *kept]) if kept else ""
