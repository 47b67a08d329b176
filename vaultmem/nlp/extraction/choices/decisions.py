"""Find what was decided and what was ruled out, each with the reason given for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from vaultmem.documents.bodies import Decision, Eliminated
from vaultmem.nlp.extraction.choices import (
    casual_refusals,
    commitments,
    refusal_phrases,
    unsaid_choices,
    withdrawals,
)
from vaultmem.nlp.extraction.grammar import assertion_en, reported_speech
from vaultmem.nlp.extraction.talk import casual_spelling, cue_phrases, utterances
from vaultmem.nlp.extraction.talk.utterances import Sentence
from vaultmem.nlp.text import analysis

_LONGEST, _BRIEF = 12, 6
# So many sentences on, the next turn has begun and ended.
_NEXT = 6
# What is shorter is no clause.
_CLAUSE = 3
_DECIDES = f"(?:{cue_phrases.DECISION.english})|(?:{cue_phrases.DECISION.chinese})".replace(
    "(?i)", "", 1
)
_PRONOUN = (
    r"(?i)(?:i|you|we|he|she|it|they|that|this|these|those|there|everything|nothing|what|which"
    r"|who|one"
    r"|him|her|them|me|us|and|but|so|life|things?|something|anything)\b"
    "|[\u6211\u4f60\u4ed6\u5979\u5b83\u8fd9\u90a3\u8c01]"
)
# Whoever answers so says what they like or think, and picks nothing.
_OPINES = (
    r"(?i)\b(?:like|love|hate|enjoy|say|said|think|thought|feel|guess|believe|is|are|was|were"
    r"|as|i|ive|im|it|you|he|she|they|that|this)\b"
)
# A clause, a degree or somebody's brain is nothing that one may rule out.
_NO_THING = (
    r"(?i)^(?:as|to|too|so|once|up|super|intended|supposed"
    r"|a whole|necessarily|exactly|opposed|except|can['\u2019]?t|would|my|your|his|her)\b"
    r"|\b(?:i|you|he|she|they|if|everyone|everybody)\b(?! and\b)|\bat all\W*$|\bespecially\b"
)


class Choice(NamedTuple):
    """A decision and the turn it was made in."""

    turn: int
    decision: Decision


class Refusal(NamedTuple):
    """A ruled-out approach and the turn it was ruled out in."""

    turn: int
    eliminated: Eliminated


def decisions(sentences: Sequence[Sentence], agent: str = "") -> tuple[Choice, ...]:
    """Return what was decided, in order."""
    sentences = [_unlabelled(sentence) for sentence in sentences]
    found = (
        Choice(sentence.turn, _decision(sentence, _after(sentences, i), agent))
        if is_decision(sentence) or _is_pick(sentence, sentences[i - 1] if i else None)
        else _taken_up(sentence, sentences[i + 1 :], agent)
        for i, sentence in enumerate(sentences)
    )
    return tuple(choice for choice in found if choice)


def _taken_up(sentence: Sentence, after: Sequence[Sentence], agent: str) -> Choice | None:
    """Return what *sentence* proposes to a friend who takes it up in the next turn."""
    text = commitments.proposal(sentence, after[:_NEXT]) if sentence.speaker else ""
    told = utterances.attributed(sentence, text, agent)
    return Choice(sentence.turn, Decision(told, "", "")) if text else None


def _unlabelled(sentence: Sentence) -> Sentence:
    """Return *sentence* without the label that heads it, as `Note:` does."""
    label = re.match(cue_phrases.LABEL, sentence.text)
    rest = sentence.text[label.end() :] if label else ""
    return sentence._replace(text=rest) if rest else sentence


def _is_pick(sentence: Sentence, before: Sentence | None) -> bool:
    """Whether *sentence* picks one of what *before* asked about, and says why."""
    why = _reason(sentence.text) if before and _asks(before) else None
    if before is None or why is None or before.turn == sentence.turn or _asks(sentence):
        return False
    # A friend who is asked says what they like, or how it was.
    if sentence.speaker:
        return False
    if re.search(_OPINES, sentence.text[: why.start()]):
        return False
    head = analysis.terms(sentence.text[: why.start()])
    brief = analysis.size(sentence.text[: why.start()]) <= _BRIEF
    refused = "not" in sentence.words or "no" in sentence.words
    return brief and not refused and not set(head).isdisjoint(analysis.terms(before.text))


def is_decision(sentence: Sentence) -> bool:
    """Whether *sentence* says in its speaker's own name that something was decided, and what."""
    sentence = casual_spelling.sentence(sentence)
    not_now = (cue_phrases.UNDECIDED, cue_phrases.BACK_THEN)
    if _asks(sentence) or any(re.search(cue, sentence.text) for cue in not_now):
        return False
    if sentence.speaker and not analysis.is_cjk(sentence.text):
        return commitments.is_one(sentence) or withdrawals.is_swap(sentence)
    found = cue_phrases.DECISION.match(sentence)
    if not found:
        return withdrawals.is_swap(sentence)
    after = sentence.text[found.end() :].lstrip()
    before = sentence.text[: found.start()]
    if unsaid_choices.is_unsaid(before, after) or unsaid_choices.is_others(before):
        return False
    is_none = unsaid_choices.is_supposed(
        f"{before}{found[0]}", after
    ) or unsaid_choices.is_of_a_tale(before, found[0], after)
    if is_none or reported_speech.is_reported(sentence.text, found.start()):
        return False
    # The cue itself holds what was decided in `SQLite it is`.
    named = found[0] if re.search(r" it is\b", found[0]) else ""
    rest = f"{sentence.text[: found.start()]} {after}"
    return bool(analysis.terms(rest) or analysis.figures(rest)[0] or analysis.terms(named))


