"""Say where a session stands, and take up the compact before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from vaultmem.documents.bodies import Decision, Eliminated, SessionCompact
from vaultmem.nlp.extraction.choices import decisions, open_questions, refusals, replacement
from vaultmem.nlp.extraction.choices.decisions import Choice
from vaultmem.nlp.extraction.choices.refusals import Refusal
from vaultmem.nlp.extraction.sessions import episodes, step_progress, tool_results
from vaultmem.nlp.extraction.talk import cue_phrases, similarity, utterances
from vaultmem.nlp.extraction.talk.utterances import Sentence
from vaultmem.nlp.tasks import CompactTask
from vaultmem.nlp.text import analysis, salience
from vaultmem.storage.transcripts import Turn

_MOST = 12
_STATEMENTS, _LEAST_TERMS = 3, 2
_NOTHING = SessionCompact("", "")
# What speaks of the goal; `You must be tired` does not.
_OF_GOAL = r"(?i)(?:it|they|this|that|the|our|all|every|each|no|keep|but|and)\b|[^\x00-\x7f]"


def compact(task: CompactTask) -> SessionCompact:
    """Return where the session stands after *task*'s turns, the prior compact merged in."""
    sentences, prior = utterances.sentences(task.turns), task.prior or _NOTHING
    goal = prior.task if prior.task and not _new_goal(sentences) else _goal(sentences, task.turns)
    chosen, refused = decisions.decisions(sentences, task.agent), refusals.eliminated(sentences)
    results = [*prior.relevant_tool_results, *tool_results.tool_results(task.turns)]
    return SessionCompact(
        task=goal,
        current_state=_state(sentences) or prior.current_state,
        key_decisions=_decisions(prior.key_decisions, chosen, refused),
        eliminated_approaches=_eliminated(prior.eliminated_approaches, refused, chosen),
        open_questions=_questions(prior.open_questions, sentences),
        next_steps=_steps(prior.next_steps, sentences, goal),
        relevant_tool_results=tool_results.distinct(results)[-_MOST:],
        compacted_at_turn=task.turn,
    )


def _goal(sentences: Sequence[Sentence], turns: Sequence[Turn]) -> str:
    """Return the instruction that states the goal: the newest that says so, else the first."""
    users = [s for s in sentences if s.role == "user"]
    stated = [s for s in users if re.search(cue_phrases.GOAL, s.text)]
    goal = _new_goal(sentences) or next(iter(stated or users or sentences), None)
    return _with_bounds(goal, sentences) if goal else _anything(turns)


def _with_bounds(goal: Sentence, sentences: Sequence[Sentence]) -> str:
    """Return *goal* with what binds it: the sentences behind it in its turn that say so."""
    behind = [s.text for s in sentences[sentences.index(goal) + 1 :] if s.turn == goal.turn]
    return " ".join([goal.text, *takewhile(_binds, behind)])


def _binds(text: str) -> bool:
    """Whether *text* says what must hold of what is to be done."""
    if salience.is_question(text) or not re.match(_OF_GOAL, text):
        return False
    return re.search(cue_phrases.BINDING, text) is not None


def _new_goal(sentences: Sequence[Sentence]) -> Sentence | None:
    stated = (
        s
        for s in reversed(sentences)
        if s.role == "user" and re.search(cue_phrases.NEW_GOAL, s.text)
    )
    return next((s for s in stated if analysis.terms(s.text)), None)


def _anything(turns: Sequence[Turn]) -> str:
    texts = (tool_results.shorten(turn.content, 200) for turn in turns)
    return next((" ".join(text.split()) for text in texts if text), "\u2026")


def _state(sentences: Sequence[Sentence]) -> str:
    """Return the newest statements of how things stand: the assistant's, or anyone's."""
    stated = [s for s in sentences if not salience.is_question(s.text) and analysis.terms(s.text)]
    # What was given up is no longer so, and what comes next is not so yet.
    stated = [s for s in stated if not (refusals.eliminated([s]) or cue_phrases.STEP.match(s))]
    own = [s for s in stated if s.role == "assistant"] or stated
    full = [s for s in own if len(set(analysis.terms(s.text))) >= _LEAST_TERMS] or own
    telling = [s for s in own if _is_state(s)] or full
    return "\n".join(s.text for s in telling[-_STATEMENTS:])


