"""Find what was ruled out, and why."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from vaultmem.documents.bodies import Eliminated
from vaultmem.nlp.extraction.choices import (
    casual_choices_de,
    casual_refusals,
    choices_de,
    decisions,
    fault_reports,
    reasons,
    refusal_phrases,
    refusals_zh,
    unsaid_choices,
    verbless,
    withdrawals,
)
from vaultmem.nlp.extraction.grammar import assertion_en, reported_speech, statement_zh
from vaultmem.nlp.extraction.talk import casual_spelling, cue_phrases, utterances
from vaultmem.nlp.extraction.talk.utterances import Sentence
from vaultmem.nlp.text import analysis

_LONGEST = 12
_PRONOUN = (
    r"(?i)(?:i|you|we|he|she|it|they|that|this|these|those|there|everything|nothing|what|which"
    r"|who|one"
    r"|him|her|them|me|us|and|but|so|life|things?|something|anything)\b"
    "|[\u6211\u4f60\u4ed6\u5979\u5b83\u8fd9\u90a3\u8c01]"
)
# A clause, a degree or somebody's brain is nothing that one may rule out.
_NO_THING = (
    r"(?i)^(?:as|to|too|so|once|up|super|intended|supposed"
    r"|a whole|necessarily|exactly|opposed|except|can['\u2019]?t|would|my|your|his|her)\b"
    r"|\b(?:i|you|he|she|they|if|everyone|everybody)\b(?! and\b)|\bat all\W*$|\bespecially\b"
)


class Refusal(NamedTuple):
    """A ruled-out approach and the turn it was ruled out in."""

    turn: int
    eliminated: Eliminated


def eliminated(sentences: Sequence[Sentence]) -> tuple[Refusal, ...]:
    """Return what was ruled out, in order."""
    found: list[Refusal] = []
    sentences = [cue_phrases.unlabelled(sentence) for sentence in sentences]
    for i, (before, sentence) in enumerate(pairwise([None, *sentences])):
        if (
            sentence is None
            or utterances.asks(sentence)
            or reported_speech.is_reported(sentence.text, 0)
            or _is_complaint(sentence, utterances.after(sentences, i))
        ):
            continue
        found += [Refusal(sentence.turn, e) for e in _refused(sentence, before)]
    return tuple(found)


def _refused(sentence: Sentence, before: Sentence | None) -> Iterator[Eliminated]:
    """Yield what *sentence* rules out, read as its language and its register ask for."""
    if alone := verbless.refused(sentence, before):
        return iter((alone,))
    if choices_de.is_german(sentence.text):
        return _german(sentence)
    return _eliminated(sentence, before) if sentence.is_work else _in_earnest(sentence)


def _in_earnest(sentence: Sentence) -> Iterator[Eliminated]:
    """Yield what somebody in everyday talk rules out in earnest, in their own name.

    They tell at length what failed, and what others dropped: neither rules anything out.
    """
    read = casual_spelling.spelled(sentence.text)
    if sentence.role != "user" or assertion_en.is_jest(read):
        return
    own = (refusal_phrases.GIVEN_UP_IN_EARNEST, *refusal_phrases.GIVEN_UP_ZH)
    given_up = any(re.search(pattern, read) for pattern in own)
    find = refusals_zh.find if analysis.is_cjk(read) else casual_refusals.find
    if casual := find(read):
        yield casual
    elif given_up and (refused := list(_eliminated(sentence, None))):
        yield from refused
    elif decisions.is_decision(sentence):
        yield from _given_up(sentence.text)


def _german(sentence: Sentence) -> Iterator[Eliminated]:
    """Yield what German rules out, said at work or by a person."""
    if not (sentence.is_work or sentence.role == "user"):
        return
    if refused := choices_de.refusal(sentence.text, at_work=sentence.is_work):
        yield refused
    elif not sentence.is_work and (said := casual_choices_de.refusal(sentence.text)):
        yield said


def _is_complaint(sentence: Sentence, after: Sequence[Sentence]) -> bool:
    """Whether *sentence* tells of a fault that is to be mended: nothing is given up by it."""
    behind = [other.text for other in after[:1]]
    wants = any(re.search(refusal_phrases.TO_MEND, text) for text in [sentence.text, *behind])
    return wants and re.search(refusal_phrases.GIVEN_UP, sentence.text) is None


def _eliminated(sentence: Sentence, before: Sentence | None) -> Iterator[Eliminated]:
    found = _english(sentence) or _chinese(sentence)
    if withdrawn := _withdrawn(sentence):
        yield withdrawn
    elif found:
        why = utterances.closed(_unreasoned(found["why"]))
        yield Eliminated(_subject(found["approach"]), why)
    elif refused := _refused_proposal(sentence, before):
        yield refused
    if decisions.is_decision(sentence):
        yield from _given_up(sentence.text)


def _withdrawn(sentence: Sentence) -> Eliminated | None:
    found = withdrawals.find(sentence)
    given_up = re.split(refusal_phrases.INSTEAD_OF_IT, found["approach"])[0] if found else ""
    if found is None or not _names(approach := utterances.trimmed(given_up)):
        return None
    return Eliminated(approach, utterances.closed(withdrawals.reason(sentence.text, found)))


def _given_up(decision: str) -> Iterator[Eliminated]:
    """Yield what something else was chosen instead of, or in the place of what cannot be had."""
    other, (_, reason, _) = re.search(refusal_phrases.INSTEAD, decision), reasons.parts(decision)
    if other and _names(approach := _subject(utterances.trimmed(other["approach"]))):
        yield Eliminated(approach, utterances.closed(reason))
    gone = re.match(refusal_phrases.UNAVAILABLE, reason)
    # A clause that `because` governs rules nothing out, nor does one that nothing takes the place
    # of: `The clot is gone, so we decided to stop the thinners`.
    is_replaced = decision.startswith(reason) and re.search(r"(?i)\binstead\b(?! of)", decision)
    if gone and is_replaced and _names(approach := _subject(gone["approach"])):
        yield Eliminated(approach, utterances.closed(gone["why"]))


def _english(sentence: Sentence) -> re.Match[str] | None:
    if re.search(r"(?i)^(?:not )?(?:if|when|unless)\b|\bif it\b", sentence.text):
        return None
    for words, pattern in refusal_phrases.ELIMINATED:
        if not words.isdisjoint(sentence.words):
            found = re.search(pattern, sentence.text)
            if found and _names(_subject(found["approach"])) and not _points(sentence, found):
                is_kept = _is_in_use(sentence.text, found) or _is_fault(sentence.text, found)
                return None if is_kept else found
    found = re.search(refusal_phrases.REFUSAL, sentence.text) if "no" in sentence.words else None
    return found if found and _names(found["approach"]) else None


def _is_in_use(text: str, found: re.Match[str]) -> bool:
    """Whether *text* says of what is *found* no good that it is used all the same, or breaks off.

    As in `We have used MySQL for years, and use a cache because MySQL is too slow`.
    """
    what = _subject(found["approach"])
    used = re.compile(rf"(?i)\bus(?:e|es|ed|ing) {re.escape(what)}\b")
    return used.search(text, 0, text.rfind(what)) is not None or text.endswith("..")


def _is_fault(text: str, found: re.Match[str]) -> bool:
    """Whether what is *found* in *text* tells of a fault, and nothing is given up besides."""
    given_up = re.search(refusal_phrases.GIVEN_UP, text)
    return given_up is None and fault_reports.is_one(found["approach"], found["why"])


def _points(sentence: Sentence, found: re.Match[str]) -> bool:
    """Whether somebody in everyday talk names what they give up by what only the talk tells."""
    pointed = re.search(refusal_phrases.POINTS_IN_TALK, found["approach"])
    return pointed is not None and not sentence.is_work


def _chinese(sentence: Sentence) -> re.Match[str] | None:
    if not cue_phrases.has_chinese(sentence.text):
        return None
    for pattern in (*refusal_phrases.ELIMINATED_ZH, refusal_phrases.REFUSAL_ZH):
        found = re.search(pattern, sentence.text)
        if not (found and _names(_subject(found["approach"]))):
            continue
        if sentence.is_work or _is_ours_zh(sentence.text, found):
            return found
    return None


def _is_ours_zh(text: str, found: re.Match[str]) -> bool:
    """Whether those who talk give up in earnest what is *found* in *text*, and nobody else."""
    before = text[: found.start("approach")]
    return not (statement_zh.is_laughed(text) or statement_zh.is_of_others(before))


def _refused_proposal(sentence: Sentence, before: Sentence | None) -> Eliminated | None:
    """Return the approach *before* asked about, when *sentence* says no to it and why."""
    proposal = (
        re.search(refusal_phrases.PROPOSAL, before.text)
        if before and utterances.asks(before)
        else None
    )
    no = re.match(
        r"(?i)(?:no|nope)[,.;:!\u2014 -]+(?:because )?(?=(?:it|that|this|they|we)\b)"
        "|(?:\u4e0d\u884c?|\u4e0d\u8981|\u4e0d\u7528)[\uff0c,\u3002]",
        sentence.text,
    )
    if not (proposal and no) or before is None or before.turn == sentence.turn:
        return None
    approach, why = proposal["approach"] or proposal["plan"], sentence.text[no.end() :]
    if unsaid_choices.is_supposed("", approach):
        return None
    return Eliminated(approach, utterances.closed(why)) if _names(approach) else None


def _unreasoned(why: str) -> str:
    """Return *why* without the verdict and the `because` it opens with."""
    hence = re.search(cue_phrases.HENCE, why)
    why = why[: hence.start()] if hence and hence.start() > reasons.CLAUSE else why
    why = re.sub(refusal_phrases.ASIDE, "", re.sub(refusal_phrases.NO_OPTION, "", why))
    verdict = re.match(refusal_phrases.VERDICT, why)
    link = re.compile(cue_phrases.REASON).match(why, verdict.end() if verdict else 0)
    return why[link.end() :] if link else why.lstrip(" .,;:!\uff0c\uff1b\uff1a")


def _subject(approach: str) -> str:
    lead = re.match(
        r"(?i)(?:(?:and|but|so|because|that|then|also|no|yes|however|well|ok|okay|unfortunately"
        r"|we (?:found|saw|know|learned|learnt)(?: out)?(?: that)?|it turns out(?: that)?"
        r"|i think(?: that)?|using|to use)\b,?\s*)*",
        approach,
    )
    plain = approach[lead.end() :] if lead else approach
    plain = re.sub(refusal_phrases.LEADING, "", plain)
    alone = re.split(refusal_phrases.INSTEAD_OF_IT, plain)[0]
    return utterances.closed(re.sub(refusal_phrases.TRAILING, "", alone))


def _names(approach: str) -> bool:
    """Whether *approach* names something by itself, briefly."""
    if re.search(_NO_THING, approach):
        return False
    known = analysis.terms(approach) or any(letter.isupper() for letter in approach)
    brief = analysis.size(approach) <= _LONGEST and approach.count("(") == approach.count(")")
    leans = re.match(_PRONOUN, approach) or re.search(unsaid_choices.POINTS, approach)
    is_clause = re.search(r"(?i)\b(?:is|are|was|were|has|have) \w", approach) is not None
    is_idle = (
        re.search(r"(?i)^(?:to mention|too|so|very|really) ?\b|\b(?:once|twice)$", approach)
        is not None
    )
    return bool(known) and brief and leans is None and not (is_clause or is_idle)
