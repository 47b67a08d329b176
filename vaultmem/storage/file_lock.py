"""A lock that processes take on an empty file of their own, and give back before they close it.

It is the system's own (flock), which ends with its process, never a file that can be left behind.
Whoever is started or forked meanwhile has the descriptor, too: closing it would leave the lock with
them. The file is never removed by us: two could then hold a lock each. Where anybody else may do
so, a folder that none of them can lose is locked, too.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import math
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from vaultmem.errors import Busy, disk_errors

_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_HAVE_NONE = frozenset({errno.EBADF, errno.EINVAL, errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP})
"""What a file system says that has no locks of folders, as NFS."""
_PAUSE = 0.01


class _Held:
    """The descriptors with a lock of this process: a fork closes its copies, and gives none back.

    Or a lock would outlive the process that took it, and end while that is still at work.
    """

    def __init__(self) -> None:
        self._fds = set[int]()

    @contextlib.contextmanager
    def lent(self, fd: int) -> Iterator[None]:
        """Give back the lock of *fd* at the end, which has none yet."""
        self._fds.add(fd)
        try:
            yield
        finally:
            if fd in self._fds:
                self._fds.remove(fd)
                unlock(fd)

    def close_copies(self) -> None:
        """Leave every lock to the process that this one is a fork of."""
        for fd in self._fds:
            os.close(fd)
        self._fds.clear()


_HELD = _Held()
os.register_at_fork(after_in_child=_HELD.close_copies)


@contextlib.contextmanager
def locked(path: Path, *, shared: bool = False, patience: float = math.inf) -> Iterator[None]:
    """Hold the lock at *path*, with others where it is *shared*.

    Raises BlockingIOError where another has it for more than *patience* seconds, OSError where no
    file can be.
    """
    while True:
        with _HELD.lent(fd := os.open(path, _FLAGS, 0o600)):
            _take(fd, fcntl.LOCK_SH if shared else fcntl.LOCK_EX, patience)
            if is_at(fd, path):
                yield
                return


@contextlib.contextmanager
def folder_locked(folder: int, *, patience: float = math.inf) -> Iterator[None]:
    """Hold the lock of an open *folder* itself, which stays with it whatever is deleted in there.

    Nothing where its file system has none. Raises BlockingIOError as `locked` does.
    """
    with _HELD.lent(fd := os.open(".", _FOLDER, dir_fd=folder)):
        try:
            _take(fd, fcntl.LOCK_EX, patience)
        except OSError as e:
            if e.errno not in _HAVE_NONE:
                raise
        yield


def _take(fd: int, how: int, patience: float) -> None:
    if patience == math.inf:
        fcntl.flock(fd, how)
        return
    until = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(fd, how | fcntl.LOCK_NB)
        except BlockingIOError:
            if (left := until - time.monotonic()) <= 0:
                raise
            time.sleep(min(left, _PAUSE))
        else:
            return


@contextlib.contextmanager
def alone(path: Path, what: str, patience: float, *, folder: int | None = None) -> Iterator[None]:
    """Hold the lock at *path*, and that of an open *folder* where somebody may delete the file.

    Raises Busy, which names *what*, and DiskRefused.
    """
    with contextlib.ExitStack() as held:
        with disk_errors(path):
            try:
                held.enter_context(locked(path, patience=patience))
                if folder is not None:
                    held.enter_context(folder_locked(folder, patience=patience))
            except BlockingIOError as e:
                raise Busy(what, patience) from e
        yield


def locked_file(path: Path) -> int:
    """Return the file at *path* itself, made if need be, open to be added to and locked.

    Whoever puts another one in its place takes the lock first; raises OSError.
    """
    while True:
        fd = os.open(path, _FLAGS | os.O_APPEND, 0o600)
        fcntl.flock(fd, fcntl.LOCK_EX)
        if is_at(fd, path):
            break
        unlock(fd)
    try:
        must_be_file(fd, path)
    except OSError:
        unlock(fd)
        raise
    return fd


def is_at(fd: int, path: Path) -> bool:
    """Tell whether the open file still lies at *path*: another one may have taken its place."""
    with contextlib.suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(fd), path.lstat())
    return False


def must_be_file(fd: int, path: Path) -> None:
    """Raise OSError where what *fd* has open is no file: a pipe, say, at which a reader waits."""
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        raise OSError(errno.EINVAL, "it is no file", str(path))


def unlock(fd: int) -> None:
    """Give back the lock of *fd*, and close it."""
    fcntl.flock(fd, fcntl.LOCK_UN)
    os.close(fd)
