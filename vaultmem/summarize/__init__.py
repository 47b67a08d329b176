"""Make much text into little: what is asked for, what comes back, and who may do it.

The values here are shared by every backend; `extractive` works without a model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol


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
    """What is asked for: a tier, and its sources in order of time.

    For "longterm" the old long-term summary comes first, if there is one, then the newer recent.
    """

    tier: Literal["recent", "longterm"]
    passages: tuple[Passage, ...]
    agent: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """What came back: one sentence a line, who wrote it, and how well."""

    text: str
    model: str
    prompt: str
    faithfulness: float
    coverage: float


class Summarizer(Protocol):
    """Whatever can answer a Task."""

    name: str

    def summarize(self, task: Task) -> Summary:
        """Answer *task* from its passages alone."""
        ...
