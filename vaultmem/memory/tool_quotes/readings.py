"""The ways in which a text is read to be compared: as it is shown and written, and words parted.

A name that a tool wrote in the same way is no sentence: it is parted where the tool's is whole, and
whole where the tool's is parted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import dropwhile
from typing import NamedTuple, Self

from vaultmem.documents import rendered_text
from vaultmem.memory.tool_quotes import plain_words
from vaultmem.memory.tool_quotes.near_quotes import Row
from vaultmem.memory.tool_quotes.plain_words import Word

_END = 40
"""Words at the end of what a tool says that are read together with what the next one does."""

_NEAR = 2000
"""Characters in which these words are looked for."""

_NOTE = re.compile(
    r"(?i)[\[({<][^\n]{0,60}[\])}>]|[\W_]{0,80}|[^\n]{0,30}\b(?:truncated|omitted)\b[^\n]{0,30}"
    r"|(?:process |command )?(?:exit|exited|finished|return)\b[^\n\d]{0,24}-?\d{1,3}\.?"
    r"|[\w@.:~/\\-]{1,60} ?[$#%>]"
)
"""A line that a program puts before or behind what it shows: `[exit code 0]`, a blank prompt."""

Texts = Sequence[str]


class Place(NamedTuple):
    """Where a *row* stands in a text, of which reading of it, and which words there it is."""

    start: int
    end: int
    row: Row
    reading: int
    at: int


@dataclass(frozen=True, slots=True)
class Readings:
    """The words of what an assistant says: *whole*, parted but for names, and all *parted*.

    The last is empty where it is the same as the one before it.
    """

    whole: tuple[Sequence[Word], ...]
    but_names: tuple[Sequence[Word], ...]
    parted: tuple[Sequence[Word], ...]

    @classmethod
    def of(cls, text: str, names: AbstractSet[str], addresses: AbstractSet[str]) -> Self:
        """Return the words of *text*; *names* and mail *addresses* are those that tools wrote."""
        looks = rendered_text.looks(text)
        whole = tuple(plain_words.whole_words(look) for look in looks)
        parted = tuple(filter(None, (plain_words.split_words(look) for look in looks)))
        named = (plain_words.split_words(look, names) for look in looks)
        is_alone = len(whole[0]) == 1  # then it says nothing about the name but what that says
        but_names = parted if is_alone or not names else tuple(filter(None, named))
        chained = filter(None, (plain_words.chained_words(look, addresses) for look in looks))
        return cls(whole, (*but_names, *chained), () if but_names == parted else parted)

    @property
    def every(self) -> tuple[Sequence[Word], ...]:
        """All of them."""
        return (*self.whole, *self.but_names, *self.parted)


@dataclass(frozen=True, slots=True)
class ToolWords:
    """The words of what a tool says, *whole* and *parted*.

    Where a program's notes stand around it, what it *opens* and *closes* with between these.
    """

    whole: tuple[Texts, ...] = ()
    parted: tuple[Texts, ...] = ()
    opens: tuple[Texts, ...] = ()
    closes: tuple[Texts, ...] = ()

    @classmethod
    def of(cls, text: str, *, chained: bool = False) -> Self:
        """Return the words of *text*, its addresses also parted where some may be *chained*."""
        looks = rendered_text.looks(text)
        whole = tuple(plain_words.whole_texts(look) for look in looks)
        parted = tuple(filter(None, (plain_words.split_texts(look) for look in looks)))
        if chained and "@" in text:
            parted = (*map(plain_words.chained_texts, looks), *parted)
        start, end = text[:_NEAR].splitlines(), text[-_NEAR:].splitlines()
        opens = [*dropwhile(_is_note, start)]
        closes = [*dropwhile(_is_note, reversed(end))][::-1]
        if opens == start and closes == end:
            return cls(whole, parted)
        return cls(whole, parted, _both("\n".join(opens)), _both("\n".join(closes)))

    @staticmethod
    def clauses(text: str) -> set[Row]:
        """Return what stands in *text* as a sentence, or as a part that is set off in one."""
        read = (plain_words.whole_words, plain_words.split_words)
        looks = rendered_text.looks(text)
        every = (words(look) for look in looks for words in read)
        return {row for words in every for _, row in plain_words.clauses(words)}

    @property
    def known(self) -> frozenset[str]:
        """All words in it."""
        return frozenset(word for texts in self.every for word in texts)

    @property
    def every(self) -> tuple[Texts, ...]:
        """Each reading."""
        return (*self.whole, *self.parted)

    def behind(self, before: Self) -> Iterator[Texts]:
        """Yield how each reading goes on from what tools said *before*."""
        for end in before.whole:
            yield from ([*end, *texts[:_END]] for texts in (*self.every, *self.opens))

    def after(self, before: Self) -> Self:
        """Return the end of this, and of what tools said *before* where this is short."""
        every = (*self.closes, *self.whole[:1], *self.parted[-1:])
        ends = before.whole or ((),)
        both = ((*end, *texts)[-_END:] for texts in every for end in ends[:2])
        return type(self)(tuple(dict.fromkeys(both)))


def _is_note(line: str) -> bool:
    return _NOTE.fullmatch(line.strip()) is not None


def _both(text: str) -> tuple[Texts, ...]:
    """Return the words of *text*, whole and parted."""
    look = rendered_text.shown(text)
    whole = plain_words.whole_texts(look)
    return (whole, plain_words.split_texts(look) or whole)
