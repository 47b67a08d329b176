"""What assistants say, to be found in what tools and persons say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Self

from vaultmem.memory.tool_quotes import plain_words
from vaultmem.memory.tool_quotes.address_quotes import AddressQuotes
from vaultmem.memory.tool_quotes.exact_quotes import ExactQuotes
from vaultmem.memory.tool_quotes.near_quotes import NearQuotes, Row
from vaultmem.memory.tool_quotes.plain_words import Word
from vaultmem.memory.tool_quotes.third_person import Known


class WantedQuotes:
    """The runs and the sentences of what assistants say, to be found in what others say.

    *clauses* are parts of sentences that are none of the runs.
    """

    def __init__(
        self,
        runs: Iterable[Row],
        near: Iterable[Row],
        whole: Iterable[Row],
        clauses: Iterable[Row],
    ) -> None:
        """Look for *runs*, *near*ly for sentences, for *whole* ones, and for *clauses* of these."""
        self.runs, self._sentences, self._whole = set(runs), set(near), set(whole)
        self.clauses = set(clauses) - self.runs
        self._exact = ExactQuotes(self.runs | self.clauses)
        self._near, self._short = NearQuotes(self._sentences), AddressQuotes(self._whole)

    @classmethod
    def of(cls, said: Iterable[Sequence[Word]]) -> Self:
        """Return those of the words that assistants *said*."""
        every = tuple(said)
        made = (
            plain_words.rows,
            plain_words.sentences,
            plain_words.whole_sentences,
            plain_words.clauses,
        )
        return cls(*({row for each in every for _, row in rows(each)} for rows in made))

    def __bool__(self) -> bool:
        """Tell whether there are any."""
        return bool(self.runs or self._sentences or self._whole or self.clauses)

    @property
    def known(self) -> Known:
        """What is known of all of them."""
        return Known.of((*self.runs, *self._sentences, *self._whole))

    def among(self, rows: AbstractSet[Row]) -> Self:
        """Return those that are among *rows*."""
        return type(self)(
            self.runs & rows, self._sentences & rows, self._whole & rows, self.clauses & rows
        )

    def beside(self, other: Self) -> Self:
        """Return these and those of *other*."""
        return type(self)(
            self.runs | other.runs,
            self._sentences | other._sentences,
            self._whole | other._whole,
            self.clauses | other.clauses,
        )

    def same(self, texts: Sequence[str]) -> set[Row]:
        """Return those that the words *texts* say."""
        return self._exact.found(texts)

    def nearly_same(self, texts: Sequence[str]) -> set[Row]:
        """Return the sentences that the words *texts* say nearly, or say."""
        return self._near.found(texts) | self._short.found(texts)

    def all(self, texts: Sequence[str]) -> set[Row]:
        """Return those that the words *texts* say, or nearly say."""
        return self.same(texts) | self.nearly_same(texts)
