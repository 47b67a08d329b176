"""What of a forgotten text stands in what stays: its names and rare words, and phrases of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from vaultmem.maintenance.forgetting.redaction.distinctive_words import (
    EVERYBODYS,
    Run,
    quoted,
    rows_in,
    stretches,
    words,
)
from vaultmem.nlp.text import analysis

_RARE = 3
"""Places at most in which a rare word stands."""
_LONG = 7
"""Letters of a word that may be rare though it is no name."""
_FIGURES = 4


@dataclass(frozen=True, slots=True)
class Remainder:
    """A *place* that stays, the *words* of it that it says, and whether five in a row."""

    place: str
    words: tuple[str, ...] = ()
    phrase: bool = False


@dataclass(frozen=True, slots=True)
class Leads:
    """What leads from a text to those that tell of the same: its *words* and its stretches."""

    words: frozenset[str]
    whole: tuple[frozenset[Run], ...]

    def at(self, place: str, text: str) -> Remainder | None:
        """Return what of it *text*, which stands at *place*, says; None for nothing."""
        common = self.words.intersection(words(text))
        phrase = quoted(self.whole, text)
        return Remainder(place, tuple(sorted(common)), phrase) if common or phrase else None

    def rows_in(self, text: str) -> frozenset[Run]:
        """Return the stretches of it, of four words at least, that stand in *text*."""
        return rows_in(self.whole, text)


def leads(texts: Sequence[str], common: Iterable[str]) -> Leads:
    """Return what leads from *texts* on; what the *common* ones say does not."""
    known = set(EVERYBODYS)
    for text in common:
        known.update(words(text))
    named = {
        w for t in texts for name in analysis.names(analysis.sentences(t)) for w in words(name)
    }
    rare = {w for text in texts for w in words(text) if _is_long(w)}
    return Leads(frozenset((named | rare) - known), tuple(map(stretches, texts)))


def _is_long(word: str) -> bool:
    return len(word) >= (_FIGURES if word.isdigit() else _LONG)


def rare(found: Iterable[Remainder]) -> tuple[Remainder, ...]:
    """Return what is worth a look: words that stand in few of the places, and any phrase."""
    every = list(found)
    counts = Counter(word for it in every for word in it.words)
    left = (replace(it, words=tuple(w for w in it.words if counts[w] <= _RARE)) for it in every)
    return tuple(it for it in left if it.words or it.phrase)
