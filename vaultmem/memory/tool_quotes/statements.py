"""What an agent, or a note, states of what it says: not what it denies, doubts, asks or quotes.

A note that warns of a sentence says its words, too; it vouches for them only within the warning.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from vaultmem.memory.tool_quotes import assertions, plain_words
from vaultmem.memory.tool_quotes.assertions import Stretch
from vaultmem.memory.tool_quotes.near_quotes import Row

_QUOTATION = re.compile(r"[>\"\u201c\u201e\u2018'\u00ab\u300c]")
"""How a sentence begins that is somebody's words and has none beside them."""


class Statement(NamedTuple):
    """A sentence from *start* to *end*, and the place of what it is said *within*.

    That is the sentence alone where it is plainly stated, else also what says no to it.
    """

    start: int
    end: int
    within: slice[int, int, None]
    is_plain: bool


def of(text: str) -> list[Statement]:
    """Return the statements of *text* in order; every character is in one."""
    found = assertions.stretches(text)
    denied = assertions.denying_headings(found)
    made, led = list[Statement](), 0
    for n, it in enumerate(found):
        led = led if it.lead and n and found[n - 1].lead else n - 1 if it.lead else n
        heading = denied[n]
        made.append(_statement(found, n, led if heading is None else heading))
    return made


def _statement(found: Sequence[Stretch], n: int, first: int) -> Statement:
    """Return sentence *n* of *found*; from *first* on stands what goes with it."""
    it = found[n]
    before = found[n - 1].text if n else ""
    behind = found[n + 1].text if n + 1 < len(found) else ""
    by_before = assertions.is_doubted(before, "")
    by_behind = assertions.is_doubted("", behind)
    is_denied = first < n and found[first].tone.no > 0
    is_quotation = _QUOTATION.match(it.text) is not None and not assertions.is_told(it)
    if it.is_plain and assertions.is_told(it) and not (by_before or by_behind or is_denied):
        return Statement(it.start, it.end, slice(it.start, it.end), is_plain=True)
    start = found[max(0, min(first, n - (by_before or is_quotation)))].start
    end = found[min(len(found) - 1, n + (by_behind or is_quotation))].end
    return Statement(it.start, it.end, slice(start, end), is_plain=False)


def between(found: Sequence[Statement], start: int, end: int) -> Sequence[Statement]:
    """Return those of *found* that lie, in part, from *start* to *end*."""
    first = bisect_right(found, start, key=attrgetter("end"))
    return found[first : bisect_left(found, end, first, key=attrgetter("start"))]


def words(text: str, it: Statement) -> Row:
    """Return the words that *it*, of *text*, is said within, none where it is plainly stated."""
    said = () if it.is_plain else plain_words.words(text[it.within])
    return tuple(word.text for word in said)


def plain_runs(found: Sequence[Statement]) -> Iterator[slice[int, int, None]]:
    """Yield the places of sentences in a row that are plainly stated."""
    start: int | None = None
    for it in found:
        if it.is_plain:
            start = it.start if start is None else start
        elif start is not None:
            yield slice(start, it.start)
            start = None
    if start is not None:
        yield slice(start, found[-1].end)
