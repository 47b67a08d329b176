"""Read a part of a file that may be large: its last line, its end, or stretch after stretch."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial

from vaultmem.storage.files.file_contents import look_at, regular
from vaultmem.storage.files.types import Ending, Root

LONGEST_LINE = 16 << 20
"""Bytes of a line that are read at one go; no turn has that many."""
_STRETCH = 1 << 20
_CHUNK = 1 << 16


def ending(root: Root, path: str) -> Ending | None:
    """Return how the file at *path* ends, None when there is none; reads its last line alone.

    Raises NotAFile for a link or device and DiskRefused when the system does not let us read.
    """
    return look_at(root, path, _ending_at)


def _ending_at(folder: int, name: str) -> Ending:
    with regular(folder, name, os.O_RDONLY) as fd:
        size = start = os.fstat(fd).st_size
        tail = b""
        while start and b"\n" not in tail[:-1]:
            start = max(0, start - max(_CHUNK, len(tail)))
            tail = os.pread(fd, size - start, start)
    torn = bool(tail) and not tail.endswith(b"\n")
    return Ending(size, tail.removesuffix(b"\n").rpartition(b"\n")[2], torn)


def tail(root: Root, path: str, most: int) -> bytes | None:
    """Return the whole lines among the last *most* bytes of a file, None when there is none.

    Raises as `read` does.
    """
    return look_at(root, path, partial(_tail_at, most=most))


def _tail_at(folder: int, name: str, most: int) -> bytes:
    with regular(folder, name, os.O_RDONLY) as fd:
        start = max(0, os.fstat(fd).st_size - most)
        data = os.pread(fd, most, start)
    return data.partition(b"\n")[2] if start else data


def stretches(root: Root, path: str) -> Iterator[bytes]:
    """Yield the file at *path* in stretches of whole lines, none where there is no file.

    However large it is, little of it is held at once: a line of more than LONGEST_LINE bytes comes
    in pieces. Raises as `ending` does.
    """
    start = 0
    while some := look_at(root, path, partial(_stretch_at, start=start)):
        yield some
        start += len(some)


def _stretch_at(folder: int, name: str, start: int) -> bytes:
    most = _STRETCH
    with regular(folder, name, os.O_RDONLY) as fd:
        data = os.pread(fd, most, start)
        while len(data) == most < LONGEST_LINE and b"\n" not in data:
            most *= 2
            data = os.pread(fd, most, start)
    end = data.rfind(b"\n") + 1
    return data[:end] if end and len(data) == most else data
