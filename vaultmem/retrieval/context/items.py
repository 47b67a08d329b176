"""A record as it would be printed: its text, what that costs, and the words that make it out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from vaultmem import records
from vaultmem.documents.tokens import estimate
from vaultmem.records import Record
from vaultmem.retrieval.context import turn_lines
from vaultmem.retrieval.context.deduplication import distinctive_words
from vaultmem.retrieval.context.excerpts import excerpts, place
from vaultmem.retrieval.context.fencing import fenced, harmless
from vaultmem.retrieval.search.types import Hit

_GAP = "[…]"
_HEAD = 3
"""Of what is kept of a long text, one part in so many is its beginning; the rest is its end."""

_CUT = {"cut": "yes"}

_LEAST = 18
"""Tokens, of 80 letters; less of a text says nothing."""

_BEFORE = 4
"""Of what is kept around what was found, one part in so many is what stands before it."""

_DENSE = 20
"""Characters: no text that is read has more in a token."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One record as it would be printed, its tokens, and its telling words.

    *speaker* is who says it in a transcript, "" where it stands in a fence. A turn is a line of a
    fence that others share; *follows* is the path of the turn right before it, "" if not known, and
    of when it was an *is_brief* one tells the day. *hit* is what found it, *whole* what it is cut
    from, if it is.
    """

    record: Record
    marks: Mapping[str, str]
    text: str
    tokens: int
    words: tuple[str, ...]
    speaker: str = ""
    is_turn: bool = False
    follows: str = ""
    is_brief: bool = False
    hit: Hit | None = None
    whole: Piece | None = None

    @property
    def path(self) -> str:
        """The record's file."""
        return self.record.path

    @property
    def is_cut(self) -> bool:
        """Whether it has neither its whole text nor a whole passage of it."""
        return "cut" in self.marks


def printed(record: Record, marks: Mapping[str, str] | None = None) -> Piece:
    """Return *record* as it would be printed, with *marks* in its fence."""
    text = fenced(record, marks or {})
    return Piece(record, marks or {}, text, estimate(text), distinctive_words(record.body))


def turn(record: Record, follows: str = "", *, brief: bool = False) -> Piece:
    """Return *record* as a line of a fence that others share, right behind the one it *follows*."""
    text = turn_lines.line(record)
    words = distinctive_words(record.body)
    return Piece(
        record, {}, text, estimate(text), words, is_turn=True, follows=follows, is_brief=brief
    )


def joined(pieces: Iterable[Piece]) -> str:
    """Return *pieces* as they are printed below each other, turns side by side in one fence."""
    made, above = "", None
    for piece in pieces:
        if above and not piece.is_turn:
            made += turn_lines.END
        made += lead(above, piece) + piece.text
        above = piece if piece.is_turn else None
    return made + (turn_lines.END if above else "")


def lead(above: Piece | None, piece: Piece) -> str:
    """Return what stands between *above* and a turn; "" before what has a fence of its own."""
    if not piece.is_turn:
        return ""
    return turn_lines.lead(above if above and above.is_turn else None, piece)


def spoken(record: Record, speaker: str) -> Piece:
    """Return *record* as a line of a transcript, `~Mara> We open at nine.`, as it was said."""
    text = f"~{speaker}> {harmless(record.body.strip())}\n"
    return Piece(record, {}, text, estimate(text), distinctive_words(record.body), speaker)


def shortened(piece: Piece, most: int) -> Piece | None:
    """Return *piece* in at most *most* tokens, or None.

    Kept are the passages around what was found in it, of a passage what stands around that; of any
    other text its beginning and its end.
    """
    if piece.tokens <= most:
        return piece
    parts = excerpts(piece.record, piece.hit) if piece.hit else ()
    few = min(len(parts), most // _LEAST + 1)  # nearly all of a long text would be looked at
    fitting = bisect_right(parts, most, hi=few, key=lambda part: _part(piece, *part()).tokens)
    if fitting:
        return _part(piece, *parts[fitting - 1]())
    return _trimmed(_part(piece, *parts[0]()) if parts else piece, most)


def passage(piece: Piece) -> Piece | None:
    """Return the passage of *piece* that was found; None where it is one, or none was."""
    parts = excerpts(piece.record, piece.hit) if piece.hit else ()
    return _part(piece, *parts[0]()) if parts else None


def _part(piece: Piece, record: Record, marks: Mapping[str, str]) -> Piece:
    """Return *record*, which has a part of what *piece* says, in a fence with *marks*."""
    marks = {**piece.marks, **marks}
    made = spoken(record, piece.speaker) if piece.speaker else printed(record, marks)
    return replace(made, hit=piece.hit, whole=piece)


def _trimmed(piece: Piece, most: int) -> Piece | None:
    """Return as much of the text of *piece* as *most* tokens hold, or None."""
    body = piece.record.body.strip()
    at = place(body, piece.hit) if piece.hit else None
    found, low, high = None, 1, min(len(body) - 1, most * _DENSE)
    while low <= high:
        keep = (low + high) // 2
        kept = _ends(body, keep) if at is None else _window(body, at, keep)
        made = _part(piece, replace(piece.record, body=kept), _CUT)
        if made.tokens <= most:
            found, low = made, keep + 1
        else:
            high = keep - 1
    return found if found and estimate(found.record.body) >= _LEAST else None


def _window(text: str, at: int, keep: int) -> str:
    """Return *keep* characters of *text* around what begins *at* a place."""
    first = max(min(at - keep // _BEFORE, len(text) - keep), 0)
    kept = text[first : first + keep].strip()
    before, after = f"{_GAP} " * (first > 0), f" {_GAP}" * (first + keep < len(text))
    return f"{before}{kept}{after}"


def _ends(text: str, keep: int) -> str:
    head, tail = text[: keep // _HEAD], text[len(text) - keep + keep // _HEAD :]
    mark = "\n" if "\n" in head and "\n" in tail else " "
    head, tail = head.rpartition(mark)[0] or head, tail.partition(mark)[2] or tail
    return f"{head.rstrip()}{mark}{_GAP}{mark}{tail.lstrip()}"


def over(record: Record, now: datetime) -> str:
    """Say why *record* does not hold at *now*, "" when it does."""
    if record.superseded_by:
        return f"superseded by {record.superseded_by}"
    if records.is_over(record.valid_to, now):
        return f"no longer valid since {record.valid_to}"
    if records.is_ahead(record.valid_from, now):
        return f"not valid before {record.valid_from}"
    return ""


def stale(record: Record, now: datetime) -> str:
    """Say since when *record* wants to be looked at again, "" when it does not."""
    over = records.is_over(record.stale_after, now)
    return f"stale since {record.stale_after}" if over else ""
