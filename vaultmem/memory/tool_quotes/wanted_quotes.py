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
    """The runs and the sentences of what assistants say, to be found in what others say."""

    def __init__(self, runs: Iterable[Row], near: Iterable[Row], whole: Iterable[Row]) -> None:
        """Look for *runs*, for what is said *near*ly, and for *whole* sentences."""
        self._runs, self._sentences, self._whole = set(runs), set(near), set(whole)
        self._exact = ExactQuotes(self._runs)
        self._near, self._short = NearQuotes(self._sentences), AddressQuotes(self._whole)

    @classmethod
    def of(cls, said: Iterable[Sequence[Word]]) -> Self:
        """Return those of the words that assistants *said*."""
        every = tuple(said)
        made = (plain_words.rows, plain_words.sentences, plain_words.whole_sentences)
        return cls(*({row for each in every for _, row in rows(each)} for rows in made))

    def __bool__(self) -> bool:
        """Tell whether there are any."""
        return bool(self._runs or self._sentences or self._whole)

    @property
    def known(self) -> Known:
        """What is known of all of them."""
        return Known.of((*self._runs, *self._sentences, *self._whole))

    def among(self, rows: AbstractSet[Row]) -> Self:
        """Return those that are among *rows*."""
        return type(self)(self._runs & rows, self._sentences & rows, self._whole & rows)

    def beside(self, other: Self) -> Self:
        """Return these and those of *other*."""
        return type(self)(
            self._runs | other._runs, self._sentences | other._sentences, self._whole | other._whole
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
