"""Find what people want to be kept: corrections, preferences, standing instructions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vaultmem.nlp.extraction.choices import casual_tastes, choices_de, tastes_de, tastes_zh
from vaultmem.nlp.extraction.grammar import antecedents, assertion_en, german, plain_statements
from vaultmem.nlp.extraction.talk import (
    casual_spelling,
    cue_phrases,
    idle_talk,
    register,
    self_contained,
    similarity,
    small_talk,
    tastes,
    utterances,
)
from vaultmem.nlp.extraction.talk.utterances import Sentence
from vaultmem.nlp.text import analysis, salience

# Of a kind that only another sentence names: `Please use a linear one`.
_OF_ONE = r"(?i)\b(?:an?|the|this|that) \w+ ones?\b(?! (?:of|who|that|in|with|for)\b)|\bones?\W*$"
# What it stands against says of which kind it is: `a small wedding than a big one`.
_AGAINST = r"(?i)\b(?:than|over|to) (?:an? |the )?\w+ ones?\b"
# Praise of the other, and what one would not say: `I love all that you said`.
_TO_OTHER = (
    r"(?i)\b(?:you|your|u|ur)\b|\bgot(?:ta| to) go\b|\b(?:not|\w+n['\u2019]?t)(?: \w+)? say I\b"
    r"|\b(?:like|love|enjoy|hate)d? the (?-i:[a-z]+)(?! (?:of|in|at)\b)"
)
# What only fills a gap, before a verb: `I like totally forgot`.
_FILLS = (
    r"(?i)\bi like (?:totally|literally|basically|actually|seriously|never|always|just|already"
    r"|almost)\b"
)
# A way of somebody's that is no choice: `I always fall asleep`.
_WAY = (
    r"(?i)\bi (?:always|never) (?!(?:order|choose|pick|buy|use|drink|eat|wear|take|prefer|go|read"
    r"|listen|watch|cook|bring|carry|add|put|drive|travel|fly|book|pay|sleep)\b)"
)
_BIDS = r"(?i)(?:(?:also|and|but|so|btw|then),? )?(?:please|always|never|don['\u2019]?t|do not)\b"
# What an agent is asked in everyday talk is mostly for once: `Please answer with yes or no`.
_FOR_GOOD = (
    r"(?i)^(?:(?:also|and|but|so|ok(?:ay)?|please),? )*(?:always|never)\b(?! \w+(?:ed|ing)\b)"
    r"|\b(?:from now on|in (?:the )?future|going forward|every time|whenever"
    r"|please call me (?-i:[A-Z]))"
    "|\u4ee5\u540e|\u4eca\u540e|\u4ece\u73b0\u5728|\u6bcf\u6b21|\u6c38\u8fdc|\u4e00\u5f8b"
)
# A task, done once: `Please write a migration`.
_ONCE = (
    r"(?i)(?:(?:also|and|but|so|ok(?:ay)?|then),? )*please,? (?:write|use|answer|address|keep)"
    r" (?:an?|the|me|us|this|that|some|my|our)\b"
)
# Of somebody else, whom the bid may not name: `dont mention his salary`.
_OF_ANOTHER = r"(?i)\b(?:he|she|him|her|his)\b"
# So many sentences back the turn before is looked for.
_BACK = 8


def corrections(sentences: Sequence[Sentence], agent: str = "") -> tuple[str, ...]:
    """Return what put something right at work, in order; the rest of a turn that says `wrong`.

    In everyday talk it leans on what was said before, which a line does not hold: there is none.
    """
    found = (
        sentence
        for i, sentence in enumerate(sentences)
        if sentence.is_work
        and not salience.is_question(sentence.text)
        and _puts_right(sentence, sentences[max(0, i - _BACK) : i])
    )
    return similarity.distinct(utterances.attributed(s, agent=agent) for s in found)


def _puts_right(sentence: Sentence, earlier: Sequence[Sentence]) -> bool:
    """Whether *sentence* corrects, or says what is right after one that said what is wrong."""
    if _corrects(sentence) and not _is_hollow(sentence):
        return not _answers(sentence, earlier)
    before = earlier[-1] if earlier else None
    same_turn = before is not None and before.turn == sentence.turn
    return before is not None and same_turn and _corrects(before) and _is_hollow(before)


def _answers(sentence: Sentence, earlier: Sequence[Sentence]) -> bool:
    """Whether *sentence* only says no to what was asked in the turn before: `No, we own it`."""
    asked = next((s for s in reversed(earlier) if s.turn < sentence.turn), None)
    if asked is None or not salience.is_question(asked.text):
        return False
    return re.match(cue_phrases.DENIAL, sentence.text) is not None


def _corrects(sentence: Sentence) -> bool:
    found = cue_phrases.CORRECTION.match(sentence)
    return found is not None and (_is_hollow(sentence) or bool(similarity.items(sentence.text)))


def _is_hollow(sentence: Sentence) -> bool:
    """Whether *sentence* says that something is wrong, and not what is right."""
    return re.match(cue_phrases.HOLLOW, sentence.text) is not None


def preferences(sentences: Sequence[Sentence], agent: str = "") -> tuple[str, ...]:
    """Return what people like and dislike and asked for once and for all, in order."""
    voices = frozenset(s.speaker for s in sentences)
    # Who bids does so to the agent, unless people are among themselves.
    among = register.are_people(sentences)
    heads = frozenset(head for voice in voices for head in analysis.heads(voice))
    names = frozenset(analysis.names(s.text for s in sentences)) | heads
    found = (
        s
        for s in sentences
        if _is_german_wish(s)
        or _is_chinese_taste(s)
        or (_is_wish(s, names) and (_is_liking(s, heads) or _bids(s, among=among)))
    )
    return similarity.distinct(utterances.attributed(s, agent=agent) for s in found)


def _is_german_wish(sentence: Sentence) -> bool:
    """Whether a person says in German what they like, or ask for once and for all."""
    is_german = sentence.role == "user" and choices_de.is_german(sentence.text)
    return is_german and tastes_de.is_told(sentence.text)


def _is_chinese_taste(sentence: Sentence) -> bool:
    """Whether a person says in Chinese, in everyday talk, what they like."""
    is_told = analysis.is_cjk(sentence.text) and tastes_zh.is_told(sentence.text)
    return sentence.role == "user" and not sentence.is_work and is_told


def _is_liking(sentence: Sentence, voices: frozenset[str]) -> bool:
    """Whether *sentence* tells what its speaker likes, and not of the hour."""
    if not _is_of_self(sentence) or _is_passing(sentence, voices):
        return False
    return sentence.is_work or not _is_idle(sentence.text)


def _is_idle(text: str) -> bool:
    """Whether *text*, said in everyday talk, tells no liking that holds for more than the talk."""
    is_english = not (analysis.is_cjk(text) or german.is_talk(text))
    if is_english and not plain_statements.is_whole(text):
        return True
    text = casual_tastes.without_fillers(text)
    read = casual_spelling.spelled(text)
    if casual_tastes.is_of_which(read):
        return True
    if casual_tastes.is_told(read):
        return bool(re.search(_TO_OTHER, read)) or antecedents.hangs(read)
    if re.search(_TO_OTHER, text) or self_contained.hangs(text) or re.search(_WAY, text):
        return True
    return is_english and idle_talk.is_idle(text)


def _is_wish(sentence: Sentence, names: frozenset[str]) -> bool:
    if sentence.role != "user" and not sentence.speaker:
        return False
    if salience.is_question(sentence.text) or assertion_en.is_jest(sentence.text):
        return False
    sentence = casual_spelling.sentence(sentence)
    alone = re.sub(_AGAINST, "", sentence.text)
    if re.search(_FILLS, sentence.text):
        return False
    if re.search(_OF_ONE, alone) or tastes.may_be_of_somebody(sentence.text, names):
        return False
    told = not sentence.is_work and casual_tastes.is_told(sentence.text)
    if told or not analysis.terms(sentence.text):
        return told
    return cue_phrases.PREFERENCE.match(sentence) is not None


def _is_of_self(sentence: Sentence) -> bool:
    text = casual_spelling.spelled(sentence.text)
    own = re.search(r"\b(?:I|[Mm]y)\b", text) is not None
    return own or (not sentence.is_work and casual_tastes.is_told(text))


def _bids(sentence: Sentence, *, among: bool) -> bool:
    """Whether *sentence* asks something of the agent, as people *among* themselves do not."""
    if among:
        return analysis.is_cjk(sentence.text) and not _is_idle(sentence.text)
    if not (sentence.is_work or _holds_for_good(sentence.text)):
        return False
    if re.match(_ONCE, sentence.text) and re.search(_FOR_GOOD, sentence.text) is None:
        return False
    if re.search(_OF_ANOTHER, sentence.text) and antecedents.hangs(sentence.text):
        return False
    return not _is_of_self(sentence) or re.match(_BIDS, sentence.text) is not None


def _holds_for_good(text: str) -> bool:
    """Whether *text* asks for something once and for all, and says what: not `Never change`."""
    says_what = analysis.is_cjk(text) or len(analysis.terms(text)) > 1
    return says_what and re.search(_FOR_GOOD, text) is not None


def _is_passing(sentence: Sentence, voices: frozenset[str]) -> bool:
    """Whether *sentence* praises what was just shown, or leans on what was said before."""
    text = casual_tastes.without_fillers(sentence.text)
    found = analysis.facts(text)
    named = bool(found.numbers or found.dates) or any(n not in voices for n in found.names)
    return small_talk.is_small_talk(text, named=named)


def is_standing(text: str) -> bool:
    """Whether *text* asks for something once and for all rather than tells a liking."""
    return re.search(cue_phrases.STANDING, utterances.quoted(text).text) is not None
