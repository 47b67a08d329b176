"""Words in a row that another text says word for word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vaultmem.memory.tool_quotes.near_quotes import Row


class ExactQuotes:
    """The words *rows*, to be found in texts."""

    def __init__(self, rows: Iterable[Row]) -> None:
        """Look for *rows*."""
        self._rows = frozenset(rows)
        self._sizes = sorted({len(row) for row in self._rows})

    def found(self, texts: Sequence[str]) -> set[Row]:
        """Return those that the words *texts* say."""
        every = (zip(*(texts[n:] for n in range(size)), strict=False) for size in self._sizes)
        return {row for rows in every for row in self._rows.intersection(rows)}
