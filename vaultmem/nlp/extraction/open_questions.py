"""Find what is still open: questions nobody answered, and what is said to be undecided."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vaultmem.nlp.extraction import cue_phrases, decisions, similarity
from vaultmem.nlp.extraction.utterances import Sentence
from vaultmem.nlp.text import analysis, salience

_LEAST_TERMS = 2


def open_questions(sentences: Sequence[Sentence]) -> tuple[str, ...]:
    """Return the questions that nothing said later answers, in order."""
    found = (s.text for i, s in enumerate(sentences) if _is_open(s, sentences[i + 1 :]))
    return similarity.distinct(found)


def _is_open(sentence: Sentence, after: Sequence[Sentence]) -> bool:
    if salience.is_question(sentence.text):
        is_phatic = re.search(cue_phrases.PHATIC, sentence.text) is not None
        asks = not is_phatic and not _is_replied_to(sentence, after)
    else:
        asks = cue_phrases.OPEN.match(sentence) is not None
    return asks and _has_matter(sentence.text) and not is_resolved(sentence.text, after)


def _has_matter(text: str) -> bool:
    least = 1 if re.search(cue_phrases.TO_SETTLE, text) else _LEAST_TERMS
    return len(set(analysis.terms(text))) >= least


def _is_replied_to(question: Sentence, after: Sequence[Sentence]) -> bool:
    """Whether the next turn of another gives an answer to *question*."""
    voice = (question.role, question.speaker)
    theirs = next((s.turn for s in after if (s.role, s.speaker) != voice), None)
    reply = [s for s in after if s.turn == theirs and not salience.is_question(s.text)]
    if not reply or re.search(cue_phrases.DEFERRED, reply[0].text):
        return False
    if cue_phrases.CORRECTION.match(reply[0]) and not _touches(question, reply[0]):
        return False
    if re.search(cue_phrases.YES_NO, reply[0].text) or any(map(decisions.is_decision, reply)):
        return True
    weighs = re.search(cue_phrases.DELIBERATION, question.text)
    if weighs and not re.search(cue_phrases.ASKS_WHICH, question.text):
        return any(_touches(question, s) for s in reply)
    return True


def _touches(question: Sentence, sentence: Sentence) -> bool:
    return not similarity.items(question.text).isdisjoint(similarity.items(sentence.text))


def is_resolved(question: str, after: Sequence[Sentence]) -> bool:
    """Whether something said *after* takes up most of *question* and leaves it no longer open."""
    about = similarity.items(question)
    return any(_resolves(about, sentence) for sentence in after)


def _resolves(about: frozenset[str], sentence: Sentence) -> bool:
    if salience.is_question(sentence.text) or re.search(cue_phrases.DEFERRED, sentence.text):
        return False
    shared = len(about & similarity.items(sentence.text))
    least = 1 if decisions.is_decision(sentence) else 2
    return shared >= least and shared >= len(about) * (0.34 if least == 1 else 0.6)