def _after(sentences: Sequence[Sentence], i: int) -> Sequence[Sentence]:
    """Return the next two sentences of the same turn."""
    return [other for other in sentences[i + 1 : i + 3] if other.turn == sentences[i].turn]


def _decision(sentence: Sentence, after: Sequence[Sentence], agent: str) -> Decision:
    """Take *sentence* apart, and look in the sentences *after* it for what it does not give."""
    head, reason, bound = _parts(sentence.text)
    for other in after:
        because = re.match(cue_phrases.BECAUSE, other.text)
        if not reason and because and len(because[0]) < len(other.text):
            reason, tail = _bound(other.text[because.end() :], cue_phrases.BOUND)
            bound = bound or tail
        elif not bound and _binds(other):
            bound = other.text
        else:
            break
    text = utterances.trimmed(head)
    own = casual_spelling.spelled(f"{text} {reason}")
    if re.search(r"\b(?:[Ii]|[Mm]y|[Mm]e)\b|\u6211(?!\u4eec)", own):
        text = utterances.attributed(sentence, text, agent)
    reason = utterances.closed(reason)
    return Decision(text, reason if _tells(reason) else "", _unlinked(bound))


def _tells(reason: str) -> bool:
    """Whether *reason* is one: `anyway` is none."""
    return bool(analysis.terms(reason) or analysis.figures(reason)[0]) and analysis.size(reason) > 1


def _parts(text: str) -> tuple[str, str, str]:
    """Split *text* into decision, reason and constraint; the last two may be empty."""
    leading = re.match(
        r"(?i)(?:so,? )?(?:because|since|as|given that)\s+(?P<why>(?:[^,;:]|:\b){3,120})[,:]\s*"
        r"(?P<what>.{3,})"
        "|(?:\u56e0\u4e3a"
        "|\u7531\u4e8e)(?P<because>[^\uff0c,\uff1b]{2,60})[\uff0c,]\\s*(?P<so>.{2,})",
        text,
    )
    if leading:
        head = leading["what"] or leading["so"]
        decision, bound = _bound(head, cue_phrases.BOUND)
        return decision, leading["why"] or leading["because"], bound
    hence = re.search(cue_phrases.HENCE, text)
    if hence and hence.start() > _CLAUSE and re.search(f"(?i){_DECIDES}", text[hence.end() :]):
        decision, bound = _bound(text[hence.end() :], cue_phrases.BOUND)
        return decision, utterances.trimmed(text[: hence.start()]), bound
    why = _reason(text)
    head, reason = (text[: why.start()], text[why.end() :]) if why else (text, "")
    head, bound = _bound(head, cue_phrases.BOUND, cue_phrases.WITHOUT)
    reason, later = _bound(reason, cue_phrases.BOUND)
    return head, reason, bound or later


def _reason(text: str) -> re.Match[str] | None:
    """Return where *text* goes on to a reason, if something stands on both sides."""
    found = (m for m in re.finditer(cue_phrases.REASON, text) if m[0].strip())
    inside = (m for m in found if m.start() > _CLAUSE and m.end() < len(text) - _CLAUSE)
    return next((m for m in inside if not _announces(m, text)), None)


def _announces(link: re.Match[str], text: str) -> bool:
    """Whether *link* is a bare mark, and what is decided stands behind it: `Boats: we chose X`."""
    decides = re.search(f"(?i){_DECIDES}", text)
    return not re.search(r"\w", link[0]) and decides is not None and link.end() <= decides.start()


def _bound(text: str, *patterns: str) -> tuple[str, str]:
    """Split *text* where a clause begins that binds."""
    starts = [found for pattern in patterns if (found := re.search(pattern, text))]
    if not starts or (first := min(starts, key=lambda found: found.start())).start() < _CLAUSE:
        return text, ""
    return text[: first.start()], text[first.end() :]


