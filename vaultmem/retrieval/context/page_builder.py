"""A context being filled: what stands below each heading, what is spent, what found no room."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from vaultmem.documents.tokens import estimate
from vaultmem.records import TRUST
from vaultmem.retrieval.context import turn_lines
from vaultmem.retrieval.context.deduplication import SeenText
from vaultmem.retrieval.context.items import Piece, lead, shortened
from vaultmem.retrieval.context.types import IMMEDIATE, NOTES, ORDER, Section, section

_UNMISTAKABLE = 5
"""Telling words; a shorter turn is said again and again in a conversation, each time anew."""

_NO_GAIN = 20
"""Tokens: for less than a sentence more a text is not cut anew."""

_Place = tuple[int, int, str, str]
"""Where a piece stands in its layer: by its number, among turns by trust and time."""


class _Kept(NamedTuple):
    """A piece that stands in its layer, where, and by which number."""

    place: _Place
    number: int
    piece: Piece


class Page:
    """The room of a budget; each file and each text stands in it once."""

    def __init__(self, spent: int) -> None:
        """Begin with so many tokens *spent* on what stands around the layers."""
        self.spent = spent
        self._kept: dict[str, list[_Kept]] = {}
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

    def fill_tail(self, heading: str, pieces: Sequence[Piece], most: int, long: int) -> None:
        """Take the last of *pieces* until one has no room: talk with a hole in it misleads.

        One of more than *long* tokens hides nothing: so much of it stands, if that has room.
        """
        unbroken = True
        for n, piece in reversed(list(enumerate(pieces, start=-len(pieces)))):
            if piece.tokens > long:
                self.take_some(heading, n, piece, most if unbroken else 0, long)
            else:
                unbroken = self.take(heading, n, piece, most if unbroken else 0) and unbroken

    def take_some(
        self, heading: str, number: int, piece: Piece, most: int, part: int | None = None
    ) -> None:
        """Take *piece*, or where that has no room as much of it as has, of *part* tokens at most.

        It stands by its *number* in the layer.
        """
        if self.has(piece):
            return
        room = most - self.spent
        if self.cost(heading, number, piece) > room:
            part = room if part is None else min(part, room)
            piece = self._cut(heading, number, piece, part) or piece
        self.take(heading, number, piece, most)

    def widen(self, heading: str, most: int, *, passages: bool = True) -> None:
        """Let what stands below *heading* with a part of its text have more, in *most* in all.

        Without *passages*, that is what has not even a whole passage.
        """
        layer = self._kept.get(heading, [])
        parts = [each for each in layer if each.piece.whole and (passages or each.piece.is_cut)]
        for stands in parts:
            layer.remove(stands)
            number, cut = stands.number, stands.piece
            self.spent -= self.cost(heading, number, cut)
            self._place(heading, number, self._wider(heading, number, cut, most - self.spent))

    def _wider(self, heading: str, number: int, cut: Piece, room: int) -> Piece:
        """Return what *cut* is of as far as it has *room*, or *cut* where that is no more of it."""
        whole = cut.whole or cut
        if self.cost(heading, number, whole) <= room:
            return whole
        if room - cut.tokens < _NO_GAIN:
            return cut
        wider = self._cut(heading, number, whole, room)
        return max(cut, wider or cut, key=attrgetter("tokens"))

    def _cut(self, heading: str, number: int, piece: Piece, room: int) -> Piece | None:
        """Return as much of *piece* as has *room*, with the fence that it has for itself."""
        alone = replace(piece, is_turn=False)
        return shortened(piece, room - self.cost(heading, number, alone) + piece.tokens)

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
        if self.spent + self.cost(heading, number, piece) > most:
            return False
        self._place(heading, number, piece)
        return True

    def _place(self, heading: str, number: int, piece: Piece) -> None:
        self.spent += self.cost(heading, number, piece)
        layer, spot = self._kept.setdefault(heading, []), self._spot(heading, number, piece)
        layer.insert(spot, _Kept(_place(heading, number, piece), number, piece))
        self._shown.add(piece.path)
        self._seen.add(piece.words)

    def cost(self, heading: str, number: int, piece: Piece) -> int:
        """Return the tokens that *piece* would add: its own, and what changes around a turn."""
        layer, spot = self._kept.get(heading, []), self._spot(heading, number, piece)
        above = layer[spot - 1].piece if spot else None
        below = layer[spot].piece if spot < len(layer) else None
        return (
            piece.tokens
            + self._opening(heading)
            + _between(above, piece)
            + _between(piece, below)
            - _between(above, below)
        )

    def _spot(self, heading: str, number: int, piece: Piece) -> int:
        layer = self._kept.get(heading, [])
        return bisect_left(layer, _place(heading, number, piece), key=attrgetter("place"))

    def sections(self) -> Iterable[Section]:
        """Yield the layers as they are printed, in their order."""
        for heading in ORDER:
            if heading in self._kept:
                yield section(heading, [kept.piece for kept in self._kept[heading]])

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
