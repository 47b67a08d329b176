"""What a text says whose letters take two or four bytes: UTF-16 and UTF-32, with a mark or without.

Windows writes such files (`>` in PowerShell, a sheet saved as text). Read as UTF-8, which has no
zeros, a letter of ASCII has zeros beside it there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_NO_BYTES = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Halves of letters that stand for no byte of a file."""

_RUN = re.compile(rb"(?:[^\0]\0{1,3}){6,}")
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
    if runs := list(_runs(data)):
        yield _decoded("utf-16-le", (data[start:end] for start, end in runs))
        yield _decoded(
            "utf-16-be", (data[start - 1 if start else 1 : end + 1] for start, end in runs)
        )


def without_zeros(text: str) -> str:
    r"""Return *text* without NUL, which no file holds: `\ufffd` stands for one.

    Not in a row of wide letters, which a program of Windows wrote and another took for narrow ones:
    nobody would know a credential there.
    """
    if "\0" not in text:
        return text
    narrow = _RUN_IN_TEXT.sub(lambda found: found[0].replace("\0", ""), text)
    return narrow.replace("\0", "\ufffd")


def _runs(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where wide letters begin and end, by twos with the zero behind each."""
    end = 0
    for run in _RUN.finditer(data):
        first = max(end, run.start() - _AHEAD)
        end = run.end()
        yield first + (end - first) % 2, end


def _decoded(order: str, pieces: Iterable[bytes]) -> str:
    return "".join(piece.decode(order, "replace") for piece in pieces).replace("\0", "")
