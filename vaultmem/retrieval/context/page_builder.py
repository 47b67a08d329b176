"""A context being filled: what stands below each heading, what is spent, what found no room."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vaultmem.documents.tokens import estimate
from vaultmem.retrieval.context.deduplication import SeenText
from vaultmem.retrieval.context.items import Piece, shortened
from vaultmem.retrieval.context.types import IMMEDIATE, ORDER, Item, Section

_UNMISTAKABLE = 5
"""Telling words; a shorter turn is said again and again in a conversation, each time anew."""

Place = tuple[int, int]
"""Where a piece stands in its layer: first by the first number, then by the second."""


class Page:
    """The room of a budget; each file and each text stands in it once."""

    def __init__(self, spent: int) -> None:
        """Begin with so many tokens *spent* on what stands around the layers."""
        self.spent = spent
        self._kept: dict[str, list[tuple[Place, Piece]]] = {}
        self._shown: set[str] = set()
        self._left_out: dict[str, None] = {}
        self._seen = SeenText()

    def has(self, piece: Piece) -> bool:
        """Tell whether *piece* stands already."""
        return piece.path in self._shown

    def fill(
        self, heading: str, pieces: Sequence[Piece], most: int, *, newest: bool = False
    ) -> None:
        """Take what fits until *most* is spent; *newest* gives the last pieces room first."""
        placed = list(enumerate(pieces, start=-len(pieces)))
        for n, piece in reversed(placed) if newest else placed:
            self.take(heading, (n, 0), piece, most)

    def fill_tail(self, heading: str, pieces: Sequence[Piece], most: int) -> None:
        """Take the last of *pieces* until one has no room: talk with a hole in it misleads."""
        unbroken = True
        for n, piece in reversed(list(enumerate(pieces, start=-len(pieces)))):
            unbroken = self.take(heading, (n, 0), piece, most if unbroken else 0) and unbroken

    def take_some(self, heading: str, piece: Piece, most: int) -> None:
        """Take as much of *piece*, the last of its layer, as has room."""
        fits = shortened(piece, most - self.spent - self._opening(heading))
        self.take(heading, (-1, 0), fits or piece, most)

    def take(self, heading: str, place: Place, piece: Piece, most: int) -> bool:
        """Take *piece*, or note that it had no room, and return False."""
        stands = self.put(heading, place, piece, most)
        if stands:
            self._left_out.pop(piece.path, None)
        else:
            self._left_out[piece.path] = None
        return stands

    def put(self, heading: str, place: Place, piece: Piece, most: int) -> bool:
        """Take *piece* unless it stands already; False when more than *most* would be spent."""
        is_turn = heading == IMMEDIATE and len(piece.words) < _UNMISTAKABLE
        if self.has(piece) or (not is_turn and self._seen.knows(piece.words)):
            return True
        cost = piece.tokens + self._opening(heading)
        if self.spent + cost > most:
            return False
        self._kept.setdefault(heading, []).append((place, piece))
        self.spent += cost
        self._shown.add(piece.path)
        self._seen.add(piece.words)
        return True

    def sections(self) -> Iterable[Section]:
        """Yield the layers as they are printed, in their order."""
        for heading in ORDER:
            if heading in self._kept:
                pieces = [p for _, p in sorted(self._kept[heading], key=lambda kept: kept[0])]
                items = tuple(Item(p.path, heading, p.tokens) for p in pieces)
                yield Section(heading, "".join(p.text for p in pieces), items)

    def dropped(self) -> tuple[str, ...]:
        """Return the files that found no room."""
        return tuple(path for path in self._left_out if path not in self._shown)

    def _opening(self, heading: str) -> int:
        return 0 if heading in self._kept else opening(heading)


def opening(heading: str) -> int:
    """Return the tokens of a *heading*."""
    return estimate(f"\n## {heading}\n")
