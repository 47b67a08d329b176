"""The elements of a JSON array, one after the other: a large file is never in memory whole."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from vaultmem.errors import BadInput

LARGEST = 64 * 1024 * 1024
"""Characters of one object; a conversation is some ten thousand."""

_BLOCK = 1024 * 1024
_SPACE = " \t\r\n"
_NEAR = 16
"""Characters before the end in which a fault may mean that the rest is not read yet."""

_decoder = json.JSONDecoder()


def objects(stream: BinaryIO) -> Iterator[object]:
    """Yield the elements of the array that *stream* holds; anything else is its only element.

    Raises BadInput for what is no JSON, telling after how many elements.
    """
    source = _Source(stream)
    if source.peek() != "[":
        yield source.value(0)
        return
    source.skip()
    count = 0
    while source.peek() != "]":
        if count and source.peek() == ",":
            source.skip()
        elif count:
            raise BadInput(f"is no JSON: no comma after element {count}")
        yield source.value(count)
        count += 1


def of_file(path: Path) -> Iterator[object]:
    """Yield the elements of the array in the file at *path*; raises OSError, and as `objects`."""
    try:
        with path.open("rb") as stream:
            yield from objects(stream)
    except BadInput as e:
        raise BadInput(f"{path.name} {e}; save it again") from e


class _Source:
    """The text of a stream, from the place that is read next."""

    def __init__(self, stream: BinaryIO) -> None:
        """Read *stream*, which is UTF-8, with a byte order mark or without."""
        self._stream = stream
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self._text, self._at, self._ended = "", 0, False

    def peek(self) -> str:
        """Return the next character that is no space, without taking it."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in _SPACE:
                self._at += 1
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more(_BLOCK):
                raise BadInput("is no JSON: it ends too early")

    def skip(self) -> None:
        """Take the character that was peeked at."""
        self._at += 1

    def value(self, count: int) -> object:
        """Take the next value, the one after *count* others."""
        self.peek()
        while True:
            try:
                found, end = _decoder.raw_decode(self._text, self._at)
            except json.JSONDecodeError as e:
                # Twice as much each time, so that nothing is read more than twice in all.
                if self._may_go_on(e) and self._more(max(_BLOCK, len(self._text) - self._at)):
                    continue
                raise BadInput(f"is no JSON: {e.msg} in element {count + 1}") from e
            except RecursionError as e:
                raise BadInput(f"is nested too deeply in element {count + 1}") from e
            except ValueError as e:  # Python reads no number of more than 4300 digits
                raise BadInput(f"holds a number that is too long in element {count + 1}") from e
            is_number = isinstance(found, int | float)
            if is_number and end == len(self._text) and self._more(_BLOCK):
                continue  # 1 may be the beginning of 10
            self._at = end
            return found

    def _may_go_on(self, error: json.JSONDecodeError) -> bool:
        return error.msg.startswith("Unterminated") or error.pos >= len(self._text) - _NEAR

    def _more(self, size: int) -> bool:
        if self._ended:
            return False
        if len(self._text) - self._at > LARGEST:
            raise BadInput(f"holds an element longer than {LARGEST >> 20} MiB")
        try:
            data = self._stream.read(size)
            self._text = self._text[self._at :] + self._decode(data, not data)
        except UnicodeDecodeError as e:
            raise BadInput("is not UTF-8") from e
        self._at, self._ended = 0, not data
        return True
