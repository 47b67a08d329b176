"""Find what is ruled out, or taken, without a verb, at work: `No GraphQL`, `Parquet then`.

A determiner that denies, and a thing, as a whole sentence: that says that there is none (`No
errors`), or that there shall be none. It is the second where it answers what was proposed, and that
very thing, or where it answers how to do something, and says why. Who is asked whether something
is there, or what a state comes from, tells how it is.
"""

# ruff: noqa: RUF001  Chinese is matched with its own marks.

from __future__ import annotations

import re
from functools import cache

from vaultmem.documents.bodies import Eliminated
from vaultmem.nlp.extraction.choices.reasons import CLAUSE
from vaultmem.nlp.extraction.talk import utterances
from vaultmem.nlp.extraction.talk.utterances import Sentence
from vaultmem.nlp.text import analysis
from vaultmem.nlp.text.stopwords import DAYS, MONTH_NAMES, words

_LEAD = r"(?:(?:ok(?:ay)?|alright|right|well|gut|na gut|好的?|嗯),? )?"
_THING = r"(?P<approach>(?:[^\W_][\w+#/-]*(?:[.]\w+)*)(?: [^\W_][\w+#/-]*(?:[.]\w+)*)?)"
_PLEASE = r"(?:,? (?:please|then|though|bitte|hier))?"
_WHY = r"(?P<why>(?:,| ?[;:\u2013\u2014]| -) .+)?"
_NONE = re.compile(rf"(?i){_LEAD}(?:no|keine?n?) {_THING}{_PLEASE}{_WHY}[.!]*")
_NONE_ZH = re.compile(
    r"(?:(?:好的?|嗯)[，,])?(?:不要用|不用|不要|别用|不上)\s?(?P<approach>[^\s，。,；;！？了]{2,20})了?"
    r"(?:吧)?(?P<why>[，,；;].+)?[。！!]*"
)
_TAKEN = re.compile(
    rf"(?i){_LEAD}(?:{_THING},? (?:then|it is)(?:,? then)?|(?:dann|also)(?: eben)? (?P<de>\S+))"
    r"(?:,? (?:because|since|weil|denn) .+)?[.!]*"
)
_TAKEN_ZH = re.compile(
    r"那?就(?:用|选)?\s?(?P<approach>[^\s，。,；;！？吧]{2,20})\s?(?:吧|了)?[。！!]*"
)
_LINK = re.compile(
    r"(?i)^\W*(?:(?:because|since|as|weil|denn|da|the reason is)\b(?: of\b)?|因为|由于|毕竟)?\W*"
)
# What is proposed: a question whether we shall, or what somebody would do.
_PROPOSES = re.compile(
    r"(?i)\b(?:should|shall|can|could|shouldn['\u2019]t|can['\u2019]t|couldn['\u2019]t) (?:we|i)\b"
    r"|\b(?:why not|why don['\u2019]t we|let['\u2019]?s|we (?:could|should|can|might)"
    r"|(?:what|how) about(?! (?:the|our|your|those|these)\b)|maybe (?:we|use|try|add|an?)\b"
    r"|i(?:['\u2019]d| would| suggest| propose| recommend))(?!\w)"
    r"|\b(?:would|could|might) \S+(?: \S+)? (?:help|work|do|fit)\b|\bor\b.*[?]"
    r"|\bdo we (?:take|use|want|go|add|put|write|move|switch|try|pick|choose)\b"
    r"|\b(?:sollen|sollten|wollen|nehmen|nutzen|verwenden|k\u00f6nnten) wir\b(?! an\b)"
    r"|\bwir (?:k\u00f6nnten|sollten)\b|\bich w\u00fcrde\b|\bwie w\u00e4re es mit\b"
    r"|要不要|要用|能不能用|可以用|是不是该|用不用|还是"
)
_SEES = (
    r"see|look|check|find|get|read|know|have|ask|trust|reach|access|expect|think|guess|say|assume"
    r"|bet|be|notice|tell|mean|sehen|schauen|pr\u00fcfen"
)
# How something is to be done, which is for those who talk to settle.
_HOW = re.compile(
    r"(?i)^(?:(?:so|and|then|ok),? )*(?:(?:how|where|which \w+|what)\b.*"
    r"\b(?:(?:do|should|shall|will|can|could|would) (?:we|i)|should the \w+|\w+ for)\b"
    r"|where (?:will|shall) the\b)"
    r"|^(?:wie|wo|womit|welche\w* \w+)\b.*\b(?:wir|soll\w*)\b|怎么|用哪|哪个|用什么|如何"
)
# What something is to have: of a thing with a name that is enough.
_WANTS = re.compile(
    r"(?i)\b(?:needs?|wants?) (?:an?|some|to)\b|\bshould (?:use|have)\b|\bbraucht\b|需要"
)
# How something is, and what it comes from.
_IS_STATE = re.compile(
    r"(?i)^(?:why|is|are|was|were|does|did|any|who|has|have|warum|wieso|gibt|ist|sind|l\u00e4uft"
    r"|hat|do (?:we|you) (?:have|know|see|get))\b(?! (?:not|don['\u2019]t) )"
    rf"|\b(?:we|i|wir|ich|let['\u2019]?s)(?:['\u2019]d)?(?: (?:could|should|can|might|would))?"
    rf" (?:{_SEES})\b|\bwhat(?:['\u2019]s| is) wrong\b|为什么|有没有"
)
_IDLE = words("""
    problem problems idea ideas worry worries need clue thanks thank doubt doubts way reason rush
    hurry comment comments luck matter one longer more time chance change changes news objection
    objections question questions error errors issue issues failure failures bug bugs answer
    response difference sense good pain wonder need bother fun joke kidding
    ahnung angst sorge sorgen eile thema ding fehler frage fragen zeit lust strom spur chance grund
    tomorrow today tonight monday fine later never now see ok okay good great sure
""")
_IDLE_ZH = re.compile(
    "谢|担心|急|怕|客气|管|说|等|想|紧|问题|麻烦|这么|那么|这样|那样|了$|行|好|这|那|再|改|动"
)
_NAME = re.compile(r"[A-Z]|\d")


