"""What comes one by one, taken a few at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield *items* in lists of at most *size*: SQLite binds so many values, a store so many."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
