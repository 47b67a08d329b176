"""Bytes at the end of a file that only grows: what is there of them, and how they get there.

They are written in place, so a crash or a full disk may leave a part of them. Whoever knows what
was to be written tells such a part from somebody else's bytes, and completes it or takes it back.
"""

from __future__ import annotations

import contextlib
import os
import stat
from enum import Enum, auto

from vaultmem.storage.files import new_file
from vaultmem.storage.files.file_contents import NO_FILE, regular
from vaultmem.storage.files.types import Addition

_CHUNK = 1 << 20


class Tail(Enum):
    """What stands where an addition shall go."""

    FREE = auto()
    """Nothing: the file ends there, or a new one may be made."""
    TORN = auto()
    """A part of the addition, as a crash leaves it, and nothing behind it."""
    DONE = auto()
    """All of it, whatever follows."""
    UNENDED = auto()
    """Nothing, but the line before has no end: the addition would be glued to it."""
    MOVED = auto()
    """Something else: somebody's bytes, a shorter file, no regular file, none at all."""


def look(folder: int, name: str, step: Addition) -> Tail:
    """Tell what there is of *step* in the file *name*; raises OSError when it cannot be read."""
    try:
        with regular(folder, name, os.O_RDONLY) as fd:
            return _tail(fd, step)
    except FileNotFoundError:
        return Tail.MOVED if step.at else Tail.FREE
    except OSError as e:
        if e.errno in NO_FILE:
            return Tail.MOVED
        raise


def _tail(fd: int, step: Addition) -> Tail:
    there = _there(fd, step)
    if there == step.data:
        return Tail.DONE
    size = os.fstat(fd).st_size
    if step.at == 0 or size != step.at + len(there):
        return Tail.MOVED
    if os.pread(fd, 1, step.at - 1) != b"\n":
        return Tail.MOVED if there else Tail.UNENDED
    if not there:
        return Tail.FREE
    return Tail.TORN if _is_part(there, step.data) else Tail.MOVED


def _there(fd: int, step: Addition) -> bytes:
    return os.pread(fd, len(step.data), step.at)


def _is_part(there: bytes, data: bytes) -> bool:
    # A file system may know a file's length before its bytes: then these are zeros, in blocks.
    return data.startswith(there) or all(a in {b, 0} for a, b in zip(there, data, strict=False))


def separate(folder: int, name: str, temp: str) -> bool:
    """Make the file *name*, if it has other names, one of its own: what is added is for it alone.

    Its bytes are in the file *temp* meanwhile. Returns whether that was to be done; raises OSError.
    """
    with (
        contextlib.suppress(FileNotFoundError),
        regular(folder, name, os.O_RDONLY) as old,
    ):
        found = os.fstat(old)
        if found.st_nlink == 1:
            return False
        with new_file.staged(folder, temp, iter(lambda: os.read(old, _CHUNK), b"")):
            os.chmod(temp, stat.S_IMODE(found.st_mode), dir_fd=folder)
            new_file.publish(folder, temp, name)
        return True
    return False


def extend(folder: int, name: str, step: Addition) -> bool:
    """Write the addition, or what is missing of it, durably; False when the ground has moved.

    A disk that refuses leaves the file as it was before: half a line would stand there for ever.
    """
    with (
        contextlib.suppress(FileNotFoundError),
        regular(folder, name, os.O_RDWR | os.O_APPEND) as fd,
    ):
        if _tail(fd, step) not in {Tail.FREE, Tail.TORN}:
            return False
        try:
            _write(fd, step)
        except OSError:
            # After a failed fsync the pages count as clean, on disk or not: they must go, too.
            with contextlib.suppress(OSError):
                _take_back(fd, step)
            raise
        return True
    return False


def _write(fd: int, step: Addition) -> None:
    there = _there(fd, step)
    if not step.data.startswith(there):
        os.ftruncate(fd, step.at)
        there = b""
    new_file.write_all(fd, memoryview(step.data)[len(there) :])
    os.fsync(fd)


def _take_back(fd: int, step: Addition) -> None:
    if os.fstat(fd).st_size <= step.at + len(step.data):
        os.ftruncate(fd, step.at)
        os.fsync(fd)


def confirm(folder: int, name: str) -> None:
    """Make the file's bytes durable: who wrote them may have been killed before."""
    with contextlib.suppress(FileNotFoundError), regular(folder, name, os.O_RDONLY) as fd:
        os.fsync(fd)
