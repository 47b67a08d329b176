"""The sections that list things: their headings, and what a bullet means in each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from vaultmem.documents.bodies import (
    Decision,
    Eliminated,
    Fact,
    ToolResult,
    TopicDecision,
    TopicEliminated,
)
from vaultmem.documents.bodies import bullets as _bullets
from vaultmem.documents.bodies.bullets import LABELS, OUTCOMES, Bullet, Parts
from vaultmem.documents.markdown.outline import Entry, Line, Section, entries, words

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Listing(Generic[T]):
    """A section with one bullet a thing: what its bullets have, and how these become values.

    Where it is *worded*, a bullet without a text of its own says nothing.
    """

    heading: str
    parts: Parts
    bullet: Callable[[T], Bullet]
    value: Callable[[Bullet], T]
    worded: bool = False

    def bullets(self, values: Iterable[T]) -> list[Bullet]:
        """Return *values* as bullets, those that say nothing left out."""
        normal = (self.bullet(value).normal() for value in values)
        return [bullet for bullet in normal if self._counts(bullet)]

    def _counts(self, bullet: Bullet) -> bool:
        return bool(bullet.text) if self.worded else bool(bullet)

    def write(self, values: Iterable[T]) -> str:
        """Return the section that lists *values*, without a newline at its end; "" for none."""
        found = self.bullets(values)
        lines = (line for bullet in found for line in _bullets.write(bullet, self.parts))
        return "\n".join([f"## {self.heading}", *lines]) if found else ""

    def sections(self, body: Sequence[Section]) -> list[Section]:
        """Return those of *body* that have this heading."""
        return [section for section in body if section.name == words(self.heading)]

    def entries(self, body: Sequence[Section]) -> list[tuple[Entry, Bullet]]:
        """Return the bullets listed in *body*, each with what it says."""
        labels: list[str] = [label for label in LABELS if label in self.parts]
        labels += OUTCOMES if "result" in self.parts else ()
        found = (e for section in self.sections(body) for e in entries(section.lines, labels))
        read = ((entry, _bullets.read(entry, self.parts)) for entry in found)
        return [(entry, bullet) for entry, bullet in read if self._counts(bullet)]

    def read(self, body: Sequence[Section]) -> tuple[T, ...]:
        """Return what *body* lists."""
        return tuple(self.value(bullet) for _, bullet in self.entries(body))


def _decision_bullet(it: Decision) -> Bullet:
    return Bullet(it.decision, why=it.reason, must=it.constraint)


def _decision(bullet: Bullet) -> Decision:
    return Decision(bullet.text, bullet.why, bullet.must)


def _eliminated_bullet(it: Eliminated) -> Bullet:
    return Bullet(it.approach, why=it.why)


def _eliminated(bullet: Bullet) -> Eliminated:
    return Eliminated(bullet.text, bullet.why)


def texts(heading: str) -> Listing[str]:
    """Return the section of that *heading* whose bullets are plain texts."""
    return Listing(heading, frozenset(), Bullet, lambda bullet: bullet.text)


def _facts(heading: str) -> Listing[Fact]:
    return Listing(
        heading,
        frozenset({"why", "how to apply", "sources"}),
        lambda it: Bullet(it.text, why=it.why, how=it.how, sources=it.sources),
        lambda bullet: Fact(bullet.text, bullet.sources, bullet.why, bullet.how),
    )


DECISIONS = Listing("Decisions", frozenset({"why", "must"}), _decision_bullet, _decision)
KEY_DECISIONS = replace(DECISIONS, heading="Key decisions")
RULED_OUT = Listing("Ruled out", frozenset({"why"}), _eliminated_bullet, _eliminated)
OPEN_QUESTIONS = texts("Open questions")
CORRECTIONS = texts("Corrections")
PREFERENCES = texts("Preferences")
NEXT_STEPS = texts("Next steps")
USER_FEEDBACK = texts("User feedback")
LESSONS = texts("Lessons")
TOOLS = Listing(
    "Tools",
    frozenset({"name"}),
    lambda name: Bullet("", name=name),
    lambda bullet: bullet.name or bullet.text,
)
TOOL_RESULTS = Listing(
    "Tool results",
    frozenset({"name"}),
    lambda it: Bullet(it.result, name=it.name),
    lambda bullet: ToolResult(bullet.name, bullet.text),
)
FACTS = _facts("Facts")
PATTERNS = _facts("Patterns")
TOPIC_DECISIONS = Listing(
    "Decisions",
    frozenset({"why", "must", "how to apply", "sources"}),
    lambda it: replace(_decision_bullet(it.decision), how=it.how, sources=it.sources),
    lambda bullet: TopicDecision(_decision(bullet), bullet.sources, bullet.how),
)
TOPIC_RULED_OUT = Listing(
    "Ruled out",
    frozenset({"why", "sources"}),
    lambda it: replace(_eliminated_bullet(it.eliminated), sources=it.sources),
    lambda bullet: TopicEliminated(_eliminated(bullet), bullet.sources),
)

TOPIC_LISTS = frozenset(
    words(it.heading) for it in (FACTS, PATTERNS, TOPIC_DECISIONS, TOPIC_RULED_OUT)
)
"""What the sections of a topic are called that a program writes."""
_POINTER = re.compile(r"(?:\[\[[^\[\]]+\]\]|\[[^\[\]]*\]\([^()]+\))[\s.,;]*")


def own_facts(body: Sequence[Section]) -> tuple[Fact, ...]:
    """Return the bullets of a topic's *body* that stand in none of its four sections, a fact each.

    A person's headings may be called as they like. A bullet that only points elsewhere says
    nothing; one nested in another is a fact of its own.
    """
    own = (section for section in body if section.name not in TOPIC_LISTS)
    return tuple(fact for section in own for fact in _listed(section.lines))


def _listed(lines: Sequence[Line]) -> Iterator[Fact]:
    for entry in entries(lines, [label for label in LABELS if label in FACTS.parts]):
        bullet = _bullets.read(entry, FACTS.parts)
        if bullet.text and not _POINTER.fullmatch(_bullets.own_text(entry)):
            yield FACTS.value(bullet)
        yield from _listed(entry.nested.get("", ()))
