"""Find among many texts those that share words with another, without a look at all of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import chain

_NONE = frozenset({""})
"""What a text has that has no words."""


class WordPostings:
    """Which texts, each by a number of its own, have which words."""

    def __init__(self) -> None:
        """Begin without texts."""
        self._having: defaultdict[str, set[int]] = defaultdict(set)
        self._words: dict[int, frozenset[str]] = {}

    def put(self, number: int, words: frozenset[str]) -> None:
        """Let the text of that *number* have these *words*, and no others."""
        self.drop(number)
        self._words[number] = words or _NONE
        for word in self._words[number]:
            self._having[word].add(number)

    def drop(self, number: int) -> None:
        """Take out the text of that *number*, if it is there."""
        for word in self._words.pop(number, ()):
            self._having[word].discard(number)

    def near(self, words: frozenset[str], least: float) -> list[int]:
        """Return the texts that share with *words* at *least* that part of what the smaller has.

        What has no words tells nothing apart: it is near all.
        """
        if not words:
            return [*self._words]
        own, many = self._words, len(words)
        shared = self._shared(words | _NONE)
        return [text for text, n in shared.items() if n / min(many, len(own[text])) >= least]

    def alike(self, words: frozenset[str], least: float) -> list[int]:
        """Return the texts that share with *words* at *least* that part of what both have."""
        own, many = self._words, len(words)
        shared = self._shared(words)
        return [text for text, n in shared.items() if n >= least * (many + len(own[text]) - n)]

    def _shared(self, words: frozenset[str]) -> Counter[int]:
        """Return how many of the *words* each text has that has any."""
        found = (self._having[word] for word in words if word in self._having)
        return Counter(chain.from_iterable(found))
