"""Whether a person, too, states what a tool said, and in the same tone.

Kept while turns are gone through; the rows are words of assistants, as they are compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from vaultmem.memory.folding import plain_words, statements
from vaultmem.memory.folding.near_quotes import Row
from vaultmem.memory.folding.statements import Tone
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
    """What persons stated of each row, and in which tones they and tools said it.

    What a person did not say of a row's numbers and addresses is *lacking*: a tool's word if it is
    the tool that says it.
    """

    persons: dict[Row, set[tuple[Tone, frozenset[str]]]] = field(default_factory=dict)
    tools: dict[Row, set[Tone]] = field(default_factory=dict)
    facts: dict[Row, set[str]] = field(default_factory=dict)

    def hear_tool(self, text: str, rows: AbstractSet[Row], found: Found) -> None:
        """Note how a tool says *rows* in *text*."""
        if not rows:
            return
        told = [(text[it.start : it.end], it.tone) for it in statements.stretches(text)]
        some = frozenset[str]().union(*rows)
        for words, tone in _together(told):
            for row in found(words) if len(some.intersection(words)) >= _FEWEST else ():
                self.tools.setdefault(row, set()).add(tone)
                self.facts.setdefault(row, set()).update(_facts(row) & {*words})

    def hear_person(self, text: str, found: Found, said: Iterable[Row]) -> None:
        """Note what a person states in *text*; a yes is one to a sentence that tools *said*."""
        for run in statements.asserted(text):
            for words, tone in _together([(it.text, it.tone) for it in run]):
                for row in found(words):
                    self._add(row, tone, words)
            for it in filter(lambda it: it.is_yes, run):
                told = [word.text for word in plain_words.words(it.text)]
                for row in _agreed(told, said):
                    self._add(row, it.tone, told)

    def _add(self, row: Row, tone: Tone, words: Sequence[str]) -> None:
        self.persons.setdefault(row, set()).add((tone, _facts(row).difference(words)))

    def is_vouched(self, row: Row, tone: Tone) -> bool:
        """Tell whether a person states *row*, which is said in that *tone*.

        So does who says neither what the person did, nor what a tool did.
        """
        own = self.facts.get(row, set())
        stated = {it for it, lacking in self.persons.get(row, ()) if lacking.isdisjoint(own)}
        return tone in stated or (bool(stated) and tone not in self.tools.get(row, {tone}))


def _facts(row: Row) -> frozenset[str]:
    """Return the numbers and addresses of *row*: one of these is the point."""
    return frozenset(word for word in row if _FACT.search(word))


def _together(told: Sequence[tuple[str, Tone]]) -> Iterator[tuple[list[str], Tone]]:
    """Yield the words of each sentence, and of some in a row, and their tone."""
    every = [([it.text for it in plain_words.words(text)], tone) for text, tone in told]
    for size in range(1, _TOGETHER + 1):
        for at in range(len(every) - size + 1):
            near = every[at : at + size]
            yield (
                [word for words, _ in near for word in words],
                statements.together(tone for _, tone in near),
            )


def _agreed(words: Sequence[str], said: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows that a yes tells in other *words*."""
    for row in said:
        telling = frozenset(row) - STOP
        shared = telling.intersection(words)
        if len(shared) >= max(_LEAST, _AGREED * len(telling)):
            yield row
