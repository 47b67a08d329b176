"""The bytes of a file of any size as a purge looks through them: in blocks that overlap."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

_BLOCK = 1 << 20
_OVERLAP = 1 << 16
"""Bytes that stand in two blocks: a text as long as that is whole in one of them."""


def of(file: IO[bytes]) -> Iterator[bytes]:
    """Yield what *file* has, a large one in blocks of a megabyte or somewhat more.

    A block begins and ends with a line where one ends near there: so it cuts no word in two.
    """
    data = file.read(_BLOCK)
    while more := file.read(_BLOCK):
        end = _line_end(data, len(data))
        yield data[:end]
        data = data[_line_end(data, end - _OVERLAP) :] + more
    yield data


def _line_end(data: bytes, at: int) -> int:
    """Return where the last line of *data* ends that ends before *at*, or *at* if none is near."""
    return data.rfind(b"\n", max(at - _OVERLAP, 0), max(at, 0)) + 1 or max(at, 0)
