"""What conversations come to, as values: episodes, topics, the compact of a session.

Outcome instead of dialogue: decisions with their reasons, what was ruled out and why, what is
still open. `markdown` writes them as bodies that a person may edit, and reads them back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided, why, and what it must respect; both may be unknown."""

    decision: str
    reason: str = ""
    constraint: str = ""


@dataclass(frozen=True, slots=True)
class Eliminated:
    """An approach that was ruled out, and why."""

    approach: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answered, in short."""

    name: str
    result: str


@dataclass(frozen=True, slots=True)
class Episode:
    """What a stretch of a session came to."""

    title: str
    summary: str
    decisions: tuple[Decision, ...] = ()
    eliminated: tuple[Eliminated, ...] = ()
    open_questions: tuple[str, ...] = ()
    corrections: tuple[str, ...] = ()
    preferences: tuple[str, ...] = ()
    tool_results: tuple[ToolResult, ...] = ()


Outcome = Literal["success", "partial", "failure", "feedback", "preference", "tool"]


@dataclass(frozen=True, slots=True)
class Experience:
    """What came of a task: how it was gone about, and what to take from that.

    *outcome* is a success, a partial one, a failure, a user's feedback, or that a preference or a
    tool was met for the first time; *result* says it in words.
    """

    task: str
    outcome: Outcome
    approach: str = ""
    result: str = ""
    decisions: tuple[Decision, ...] = ()
    feedback: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    lessons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """One durable thing known, and the wikilink targets it comes from.

    *why* it is so and *how* to apply it are for what was wished and what a project needs.
    """

    text: str
    sources: tuple[str, ...] = ()
    why: str = ""
    how: str = ""


@dataclass(frozen=True, slots=True)
class TopicDecision:
    """A decision that lasts, the wikilink targets it comes from, and how to apply it."""

    decision: Decision
    sources: tuple[str, ...] = ()
    how: str = ""

    @property
    def text(self) -> str:
        """What was decided."""
        return self.decision.decision


@dataclass(frozen=True, slots=True)
class TopicEliminated:
    """A ruled-out approach worth knowing for long, and the wikilink targets it comes from."""

    eliminated: Eliminated
    sources: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The approach."""
        return self.eliminated.approach


@dataclass(frozen=True, slots=True)
class Topic:
    """Durable knowledge about one subject; *slug* names its file."""

    slug: str
    title: str
    description: str
    facts: tuple[Fact, ...] = ()
    decisions: tuple[TopicDecision, ...] = ()
    eliminated: tuple[TopicEliminated, ...] = ()
    patterns: tuple[Fact, ...] = ()

    @property
    def items(self) -> tuple[Fact | TopicDecision | TopicEliminated, ...]:
        """All that it lists, facts and patterns first."""
        return (*self.facts, *self.patterns, *self.decisions, *self.eliminated)


@dataclass(frozen=True, slots=True)
class SessionCompact:
    """Where a session stands: enough to go on from, nothing that a file or command would tell."""

    task: str
    current_state: str
    key_decisions: tuple[Decision, ...] = ()
    eliminated_approaches: tuple[Eliminated, ...] = ()
    open_questions: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    relevant_tool_results: tuple[ToolResult, ...] = ()
    compacted_at_turn: int = 0


@dataclass(frozen=True, slots=True)
class Claim:
    """One attribute of one person, as a user told it.

    *person* is a name as it was written, the speaker's own for the speaker, "user" when that is
    unknown; one who was not named is called by the relationship, "daughter". *relationship* is what
    the person is to the speaker, "self" for the speaker, "" when nothing tells. *category* and
    *field* are slugs with underscores ("medical", "shoe_size"). *value* stands to the letter in
    *said*, the sentence; *at* is ISO 8601 or ""; *origin* is the wikilink target of the memory, or
    a transcript with its turn. *speaker* is who said it by name, "" when nobody knows.
    *ends* are values that hold no longer by it; one that ends its own value says nothing else.
    """

    person: str
    relationship: str
    category: str
    field: str
    value: str
    said: str
    at: str = ""
    origin: str = ""
    speaker: str = ""
    ends: tuple[str, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether it says of its value that it holds no longer."""
        return self.value in self.ends
