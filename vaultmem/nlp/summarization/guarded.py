"""Stand between a vault and a model: no answer is kept that lies, loops, refuses or leaks.

What is wrong is said to the model once. After that, and when it is away, the offline summarizer
answers, and the answer says why.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import TypeVar, cast

from vaultmem.documents.bodies import Claim, Decision, Episode, SessionCompact, Topic
from vaultmem.documents.secrets import redact
from vaultmem.errors import OverBudget, Unavailable, Unusable
from vaultmem.nlp.summarization import (
    answer_checks,
    answer_cleanup,
    prompts,
    quality,
    summary_probes,
)
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
    Summarizer,
    Summary,
    Task,
)

_T = TypeVar("_T")
_S = TypeVar("_S")
_Ask = TypeVar("_Ask", Task, FoldTask, DistillTask, CompactTask, ClaimsTask, DreamTask, ReflectTask)
_Answer = TypeVar(
    "_Answer",
    Summary,
    Made[Episode],
    Made[tuple[Topic, ...]],
    Made[SessionCompact],
    Made[tuple[Claim, ...]],
    Made[tuple[Suggestion, ...]],
    Made[Reflection],
)

_log = logging.getLogger(__name__)


def guarded(summarizer: Summarizer) -> Guarded:
    """Return what always answers: *summarizer*, and the offline one where that cannot."""
    from vaultmem.nlp.summarization.extractive import Extractive  # noqa: PLC0415  # who checks asks none

    return Guarded(summarizer, summarizer if isinstance(summarizer, Extractive) else Extractive())


class Guarded:
    """A summarizer that always answers: *asked* does where it can, *offline* where it cannot.

    The `degraded` of an answer made offline begins with `away:`, `budget:` or `refused:`.
    """

    def __init__(self, asked: Summarizer, offline: Summarizer) -> None:
        """Ask *asked* first; it may be *offline* itself, whose answers are taken as they are."""
        self.name = asked.name
        self._asked, self._offline = asked, offline

    @property
    def is_offline(self) -> bool:
        """Whether no model is asked."""
        return self._asked is self._offline

    def summarize(self, task: Task) -> Summary:
        """Return a summary, a sentence a line, measured, without credentials.

        A model's that answers much less of the task than the offline one does is refused.
        """
        offline = functools.cache(self._offline.summarize)

        def check(summary: Summary, asked: Task) -> Summary:
            made = _checked(summary, asked)
            _refuse(summary_probes.loss(made.text, offline(task).text, task))
            return made

        return self._answer(task, self._asked.summarize, offline, check)

    def episode(self, task: FoldTask) -> Made[Episode]:
        """Return what the turns came to."""
        check = _checked_by(answer_checks.of_episode)
        ask = _asking_for_reasons(self._asked.episode, check, lambda made: made.value.decisions)
        return _measured(self._answer(task, ask, self._offline.episode, check), task)

    def topics(self, task: DistillTask) -> Made[tuple[Topic, ...]]:
        """Return the topics that are new or changed."""
        check = _checked_by(answer_checks.of_topics)
        return self._answer(task, self._asked.topics, self._offline.topics, check)

    def compact(self, task: CompactTask) -> Made[SessionCompact]:
        """Return where the session stands."""
        check = _checked_by(answer_checks.of_compact)
        ask = _asking_for_reasons(self._asked.compact, check, lambda made: made.value.key_decisions)
        return _measured(self._answer(task, ask, self._offline.compact, check), task)

    def claims(self, task: ClaimsTask) -> Made[tuple[Claim, ...]]:
        """Return what users say of people; each batch is asked, and may fall back, by itself."""
        if self.is_offline:
            return _redacted(self._offline.claims(task))
        ask, offline = self._asked.claims, self._offline.claims
        parts, check = prompts.claim_batches(task), _checked_by(answer_checks.of_claims)
        return _joined([self._answer(part, ask, offline, check) for part in parts])

    def suggest(self, task: DreamTask) -> Made[tuple[Suggestion, ...]]:
        """Return what could be changed about the facts, bad suggestions left out one by one."""
        if self.is_offline:
            return self._offline.suggest(task)
        ask, offline = self._asked.suggest, self._offline.suggest
        parts = prompts.fact_batches(task)
        return _joined([self._answer(part, ask, offline, _checked_suggestions) for part in parts])

    def reflect(self, task: ReflectTask) -> Made[Reflection]:
        """Return what is to be taken from a task."""
        check = _checked_by(answer_checks.of_reflection)
        return _measured(
            self._answer(task, self._asked.reflect, self._offline.reflect, check), task
        )

    def _answer(
        self,
        task: _Ask,
        ask: Callable[[_Ask], _Answer],
        offline: Callable[[_Ask], _Answer],
        check: Callable[[_Answer, _Ask], _Answer],
    ) -> _Answer:
        if self.is_offline or answer_checks.is_mute(task):
            return _redacted(offline(task))
        try:
            return _redacted(self._ask_twice(task, ask, check))
        except Unavailable as e:
            kind = {Unusable: "refused", OverBudget: "budget"}.get(type(e), "away")
            degraded = f"{kind}: {' '.join(str(e).split())}"
        _log.warning("%s: %s; the offline summarizer answers", self.name, degraded)
        return replace(_redacted(offline(task)), degraded=degraded)

    def _ask_twice(
        self, task: _Ask, ask: Callable[[_Ask], _Answer], check: Callable[[_Answer, _Ask], _Answer]
    ) -> _Answer:
        """Ask, and once more with what was wrong; raises Unavailable as a Summarizer does."""
        try:
            return check(ask(task), task)
        except Unusable as e:
            _log.warning("%s: refused: %s; asked once more", self.name, e)
            return check(ask(replace(task, complaint=e.why)), task)


def _checked(summary: Summary, task: Task) -> Summary:
    """Return *summary* in lines, measured; raises Unusable when it is no good."""
    text = "".join(f"{line}\n" for line in answer_cleanup.sentences(summary.text))
    _refuse(answer_checks.of_summary(text, task))
    return replace(
        summary,
        text=text,
        faithfulness=round(quality.faithfulness(text, answer_checks.known(task)), 4),
        coverage=round(quality.coverage(text, task.passages), 4),
        compression=round(quality.compression(text, task.passages), 4),
    )


def _measured(made: Made[_T], task: FoldTask | CompactTask | ReflectTask) -> Made[_T]:
    """Return *made* with how true it is to its turns, and how much of them it tells."""
    text = "\n".join(answer_checks.strings(made.value))
    sources = answer_checks.known(task)
    return replace(
        made,
        faithfulness=round(quality.faithfulness(text, sources), 4),
        coverage=round(quality.coverage(text, sources), 4),
    )


def _checked_by(fault: Callable[[_T, _S], str]) -> Callable[[Made[_T], _S], Made[_T]]:
    """Return what raises Unusable for an answer in which *fault* finds one."""

    def checked(made: Made[_T], task: _S) -> Made[_T]:
        _refuse(fault(made.value, task))
        return made

    return checked


def _asking_for_reasons(
    ask: Callable[[_Ask], _Answer],
    check: Callable[[_Answer, _Ask], _Answer],
    decisions: Callable[[_Answer], Sequence[Decision]],
) -> Callable[[_Ask], _Answer]:
    """Return what asks, and once more where a decision came without a reason.

    The second answer is taken when it is good and gives more of them.
    """

    def asking(task: _Ask) -> _Answer:
        answer = check(ask(task), task)
        bare = [it.decision for it in decisions(answer) if not it.reason]
        if not bare or task.complaint:
            return answer
        try:
            again = check(ask(replace(task, complaint=_NO_REASON.format("; ".join(bare)))), task)
        except Unavailable as e:
            _log.info("decisions stay without a reason: %s", e)
            return answer
        return again if sum(not it.reason for it in decisions(again)) < len(bare) else answer

    return asking


_NO_REASON = (
    "these decisions have no reason, which is to be given where the turns say it, and left empty "
    "where they do not: {}"
)


def _checked_suggestions(
    made: Made[tuple[Suggestion, ...]], task: DreamTask
) -> Made[tuple[Suggestion, ...]]:
    good = answer_checks.good_suggestions(made.value, task)
    if dropped := len(made.value) - len(good):
        _log.warning("%s: %d of %d suggestions refused", made.model, dropped, len(made.value))
    return replace(made, value=good)


def _joined(parts: Sequence[Made[tuple[_T, ...]]]) -> Made[tuple[_T, ...]]:
    """Return *parts* as one answer: the model's if it gave any, degraded when one of them is."""
    first = next((part for part in parts if not part.degraded), parts[0])
    degraded = next((part.degraded for part in parts if part.degraded), "")
    whole = tuple(value for part in parts for value in part.value)
    return replace(first, value=whole, degraded=degraded)


def _refuse(fault: str) -> None:
    if fault:
        raise Unusable(fault)


def _redacted(answer: _T) -> _T:
    """Return *answer* without credentials in any of its texts."""
    return cast("_T", _without_secrets(answer))


def _without_secrets(value: object) -> object:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, tuple):
        return tuple(map(_without_secrets, value))
    if is_dataclass(value) and not isinstance(value, type):
        return replace(
            value, **{f.name: _without_secrets(getattr(value, f.name)) for f in fields(value)}
        )
    return value
