"""Find what was decided, with the reason given for it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from vaultmem.documents.bodies import Decision
from vaultmem.nlp.extraction.choices import (
    casual_choices_de,
    casual_refusals,
    choices_de,
    commitments,
    commitments_zh,
    reasons,
    refusals_zh,
    unsaid_choices,
    verbless,
    withdrawals,
)
from vaultmem.nlp.extraction.grammar import reported_speech
from vaultmem.nlp.extraction.talk import casual_spelling, cue_phrases, utterances
from vaultmem.nlp.extraction.talk.utterances import Sentence
from vaultmem.nlp.text import analysis

_BRIEF = 6
# So many sentences on, the next turn has begun and ended.
_NEXT = 6
# Whoever answers so says what they like or think, and picks nothing.
_OPINES = (
    r"(?i)\b(?:like|love|hate|enjoy|say|said|think|thought|feel|guess|believe|is|are|was|were"
    r"|as|i|ive|im|it|you|he|she|they|that|this)\b"
)
# One thing of a name and why, in passing: `Parquet, because pandas reads it`. A fault is none.
_NAMED_ALONE = re.compile(
    r"[A-Z][\w+#.-]*(?<!ly)(?<!ed)(?<!ing)(?<!s), because (?=\w+ \w)"
    r"(?!of\b|it (?:is|was) (?:not|too)\b)"
)
_CAUSE = r"(?i)\b(?:why|how come|what (?:is|was|caused|causes|happened|went)|cause|wrong)\b"
_FAULT = (
    r"(?i)(?:time-?out|error|failure|crash|bug|fault|no|yes|yeah|maybe|sorry|wrong|right|wait)\b"
)
_AGAINST = r"(?i)\bdecided against\b"


class Choice(NamedTuple):
    """A decision and the turn it was made in."""

    turn: int
    decision: Decision


def decisions(sentences: Sequence[Sentence], agent: str = "") -> tuple[Choice, ...]:
    """Return what was decided, in order."""
    sentences = [cue_phrases.unlabelled(sentence) for sentence in sentences]
    found = (
        Choice(sentence.turn, reasons.decision(sentence, utterances.after(sentences, i), agent))
        if _decides(sentence)
        or _is_pick(sentence, sentences[i - 1] if i else None)
        or _is_named_alone(sentence, sentences[i - 1] if i else None)
        or verbless.is_taken(sentence, sentences[i - 1] if i else None)
        else _taken_up(sentence, sentences[i + 1 :], agent)
        for i, sentence in enumerate(sentences)
    )
    return tuple(choice for choice in found if choice)


def _decides(sentence: Sentence) -> bool:
    return is_decision(sentence) and not _is_ruled_out(sentence)


def _is_ruled_out(sentence: Sentence) -> bool:
    """Whether a person in everyday talk decides against something, which is told as ruled out."""
    if sentence.is_work:
        return False
    if analysis.is_cjk(sentence.text):
        return refusals_zh.find(sentence.text) is not None
    text = casual_spelling.spelled(sentence.text)
    return re.search(_AGAINST, text) is not None and casual_refusals.find(text) is not None


def _taken_up(sentence: Sentence, after: Sequence[Sentence], agent: str) -> Choice | None:
    """Return what *sentence* proposes to a friend who takes it up in the next turn."""
    text = "" if sentence.is_work else commitments.proposal(sentence, after[:_NEXT])
    told = utterances.attributed(sentence, text, agent)
    return Choice(sentence.turn, Decision(told, "", "")) if text else None


def _is_pick(sentence: Sentence, before: Sentence | None) -> bool:
    """Whether *sentence* picks one of what *before* asked about, and says why."""
    why = reasons.reason_in(sentence.text) if before and utterances.asks(before) else None
    if before is None or why is None or before.turn == sentence.turn or utterances.asks(sentence):
        return False
    # Whoever is asked in everyday talk says what they like, or how it was.
    if not sentence.is_work:
        return False
    if re.search(_OPINES, sentence.text[: why.start()]):
        return False
    head = analysis.terms(sentence.text[: why.start()])
    brief = analysis.size(sentence.text[: why.start()]) <= _BRIEF
    refused = "not" in sentence.words or "no" in sentence.words
    return brief and not refused and not set(head).isdisjoint(analysis.terms(before.text))


def _is_named_alone(sentence: Sentence, before: Sentence | None) -> bool:
    """Whether a person at work names one thing and why, and nobody had asked for a cause."""
    if not sentence.is_work or sentence.role != "user" or utterances.asks(sentence):
        return False
    if _NAMED_ALONE.match(sentence.text) is None or re.match(_FAULT, sentence.text):
        return False
    head = analysis.terms(sentence.text.partition(",")[0])
    return bool(head) and (before is None or re.search(_CAUSE, before.text) is None)


def is_decision(sentence: Sentence) -> bool:
    """Whether *sentence* says in its speaker's own name that something was decided, and what."""
    if choices_de.is_german(sentence.text):
        is_own = sentence.is_work or sentence.role == "user"
        return is_own and _decides_in_german(sentence)
    sentence = casual_spelling.sentence(sentence)
    not_now = (cue_phrases.UNDECIDED, cue_phrases.BACK_THEN)
    if utterances.asks(sentence) or any(re.search(cue, sentence.text) for cue in not_now):
        return False
    if not sentence.is_work:
        return _commits(sentence)
    return _settles(sentence)


def _decides_in_german(sentence: Sentence) -> bool:
    if choices_de.is_decision(sentence.text, at_work=sentence.is_work):
        return True
    return not sentence.is_work and casual_choices_de.is_decision(sentence.text)


def _commits(sentence: Sentence) -> bool:
    """Whether a person in everyday talk commits in so many words; an agent there does not."""
    if sentence.role != "user":
        return False
    if analysis.is_cjk(sentence.text):
        return commitments_zh.is_one(sentence.text)
    return commitments.is_one(sentence) or withdrawals.is_swap(sentence)


def _settles(sentence: Sentence) -> bool:
    """Whether *sentence*, said at work, settles something, be it in passing."""
    found = cue_phrases.DECISION.match(sentence)
    if not found:
        return withdrawals.is_swap(sentence)
    after = sentence.text[found.end() :].lstrip()
    before = sentence.text[: found.start()]
    if unsaid_choices.is_unsaid(before, after) or unsaid_choices.is_others(before):
        return False
    if unsaid_choices.is_supposed(f"{before}{found[0]}", after):
        return False
    if reported_speech.is_reported(sentence.text, found.start()):
        return False
    # The cue itself holds what was decided in `SQLite it is`.
    named = found[0] if re.search(r" it is\b", found[0]) else ""
    rest = f"{sentence.text[: found.start()]} {after}"
    return bool(analysis.terms(rest) or analysis.figures(rest)[0] or analysis.terms(named))
