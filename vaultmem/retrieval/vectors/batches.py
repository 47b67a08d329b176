"""Cut what is asked or written into parts: SQLite binds so many values, a store takes so many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def parts(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield *items* in lists of at most *size*."""
    rest = iter(items)
    while part := list(islice(rest, size)):
        yield part
