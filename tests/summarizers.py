"""A summarizer to derive others from, which answer what a scene is about."""

from __future__ import annotations

from typing import Never

from vaultmem.documents.bodies import Claim, Episode, SessionCompact, Topic
from vaultmem.errors import ModelAway
from vaultmem.nlp.tasks import (
    AnyTask,
    ClaimsTask,
    CompactTask,
    DistillTask,
    DreamTask,
    FoldTask,
    Made,
    Reflection,
    ReflectTask,
    Suggestion,
    Summary,
    Task,
)


class Silent:
    """A model that is away, whatever it is asked."""

    name = "silent"

    def summarize(self, task: Task) -> Summary:
        """Be away."""
        return self.say(task)

    def episode(self, task: FoldTask) -> Made[Episode]:
        """Be away."""
        return self.say(task)

    def topics(self, task: DistillTask) -> Made[tuple[Topic, ...]]:
        """Be away."""
        return self.say(task)

    def compact(self, task: CompactTask) -> Made[SessionCompact]:
        """Be away."""
        return self.say(task)

    def claims(self, task: ClaimsTask) -> Made[tuple[Claim, ...]]:
        """Be away."""
        return self.say(task)

    def suggest(self, task: DreamTask) -> Made[tuple[Suggestion, ...]]:
        """Be away."""
        return self.say(task)

    def reflect(self, task: ReflectTask) -> Made[Reflection]:
        """Be away."""
        return self.say(task)

    def say(self, task: AnyTask) -> Never:
        """Raise ModelAway."""
        raise ModelAway(self.name, f"no answer to {type(task).__name__}")
