"""A session of Claude Code, read on from where its last reader stopped.

Of a transcript that only grew, what is new is enough. Where it is another file than it was, or may
hold copies of what was said in another session, it is read whole, since only that tells them apart.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Self

from vaultmem.exchange.formats import claude_code
from vaultmem.exchange.formats.types import Item, MessageReader

_CHECKED = 4096
"""Bytes before the place where one stopped by which the file is known again."""

LOOKED_BACK = 8 * 1024 * 1024
"""Bytes before the place where one stopped of which is asked what was said in them."""

COUNTED = 128 * 1024
"""What of a line, or a turn, counts at most among what is looked back at."""

_FARTHEST, _READ = 64 * 1024 * 1024, 64 * 1024
"""How far that goes in all, and what is read at once."""

_CALLS = 200
"""Calls of tools whose results may still come."""


@dataclass(frozen=True, slots=True)
class Position:
    """How many bytes of a transcript were read, and what its next lines need to be understood.

    *digest* is that of the last bytes read, *tools* has the names of the tools that were called,
    by the call's id. All of it is of one *session*.
    """

    offset: int = 0
    digest: str = ""
    session: str = ""
    tools: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def behind(cls, path: Path, offset: int, session: str, tools: Mapping[str, str]) -> Self:
        """Return the place *offset* of the file at *path*; raises OSError."""
        newest = dict(list(tools.items())[-_CALLS:])
        return cls(offset, _digest(path, offset), session, newest)

    def is_in(self, path: Path) -> bool:
        """Tell whether the file at *path* goes on from here; raises OSError."""
        return bool(self.offset) and _digest(path, self.offset) == self.digest


def _digest(path: Path, offset: int) -> str:
    """Return the digest of the bytes before *offset*, "" where the file is shorter."""
    start = max(offset - _CHECKED, 0)
    with path.open("rb") as stream:
        stream.seek(start)
        data = stream.read(offset - start)
    return hashlib.sha256(data).hexdigest() if len(data) == offset - start else ""


@dataclass(slots=True)
class TailReader:
    """Reads one transcript from *start* on, and knows afterwards where it stopped.

    It *is_mixed* where a line is of another session than those before it, or has no id by which it
    would be known again: then nothing further is read, and the whole has to be.
    """

    start: Position
    offset: int = 0
    session: str = ""
    is_mixed: bool = False
    tools: dict[str, str] = field(default_factory=dict)

    def reader(self) -> MessageReader:
        """Return this as the reader of the format."""
        return MessageReader(claude_code.files, lambda path, _: self._items(path), copies=True)

    def _items(self, path: Path) -> Iterator[Item]:
        self.offset, self.session = self.start.offset, self.start.session
        self.tools = dict(self.start.tools)
        for end, items in claude_code.read_from(path, self.start.offset, self.tools):
            for item in items:
                self._look_at(item)
                if self.is_mixed and self.start.offset:
                    return
                yield item
            self.offset = end

    def _look_at(self, item: Item) -> None:
        if heard := item.heard:
            self.session = self.session or heard.session
            self.is_mixed = self.is_mixed or not heard.id or heard.session != self.session

    def position(self, path: Path) -> Position | None:
        """Return where it stopped, None where the next reader must begin anew; raises OSError."""
        if self.is_mixed or not self.offset:
            return None
        return Position.behind(path, self.offset, self.session, self.tools)


def before(path: Path, offset: int) -> Iterator[Item]:
    """Yield what was said before the byte *offset*, as far as is looked back; raises OSError."""
    if not offset:
        return
    start = _line_within(path, offset, LOOKED_BACK)
    for end, items in claude_code.read_in_full(path, start, {}):
        if end > offset:
            break
        yield from items


def newest_of(most: int) -> MessageReader:
    """Return the reader of the whole lines among the last *most* bytes of a transcript.

    Somebody waits for it: a long line counts as all that it is.
    """

    def items(path: Path) -> Iterator[Item]:
        start = _line_within(path, path.stat().st_size, most, counted=_FARTHEST)
        for _, found in claude_code.read_from(path, start, {}):
            yield from found

    return MessageReader(claude_code.files, lambda path, _: items(path), copies=True)


def start_within(path: Path, most: int) -> int:
    """Return where to begin reading, to compare with the last *most* bytes; raises OSError."""
    return _line_within(path, path.stat().st_size, most)


def _line_within(path: Path, end: int, most: int, counted: int = COUNTED) -> int:
    """Return where the first whole line of the last *most* bytes before *end* begins.

    Of a line *counted* bytes count at most, so that one of megabytes hides no answer that stands
    before it. Raises OSError.
    """
    start, room = end, most
    with path.open("rb") as stream:
        for first in _line_starts(stream, end):
            room -= min(start - first, counted)
            if room < 0 or end - first > _FARTHEST:
                break
            start = first
    return start


def _line_starts(stream: BinaryIO, end: int) -> Iterator[int]:
    """Yield where the lines before the byte *end* begin, the last one first."""
    last = end - 1  # the end of the line that is last
    for until in range(last, 0, -_READ):
        first = max(0, until - _READ)
        stream.seek(first)
        data = stream.read(until - first)
        at = data.rfind(b"\n")
        while at >= 0:
            yield first + at + 1
            at = data.rfind(b"\n", 0, at)
    yield 0
