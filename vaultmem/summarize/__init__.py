"""Make much text into little: what is asked for, what comes back, and who may do it.

The values here are shared by every backend; `extractive` works without a model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar

from vaultmem.gist import Episode, SessionCompact, Topic
from vaultmem.transcripts import Turn

_T_co = TypeVar("_T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Passage:
    """One source: a memory, or one earlier summary."""

    text: str
    # "" when unknown, or when the text already speaks for itself.
    speaker: str = ""
    # ISO 8601 UTC, "2026-11-20T10:15:00Z", or "".
    created: str = ""
    importance: float = 0.5


@dataclass(frozen=True, slots=True)
class Task:
    """A summary is asked for: its tier, and its sources in order of time.

    For "longterm" the old long-term summary comes first, if there is one, then the newer recent.
    *complaint* says what was wrong with the answer before, when the same is asked again.
    """

    tier: Literal["recent", "longterm"]
    passages: tuple[Passage, ...]
    agent: str = ""
    complaint: str = ""


@dataclass(frozen=True, slots=True)
class FoldTask:
    """An episode is asked for: consecutive turns of one session, the first being number *first*."""

    turns: tuple[Turn, ...]
    first: int = 1
    session: str = ""
    agent: str = ""
    complaint: str = ""


@dataclass(frozen=True, slots=True)
class DistillTask:
    """Topics are asked for: episodes with the targets that link to them, oldest first.

    *topics* are those that exist. Asked for are the topics that are new or changed, each whole:
    contradicted facts mended, resolved decisions gone, all else as it was.
    """

    episodes: tuple[tuple[str, Episode], ...]
    topics: tuple[Topic, ...] = ()
    agent: str = ""
    complaint: str = ""


@dataclass(frozen=True, slots=True)
class CompactTask:
    """A session's compact is asked for: its turns since *prior*, which it takes up.

    The turns end with number *turn*, which becomes the answer's `compacted_at_turn`.
    """

    turns: tuple[Turn, ...]
    turn: int
    prior: SessionCompact | None = None
    agent: str = ""
    complaint: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """What came back: one sentence a line, who wrote it, how well, and what it saves.

    *degraded* says why the offline summarizer had to step in, empty when it had not to.
    """

    text: str
    model: str
    prompt: str
    faithfulness: float
    coverage: float
    compression: float = 0.0
    degraded: str = ""


@dataclass(frozen=True, slots=True)
class Made(Generic[_T_co]):
    """A structured answer: the value, who made it with which prompt, and why it is degraded."""

    value: _T_co
    model: str
    prompt: str
    degraded: str = ""


class Summarizer(Protocol):
    """Whatever can answer these tasks, each from what it holds alone.

    All raise Unavailable when no answer is to be had, and Unusable when one came that is no good.
    """

    name: str

    def summarize(self, task: Task) -> Summary:
        """Return two or three sentences of the passages."""
        ...

    def episode(self, task: FoldTask) -> Made[Episode]:
        """Return what the turns came to."""
        ...

    def topics(self, task: DistillTask) -> Made[tuple[Topic, ...]]:
        """Return the topics that the episodes make or change, each whole."""
        ...

    def compact(self, task: CompactTask) -> Made[SessionCompact]:
        """Return where the session stands, the prior compact merged in."""
        ...
