"""Summarize without a model, and load for each answer what that one needs."""

from __future__ import annotations

from vaultmem.documents.bodies import Claim, Episode, SessionCompact, Topic
from vaultmem.nlp.tasks import (
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

_PROMPT = "extractive-2"
_EPISODE, _TOPICS, _COMPACT = "harvest-episode-1", "harvest-topics-1", "harvest-compact-1"
_CLAIMS, _NOTHING = "harvest-claims-1", "none"


class Extractive:
    """The offline summarizer: same input, same text, on any machine."""

    name = "extractive"

    def summarize(self, task: Task) -> Summary:
        """Answer *task* with sentences taken from its passages."""
        from vaultmem.nlp.summarization import extracts, quality

        parts = [quality.read(text) for text in extracts.texts(task)]
        is_recent = task.tier == "recent"
        lines = extracts.short_term(task, parts) if is_recent else extracts.long_term(task.passages)
        text = "".join(f"{line}\n" for line in lines or extracts.anything(task.passages))
        faithfulness, coverage, compression = quality.measured(text, task.passages, parts)
        return Summary(
            text=text,
            model=self.name,
            prompt=_PROMPT,
            faithfulness=round(faithfulness, 4),
            coverage=round(coverage, 4),
            compression=round(compression, 4),
        )

    def episode(self, task: FoldTask) -> Made[Episode]:
        """Say what the turns came to, in their own words."""
        from vaultmem.nlp.extraction.sessions import episodes
        from vaultmem.nlp.summarization import extracts, quality

        recent = episodes.summary_task(task)
        parts = [quality.read(passage.text) for passage in recent.passages]
        lines = extracts.of_turns(recent, parts) or extracts.anything(recent.passages)
        summary = "\n".join(lines)
        return Made(episodes.episode(task, summary), self.name, _EPISODE)

    def topics(self, task: DistillTask) -> Made[tuple[Topic, ...]]:
        """Merge what is durable in the episodes into topics."""
        from vaultmem.nlp.extraction import distillation

        return Made(distillation.topics(task), self.name, _TOPICS)

    def compact(self, task: CompactTask) -> Made[SessionCompact]:
        """Say where the session stands, in its own words."""
        from vaultmem.nlp.extraction.sessions import session_state

        return Made(session_state.compact(task), self.name, _COMPACT)

    def claims(self, task: ClaimsTask) -> Made[tuple[Claim, ...]]:
        """Say what users say of people, by the turns of phrase that leave no doubt."""
        from vaultmem.nlp.extraction.personal_facts import claims

        return Made(claims.claims(task), self.name, _CLAIMS)

    def suggest(self, task: DreamTask) -> Made[tuple[Suggestion, ...]]:  # noqa: ARG002  # the protocol has it
        """Suggest nothing: what can be seen offline, the detectors of a dream see."""
        return Made((), self.name, _NOTHING)

    def reflect(self, task: ReflectTask) -> Made[Reflection]:  # noqa: ARG002  # the protocol has it
        """Add nothing to what was said of the task."""
        return Made(Reflection(), self.name, _NOTHING)
