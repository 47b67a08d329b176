"""What of a forgotten text stands in what stays: its names and rare words, and phrases of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from vaultmem.maintenance.forgetting.redaction.word_rows import (
    EVERYBODYS,
    Run,
    quoted,
    rows_in,
    stretches,
    words,
)
from vaultmem.nlp.text import analysis

_RARE = 3
"""Files at most in which a rare word stands."""
_NAMED = 8
"""Places of one word that are named; the others are counted."""
_LONG = 7
"""Letters of a word that may be rare though it is no name."""
_FIGURES = 4


@dataclass(frozen=True, slots=True)
class Remainder:
    """A *place* that stays, the *words* of it that it says, and whether five in a row.

    It may stand for so many *places* of which each says some of the words.
    """

    place: str
    words: tuple[str, ...] = ()
    phrase: bool = False
    places: int = 1


@dataclass(frozen=True, slots=True)
class Leads:
    """What leads from a text to those that tell of the same: its *words* and its stretches.

    Its *names* are among the words.
    """

    words: frozenset[str]
    names: frozenset[str]
    whole: tuple[frozenset[Run], ...]

    def at(self, place: str, text: str) -> Remainder | None:
        """Return what of it *text*, which stands at *place*, says; None for nothing."""
        common = self.words.intersection(words(text))
        phrase = quoted(self.whole, text)
        return Remainder(place, tuple(sorted(common)), phrase) if common or phrase else None

    def stand_in(self, text: str) -> bool:
        """Tell whether *text* says something of it."""
        return self.at("", text) is not None

    def rows_in(self, text: str) -> frozenset[Run]:
        """Return the stretches of it, of four words at least, that stand in *text*."""
        return rows_in(self.whole, text)


def leads(texts: Sequence[str]) -> Leads:
    """Return what leads from *texts* on; what everybody says does not."""
    named = {
        w for t in texts for name in analysis.names(analysis.sentences(t)) for w in words(name)
    }
    rare = {w for text in texts for w in words(text) if _is_long(w)}
    telling = frozenset((named | rare) - EVERYBODYS)
    return Leads(telling, telling & named, tuple(map(stretches, texts)))


def _is_long(word: str) -> bool:
    return len(word) >= (_FIGURES if word.isdigit() else _LONG)


def worth_naming(
    names: frozenset[str], beside: Iterable[Remainder], in_files: Iterable[Remainder]
) -> tuple[Remainder, ...]:
    """Return what is worth a look: *names*, words that stand in few files, and any phrase.

    *beside* is what git has beside files. Of a word that stands in many places some are named, and
    the others counted.
    """
    noted, others = list(in_files), list(beside)
    counts = Counter(word for it in noted for word in it.words)
    kept = names | {word for it in (*others, *noted) for word in it.words if counts[word] <= _RARE}
    left = (replace(it, words=tuple(w for w in it.words if w in kept)) for it in (*others, *noted))
    return tuple(_shortened(it for it in left if it.words or it.phrase))


def _shortened(found: Iterable[Remainder]) -> Iterator[Remainder]:
    shown = Counter[str]()
    others: list[Remainder] = []
    for it in found:
        if it.phrase or any(shown[word] < _NAMED for word in it.words):
            shown.update(it.words)
            yield it
        else:
            others.append(it)
    if len(others) == 1:
        yield others[0]
    elif others:
        words_ = sorted({word for it in others for word in it.words})
        yield Remainder(f"{len(others)} more places", tuple(words_), places=len(others))
