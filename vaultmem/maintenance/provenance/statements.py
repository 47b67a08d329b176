"""Whether a text states a clause: in its words, in order, near together, and ending where it ends.

`Doctor Huber drinks green tea` does not state that he drinks, nor does who asks whether he drinks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from vaultmem.documents.scripts import CJK
from vaultmem.memory.tool_quotes import assertions
from vaultmem.nlp.text import analysis, salience
from vaultmem.nlp.text.stopwords import STOP, words
from vaultmem.storage.index.tokenizer import STOP_WORDS

_WORD = re.compile(rf"[{CJK}]|(?:(?![{CJK}])\w)+")
_FILLING = STOP | STOP_WORDS
_REASONS = words("because weil denn wegen parce car porque pues")
_JOINS = _REASONS | words("and so since while therefore und da also deshalb darum sodass et donc y")
_OPENS = re.compile(
    rf"(?i)(?:[^\w\s]|\b(?:{'|'.join(sorted(_JOINS))}|because of|due to|that|whether|if|why|but|or"
    r"|dass|ob|aber|oder|que))\s*\Z"
)
_STOPS = re.compile(r"[.!?\u2026;:\u3002\uff01\uff1f\uff1b\uff0c]")
_ASKED = re.compile(r"(?i)\b(?:whether|if|how|ob|falls|wenn|si)\b")
_LABEL = re.compile(r"\W*\*\*\w+:\*\*\W*")
"""What stands ahead of a reason where an episode or a topic has one."""

_DENIED = re.compile(r"(?i)\b(?:not|nicht|pas|no)\W*$")
_OWN = re.compile(r"(?i)\b(?:I|me|my|mine|myself|ich|mich|mir|mein\w*)\b|\u6211(?![\u4eec\u5011])")


class _Word(NamedTuple):
    """A word of a sentence, and where it stands."""

    text: str
    start: int
    end: int


class _Place(NamedTuple):
    """Where in a *sentence*, of these *words*, a clause stands: from *first* to before *behind*."""

    sentence: str
    words: Sequence[_Word]
    first: int
    behind: int

    @property
    def lead(self) -> str:
        """What stands before it."""
        return self.sentence[: self.words[self.first].start]

    @property
    def inner(self) -> str:
        """The clause as it stands there."""
        return self.sentence[self.words[self.first].start : self.words[self.behind - 1].end]

    @property
    def tail(self) -> str:
        """What stands behind it."""
        return self.sentence[self.words[self.behind - 1].end :]

    @property
    def begins(self) -> bool:
        """Whether a clause begins there."""
        return not self.first or _OPENS.search(self.lead) is not None

    @property
    def ends(self) -> bool:
        """Whether the clause ends there, as far as that can be told."""
        rest = self.words[self.behind :]
        between = self.tail[: rest[0].start - self.words[self.behind - 1].end] if rest else ""
        return not rest or rest[0].text in _JOINS or _STOPS.search(between) is not None

    def asserts(self, said: str) -> bool:
        """Whether the sentence says there that *said* is so: it neither doubts nor denies it."""
        if assertions.tone(self.inner) != assertions.tone(said) or assertions.tone(self.tail).maybe:
            return False
        lead = self.lead
        for word in reversed(self.words[: self.first]):
            is_beside = word is self.words[self.first - 1]
            if word.text in (_JOINS if is_beside else _REASONS):
                if _DENIED.search(self.sentence[: word.start]):
                    return False
                lead = self.sentence[word.end : self.words[self.first].start]
                break
        lead = _LABEL.sub("", lead)
        return assertions.tone(lead) == assertions.Tone() and not _ASKED.search(lead)


def is_own(said: str) -> bool:
    """Tell whether *said* is of who says it."""
    return _OWN.search(said) is not None


def count(said: str, text: str) -> int:
    """Return how often *text* has the words of *said* in order and near together."""
    return sum(1 for one in analysis.sentences(text) for _ in _places(said, one))


def has_clause(said: str, text: str) -> bool:
    """Tell whether *said* is a sentence of *text*, or a clause of one, whoever doubts it."""
    return any(it.begins and it.ends for one in _sentences(text) for it in _places(said, one))


def states(said: str, text: str) -> bool:
    """Tell whether one sentence of *text* asserts *said*, and goes no further with it.

    What is asked is stated by who asks the same.
    """
    if next(_places(said, text), None) is None:
        return False  # most texts: to tell what is asserted takes ten times as long
    if salience.is_question(said):
        asked = filter(salience.is_question, _sentences(text))
        return any(it.ends for one in asked for it in _places(said, one))
    told = chain.from_iterable(assertions.asserted(text))
    lines = chain.from_iterable(it.text.splitlines() for it in told)
    return any(it.ends and it.asserts(said) for one in lines for it in _places(said, one))


def _sentences(text: str) -> Iterator[str]:
    return chain.from_iterable(map(analysis.sentences, text.splitlines()))


def _words(text: str) -> list[_Word]:
    return [_Word(it[0].casefold(), *it.span()) for it in _WORD.finditer(text)]


def _places(said: str, sentence: str) -> Iterator[_Place]:
    """Yield where in *sentence* the words of *said* stand, with little words between at most."""
    asked, there = [it.text for it in _words(said)], _words(sentence)
    for first, word in enumerate(there):
        if asked and word.text == asked[0] and (behind := _last(asked, there, first)):
            yield _Place(sentence, there, first, behind)


def _last(asked: Sequence[str], words: Sequence[_Word], first: int) -> int:
    """Return the place behind the last of *asked*, which begin at the *first* of *words*; or 0."""
    left = iter(asked[1:])
    due = next(left, None)
    for at in range(first + 1, len(words)):
        if due is None:
            return at
        if words[at].text == due:
            due = next(left, None)
        elif words[at].text not in _FILLING:
            return 0
    return len(words) if due is None else 0
