"""Short sentences with an address, a link or a long number that another text says of the same.

Such a thing is the point of what is said: it counts as three words that tell something.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from vaultmem.memory.tool_quotes.near_quotes import Row
from vaultmem.nlp.text.stopwords import STOP

_WORTH = 3
_KEPT = 0.8
_LONGEST = 16
"""Words of a sentence that is looked for; each group of digits is one."""
_AROUND = 15
"""Words before and behind an address that may be of the same sentence."""
_LEAST_WORK, _WORK = 4096, 64
"""Sentences compared with places of one address, in any text, and for each place in it."""

_ADDRESS = re.compile(
    r"(?:https?|ftp)://\S+|www\.\S+|mailto:\S+|[^\s@]+@[^\s@]+\.[^\s@]+"
    r"|(?:[a-z\d-]+\.)+[a-z]{2,}(?::\d+)?/\S*"
)
_SCHEME = re.compile(r"^(?:(?:https?|ftp)://(?:www\.)?|www\.|mailto:)")
_DIGITS = re.compile(r"\+?[\d().-]*\d|[a-z]{2}\d{2}(?:[a-z]{4})?[\d.-]*")
_BANK = re.compile(r"[a-z]{4}")
"""What stands between the digits of an account's number in some countries."""

_DATE = re.compile(r"(?:19|20)\d\d(?:0\d|1[0-2])(?:[0-2]\d|3[01])\d*")
_LONG_NUMBER = 7


class AddressQuotes:
    """The short sentences among *rows* that have an address, to be found in texts."""

    def __init__(self, rows: Iterable[Row]) -> None:
        """Look for *rows*, as words in a row."""
        self._rows: dict[str, list[tuple[Row, frozenset[str]]]] = {}
        for row in dict.fromkeys(rows):
            named = {} if len(row) > _LONGEST else _addresses(row)
            telling = _telling(row)
            if named and telling:
                self._rows.setdefault(next(iter(named)), []).append((row, telling))

    def found(self, words: Sequence[str]) -> set[Row]:
        """Return those of which the text of these *words* says four fifths beside the address.

        Where sentences and text say the same address again and again, what stands beside any of
        its places counts together.
        """
        if not self._rows:
            return set()
        said = set[Row]()
        for address, places in _addresses(words).items():
            rows = self._rows.get(address, [])
            beside = [
                frozenset(words[max(0, at - _AROUND) : at + _AROUND]) for at in places if rows
            ]
            if len(rows) * len(beside) > max(_LEAST_WORK, _WORK * len(places)):
                beside = [frozenset[str]().union(*beside)]
            said |= {row for row, telling in rows if any(_is_said(telling, it) for it in beside)}
        return said


def has_address(row: Row) -> bool:
    """Tell whether *row* has an address or a long number, and is short."""
    return len(row) <= _LONGEST and bool(_addresses(row)) and bool(_telling(row))


def _is_said(telling: frozenset[str], beside: frozenset[str]) -> bool:
    return _WORTH + len(telling & beside) >= _KEPT * (_WORTH + len(telling))


def _telling(row: Row) -> frozenset[str]:
    """Return the words of *row* that say something, without its address."""
    said = (word for word in row if not (_ADDRESS.fullmatch(word) or _DIGITS.fullmatch(word)))
    return frozenset(word for word in said if word not in STOP)


def _addresses(words: Sequence[str]) -> dict[str, list[int]]:
    """Return the addresses and long numbers of *words*, with where each stands."""
    found: dict[str, list[int]] = {}
    for at, address in (*_written(words), *_numbers(words)):
        found.setdefault(address, []).append(at)
    return found


def _written(words: Sequence[str]) -> Iterator[tuple[int, str]]:
    for at, word in enumerate(words):
        if _ADDRESS.fullmatch(word):
            yield at, _SCHEME.sub("", word)


def _numbers(words: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield numbers of seven digits and more, however they are put into groups; no dates."""
    for is_digits, group in groupby(range(len(words)), lambda at: _is_of_number(words, at)):
        if is_digits:
            places = [*group]
            digits = "".join(re.findall(r"[a-z\d]", "".join(words[at] for at in places)))
            if len(digits) >= _LONG_NUMBER and not _DATE.fullmatch(digits):
                yield places[0], digits


def _is_of_number(words: Sequence[str], at: int) -> bool:
    if _DIGITS.fullmatch(words[at]):
        return True
    beside = words[max(0, at - 1) : at + 2]
    is_bank = len(beside) == 3 and _BANK.fullmatch(words[at]) is not None  # noqa: PLR2004
    return is_bank and beside[0][:1].isalpha() and all(map(_DIGITS.fullmatch, beside[::2]))
