"""Find what people want to be kept: corrections, preferences, standing instructions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from vaultmem.nlp.extraction import cue_phrases, similarity, utterances
from vaultmem.nlp.extraction.utterances import Sentence
from vaultmem.nlp.text import analysis, salience


def corrections(sentences: Sequence[Sentence], agent: str = "") -> tuple[str, ...]:
    """Return what put something right, in order; the rest of a turn that only says `wrong`."""
    found = (
        sentence
        for before, sentence in pairwise([None, *sentences])
        if sentence and not salience.is_question(sentence.text) and _puts_right(sentence, before)
    )
    return similarity.distinct(utterances.attributed(s, agent=agent) for s in found)


def _puts_right(sentence: Sentence, before: Sentence | None) -> bool:
    """Whether *sentence* corrects, or says what is right after *before* said what is wrong."""
    if _corrects(sentence) and not _is_hollow(sentence):
        return True
    same_turn = before is not None and before.turn == sentence.turn
    return before is not None and same_turn and _corrects(before) and _is_hollow(before)


def _corrects(sentence: Sentence) -> bool:
    found = cue_phrases.CORRECTION.match(sentence)
    return found is not None and (_is_hollow(sentence) or bool(similarity.items(sentence.text)))


def _is_hollow(sentence: Sentence) -> bool:
    """Whether *sentence* says that something is wrong, and not what is right."""
    return re.match(cue_phrases.HOLLOW, sentence.text) is not None


def preferences(sentences: Sequence[Sentence], agent: str = "") -> tuple[str, ...]:
    """Return what people like and dislike and asked for once and for all, in order."""
    found = (s for s in sentences if _is_wish(s))
    return similarity.distinct(utterances.attributed(s, agent=agent) for s in found)


def _is_wish(sentence: Sentence) -> bool:
    if sentence.role != "user" and not sentence.speaker:
        return False
    if salience.is_question(sentence.text) or not analysis.terms(sentence.text):
        return False
    return cue_phrases.PREFERENCE.match(sentence) is not None


def is_standing(text: str) -> bool:
    """Whether *text* asks for something once and for all rather than tells a liking."""
    return re.search(cue_phrases.STANDING, utterances.quoted(text).text) is not None
