"""Make a question of a text by some of its telling words: rare ones, names, numbers; never all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log

from vaultmem.storage.index import tokenizer

_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_SENTENCE_END, _OPENERS = ".!?:\n", " \"'(*_#>-"
# Of a text most words are said again and again.
_REMEMBERED = 1 << 14
# A person recalls a handful of words.
_MOST_WORDS = 5
_LEAST_WORDS = 3
_SHARE = 0.5
# A name or a number tells as much as a word that is e times as rare.
_NAMED = 1.0


@dataclass(frozen=True, slots=True)
class Word:
    """A word as a question writes it, the *term* it is to the index, whether it names or counts."""

    asked: str
    term: str
    named: bool


def distinctive_words(text: str) -> tuple[Word, ...]:
    """Return the telling words of *text*, each once and in order."""
    found: dict[str, Word] = {}
    for word in _words(text):
        kept = found.setdefault(word.term, word)
        # A word that is ever written without a capital is no name.
        if kept.named and not word.named:
            found[word.term] = word
    return tuple(found.values())


def _words(text: str) -> Iterator[Word]:
    before, end = "", 0
    for match in _WORD.finditer(text):
        written = match.group()
        # All of the text ahead would be copied for each word.
        before = text[end : match.start()].rstrip(_OPENERS)[-1:] or before
        opens = not before or before in _SENTENCE_END
        named = any(c.isdigit() for c in written) or (written[:1].isupper() and not opens)
        for term in _terms(written):
            if term not in tokenizer.STOP_WORDS and (len(term) > 1 or not term.isascii()):
                yield Word(written if written.isascii() else term, term, named)
        before, end = written[-1], match.end()


@lru_cache(maxsize=_REMEMBERED)
def _terms(word: str) -> tuple[str, ...]:
    return tokenizer.terms(word)


def rarity(texts: Sequence[Iterable[Word]]) -> Mapping[str, float]:
    """Return the inverse document frequency of each term, ln(N / df) (Sparck Jones 1972)."""
    return rarity_of(Counter(word.term for text in texts for word in text), len(texts))


def rarity_of(held: Mapping[str, int], texts: int) -> Mapping[str, float]:
    """Return the same of terms that so many of the *texts* have each."""
    return {term: log(texts / df) for term, df in held.items()}


def is_enough(text: Sequence[Word]) -> bool:
    """Tell whether `question` finds enough words in *text*."""
    return _room(text) >= _LEAST_WORDS


def _room(text: Sequence[Word], share: float = _SHARE) -> int:
    return min(_MOST_WORDS, int(len(text) * share))


def question(
    text: Sequence[Word], rare: Mapping[str, float], share: float = _SHARE
) -> tuple[Word, ...]:
    """Return the words to ask for *text* by, in its order; none when it says too little.

    They are at most *share* of its words: with half of them it is never the whole text.
    """
    if (room := _room(text, share)) < _LEAST_WORDS:
        return ()
    worth = {word: rare[word.term] + _NAMED * word.named for word in text}
    best = set(sorted(worth, key=lambda word: (-worth[word], word.term))[:room])
    return tuple(word for word in text if word in best)
