"""What a language model writes: summaries, episodes, topics, compacts, claims, reflections.

What comes back is read and cut to what was asked for; `guarded` says whether it is any good.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

from vaultmem.documents.bodies import Claim, Episode, SessionCompact, Topic
from vaultmem.documents.secrets import redact
from vaultmem.errors import Unusable
from vaultmem.models.providers import Model, Reply, Request
from vaultmem.nlp.summarization import answer_cleanup, prompts, schemas
from vaultmem.nlp.tasks import (
    ClaimsTask,
    CompactTask,
    DistillTask,
    DreamTask,
    FoldTask,
    Made,
    Passage,
    Reflection,
    ReflectTask,
    Suggestion,
    Summary,
    Task,
)

_T = TypeVar("_T")


class Written:
    """A summarizer that asks a *model*; a short-term summary takes at most *max_tokens*.

    What holds more, a long-term summary or JSON, may take a multiple of them.
    """

    def __init__(self, model: Model, max_tokens: int) -> None:
        """Take any Model; its name becomes the summarizer's."""
        self.name = model.name
        self._model = model
        self._max_tokens = max_tokens

    def summarize(self, task: Task) -> Summary:
        """Return a summary that nobody has measured yet: its scores are 0."""
        prompt = prompts.recent(task) if task.tier == "recent" else self._longterm(task)
        reply = self._complete(prompt)
        text = "".join(f"{line}\n" for line in _sentences(reply)[: prompt.sentences])
        return Summary(text, reply.model, prompt.version, faithfulness=0.0, coverage=0.0)

    def episode(self, task: FoldTask) -> Made[Episode]:
        """Return what the turns came to."""
        return self._made(prompts.episode(task), schemas.EPISODE, schemas.read_episode)

    def topics(self, task: DistillTask) -> Made[tuple[Topic, ...]]:
        """Return the topics that are new or changed, each with sources that *task* names."""
        read = partial(schemas.read_topics, task=task)
        return self._made(prompts.topics(task), schemas.TOPICS, read)

    def compact(self, task: CompactTask) -> Made[SessionCompact]:
        """Return where the session stands."""
        read = partial(schemas.read_compact, task=task)
        return self._made(prompts.compact(task), schemas.COMPACT, read)

    def claims(self, task: ClaimsTask) -> Made[tuple[Claim, ...]]:
        """Return what users say of people; `prompts.claim_batches` cuts what is too much."""
        read = partial(schemas.read_claims, task=task)
        return self._made(prompts.claims(task), schemas.CLAIMS, read)

    def suggest(self, task: DreamTask) -> Made[tuple[Suggestion, ...]]:
        """Return what could be changed; `prompts.fact_batches` cuts what is too much."""
        return self._made(prompts.suggestions(task), schemas.SUGGESTIONS, schemas.read_suggestions)

    def reflect(self, task: ReflectTask) -> Made[Reflection]:
        """Return what is to be taken from a task."""
        return self._made(prompts.reflection(task), schemas.REFLECTION, schemas.read_reflection)

    def _made(self, prompt: prompts.Prompt, schema: str, read: Callable[[str], _T]) -> Made[_T]:
        reply = self._complete(prompt, schema)
        return Made(read(reply.text), reply.model, prompt.version)

    def _longterm(self, task: Task) -> prompts.Prompt:
        """Return the prompt for *task*; what no prompt can hold is condensed in batches first."""
        while len(found := prompts.batches(task)) > 1:
            task = replace(task, passages=tuple(self._condensed(task, some) for some in found))
        return prompts.longterm(task)

    def _condensed(self, task: Task, some: tuple[Passage, ...]) -> Passage:
        part = self.summarize(replace(task, passages=some))
        end = some[-1].until or some[-1].created
        return Passage(part.text, created=some[0].created, until=end)

    def _complete(self, prompt: prompts.Prompt, schema: str = "") -> Reply:
        """Return the reply without thoughts; raises Unusable for a refusal or a torn object."""
        most = self._max_tokens * prompt.room
        # A key that somebody typed into a file of theirs stays here.
        request = Request(prompt.system, redact(prompt.text), most, schema)
        reply = self._model.complete(request)
        if reply.ended == "refusal":
            raise Unusable("a refusal")
        if reply.ended == "length" and schema:
            raise Unusable(f"cut off after {most} tokens: be brief")
        return replace(reply, text=answer_cleanup.without_thoughts(reply.text))


def _sentences(reply: Reply) -> list[str]:
    """Return the sentences of *reply*, the last one only if it is whole."""
    found = answer_cleanup.sentences(reply.text)
    return found[:-1] if reply.ended == "length" else found
