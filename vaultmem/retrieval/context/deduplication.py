"""Whether a text says only what another said already: nothing stands twice in a context."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vaultmem.storage.index.tokenizer import STOP_WORDS

_WORD = re.compile(r"[^\W_]+")
_PLURAL_FROM = 4
_LONG = 8
"""So many telling words are not the same by chance, in whatever order."""

_NEARLY = 0.9


def distinctive_words(text: str) -> tuple[str, ...]:
    """Return the words of *text* that make it what it is, in order; its signs where it has none."""
    words = _WORD.findall(text.casefold())
    kept = tuple(singular(w) for w in words if w not in STOP_WORDS) or tuple(words)
    return kept or tuple(text.split())


def singular(word: str) -> str:
    """Return *word* without the ending of a plural."""
    return word[:-1] if len(word) >= _PLURAL_FROM and word.endswith("s") else word


def holds(outer: Sequence[str], inner: Sequence[str]) -> bool:
    """Tell whether *inner* stands within *outer* word for word."""
    return f" {' '.join(inner)} " in f" {' '.join(outer)} "


class SeenText:
    """What was said so far."""

    def __init__(self) -> None:
        """Begin with nothing said."""
        self._said: set[tuple[str, ...]] = set()
        self._sets: list[frozenset[str]] = []

    def add(self, words: tuple[str, ...]) -> None:
        """Note that *words* were said."""
        self._said.add(words)
        if len(words) >= _LONG:
            self._sets.append(frozenset(words))

    def knows(self, words: tuple[str, ...]) -> bool:
        """Tell whether *words* add nothing: they were said, or a text little longer has them all.

        One word more than the other is news: it may be `not`, or another number.
        """
        if words in self._said or len(words) < _LONG:
            return words in self._said
        different = frozenset(words)
        most = len(different) / _NEARLY
        return any(len(other) <= most and different <= other for other in self._sets)
