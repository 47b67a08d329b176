"""Find what is said in reply: an answer with its question, and what an agent tells the user.

`What's your policy number?` and `SF-789234501.` tell nothing each without the other. A pair is told
where the question names by itself what it asks for, and the answer says of that what can be asked
for later. English and German are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from vaultmem.nlp.extraction.talk import self_contained
from vaultmem.nlp.extraction.talk.question_forms import Forms
from vaultmem.nlp.text import analysis, quotation, salience
from vaultmem.nlp.text.stopwords import CHAT, STOP

_MOST_ASKED, _MOST_SAID = 24, 40
_LEAST_ASKED = 3
# A bare yes or no.
_BARE = 2


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


def replies(messages: Sequence[Message], forms: Forms) -> Iterator[Reply]:
    """Yield what the *messages* of a talk answer, and what an agent tells the user of theirs.

    *forms* are those of its language.
    """
    before = Message("", is_agent=False, sentences=())
    for number, message in enumerate(messages):
        said = message.sentences
        if answer := _answer(before, message, forms):
            question = before.sentences[-1]
            is_general = message.is_agent and not re.search(forms.of_user, f"{question} {answer}")
            yield Reply(question, answer, number, is_general)
            said = said[1:]
        if message.is_agent:
            told = (sentence for sentence in said if _is_of_user(sentence, forms))
            yield from (Reply("", sentence, number) for sentence in told)
        before = message


def _is_of_user(sentence: str, forms: Forms) -> bool:
    """Whether *sentence*, an agent's, says a figure or a day of what is the user's."""
    if salience.is_question(sentence) or not re.match(forms.yours, sentence):
        return False
    return _fits(sentence) and _is_measured(sentence)


def _answer(before: Message, message: Message, forms: Forms) -> str:
    """Return what *message* answers to what is asked *before*, "" where it does not."""
    if before.speaker == message.speaker or not (before.sentences and message.sentences):
        return ""
    question = before.sentences[-1]
    text = _first(message.sentences, forms) if _asks(question, forms) else ""
    return text if text and _tells(text, question) else ""


def _asks(question: str, forms: Forms) -> bool:
    """Whether *question* names by itself what it asks for."""
    lead = re.match(forms.lead, question)
    asked = question[lead.end() :] if lead else question
    if not (salience.is_question(asked) and _LEAST_ASKED <= analysis.size(asked) <= _MOST_ASKED):
        return False
    if re.match(forms.no_start, asked) or re.search(forms.confided, asked):
        return False
    is_named = re.search(forms.named, asked) is not None and not re.search(forms.points, asked)
    return is_named and bool(_matter(asked))


def _first(said: Sequence[str], forms: Forms) -> str:
    """Return what is said first, with what follows a bare yes or no; "" for what is no answer."""
    first, *rest = said
    if re.match(forms.yes, first) and analysis.size(first) <= _BARE and rest:
        first = f"{first} {rest[0]}"
    if re.match(forms.no_answer, first) or self_contained.is_service_talk(first):
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
