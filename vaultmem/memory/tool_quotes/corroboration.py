"""Whether a person, too, states what a tool said, and in the same manner.

Kept while turns are gone through; the rows are words of assistants, as they are compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from vaultmem.documents import dress
from vaultmem.memory.tool_quotes import (
    assertions,
    near_quotes,
    payment_addresses,
    plain_words,
    third_person,
)
from vaultmem.memory.tool_quotes.assertions import Stretch
from vaultmem.memory.tool_quotes.near_quotes import Row
from vaultmem.memory.tool_quotes.third_person import Known
from vaultmem.nlp.text.stopwords import STOP

Found = Callable[[Sequence[str]], set[Row]]
"""Which rows the words of a text say, or nearly say."""

Manner = Row
"""The words of what says no, doubts or asks, none of what plainly says so."""

_SHORTENED = re.compile(r"(?i)n['\u2019]t\b")
_POLITE = frozenset({"please", "bitte"})
_FACT = re.compile(r"[\d@/]")

_PASSED = STOP - {"from", "to", "before", "after", "more", "less", "over", "under", "up", "down"}
"""Words that may be left out: money goes to an account, or from it."""

_TOGETHER = 3
"""Sentences in a row that a run of words may go through."""

_PRONOUNS = frozenset({"he", "she", "it", "they", "er", "sie", "es"})
"""What may stand for the first word of a sentence."""


@dataclass(slots=True)
class Corroboration:
    """What persons stated of each row, and in which manner.

    What a person did not say of a row's numbers and addresses is *lacking*: a tool's word if it is
    the tool that says it.
    """

    persons: dict[Row, set[tuple[Manner, frozenset[str]]]] = field(default_factory=dict)
    facts: dict[Row, frozenset[str]] = field(default_factory=dict)

    def hear_tool(self, words: AbstractSet[str], rows: AbstractSet[Row]) -> None:
        """Note the numbers and addresses of *rows*, which a tool says in these *words*."""
        for row in rows:
            self.facts[row] = self.facts.get(row, frozenset()) | (_facts(row) & words)

    def hear_person(self, text: str, found: Found, speaker: str, known: Known) -> None:
        """Note what a person, the *speaker*, states in *text*, told in words that are *known*."""
        for run in assertions.asserted(text):
            for told in third_person.tellings(run, speaker, known):
                for near in _together(told):
                    self._hear(near, found)

    def _hear(self, near: Sequence[Stretch], found: Found) -> None:
        for payment in payment_addresses.addresses(near[0].text) if len(near) == 1 else ():
            self.persons.setdefault((payment,), set()).add((manner(near), frozenset()))
        for words in _readings(near):
            for row in found(words):
                lacking = _facts(row).difference(words)
                if _contains(words, row) if len(near) > 1 else _says(words, row, lacking):
                    self.persons.setdefault(row, set()).add((manner(near), lacking))

    def is_vouched(self, row: Row, said: Manner) -> bool:
        """Tell whether a person states *row*, in the manner in which it is *said*.

        Who says no, or doubts, vouches for the very same sentence alone.
        """
        own = self.facts.get(row, frozenset())
        return any(
            stated == said and lacking.isdisjoint(own)
            for stated, lacking in self.persons.get(row, ())
        )


def manner(told: Sequence[Stretch]) -> Manner:
    """Return in which manner sentences are *told*: where a *no* stands tells what it is about."""
    if all(it.is_plain for it in told):
        return ()
    whole = (_SHORTENED.sub(" not", it.whole) for it in told)
    said = (word.text for each in whole for word in plain_words.words(each))
    return tuple(word for word in said if word not in _POLITE)


def _facts(row: Row) -> frozenset[str]:
    """Return the numbers and addresses of *row*: one of these is the point."""
    return frozenset(word for word in row if _FACT.search(word))


def _together(told: Sequence[Stretch]) -> Iterator[Sequence[Stretch]]:
    """Yield each sentence, and some in a row."""
    for size in range(1, _TOGETHER + 1):
        for at in range(len(told) - size + 1):
            yield told[at : at + size]


def _readings(told: Sequence[Stretch]) -> Iterator[list[str]]:
    """Yield the words of sentences, also parted where signs hold them together."""
    looks = [dress.shown(it.text) for it in told]
    parted = [plain_words.split_texts(look) for look in looks]
    whole = [plain_words.whole_texts(look) for look in looks]
    yield [word for texts in whole for word in texts]
    if any(parted):
        both = zip(parted, whole, strict=True)
        yield [word for texts, same in both for word in texts or same]


def _contains(words: Sequence[str], row: Row) -> bool:
    """Tell whether *words* have *row* word for word."""
    return any(tuple(words[at : at + len(row)]) == row for at in range(len(words) - len(row) + 1))


def _says(words: Sequence[str], row: Row, lacking: AbstractSet[str]) -> bool:
    """Tell whether one sentence, *words*, says *row* nearly.

    It has every telling word of it in order, but a pronoun for the first and what is *lacking*.
    """
    telling = [word for word in row if word not in _PASSED and word not in lacking] or [*row]
    first = row.index(telling[0])
    for at, word in enumerate(words):
        is_meant = first == 0 and word in _PRONOUNS and tuple(words[at + 1 : at + 2]) == row[1:2]
        if word == telling[0] or is_meant:
            there = words[max(0, at - first) :]
            behind = iter(words[at + 1 : at - first + near_quotes.room(row)])
            if near_quotes.opens(row, there) and all(each in behind for each in telling[1:]):
                return True
    return False
