"""Whether a person, too, states what a tool said, and in the same manner.

Kept while turns are gone through; the rows are words of assistants, as they are compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property

from vaultmem.documents import rendered_text
from vaultmem.memory.tool_quotes import (
    assertions,
    near_quotes,
    payment_addresses,
    plain_words,
    reported_words,
    statements,
    third_person,
)
from vaultmem.memory.tool_quotes.assertions import Stretch
from vaultmem.memory.tool_quotes.near_quotes import Row
from vaultmem.memory.tool_quotes.statements import Statement
from vaultmem.memory.tool_quotes.third_person import Known
from vaultmem.nlp.text.stopwords import STOP

Found = Callable[[Sequence[str]], set[Row]]
"""Which rows the words of a text say, or nearly say."""

Manner = str
"""The words of what says no, doubts or asks, none of what plainly says so."""

_SHORTENED = re.compile(r"(?i)n['\u2019]t\b")
_POLITE = frozenset({"please", "bitte"})
_FACT = re.compile(r"[\d@/]")

_PASSED = STOP - {"from", "to", "before", "after", "more", "less", "over", "under", "up", "down"}
"""Words that may be left out: money goes to an account, or from it."""

_TOGETHER = 3
"""Sentences in a row that a run of words may go through."""

_TRIES = 64
"""Places in one sentence where another may begin that it says."""

_PRONOUNS = frozenset({"he", "she", "it", "they", "er", "sie", "es"})
"""What may stand for the first word of a sentence."""


@dataclass(slots=True)
class Corroboration:
    """What persons stated of each row, and in which manner.

    What a person did not say of a row's numbers and addresses is *lacking*: a tool's word if it is
    the tool that says it.
    """

    persons: dict[Row, dict[Manner, set[frozenset[str]]]] = field(default_factory=dict)
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
        stated = [*_stated(near, found)]
        told = manner(near) if stated else ""
        for row, lacking in stated:
            self.persons.setdefault(row, {}).setdefault(told, set()).add(lacking)

    def is_vouched(self, row: Row, said: Manner) -> bool:
        """Tell whether a person states *row*, in the manner in which it is *said*.

        Who says no, or doubts, vouches for the very same sentence alone.
        """
        own = self.facts.get(row, frozenset())
        return any(map(own.isdisjoint, self.persons.get(row, {}).get(said, ())))


def _stated(near: Sequence[Stretch], found: Found) -> Iterator[tuple[Row, frozenset[str]]]:
    """Yield which rows the sentences *near* state, and what they lack of each."""
    for payment in payment_addresses.addresses(near[0].text) if len(near) == 1 else ():
        yield (payment,), frozenset()
    for words in _readings(near):
        said = _Said(words)
        for row in found(words):
            lacking = _facts(row) - said.vocabulary
            if said.contains(row) if len(near) > 1 else said.says(row, lacking):
                yield row, lacking


def manner(told: Sequence[Stretch]) -> Manner:
    """Return in which manner sentences are *told*: where a *no* stands tells what it is about."""
    if all(it.is_plain for it in told):
        return ""
    whole = (_SHORTENED.sub(" not", it.whole) for it in told)
    said = (word.text for each in whole for word in plain_words.words(each))
    return " ".join(word for word in said if word not in _POLITE)


class Manners:
    """In which manner each part of a *text* is told, worked out once of each."""

    def __init__(self, text: str) -> None:
        """Read *text*."""
        self._text = text
        self._told = assertions.stretches(text)
        self._known: dict[tuple[int, int], Manner] = {}

    def between(self, start: int, end: int) -> Manner:
        """Return the manner of the sentences that lie, in part, from *start* to *end*."""
        near = assertions.between(self._told, start, end)
        place = (near[0].start, near[-1].end) if near else (0, 0)
        if place not in self._known:
            self._known[place] = manner(near)
        return self._known[place]

    def within_what(self, start: int, end: int) -> AbstractSet[Row]:
        """Return the words that the sentences there are said within, see `statements`."""
        near = statements.between(self._statements, start, end)
        return {(), *(statements.words(self._text, it) for it in near)}

    @cached_property
    def _statements(self) -> Sequence[Statement]:
        return statements.of(self._text)

    def within(self, start: int, end: int) -> Manner:
        """Return the manner of what stands there, without the words of the sentence that report it.

        That of the sentence where none do, or where one of them says no.
        """
        whole = self.between(start, end)
        near = assertions.between(self._told, start, end)
        if not whole or not near:
            return whole
        around = (near[0].lead, self._text[near[0].start : start], self._text[end : near[-1].end])
        said = plain_words.words(" ".join(around))
        if assertions.tone(" ".join(around)).no or not any(
            reported_words.says(it.text) for it in said
        ):
            return whole
        return manner(assertions.stretches(self._text[start:end]))


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
    looks = [rendered_text.shown(it.text) for it in told]
    parted = [plain_words.split_texts(look) for look in looks]
    whole = [plain_words.whole_texts(look) for look in looks]
    yield [word for texts in whole for word in texts]
    if any(parted):
        both = zip(parted, whole, strict=True)
        yield [word for texts, same in both for word in texts or same]


class _Said:
    """The *words* of a person's sentences, to be asked for rows."""

    def __init__(self, words: Sequence[str]) -> None:
        """Look into *words*."""
        self.vocabulary = frozenset(words)
        self._words = words
        self._text = _row_text(words)
        self._places: dict[str, list[int]] = {}
        for at, word in enumerate(words):
            self._places.setdefault(word, []).append(at)

    def contains(self, row: Row) -> bool:
        """Tell whether *row* stands there word for word."""
        return _row_text(row) in self._text

    def says(self, row: Row, lacking: AbstractSet[str]) -> bool:
        """Tell whether this, as one sentence, says *row* nearly.

        It has every telling word of it in order, but a pronoun for the first and what is *lacking*.
        """
        telling = [word for word in row if word not in _PASSED and word not in lacking] or [*row]
        if not self.vocabulary.issuperset(telling[1:]):
            return False
        first = row.index(telling[0])
        return any(self._says_at(at, row, telling, first) for at in self._begins(row, telling[0]))

    def _begins(self, row: Row, word: str) -> Iterator[int]:
        """Yield where *row* may begin, of which *word* is the first that tells something."""
        yield from self._first(word)
        if word == row[0]:
            meant = (at for pronoun in sorted(_PRONOUNS) for at in self._first(pronoun))
            yield from (at for at in meant if (*self._words[at + 1 : at + 2],) == row[1:2])

    def _first(self, word: str) -> Sequence[int]:
        return self._places.get(word, [])[:_TRIES]

    def _says_at(self, at: int, row: Row, telling: Sequence[str], first: int) -> bool:
        room = near_quotes.room(row)
        start = max(0, at - first)
        if not near_quotes.opens(row, self._words[start : start + room]):
            return False
        behind = iter(self._words[at + 1 : at - first + room])
        return all(each in behind for each in telling[1:])


def _row_text(words: Sequence[str]) -> str:
    """Return *words* as one text, in which a row of them is found as a part of it."""
    return "\n".join(("", *words, ""))
