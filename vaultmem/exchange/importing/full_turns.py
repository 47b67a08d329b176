"""Turns of a conversation in full: what tools answered that is too long to be kept, too.

For comparison alone: what may not be told is in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from vaultmem.exchange.formats.json_fields import date
from vaultmem.exchange.formats.types import ImportedMessage
from vaultmem.storage.transcripts import Turn

_KEPT = 400
"""Characters of an answer that each format keeps, at least."""

_MOST = 4 * 1024 * 1024
"""Characters of what was said before that are compared with what comes in later."""


@dataclass(frozen=True, slots=True)
class FullTurn:
    """A *turn* as it is kept, and the *whole* answer or call of a tool, "" where that is no more.

    *is_new* where it comes in now.
    """

    turn: Turn
    whole: str = ""
    is_new: bool = False

    @property
    def size(self) -> int:
        """Characters of it."""
        return len(self.turn.content) + len(self.whole)

    def in_full(self) -> Iterator[Turn]:
        """Yield what was said; behind an agent's turn all that it called tools with."""
        if self.turn.role == "tool":
            yield replace(self.turn, content=self.whole or self.turn.content)
            return
        yield self.turn
        if self.whole:
            yield replace(self.turn, content=self.whole)


def read(messages: Iterable[ImportedMessage]) -> Iterator[FullTurn]:
    """Yield *messages*, in which tools are read in full, as turns to be compared with."""
    for it in messages:
        turn = Turn(it.role, it.content, at=date(it.at), tool=it.tool)
        if it.role == "tool" and len(it.content) > _KEPT:
            yield FullTurn(replace(turn, content=it.content[:_KEPT]), it.content)
        else:
            yield FullTurn(turn, it.whole)


def newest(turns: Sequence[FullTurn]) -> list[FullTurn]:
    """Return the last of *turns*, as many as are compared with what comes in later."""
    room, kept = _MOST, list[FullTurn]()
    for turn in reversed(turns):
        room -= turn.size
        if room < 0:
            break
        kept.append(replace(turn, is_new=False))
    return kept[::-1]
