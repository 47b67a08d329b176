"""A record as it would be printed: its text, what that costs, and the words that make it out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from vaultmem import records
from vaultmem.documents.tokens import estimate
from vaultmem.records import Record
from vaultmem.retrieval.context import turn_lines
from vaultmem.retrieval.context.deduplication import distinctive_words
from vaultmem.retrieval.context.fencing import fenced, harmless

_GAP = "[…]"
_HEAD = 3
"""Of what is kept of a long text, one part in so many is its beginning; the rest is its end."""

_LEAST = 80
"""Characters; less of a text says nothing."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One record as it would be printed, its tokens, and its telling words.

    *speaker* is who says it in a transcript, "" where it stands in a fence. A turn is a line of a
    fence that others share; *follows* is the path of the turn right before it, "" if not known, and
    of when it was an *is_brief* one tells the day.
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

    @property
    def path(self) -> str:
        """The record's file."""
        return self.record.path


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
    """Return *piece* in at most *most* tokens, its beginning and its end kept, or None."""
    if piece.tokens <= most:
        return piece
    marks = {**piece.marks, "cut": "yes"}
    body = piece.record.body.strip()
    found, low, high = None, _LEAST, len(body) - 1
    while low <= high:
        keep = (low + high) // 2
        part = replace(piece.record, body=_ends(body, keep))
        made = spoken(part, piece.speaker) if piece.speaker else printed(part, marks)
        if made.tokens <= most:
            found, low = made, keep + 1
        else:
            high = keep - 1
    return found


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