def refused(sentence: Sentence, before: Sentence | None) -> Eliminated | None:
    """Return what *sentence*, said at work behind *before*, rules out by `no` and a thing alone."""
    if before is None or before.turn == sentence.turn or not sentence.is_work:
        return None
    found = _NONE.fullmatch(sentence.text) or _NONE_ZH.fullmatch(sentence.text)
    if found is None or _is_idle(found["approach"]):
        return None
    why = _reason(found["why"] or "")
    if _is_proposed(found["approach"], before) or (why and _is_asked_how(found, before)):
        return Eliminated(found["approach"], why)
    return None


def is_taken(sentence: Sentence, before: Sentence | None) -> bool:
    """Whether *sentence*, said at work, takes one of what *before* asks to choose from."""
    if before is None or before.turn == sentence.turn or not sentence.is_work:
        return False
    found = _TAKEN.fullmatch(sentence.text) or _TAKEN_ZH.fullmatch(sentence.text)
    if found is None:
        return False
    what = found["approach"] or found.groupdict().get("de") or ""
    what = what.rstrip(".!,")
    if not what or _is_idle(what) or not _NAME.search(what):
        return False
    is_named = set(analysis.terms(what)) <= set(analysis.terms(before.text))
    return utterances.asks(before) and (is_named or _HOW.search(before.text) is not None)


def _is_idle(thing: str) -> bool:
    said = {word.casefold() for word in re.findall(r"\w+", thing)}
    passing = _idle() & said
    return bool(passing) or not analysis.terms(thing) or _IDLE_ZH.search(thing) is not None


@cache
def _idle() -> frozenset[str]:
    return frozenset(_IDLE) | DAYS | MONTH_NAMES


def _is_proposed(thing: str, before: Sentence) -> bool:
    """Whether *before* proposes that very *thing*."""
    known = set(analysis.terms(thing))
    if _IS_STATE.search(before.text) or not _PROPOSES.search(before.text):
        return False
    return known <= set(analysis.terms(before.text)) or thing.casefold() in before.text.casefold()


def _is_asked_how(found: re.Match[str], before: Sentence) -> bool:
    """Whether *before* asks how to do something, or, of a thing with a name, says what is to be."""
    if _IS_STATE.search(before.text):
        return False
    if _HOW.search(before.text):
        return True
    return _NAME.search(found["approach"]) is not None and _WANTS.search(before.text) is not None


def _reason(why: str) -> str:
    """Return *why* without its link, "" where it is less than a clause."""
    said = utterances.closed(_LINK.sub("", why, count=1))
    return said if analysis.size(said) >= CLAUSE else ""
