"""One small file of ours beside the vault's: private, and either its old bytes or its new ones."""

from __future__ import annotations

import os
from pathlib import Path

from vaultmem.storage.files.leftover_files import temporary

_OLD = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


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


def write(path: Path, data: bytes) -> None:
    """Put *data* at *path*, mode 0600, durable when this returns; raises OSError."""
    # Named as every temporary file of ours, so that what a killed process leaves is found.
    temp = folder(path.parent) / temporary(os.urandom(8).hex(), 0)
    try:
        _write_new(temp, data)
        temp.replace(path)
    finally:
        temp.unlink(missing_ok=True)
    _sync(path.parent)


def _write_new(path: Path, data: bytes) -> None:
    with os.fdopen(os.open(path, _NEW, 0o600), "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _sync(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
