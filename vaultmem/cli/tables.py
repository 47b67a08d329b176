"""Tables as a terminal shows them, drawn by rich."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

OPERATION = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")
"""The id of an operation, which is never parted."""

_FOLDED = 20
"""Columns that a text in a table has at least; what is no longer is not folded."""
_GAP = 2


def draw(columns: Sequence[str], cells: Iterable[Sequence[str]], title: str) -> None:
    """Draw a table as wide as the terminal at most; what has no room in it, with rows as columns.

    Cut nothing, and fold long texts alone: an operation is there to be copied.
    """
    from rich.console import Console

    console, rows = Console(), [*cells]
    across = [[name, *values] for name, *values in zip(columns, *rows, strict=True)]
    if _widths(across) <= console.width or not rows:
        console.print(_drawn(across, title))
        return
    for table in by_row(columns, rows, console.width, title):
        console.print(table)


def by_row(
    columns: Sequence[str], rows: Sequence[Sequence[str]], width: int, title: str = ""
) -> Iterator[Table]:
    """Yield tables with the names of the *columns* at the left and *rows* as columns beside them.

    As many beside each other as have room in the *width*, and one in any case.
    """
    first = 0
    while first < len(rows):
        last = first + 1
        while last < len(rows) and _widths([columns, *rows[first : last + 1]]) <= width:
            last += 1
        yield _drawn([columns, *rows[first:last]], "" if first else title)
        first = last


def _widths(columns: Sequence[Sequence[str]]) -> int:
    """Return how wide a table of *columns* is whose long texts are folded."""
    from rich.cells import cell_len

    widest = (max(map(cell_len, column)) for column in columns)
    folded = (w if _is_short(c) else _FOLDED for w, c in zip(widest, columns, strict=True))
    return sum(folded) + _GAP * (len(columns) - 1)


def _is_short(column: Sequence[str]) -> bool:
    return max(map(len, column)) <= _FOLDED or any(map(OPERATION.fullmatch, column))


def _drawn(columns: Sequence[Sequence[str]], title: str) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.markup import escape
    from rich.table import Table

    drawn = Table(
        title=title or None, title_justify="left", box=SIMPLE_HEAD, show_edge=False,
        padding=(0, 1, 0, 0),
    )  # fmt: skip
    for column in columns:
        drawn.add_column(escape(column[0]), overflow="fold", no_wrap=_is_short(column))
    for row in zip(*(column[1:] for column in columns), strict=True):
        drawn.add_row(*map(escape, row))
    return drawn
