"""What a text says whose letters take two or four bytes: UTF-16 and UTF-32, with a mark or without.

Windows writes such files (`>` in PowerShell, a sheet saved as text). Read as UTF-8, which has no
zeros, a letter of ASCII has zeros beside it there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_NO_BYTES = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Halves of letters that stand for no byte of a file."""

_LITTLE, _BIG = re.compile(rb"(?:[^\0]\0{1,3}){6,}"), re.compile(rb"(?:\0{1,3}[^\0]){6,}")
"""Wide letters in a row, of ASCII or Latin-1: what is hidden has some, and noise has none."""

_RUN_IN_TEXT = re.compile(r"(?:[^\0]\0{1,3}){6,}")
_AHEAD = 200
"""Bytes ahead of a run that belong to it: letters of other scripts have no zeros."""


def readings(text: str) -> Iterator[str]:
    r"""Yield what *text*, read as UTF-8 with `surrogateescape`, says in wide letters, if any.

    In the one order of bytes and in the other: what has a zero for each letter is UTF-16, and
    UTF-32 is that with `\0` between its letters.
    """
    if "\0" not in text:
        return
    data = _NO_BYTES.sub("?", text).encode("utf-8", "surrogateescape")
    little = ((it, it.start() + len(it[0].rstrip(b"\0")) - 1) for it in _LITTLE.finditer(data))
    big = ((it, it.end() - len(it[0].lstrip(b"\0")) - 1) for it in _BIG.finditer(data))
    yield "".join(_pieces(data, "utf-16-le", little))
    yield "".join(_pieces(data, "utf-16-be", big))


def without_zeros(text: str) -> str:
    r"""Return *text* without NUL, which no file holds: `\ufffd` stands for one.

    Not in a row of wide letters, which a program of Windows wrote and another took for narrow ones:
    nobody would know a credential there.
    """
    if "\0" not in text:
        return text
    narrow = _RUN_IN_TEXT.sub(lambda found: found[0].replace("\0", ""), text)
    return narrow.replace("\0", "\ufffd")


def whole_letters(text: str) -> str:
    r"""Return *text* without half letters: two that meet are one, `\ufffd` stands for another."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _pieces(data: bytes, order: str, runs: Iterable[tuple[re.Match[bytes], int]]) -> Iterator[str]:
    """Yield what *runs* say, and what stands ahead of each.

    With each comes where one of its letters begins that no half of another can be taken for: the
    last of those that end in zeros, the first of those that begin with them.
    """
    end = 0
    for run, letter in runs:
        first = max(end, run.start() - _AHEAD)
        first += (letter - first) % 2
        end = max(run.end() - (run.end() - first) % 2, letter + 2)
        yield data[first:end].decode(order, "replace").replace("\0", "")