def _is_state(sentence: Sentence) -> bool:
    if not any(
        re.search(cue, sentence.text)
        for cue in (cue_phrases.STATE, cue_phrases.DONE, cue_phrases.REPORT)
    ):
        return False
    if len(set(analysis.terms(sentence.text))) < _LEAST_TERMS:
        return False
    return not (cue_phrases.OPEN.match(sentence) or decisions.is_decision(sentence))


def _decisions(
    prior: Sequence[Decision], chosen: Sequence[Choice], refused: Sequence[Refusal]
) -> tuple[Decision, ...]:
    """Merge: a newer decision on the same subject replaces an older one, and so does a refusal."""
    kept = [d for d in prior if not _is_replaced(d, chosen, refused)]
    decided, _ = replacement.standing(chosen, refused)
    merged = episodes.distinct_decisions([*kept, *decided])
    return _fitting(merged, frozenset(prior))


def _is_replaced(decision: Decision, chosen: Sequence[Choice], refused: Sequence[Refusal]) -> bool:
    return any(replacement.overrules(c.decision, decision) for c in chosen) or any(
        replacement.rules_out(r.eliminated, decision) for r in refused
    )


def _fitting(merged: Sequence[Decision], prior: frozenset[Decision]) -> tuple[Decision, ...]:
    """Drop what is too much: new chatter without a reason first, then the oldest."""
    kept = list(merged)
    while len(kept) > _MOST:
        loose = [d for d in kept if d not in prior and not (d.reason or d.constraint)]
        bare = [d for d in kept if not (d.reason or d.constraint)]
        kept.remove((loose or bare or kept)[0])
    return tuple(kept)


def _eliminated(
    prior: Sequence[Eliminated], refused: Sequence[Refusal], chosen: Sequence[Choice]
) -> tuple[Eliminated, ...]:
    """Merge: an approach that was taken up after all is no longer ruled out."""
    kept = [e for e in prior if not any(replacement.takes_up(c.decision, e) for c in chosen)]
    _, ruled_out = replacement.standing(chosen, refused)
    merged = episodes.distinct_eliminated([*kept, *ruled_out])
    return merged[-_MOST:]


def _questions(prior: Sequence[str], sentences: Sequence[Sentence]) -> tuple[str, ...]:
    still = [question for question in prior if not open_questions.is_resolved(question, sentences)]
    return similarity.distinct([*still, *open_questions.open_questions(sentences)])[-_MOST:]


def _steps(prior: Sequence[str], sentences: Sequence[Sentence], goal: str) -> tuple[str, ...]:
    still = [step for step in prior if not step_progress.is_done(step, sentences)]
    new = (
        utterances.trimmed(s.text)
        for i, s in enumerate(sentences)
        if _is_step(s, sentences[i + 1 :])
    )
    goals = analysis.sentences(goal)
    fresh = (step for step in new if not any(similarity.same(step, told) for told in goals))
    return similarity.distinct([*still, *fresh])[-_MOST:]


def _is_step(sentence: Sentence, after: Sequence[Sentence]) -> bool:
    """Whether *sentence* says what is to be done, and nothing *after* that it was."""
    if salience.is_question(sentence.text) or not analysis.terms(sentence.text):
        return False
    if cue_phrases.STEP.match(sentence) is None or decisions.is_decision(sentence):
        return False
    return not (_is_past(sentence, after) or step_progress.is_done(sentence.text, after))


def _is_past(sentence: Sentence, after: Sequence[Sentence]) -> bool:
    """Whether *sentence* is an intent of its speaker, who has spoken again since."""
    meant = re.search(cue_phrases.INTENT, sentence.text)
    later = any(s.turn > sentence.turn and s.role == sentence.role for s in after)
    return bool(meant) and later
