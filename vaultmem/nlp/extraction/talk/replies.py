"""Find what is said in reply: an answer with its question, and what an agent tells the user.

`What's your policy number?` and `SF-789234501.` tell nothing each without the other. A pair is told
where the question names by itself what it asks for, and the answer says of that what can be asked
for later. English is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from vaultmem.nlp.extraction.talk import self_contained
from vaultmem.nlp.text import analysis, quotation, salience
from vaultmem.nlp.text.stopwords import CHAT, STOP

_MOST_ASKED, _MOST_SAID = 24, 40
_LEAST_ASKED = 3
# A bare yes or no.
_BARE = 2
# What opens a question and asks nothing.
_LEAD = (
    r"(?i)(?:(?:and|but|so|now|ok(?:ay)?|oh|well|actually|great|perfect|also|then|yes|first|next"
    r"|finally|meanwhile|alternatively|one more (?:thing|question)|for (?:our|the|my) records"
    r"|(?:first|second|third|last|next|final) question|just to (?:confirm|check))[,:.!]* )+"
)
# What asks after talk or help, or goes on from what only the talk names.
_NO_START = (
    r"(?i)(?:anything|any other|something|(?:what|who|where|how) else|what if|how come|really"
    r"|right|correct|or\b|is (?:that|this|there any)|(?:what|how) about (?:\S+ ){0,1}\S+$"
    r"|(?:can|could|would|will|do|did|are) (?:you|u) (?:please|mind|help|tell|walk|explain|send"
    r"|know|see|understand|think|want me|need me|sure|ready|still there|there|there yet)"
    r"|(?:how|what) (?:can|may|could) (?:i|we) (?:help|do|assist|get)"
    r"|what (?:\w+ )?(?:do|will|would) you need"
    r"|(?:may|can|shall|should|could) (?:i|we) (?:help|assist|do|check|confirm|offer|start|begin"
    r"|go ahead|proceed|interest|ask (?!for\b|your\b))|would you like|is everything|speaking of)\b"
)
# What points outside of the question: at what was said before, or at what both see.
_POINTS = (
    r"(?i)\b(?:it|its|that|this|they|them|their|theirs|those|these|one|ones|he|she|him|her|hers"
    r"|his|there|then|else|instead|same|such|other|another|either|both|too)\b"
    # Of what: `What's the minimum?`
    r"|\b(?:the|what(?:['\u2019]s| is| are)?(?: my| your)?) (?:next |first |last |total |exact )?"
    r"(?:minimum|maximum|limit|rate|fee|cost|price|total|amount|fare|difference|sequence|process"
    r"|procedure|catch|requirement|option|step|damage|plan|problem|issue|deal|penalty|number|date"
    r"|time|point|question|answer|reason|result|kind|type|documentation|information|color)s?\W*$"
)
_NAMED = (
    r"(?i)\b(?:your|the|an?|my|our|any|which|what|how (?:many|much|old|long|often|big|far))\b"
    r"|^(?:when|where|who|why|how)\b"
)
# No words of those belong into a summary.
_CONFIDED = (
    r"(?i)\b(?:passwords?|passcode|passphrase|pin|cvv|cvc|security (?:code|question|answer)"
    r"|secret|token|api[ -]key|ssn|social security|(?:credit |debit )?card number|maiden name"
    r"|verification|one-time|code|digits|to pay|expir\w+ date)\b"
)
_NO_ANSWER = (
    r"(?i)\W*(?:i (?:do not|don['\u2019]?t|dont) (?:know|remember|have|think|recall)|not (?:sure"
    r"|yet|really|at the moment)|no idea|i(?:['\u2019]m| am) not sure|let me|hold on|one (?:moment"
    r"|second|sec)|just a|wait|good question|great question|that depends|it depends|depends|sorry"
    r"|thanks?|thank you|you['\u2019]re welcome|of course not|never mind|i(?:['\u2019]ll| will)"
    r" (?:check|look|ask|see|get back|think|let you)|that['\u2019]s|this is|those are|these are)\b"
)
# What an agent says of what is the user's: `Your claim number is 2024-AC-78934.`
_YOURS = (
    r"(?i)(?:(?:great|perfect|approved|okay?|now|so|yes|correct|done|all set)[,.!:]* )*"
    r"(?:your|the) (?:(?!or\b|and\b|if\b|that\b|which\b)[\w'\u2019-]+ ){1,6}?(?:is|are|was|were"
    r"|will be|has|have|had|starts?|ends?|expires?|began|covers?|includes?|costs?)\b"
)
_OF_USER = r"(?i)\b(?:your?|yours|my|our)\b"
_YES = (
    r"(?i)\W*(?:yes|yeah|yep|no|nope|correct|right|exactly|sure|certainly|absolutely|of course)\b"
)


class Message(NamedTuple):
    """What somebody, who may be an agent, says at a time, in *sentences*."""

    speaker: str
    is_agent: bool
    sentences: Sequence[str]


class Reply(NamedTuple):
    """What message *number* says to the *question* before it; "" where it needs none.

    What *is_general* an agent could tell anybody.
    """

    question: str
    text: str
    number: int
    is_general: bool = False


def replies(messages: Sequence[Message]) -> Iterator[Reply]:
    """Yield what the *messages* of a talk answer, and what an agent tells the user of theirs."""
    before = Message("", is_agent=False, sentences=())
    for number, message in enumerate(messages):
        said = message.sentences
        if answer := _answer(before, message):
            question = before.sentences[-1]
            is_general = message.is_agent and not re.search(_OF_USER, f"{question} {answer}")
            yield Reply(question, answer, number, is_general)
            said = said[1:]
        if message.is_agent:
            yield from (Reply("", sentence, number) for sentence in said if _is_of_user(sentence))
        before = message


def _is_of_user(sentence: str) -> bool:
    """Whether *sentence*, an agent's, says a figure or a day of what is the user's."""
    if salience.is_question(sentence) or not re.match(_YOURS, sentence):
        return False
    return _fits(sentence) and _is_measured(sentence)


def _answer(before: Message, message: Message) -> str:
    """Return what *message* answers to what is asked *before*, "" where it does not."""
    if before.speaker == message.speaker or not (before.sentences and message.sentences):
        return ""
    question = before.sentences[-1]
    text = _first(message.sentences) if _asks(question) else ""
    return text if text and _tells(text, question) else ""


def _asks(question: str) -> bool:
    """Whether *question* names by itself what it asks for."""
    lead = re.match(_LEAD, question)
    asked = question[lead.end() :] if lead else question
    if not (salience.is_question(asked) and _LEAST_ASKED <= analysis.size(asked) <= _MOST_ASKED):
        return False
    if re.match(_NO_START, asked) or re.search(_CONFIDED, asked):
        return False
    is_named = re.search(_NAMED, asked) is not None and not re.search(_POINTS, asked)
    return is_named and bool(_matter(asked))


def _first(said: Sequence[str]) -> str:
    """Return what is said first, with what follows a bare yes or no; "" for what is no answer."""
    first, *rest = said
    if re.match(_YES, first) and analysis.size(first) <= _BARE and rest:
        first = f"{first} {rest[0]}"
    if re.match(_NO_ANSWER, first) or self_contained.is_service_talk(first):
        return ""
    if salience.is_question(first):
        return ""
    text = quotation.cut(first, _MOST_SAID)
    return text if _fits(text) else ""


def _fits(text: str) -> bool:
    return analysis.size(text) <= _MOST_SAID and not analysis.is_code(text)


def _tells(text: str, question: str) -> bool:
    """Whether *text* says a figure, a day, a name or enough else that *question* does not."""
    new = _matter(text) - _matter(question)
    if _is_measured(text) or (new and analysis.facts(text).names):
        return True
    return len(new) > 1 and len(_matter(question)) > 1


def _is_measured(text: str) -> bool:
    """Whether *text* has a figure or a day in it."""
    return any(analysis.figures(text))


def _matter(text: str) -> set[str]:
    """Return what *text* is about."""
    return {term for term in analysis.terms(text) if term not in STOP | CHAT}
