"""A new file, its bytes durable under a temporary name before it gets its own.

Every file that replaces another, or that must be whole or not there at all, is made here. The
folder is held open, and no link is followed in it.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterable, Iterator

PRIVATE = 0o600

_FRESH = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_NO_DIRECTORY_SYNC = frozenset({errno.EINVAL, errno.ENOTSUP})


def create(
    folder: int, name: str, chunks: Iterable[bytes], mode: int = PRIVATE, *, durable: bool = True
) -> None:
    """Write a new file *name* in the open *folder*, durable unless said; raises OSError.

    The name must be one that only this process gives: what stands there is of a dead one.
    """
    fd = _opened(folder, name, mode)
    try:
        for chunk in chunks:
            write_all(fd, chunk)
        if durable:
            os.fsync(fd)
    finally:
        os.close(fd)


def _opened(folder: int, name: str, mode: int) -> int:
    try:
        return os.open(name, _FRESH, mode, dir_fd=folder)
    except FileExistsError:
        # Left at this very write by a dead process whose number we have now: in a container
        # every process may have the same.
        os.unlink(name, dir_fd=folder)
        return os.open(name, _FRESH, mode, dir_fd=folder)


@contextlib.contextmanager
def staged(
    folder: int, temp: str, chunks: Iterable[bytes], mode: int = PRIVATE, *, durable: bool = True
) -> Iterator[None]:
    """Have a new file under the name *temp* meanwhile: what is not published by then is removed."""
    try:
        create(folder, temp, chunks, mode, durable=durable)
        yield
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temp, dir_fd=folder)


def publish(folder: int, temp: str, name: str) -> None:
    """Give the file *temp* its *name*, whatever stood there; durable when the folder is synced."""
    os.replace(temp, name, src_dir_fd=folder, dst_dir_fd=folder)


def write_all(fd: int, data: bytes | memoryview) -> None:
    """Write all of *data*: the system may take a part at a time."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def append_lines(fd: int, data: bytes) -> None:
    """Add the lines *data* to the file *fd*, below half a line that a crash left in it."""
    end = os.fstat(fd).st_size
    if end and os.pread(fd, 1, end - 1) != b"\n":
        data = b"\n" + data
    write_all(fd, data)


def sync_folder(folder: int, path: str) -> None:
    """Make the names in the open *folder*, which is *path*, durable, where a file system can."""
    try:
        os.fsync(folder)
    except OSError as e:
        if e.errno not in _NO_DIRECTORY_SYNC:
            e.filename = path
            raise
