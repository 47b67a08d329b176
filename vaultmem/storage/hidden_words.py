"""Words that a person marked as private, known again where another text says them; purely.

Kept are digests alone: what is private is written down nowhere beside its own file.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from vaultmem.documents.languages import detection
from vaultmem.documents.patterns import compiled
from vaultmem.documents.scripts import KANA_AND_HAN, UNSPACED
from vaultmem.storage.index.tokenizer import STOP_WORDS

_LETTER = rf"(?:(?![{UNSPACED}])[^\W_])"
_WORD = rf"[{UNSPACED}]|{_LETTER}+"
"""A word; where a script puts no blanks between words, a letter of it."""
_LONGEST = 64
_BEGUN = rf"{_LETTER}+\Z"
_REST = rf"{_LETTER}{{1,{_LONGEST}}}"
_SIGN = rf"(?![\u3040-\u309f])[{KANA_AND_HAN}]\Z"
"""A letter two of which are a word: no hiragana, of which endings and particles are made."""
_RUN = 5
"""Words in a row that are one text's own; of a shorter text all of its words."""
_PAIR = 2
_SHORTEST = 3
_BYTES = 8
_FRAME = frozenset({
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december", "monday", "tuesday", "wednesday", "thursday", "friday",
    "saturday", "sunday", "user", "assistant", "agent", "person", "session", "summary",
    "summaries", "long", "term", "recent", "talk", "turn", "turns", "said", "says", "asked",
    "answered", "told", "noted", "added", "preferences", "facts", "decisions", "decided",
    "open", "questions", "next", "steps", "patterns", "ruled", "out", "task", "tasks",
    "cards", "topics", "episodes", "memories", "memory", "earlier", "newest",
})  # fmt: skip
"""What the program itself writes around what was said, as when, and by whom."""

_ACCOUNT = 5
"""Digits of a number that is nobody else's: shorter ones are in days and counts."""
_EVERYBODYS = _FRAME | STOP_WORDS.union(*detection.FUNCTION_WORDS.values())


@dataclass(frozen=True)
class HiddenWords:
    """What gives away a text that was hidden: words and rows of words, each by its digest."""

    digests: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        """Tell whether anything is hidden."""
        return bool(self.digests)

    def says(self, text: str) -> bool:
        """Tell whether *text* says what is hidden."""
        return bool(self) and not self.digests.isdisjoint(self._rows(text))

    def without(self, text: str) -> HiddenWords:
        """Return what is still hidden where *text* says some of it to everybody."""
        said = self.digests.intersection(self._rows(text))
        return HiddenWords(self.digests - said) if said else self

    @property
    def key(self) -> str:
        """What tells it from all that was hidden at other times, "" for nothing."""
        said = self.dumped().encode()
        return f"-{hashlib.blake2b(said, digest_size=_BYTES).hexdigest()}" if said else ""

    def dumped(self) -> str:
        """Return it as a text, "" for nothing."""
        return json.dumps(sorted(self.digests)) if self.digests else ""

    @cached_property
    def _lengths(self) -> frozenset[int]:
        return frozenset(int(it.partition(":")[0]) for it in self.digests)

    def _rows(self, text: str) -> Iterator[str]:
        said = _words(text)
        for length in self._lengths:
            for at in range(len(said) - length + 1):
                yield _digest(said[at : at + length])


def of(texts: Iterable[str]) -> HiddenWords:
    """Return what gives *texts* away, which a person hid."""
    return HiddenWords(frozenset(_digest(row) for text in texts for row in _telling(_words(text))))


def completed(text: str, start: int, end: int, part: str) -> str:
    """Return *part*, which stands in *text*, with the rest of the words that it cuts."""
    ahead = text[max(start - _LONGEST, 0) : start]
    rest = compiled(_REST)
    begun = compiled(_BEGUN).search(ahead) if rest.match(part) else None
    ended = rest.match(text, end) if rest.match(part[-1:]) else None
    return f"{begun[0] if begun else ''}{part}{ended[0] if ended else ''}"


@lru_cache(maxsize=4)
def load(dumped: str) -> HiddenWords:
    """Return what was *dumped*."""
    return HiddenWords(frozenset(json.loads(dumped))) if dumped else HiddenWords()


def _telling(said: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the words that are not everybody's, and the rows of words.

    Two letters of Han or katakana are a word.
    """
    for word in said:
        if word not in _EVERYBODYS and (_tells_alone(word) or len(said) == 1):
            yield [word]
    for at in range(max(len(said) - _RUN, 0) + 1):
        if len(said) > 1:
            yield said[at : at + _RUN]
    for at in range(len(said) - 1):
        if all(map(compiled(_SIGN).match, said[at : at + _PAIR])):
            yield said[at : at + _PAIR]


def _tells_alone(word: str) -> bool:
    if word.isdecimal():
        return len(word) >= _ACCOUNT
    return len(word) >= _SHORTEST or not (word.isascii() or len(word) == 1)


def _words(text: str) -> list[str]:
    return compiled(_WORD).findall(unicodedata.normalize("NFKC", text).casefold())


def _digest(row: Sequence[str]) -> str:
    said = " ".join(row).encode("utf-8", "surrogateescape")
    return f"{len(row)}:{hashlib.blake2b(said, digest_size=_BYTES).hexdigest()}"
