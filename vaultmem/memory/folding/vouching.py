"""Whether a person, too, states what a tool said, and says no to it as often.

Kept while turns are gone through; the rows are words of assistants, as they are compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from vaultmem.memory.folding import plain_words, statements
from vaultmem.memory.folding.near_quotes import Row
from vaultmem.nlp.text.stopwords import STOP

Found = Callable[[Sequence[str]], set[Row]]
"""Which rows the words of a text say, or nearly say."""

_FACT = re.compile(r"[\d@/]")
_FEWEST = 3
"""Different words that a sentence shares with what it says, at least."""

_TOGETHER = 3
"""Sentences in a row that a run of words may go through."""

_AGREED, _LEAST = 0.6, 4
"""How much of what a sentence tells stands in a person's yes to it, and how many words of it."""


@dataclass(slots=True)
class Vouching:
    """What persons stated of each row, and how often they and tools said no to it.

    What a person did not say of a row's numbers and addresses is *lacking*: a tool's word if it is
    the tool that says it.
    """

    persons: dict[Row, set[tuple[int, frozenset[str]]]] = field(default_factory=dict)
    tools: dict[Row, set[int]] = field(default_factory=dict)
    facts: dict[Row, set[str]] = field(default_factory=dict)

    def hear_tool(self, text: str, rows: AbstractSet[Row], found: Found) -> None:
        """Note how a tool says *rows* in *text*."""
        if not rows:
            return
        told = [(text[it.start : it.end], it.no) for it in statements.stretches(text)]
        some = frozenset[str]().union(*rows)
        for words, no in _together(told):
            for row in found(words) if len(some.intersection(words)) >= _FEWEST else ():
                self.tools.setdefault(row, set()).add(no)
                self.facts.setdefault(row, set()).update(_facts(row) & {*words})

    def hear_person(self, text: str, found: Found, said: Iterable[Row]) -> None:
        """Note what a person states in *text*; a yes is one to a sentence that tools *said*."""
        for run in statements.asserted(text):
            for words, no in _together([(it.text, it.no) for it in run]):
                for row in found(words):
                    self._add(row, no, words)
            for it in filter(lambda it: it.is_yes, run):
                told = [word.text for word in plain_words.words(it.text)]
                for row in _agreed(told, said):
                    self._add(row, it.no, told)

    def _add(self, row: Row, no: int, words: Sequence[str]) -> None:
        self.persons.setdefault(row, set()).add((no, _facts(row).difference(words)))

    def is_vouched(self, row: Row, no: int) -> bool:
        """Tell whether a person states *row*, which is said with so many *no*.

        So does who says neither what the person did, nor what a tool did.
        """
        own = self.facts.get(row, set())
        stated = {it for it, lacking in self.persons.get(row, ()) if lacking.isdisjoint(own)}
        return no in stated or (bool(stated) and no not in self.tools.get(row, {no}))


def _facts(row: Row) -> frozenset[str]:
    """Return the numbers and addresses of *row*: one of these is the point."""
    return frozenset(word for word in row if _FACT.search(word))


def _together(told: Sequence[tuple[str, int]]) -> Iterator[tuple[list[str], int]]:
    """Yield the words of each sentence, and of some in a row, and how often they say no."""
    every = [([it.text for it in plain_words.words(text)], no) for text, no in told]
    for size in range(1, _TOGETHER + 1):
        for at in range(len(every) - size + 1):
            near = every[at : at + size]
            yield [word for words, _ in near for word in words], sum(no for _, no in near)


def _agreed(words: Sequence[str], said: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows that a yes tells in other *words*."""
    for row in said:
        telling = frozenset(row) - STOP
        shared = telling.intersection(words)
        if len(shared) >= max(_LEAST, _AGREED * len(telling)):
            yield row
