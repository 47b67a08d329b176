"""Turns of a conversation in full: also what tools showed that is not kept, or not all of it.

For comparison alone: what may not be told is in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from vaultmem.exchange.formats.claude_code_tail import COUNTED
from vaultmem.exchange.formats.json_fields import date
from vaultmem.exchange.formats.types import Item, Shown
from vaultmem.storage.transcripts import Turn

_BEGINNING = 40
"""Characters by which it is looked up what a person typed."""

_CUT = "\u2026"
"""What stands behind the beginning of a text that is shown in short."""

_MOST = 4 * 1024 * 1024
"""Characters of what was said before that are compared with what comes in later."""


@dataclass(frozen=True, slots=True)
class FullTurn:
    """A *turn* as it is kept, and the *whole* answer or call of a tool, "" where that is no more.

    *shown* is what programs showed before it. *is_new* where it comes in now.
    """

    turn: Turn
    whole: str = ""
    is_new: bool = False
    shown: tuple[Shown, ...] = ()

    @property
    def size(self) -> int:
        """Characters of it."""
        shown = sum(len(text) for it in self.shown for text in it.texts)
        return len(self.turn.content) + len(self.whole) + shown


class Compared(NamedTuple):
    """A *turn* as it is compared, and *of* which it is what was said itself, if of any."""

    turn: Turn
    of: FullTurn | None = None


def in_full(turns: Sequence[FullTurn]) -> Iterator[Compared]:
    """Yield what was said and shown; behind an agent's turn all that it called tools with."""
    typed = _Typed(it.turn.content for it in turns if it.turn.role == "user")
    for it in turns:
        for shown in it.shown:
            if texts := [text for text in shown.texts if text not in typed]:
                yield Compared(Turn("tool", "\n".join(texts), at=date(shown.at), tool=shown.by))
        if it.turn.role == "tool":
            yield Compared(replace(it.turn, content=it.whole or it.turn.content), it)
        elif it.turn.content:
            yield Compared(it.turn, it)
            if it.whole:
                yield Compared(replace(it.turn, content=it.whole))


class _Typed:
    """What persons typed, by which it is known again where a program shows it."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts: dict[str, set[str]] = {}
        for text in texts:
            if words := _spaced(text):
                self._texts.setdefault(words[:_BEGINNING], set()).add(words)

    def __contains__(self, text: str) -> bool:
        """Tell whether *text* is all that a person typed, or, cut off, the beginning of that."""
        if not self._texts:
            return False
        start = _spaced(text.lstrip()[: 4 * _BEGINNING])[:_BEGINNING]
        if not (near := self._texts.get(start)):
            return False
        words = _spaced(text)
        is_cut = words.endswith(_CUT)
        return words in near or (is_cut and any(it.startswith(words[:-1].rstrip()) for it in near))


def _spaced(text: str) -> str:
    return " ".join(text.split())


def read(items: Iterable[Item]) -> Iterator[FullTurn]:
    """Yield *items*, of which tools say only what they showed, as turns to be compared with."""
    for item in items:
        shown = (item.shown,) if item.shown else ()
        if it := item.heard:
            turn = Turn(it.role, it.content, at=date(it.at), tool=it.tool)
            yield FullTurn(turn, it.whole, shown=shown)
        elif shown:
            yield FullTurn(Turn("", ""), shown=shown)


def newest(turns: Sequence[FullTurn], most: int = _MOST) -> list[FullTurn]:
    """Return the last of *turns*, of *most* characters: what comes later is compared with them.

    Of a long one a part is counted, so that it hides none that came before it.
    """
    room, kept = most, list[FullTurn]()
    for turn in reversed(turns):
        room -= min(turn.size, COUNTED)
        if room < 0:
            break
        kept.append(replace(turn, is_new=False))
    return kept[::-1]
