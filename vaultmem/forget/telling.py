"""Tell the words of a forgotten text from those that others say, too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from vaultmem.index.words import indexed
from vaultmem.summarize.words import CHAT, EVENTS, STOP

_WORD = re.compile(r"[^\W_]+")
_RUN = 5
_SHORTEST = 3
_SAME = 0.5
MARK = "[forgotten]"
"""What stands where it stood; its word is nobody's secret."""
_EVERYBODYS = STOP | CHAT | EVENTS | {"forgotten"}
_FEW = 4  # "Thanks a lot!" is everybody's
Run = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Telling:
    """What gives a forgotten text away.

    *terms* are words, and *runs* stretches of five, that nothing which stays says; *whole* are all
    stretches of each text, and *names* its file's stem. Words are in lower case. A text in which
    none of the *hints* stands says nothing of it: they spare looking at its words.
    """

    terms: frozenset[str]
    runs: frozenset[Run]
    whole: tuple[frozenset[Run], ...]
    names: frozenset[str]
    hints: frozenset[str]

    def says(self, text: str) -> bool:
        """Tell whether *text* gives it away."""
        folded = text.casefold()
        if any(name in folded for name in self.names):
            return True
        if not any(hint in folded for hint in self.hints):
            return False
        said = words(text)
        return not self.terms.isdisjoint(said) or any(r in self.runs for r in _runs(said))

    def hints_at(self, text: str) -> bool:
        """Tell whether a word stands in *text* without which it could not give it away."""
        folded = text.casefold()
        return any(word in folded for word in (*self.hints, *self.names))

    def repeats(self, text: str) -> bool:
        """Tell whether *text* says half or more of a forgotten one, whoever else says it, too."""
        said = words(text)
        return any(_share(whole, said) >= _SAME for whole in self.whole)

    def is_kept_by(self, others: Iterable[str]) -> Telling:
        """Return what still gives it away when the texts of *others* stay."""
        terms, runs = set(self.terms), set(self.runs)
        for other in others:
            said = words(other)
            terms.difference_update(said)
            runs.difference_update(_runs(said))
        return _telling(terms, runs, self.whole, self.names)


def telling(texts: Sequence[str], names: Iterable[str], others: Iterable[str] = ()) -> Telling:
    """Return what gives *texts* away where *others* stay; *names* are stems, paths and ids."""
    said = [words(text) for text in texts]
    terms = {w for each in said for w in each if len(w) >= _SHORTEST or not w.isascii()}
    whole = tuple(frozenset(_runs(each)) for each in said)
    runs = frozenset(run for each in whole for run in each if len(run) > 1)
    known = frozenset(name.casefold() for name in names if name)
    return _telling(terms - _EVERYBODYS, runs, whole, known).is_kept_by(others)


def _telling(
    terms: Iterable[str],
    runs: Iterable[Run],
    whole: tuple[frozenset[Run], ...],
    names: frozenset[str],
) -> Telling:
    terms, runs = frozenset(terms), frozenset(runs)
    hints = terms | {max(run, key=len) for run in runs}
    return Telling(terms, runs, whole, names, hints)


def words(text: str) -> list[str]:
    """Return the words of *text* in lower case; of a run of CJK each letter and each pair."""
    return _WORD.findall(indexed(text).casefold())


def _runs(said: Sequence[str]) -> Iterator[Run]:
    """Yield the stretches of five words, or the whole where there are fewer."""
    for at in range(max(len(said) - _RUN, 0) + 1):
        if said:
            yield tuple(said[at : at + _RUN])


def _share(whole: frozenset[Run], said: Sequence[str]) -> float:
    """Return how much of *whole* is *said*."""
    length = len(next(iter(whole), ()))
    if length < _FEW:
        return 0.0
    there = {tuple(said[at : at + length]) for at in range(len(said) - length + 1)}
    return len(whole & there) / len(whole)
