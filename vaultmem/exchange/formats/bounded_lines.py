"""The lines of a file, one at a time; one that nobody could have meant is never in memory whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

BLANK = "\ufeff \t\r\n"


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is not blank: its *number* from 1, its text, or why it has none (*fault*).

    *ended* is false for a last line without a newline. *end* is the byte behind it in the file.
    """

    number: int
    text: str
    ended: bool = True
    fault: str = ""
    end: int = 0


def read(path: Path, longest: int, start: int = 0) -> Iterator[Line]:
    """Yield every line of *path* that is not blank, of at most *longest* bytes; raises OSError.

    They begin at the byte *start*, and are counted from there.
    """
    with path.open("rb") as stream:
        stream.seek(start)
        number = 0
        while data := stream.readline(longest + 1):
            number += 1
            ended = data.endswith(b"\n")
            if len(data) > longest and not ended:
                data = b""
                ended = _skip(stream)
                yield Line(number, "", ended, f"longer than {longest >> 20} MiB", stream.tell())
            elif text := data.decode("utf-8", "surrogateescape").strip(BLANK):
                yield Line(number, text, ended, end=stream.tell())


def _skip(stream: BinaryIO) -> bool:
    """Read on to the end of the line; tell whether it has one."""
    while data := stream.readline(1 << 16):
        if data.endswith(b"\n"):
            return True
    return False
