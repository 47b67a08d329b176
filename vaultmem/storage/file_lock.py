"""A lock that processes take on an empty file of their own, and give back before they close it.

Whoever is started or forked meanwhile has the descriptor, too: closing it would leave the lock with
them. The file is never removed: two could then hold a lock each.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from pathlib import Path

_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


@contextlib.contextmanager
def locked(path: Path, *, shared: bool = False, wait: bool = True) -> Iterator[None]:
    """Hold the lock at *path*, with others where it is *shared*.

    Raises BlockingIOError where another has it and this one does not *wait*, OSError where no file
    can be.
    """
    fd = os.open(path, _FLAGS, 0o600)
    try:
        fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (not wait) * fcntl.LOCK_NB)
        yield
    finally:
        unlock(fd)


def locked_file(path: Path) -> int:
    """Return the file at *path* itself, made if need be, open to be added to and locked.

    Whoever puts another one in its place takes the lock first; raises OSError.
    """
    while True:
        fd = os.open(path, _FLAGS | os.O_APPEND, 0o600)
        fcntl.flock(fd, fcntl.LOCK_EX)
        with contextlib.suppress(FileNotFoundError):  # another one took its place meanwhile
            if os.path.samestat(os.fstat(fd), path.lstat()):
                break
        unlock(fd)
    try:
        must_be_file(fd, path)
    except OSError:
        unlock(fd)
        raise
    return fd


def must_be_file(fd: int, path: Path) -> None:
    """Raise OSError where what *fd* has open is no file: a pipe, say, at which a reader waits."""
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        raise OSError(errno.EINVAL, "it is no file", str(path))


def unlock(fd: int) -> None:
    """Give back the lock of *fd*, and close it."""
    fcntl.flock(fd, fcntl.LOCK_UN)
    os.close(fd)