def _binds(sentence: Sentence) -> bool:
    plain = re.search(cue_phrases.BINDING, sentence.text) and not re.search(r"\bI\b", sentence.text)
    return bool(plain) and not _asks(sentence) and not cue_phrases.DECISION.match(sentence)


def _unlinked(bound: str) -> str:
    link = re.match(cue_phrases.LINK, bound)
    return utterances.closed(bound[link.end() :] if link else bound)


def _asks(sentence: Sentence) -> bool:
    return sentence.text.rstrip("\"'\u201d\u300d) ").endswith(("?", "\uff1f"))


def eliminated(sentences: Sequence[Sentence]) -> tuple[Refusal, ...]:
    """Return what was ruled out, in order."""
    found: list[Refusal] = []
    sentences = [_unlabelled(sentence) for sentence in sentences]
    for i, (before, sentence) in enumerate(pairwise([None, *sentences])):
        if sentence is None or _asks(sentence) or _is_complaint(sentence, _after(sentences, i)):
            continue
        refused = _refused_among(sentence) if sentence.speaker else _eliminated(sentence, before)
        found += [Refusal(sentence.turn, e) for e in refused]
    return tuple(found)


def _refused_among(sentence: Sentence) -> Iterator[Eliminated]:
    """Yield what somebody in talk with others rules out in earnest, in their own name.

    They tell at length what failed, and what others dropped: neither rules anything out.
    """
    read = casual_spelling.spelled(sentence.text)
    if assertion_en.is_jest(read):
        return
    own = re.search(refusal_phrases.GIVEN_UP_AMONG_FRIENDS, read)
    refused = list(_eliminated(sentence, None)) if own or analysis.is_cjk(read) else []
    if refused:
        yield from refused
    elif casual := casual_refusals.find(sentence):
        yield casual
    elif is_decision(sentence):
        yield from _given_up(sentence.text)


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
    if is_decision(sentence):
        yield from _given_up(sentence.text)


def _withdrawn(sentence: Sentence) -> Eliminated | None:
    found = withdrawals.find(sentence)
    if found is None or not _names(approach := utterances.trimmed(found["approach"])):
        return None
    return Eliminated(approach, utterances.closed(withdrawals.reason(sentence.text, found)))


def _given_up(decision: str) -> Iterator[Eliminated]:
    """Yield what something else was chosen instead of, or because it cannot be had."""
    other, (_, reason, _) = re.search(refusal_phrases.INSTEAD, decision), _parts(decision)
    if other and _names(approach := _subject(utterances.trimmed(other["approach"]))):
        yield Eliminated(approach, utterances.closed(reason))
    gone = re.match(refusal_phrases.UNAVAILABLE, reason)
    if gone and _names(approach := _subject(gone["approach"])):
        yield Eliminated(approach, utterances.closed(gone["why"]))


def _english(sentence: Sentence) -> re.Match[str] | None:
    if re.search(r"(?i)^(?:not )?(?:if|when|unless)\b|\bif it\b", sentence.text):
        return None
    for words, pattern in refusal_phrases.ELIMINATED:
        if not words.isdisjoint(sentence.words):
            found = re.search(pattern, sentence.text)
            if found and _names(_subject(found["approach"])) and not _points(sentence, found):
                return None if _is_in_use(sentence.text, found) else found
    found = re.search(refusal_phrases.REFUSAL, sentence.text) if "no" in sentence.words else None
    return found if found and _names(found["approach"]) else None


def _is_in_use(text: str, found: re.Match[str]) -> bool:
    """Whether *text* says of what is *found* no good that it is used all the same, or breaks off.

    As in `We have used MySQL for years, and use a cache because MySQL is too slow`.
    """
    what = _subject(found["approach"])
    used = re.compile(rf"(?i)\bus(?:e|es|ed|ing) {re.escape(what)}\b")
    return used.search(text, 0, text.rfind(what)) is not None or text.endswith("..")


def _points(sentence: Sentence, found: re.Match[str]) -> bool:
    """Whether somebody in talk names what they give up by what only the talk tells."""
    pointed = re.search(refusal_phrases.POINTS_AMONG_FRIENDS, found["approach"])
    return bool(sentence.speaker) and pointed is not None


def _chinese(sentence: Sentence) -> re.Match[str] | None:
    if not cue_phrases.has_chinese(sentence.text):
        return None
    for pattern in (*refusal_phrases.ELIMINATED_ZH, refusal_phrases.REFUSAL_ZH):
        found = re.search(pattern, sentence.text)
        if found and _names(_subject(found["approach"])):
            return found
    return None


def _refused_proposal(sentence: Sentence, before: Sentence | None) -> Eliminated | None:
    """Return the approach *before* asked about, when *sentence* says no to it and why."""
    proposal = (
        re.search(refusal_phrases.PROPOSAL, before.text) if before and _asks(before) else None
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
    why = why[: hence.start()] if hence and hence.start() > _CLAUSE else why
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
