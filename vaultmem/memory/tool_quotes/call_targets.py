"""What a tool is called for, without what of it another tool said: a page may name the next call.

What is left is no sentence: a program, the host of an address, the short names of a path. Beside
other words a long name is compared, too, since nobody needs to say it to tell what was called.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from vaultmem.documents import rendered_text
from vaultmem.memory.tool_quotes import plain_words

_GONE = "…"
_WORD = re.compile(r"\S+")
_PROGRAM = re.compile(r"[\w.+-]{1,30}(?=\s)")
_HOST = re.compile(r"(?i)([a-z][a-z0-9+.-]{0,20}://)(?:[^/?#]*@)?([a-z0-9.:-]{1,80})(?:[/?#].*)?")


class Piece(NamedTuple):
    """A *text* that is compared, and where in the target it begins."""

    start: int
    text: str


def pieces(target: str) -> Iterator[Piece]:
    """Yield what of *target* is compared: all of it, and each word that is a sentence by itself."""
    if not target:
        return
    yield Piece(0, target)
    words = [*_WORD.finditer(target)]
    for word in words if len(words) > 1 else ():
        if _count(word[0]) >= plain_words.RUN:
            yield Piece(word.start(), word[0])


def without(target: str, quoted: Iterable[tuple[int, int]]) -> str:
    """Return *target* without what is *quoted* of it, each from and to a character."""
    spans = [*_joined(_whole(target, quoted))]
    if not spans:
        return target
    kept, done = [], 0
    for start, end in spans:
        kept += [target[done:start], _shortened(target[start:end])]
        done = end
    program = None if spans[0][0] else _PROGRAM.match(target)
    lead = [program[0], " "] if program else []
    return "".join([*lead, *kept, target[done:]])


def _whole(target: str, quoted: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield from and to where the words reach that are quoted in part."""
    words = [word.span() for word in _WORD.finditer(target)]
    for start, end in quoted:
        met = [word for word in words if word[0] < end and start < word[1]]
        yield met[0][0], met[-1][1]


def _joined(spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    last: tuple[int, int] | None = None
    for start, end in sorted(spans):
        if last and start <= last[1] + 1:
            last = last[0], max(last[1], end)
            continue
        if last:
            yield last
        last = start, end
    if last:
        yield last


def _shortened(quoted: str) -> str:
    """Return what may be told of a tool's words: of a single one the host, or the short names."""
    if _WORD.fullmatch(quoted) is None:
        return _GONE
    if "://" in quoted:
        found = _HOST.fullmatch(quoted)
        return "".join(found.groups()) if found and _is_short(found[2]) else _GONE
    names = quoted.split("/")
    return "/".join(name if _is_short(name) else _GONE for name in names)


def _is_short(name: str) -> bool:
    return _count(name) < plain_words.SENTENCE


def _count(name: str) -> int:
    """Return how many words *name* is put together from."""
    return max(1, len(plain_words.split_texts(rendered_text.shown(name))))
