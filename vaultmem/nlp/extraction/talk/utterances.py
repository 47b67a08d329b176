"""Take turns apart into the sentences people and assistants said, in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from vaultmem.nlp.extraction.talk import register
from vaultmem.nlp.extraction.talk.register import Register
from vaultmem.nlp.tasks import Passage
from vaultmem.nlp.text import analysis, quotation, quoted_text, salience
from vaultmem.storage.transcripts import Turn

_WORDS, _WORDS_ALONE = 40, 60
# A pasted log or page is no speech; what matters is said around it.
_MOST_SENTENCES = 60
_VOICES = ("user", "assistant")
_LEAD = (
    r"(?i)(?:(?:ok(?:ay)?|alright|right|yes|yeah|yep|sure|fine|great|perfect|good|agreed|thanks"
    r"|hmm|oh|gut|genau|klar|einverstanden"
    r"|no worries|sounds good|makes sense"
    r"|\u597d\u7684?|\u55ef|\u884c|\u90a3|\u6240\u4ee5|\u56e0\u6b64)"
    "\\s?[,.!:;\uff0c\u3002\uff01\u3001\u2013\u2014-]+\\s*|(?:ok(?:ay)?|so|and|but|then|well),?\\s+)+"
)
_EDGES = " ,;:-\u2013\u2014\uff0c\uff1b\uff1a\u3001"
_FRAME = (
    r"(?:On )?(?P<day>\d{4}-\d\d-\d\d)?[ ]?(?P<who>[^\"\u201c\u00ab\u300c\n]{0,60}?)"
    '(?:, asked (?P<asked>["\u201c\u00ab].{1,400}?["\u201d\u00bb]),)?'
    '(?: said: |\uff1a)["\u201c\u00ab\u300c](?P<text>.*)["\u201d\u00bb\u300d]'
    r"|(?:On )?(?P<date>\d{4}-\d\d-\d\d)(?:: |\uff1a)(?P<rest>.*)"
)


class Sentence(NamedTuple):
    """A sentence, who said it, in which turn (from 0), the words it has, and how it is read."""

    text: str
    turn: int
    role: str
    speaker: str
    at: str
    words: frozenset[str]
    register: Register

    @property
    def is_work(self) -> bool:
        """Whether it is said at work with an agent: see `register`."""
        return self.register is Register.WORK


class Quoted(NamedTuple):
    """What a framed line quotes; without a frame, the line itself."""

    day: str
    who: str
    text: str


def sentences(turns: Sequence[Turn], first: int = 0) -> tuple[Sentence, ...]:
    """Return the sentences of *turns*, from number *first* on, cut to size; no tool's."""
    read = zip(turns, register.registers(turns), strict=True)
    return tuple(
        s
        for i, (turn, how) in enumerate(read, first)
        if turn.role in _VOICES
        for s in _sentences(i, turn, how)
    )


def _sentences(i: int, turn: Turn, how: Register) -> Iterator[Sentence]:
    for sentence in analysis.sentences(own_words(turn))[:_MOST_SENTENCES]:
        if not analysis.is_code(sentence):
            text = quotation.chop(quotation.cut(sentence, _WORDS), _WORDS_ALONE)
            words = frozenset(analysis.heads(text))
            yield Sentence(text, i, turn.role, turn.speaker, turn.at, words, how)


def own_words(turn: Turn) -> str:
    """Return what *turn* says, of a user what they did not paste or quote."""
    return (quoted_text.words if turn.role == "user" else salience.spoken)(turn.content)


def asks(sentence: Sentence) -> bool:
    """Whether *sentence* ends with a mark of question."""
    return sentence.text.rstrip("\"'\u201d\u300d) ").endswith(("?", "\uff1f"))


def after(sentences: Sequence[Sentence], i: int) -> Sequence[Sentence]:
    """Return the two sentences that follow number *i* in its turn."""
    return [other for other in sentences[i + 1 : i + 3] if other.turn == sentences[i].turn]


def trimmed(text: str) -> str:
    """Return *text* without what opens it and says nothing, and without marks at its ends."""
    lead = re.match(_LEAD, text)
    rest = text[lead.end() :] if lead else text
    return closed(rest or text)


def closed(text: str) -> str:
    """Return *text* without the marks at its ends; what ends in an ellipsis was cut."""
    text = text.strip(_EDGES)
    return text[:-1].rstrip(_EDGES) if text.endswith((".", "\u3002")) else text


def attributed(sentence: Sentence, text: str = "", agent: str = "") -> str:
    """Return *sentence*, or *text* of it, in a frame when a name is known to have said it."""
    passage = Passage(sentence.text, sentence.speaker, sentence.at)
    kept = text or sentence.text
    return quotation.framed(kept, passage, agent) if sentence.speaker.strip() else kept


def quoted(line: str) -> Quoted:
    """Take the frame off *line*."""
    found = re.fullmatch(_FRAME, line)
    if not found:
        return Quoted("", "", line)
    if found["date"]:
        return Quoted(found["date"], "", found["rest"])
    return Quoted(found["day"] or "", found["who"].strip(), found["text"])
