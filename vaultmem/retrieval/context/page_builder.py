"""A context being filled: what stands below each heading, what is spent, what found no room."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import itemgetter

from vaultmem.documents.tokens import estimate
from vaultmem.records import TRUST
from vaultmem.retrieval.context import turn_lines
from vaultmem.retrieval.context.deduplication import SeenText
from vaultmem.retrieval.context.items import Piece, lead, shortened
from vaultmem.retrieval.context.types import IMMEDIATE, NOTES, ORDER, Section, section

_UNMISTAKABLE = 5
"""Telling words; a shorter turn is said again and again in a conversation, each time anew."""

_Place = tuple[int, int, str, str]
"""Where a piece stands in its layer: by its number, among turns by trust and time."""


class Page:
    """The room of a budget; each file and each text stands in it once."""

    def __init__(self, spent: int) -> None:
        """Begin with so many tokens *spent* on what stands around the layers."""
        self.spent = spent
        self._kept: dict[str, list[tuple[_Place, Piece]]] = {}
        self._shown: set[str] = set()
        self._left_out: dict[str, None] = {}
        self._seen = SeenText()

    @property
    def headings(self) -> frozenset[str]:
        """What something stands below."""
        return frozenset(self._kept)

    def has(self, piece: Piece) -> bool:
        """Tell whether *piece* stands already."""
        return piece.path in self._shown

    def fill(
        self, heading: str, pieces: Sequence[Piece], most: int, *, newest: bool = False
    ) -> None:
        """Take what fits until *most* is spent; *newest* gives the last pieces room first."""
        placed = list(enumerate(pieces, start=-len(pieces)))
        for n, piece in reversed(placed) if newest else placed:
            self.take(heading, n, piece, most)

    def fill_tail(self, heading: str, pieces: Sequence[Piece], most: int) -> None:
        """Take the last of *pieces* until one has no room: talk with a hole in it misleads."""
        unbroken = True
        for n, piece in reversed(list(enumerate(pieces, start=-len(pieces)))):
            unbroken = self.take(heading, n, piece, most if unbroken else 0) and unbroken

    def take_some(self, heading: str, piece: Piece, most: int) -> None:
        """Take as much of *piece*, the last of its layer, as has room."""
        if self.has(piece):
            return
        room = most - self.spent
        fits = piece if self.cost(heading, -1, piece) <= room else None
        fits = fits or shortened(piece, room - self._opening(heading))
        self.take(heading, -1, fits or piece, most)

    def take(self, heading: str, number: int, piece: Piece, most: int) -> bool:
        """Take *piece*, or note that it had no room, and return False."""
        stands = self.put(heading, number, piece, most)
        if stands:
            self._left_out.pop(piece.path, None)
        else:
            self._left_out[piece.path] = None
        return stands

    def put(self, heading: str, number: int, piece: Piece, most: int) -> bool:
        """Take *piece* unless it stands already; False when more than *most* would be spent.

        It stands by its *number* in the layer; turns that were found stand behind what else was, by
        trust and time.
        """
        is_turn = heading == IMMEDIATE and len(piece.words) < _UNMISTAKABLE
        if self.has(piece) or (not is_turn and self._seen.knows(piece.words)):
            return True
        if self.spent + piece.tokens > most:  # most are told so, and it spares them the rest
            return False
        cost = self.cost(heading, number, piece)
        if self.spent + cost > most:
            return False
        layer = self._kept.setdefault(heading, [])
        layer.insert(self._spot(heading, number, piece), (_place(heading, number, piece), piece))
        self.spent += cost
        self._shown.add(piece.path)
        self._seen.add(piece.words)
        return True

    def cost(self, heading: str, number: int, piece: Piece) -> int:
        """Return the tokens that *piece* would add: its own, and what changes around a turn."""
        layer, spot = self._kept.get(heading, []), self._spot(heading, number, piece)
        above = layer[spot - 1][1] if spot else None
        below = layer[spot][1] if spot < len(layer) else None
        return (
            piece.tokens
            + self._opening(heading)
            + _between(above, piece)
            + _between(piece, below)
            - _between(above, below)
        )

    def _spot(self, heading: str, number: int, piece: Piece) -> int:
        layer = self._kept.get(heading, [])
        return bisect_left(layer, _place(heading, number, piece), key=itemgetter(0))

    def sections(self) -> Iterable[Section]:
        """Yield the layers as they are printed, in their order."""
        for heading in ORDER:
            if heading in self._kept:
                yield section(heading, [piece for _, piece in self._kept[heading]])

    def dropped(self) -> tuple[str, ...]:
        """Return the files that found no room."""
        return tuple(path for path in self._left_out if path not in self._shown)

    def _opening(self, heading: str) -> int:
        return 0 if heading in self._kept else opening(heading)


def opening(heading: str) -> int:
    """Return the tokens of a *heading*."""
    return estimate(f"\n## {heading}\n")


def _place(heading: str, number: int, piece: Piece) -> _Place:
    if heading == NOTES and piece.is_turn:
        record = piece.record
        return (len(TRUST), -TRUST.index(record.trust), record.created, record.id)
    return (-1, number, "", "") if heading == NOTES else (number, 0, "", "")


def _between(above: Piece | None, below: Piece | None) -> int:
    """Return the tokens of what stands between two pieces, or at an end of their layer."""
    ends = above is not None and above.is_turn and not (below and below.is_turn)
    between = turn_lines.END if ends else lead(above, below) if below else ""
    return _tokens(between)


@lru_cache(maxsize=1024)
def _tokens(between: str) -> int:
    """Return the tokens of a text that stands between many pieces."""
    return estimate(between)
