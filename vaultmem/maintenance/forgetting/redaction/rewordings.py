"""Texts that say most of a forgotten one in its order, with a word more or another one."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from vaultmem.maintenance.forgetting.redaction.decodings import readings
from vaultmem.maintenance.forgetting.redaction.word_rows import EVERYBODYS, words

_FEWEST = 2
_LONGEST = 60
"""Telling words of a text that are looked for in their order: a longer one has rows enough."""
_WIDTH = 3
"""Times the words of a text among which those of its rewording stand."""


@dataclass(frozen=True, slots=True)
class _Text:
    """The *places* of each telling word of a text, of *length* words in all.

    *needed* of them, two thirds, make a rewording.
    """

    places: Mapping[str, tuple[int, ...]]
    length: int
    needed: int

    def is_reworded_in(self, said: Sequence[str], counts: Mapping[str, int]) -> bool:
        """Tell whether enough of its words stand near each other in what is *said*, in order."""
        common = (min(len(at), counts.get(word, 0)) for word, at in self.places.items())
        if sum(common) < self.needed:
            return False
        windows = (
            said[start : start + _WIDTH * self.length] for start in range(0, len(said), self.length)
        )
        return any(self._in_order(window) >= self.needed for window in windows)

    def _in_order(self, said: Iterable[str]) -> int:
        """Return how many of its words stand in *said* in their order, at most."""
        ends: list[int] = []
        for word in said:
            for place in reversed(self.places.get(word, ())):
                at = bisect_left(ends, place)
                ends[at : at + 1] = [place]
        return len(ends)


@dataclass(frozen=True, slots=True)
class Rewordings:
    """What tells a rewording of one of the texts: these *by_word*, some word each must have."""

    by_word: Mapping[str, tuple[_Text, ...]]

    def are_in(self, text: str) -> bool:
        """Tell whether two thirds of the telling words of one stand in *text* in order.

        As it stands or encoded. One telling word alone makes no rewording.
        """
        return any(map(self._are_in, readings(text)))

    def _are_in(self, text: str) -> bool:
        said = words(text)
        counts = Counter(said)
        found = {id(it): it for word in counts for it in self.by_word.get(word, ())}
        return any(it.is_reworded_in(said, counts) for it in found.values())


def rewordings(texts: Iterable[str]) -> Rewordings:
    """Return what tells a rewording of *texts*."""
    by_word: dict[str, tuple[_Text, ...]] = {}
    for said in dict.fromkeys(tuple(words(text)) for text in texts):
        telling = [word for word in said if word not in EVERYBODYS]
        if _FEWEST <= len(telling) <= _LONGEST:
            for word, text in _found_by(telling, len(said)):
                by_word[word] = (*by_word.get(word, ()), text)
    return Rewordings(by_word)


def _found_by(telling: Sequence[str], length: int) -> Iterator[tuple[str, _Text]]:
    """Yield the longest words of a text: so many that a rewording has one of them."""
    needed = max(_FEWEST, -(-2 * len(telling) // 3))
    places: dict[str, tuple[int, ...]] = {}
    for at, word in enumerate(telling):
        places[word] = (*places.get(word, ()), at)
    text = _Text(places, length, needed)
    longest = sorted(telling, key=len, reverse=True)[: len(telling) - needed + 1]
    yield from ((word, text) for word in dict.fromkeys(longest))
