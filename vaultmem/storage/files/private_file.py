"""One small file of ours beside the vault's: private, and either its old bytes or its new ones."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from vaultmem.storage.files import new_file
from vaultmem.storage.files.leftover_files import temporary

_OLD = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def folder(path: Path) -> Path:
    """Return the folder *path*, made if need be, for this user alone; raises OSError."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def read(path: Path) -> bytes:
    """Return the bytes of the file at *path*, none when it cannot be read; no link is followed."""
    try:
        with os.fdopen(os.open(path, _OLD), "rb") as stream:
            return stream.read()
    except OSError:
        return b""


def write(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Put *data* at *path*, mode 0600, by default durable when this returns; raises OSError."""
    # Named as every temporary file of ours, so that what a killed process leaves is found.
    temp = temporary(os.urandom(8).hex(), 0)
    with _opened(folder(path.parent)) as above:
        with new_file.staged(above, temp, (data,), durable=durable):
            new_file.publish(above, temp, path.name)
        if durable:
            new_file.sync_folder(above, str(path.parent))


def create(path: Path) -> None:
    """Make an empty file at *path*, mode 0600, unless there is one; raises OSError.

    One that is there is not opened: who closes a file gives up every lock of this process on it.
    """
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, new_file.PRIVATE))


def sync_folder(path: Path) -> None:
    """Make the names in the folder *path* durable; raises OSError."""
    with _opened(path) as fd:
        new_file.sync_folder(fd, str(path))


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[int]:
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield fd
    finally:
        os.close(fd)
