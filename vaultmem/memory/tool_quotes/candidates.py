"""Which turns may have said what a text says, quickly found: most have nothing to compare."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from vaultmem.documents import plain_letters, rendered_text
from vaultmem.memory.tool_quotes import payment_addresses, plain_words
from vaultmem.storage.transcripts import Turn

_SHORT = 4000
"""Characters of what a person says that is compared whatever its words are."""

_BESIDE = 2
"""Turns of tools before and behind one that may say it: it may say a part."""

_END = 64
"""Letters at the end of what a tool says that are read together with what the next one does."""

_BEGINNING = 8
"""Letters by which it is looked up what begins where."""

_FEW, _MANY = 64, 256
"""Beginnings that are looked for one by one, and rows that are, of those that begin in a text."""

_WORD = re.compile(rf"[{plain_words.UNSPACED}]|(?:(?![_{plain_words.UNSPACED}])\w)+")
_SIGNS = re.compile(r"[\W_]+")
_NUMBER = re.compile(r"\d[\d ().-]{5,40}\d")


def near(turns: Sequence[Turn], *texts: str) -> list[Turn]:
    """Return those of *turns* that may say what one of *texts* does, or what a person thinks of it.

    They have three words in a row of it, or a long number, or are a person's and short.
    """
    wanted = _Wanted({each for text in texts for each in _threes(text)})
    tools = [n for n, turn in enumerate(turns) if turn.role == "tool"]
    kept, end = set[int](), ""
    for at, n in enumerate(tools):
        letters = end + _letters(turns[n].content)
        if wanted.may_be_in(letters):
            kept.update(tools[max(0, at - _BESIDE) : at + _BESIDE + 1])
        end = letters[-_END:]
    if not kept:
        return []
    others = (n for n, turn in enumerate(turns) if turn.role != "tool" and _may(turn, wanted))
    return [turns[n] for n in sorted(kept.union(others))]


def alike(texts: Iterable[str], said: Iterable[str]) -> frozenset[str]:
    """Return those of *texts* that may say what one of *said* does: they have words of it."""
    wanted = _Wanted({each for it in said for each in _threes(it)})
    return frozenset(text for text in texts if wanted.may_be_in(_letters(text)))


def _may(turn: Turn, wanted: _Wanted) -> bool:
    if turn.role == "user" and len(turn.content) <= _SHORT:
        return True
    return wanted.may_be_in(_letters(turn.content))


class _Wanted:
    """What one of some texts says, to be looked for in others: *rows* of letters.

    Of many, what begins as none of the others does is left out first.
    """

    def __init__(self, rows: Iterable[str]) -> None:
        """Look for *rows*."""
        self._beginnings: dict[int, dict[str, list[str]]] = {}
        for row in sorted(rows):
            start = row[:_BEGINNING]
            self._beginnings.setdefault(len(start), {}).setdefault(start, []).append(row)

    def may_be_in(self, letters: str) -> bool:
        """Tell whether one of them is in *letters*, or so many begin there that one may be."""
        tried = 0
        for size, beginnings in self._beginnings.items():
            for start in self._there(letters, size, beginnings):
                for row in beginnings[start]:
                    tried += 1
                    if tried > _MANY or row in letters:
                        return True
        return False

    @staticmethod
    def _there(letters: str, size: int, beginnings: Collection[str]) -> Iterable[str]:
        """Return which *beginnings* are in *letters*, all where a few are to be looked for."""
        if len(beginnings) <= _FEW:
            return (start for start in beginnings if start in letters)
        there = (letters[at : at + size] for at in range(len(letters) - size + 1))
        return sorted({start for start in there if start in beginnings})


def _threes(text: str) -> Iterator[str]:
    """Yield what a text has one of that quotes *text*: three words, long numbers, a payment's."""
    for look in rendered_text.looks(text):
        parted = " ".join(plain_words.split_texts(look))
        for each in filter(None, (look.text, parted)):
            words = _WORD.findall(plain_letters.alike(each))
            yield from map("".join, zip(words, words[1:], words[2:], strict=False))
        yield from payment_addresses.addresses(look.text)
        yield from (_SIGNS.sub("", found[0]) for found in _NUMBER.finditer(look.text))


def _letters(text: str) -> str:
    """Return the letters of *text*, however it is dressed, nothing between them but its looks."""
    return " ".join(
        _SIGNS.sub("", plain_letters.alike(look.text)) for look in rendered_text.looks(text)
    )
