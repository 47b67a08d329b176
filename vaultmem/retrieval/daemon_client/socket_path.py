"""The socket inside the vault: where it is, who may make it, who may speak there.

It is reached through its open folder, so its address is short however deep the vault lies: the
system takes some hundred bytes. No link is followed on the way.
"""

from __future__ import annotations

import contextlib
import os
import socket
import stat
import struct
from collections.abc import Iterator
from pathlib import Path

FOLDER = ".vaultmem"
NAME = "warm.sock"
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_CREDENTIALS = struct.Struct("3i")  # of Linux: process, user, group


@contextlib.contextmanager
def _folder(vault: Path) -> Iterator[int]:
    fd = os.open(vault / FOLDER, _DIRECTORY)
    try:
        yield fd
    finally:
        os.close(fd)


def _address(vault: Path, folder: int) -> str:
    opened = f"/proc/self/fd/{folder}"
    return f"{opened}/{NAME}" if Path(opened).exists() else str(vault / FOLDER / NAME)


def connected(vault: Path, seconds: float) -> socket.socket:
    """Return a socket to our own user's daemon, within so many *seconds*; raises OSError."""
    with _folder(vault) as folder, contextlib.ExitStack() as undo:
        _must_be_ours(folder)
        peer = undo.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
        peer.settimeout(seconds)
        peer.connect(_address(vault, folder))
        if not is_ours(peer):
            raise PermissionError(f"somebody else listens at {vault / FOLDER / NAME}")
        undo.pop_all()
    return peer


def listening(vault: Path, backlog: int) -> socket.socket:
    """Return a socket that listens in *vault*, in place of one that a dead daemon left.

    The caller holds the daemon's lock. Raises OSError where there can be none.
    """
    with _folder(vault) as folder, contextlib.ExitStack() as undo:
        with contextlib.suppress(FileNotFoundError):
            _must_be_ours(folder)
            os.unlink(NAME, dir_fd=folder)
        listener = undo.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
        listener.bind(_address(vault, folder))
        # Nobody can connect before listen(), so its mode need not be right from the first moment.
        os.chmod(NAME, stat.S_IRUSR | stat.S_IWUSR, dir_fd=folder)
        _must_be_private(folder)
        listener.listen(backlog)
        undo.pop_all()
    return listener


def _must_be_ours(folder: int) -> None:
    found = os.stat(NAME, dir_fd=folder, follow_symlinks=False)
    if not stat.S_ISSOCK(found.st_mode) or found.st_uid != os.geteuid():
        raise PermissionError(f"{FOLDER}/{NAME} is not our socket: remove it")


def _must_be_private(folder: int) -> None:
    mode = os.stat(NAME, dir_fd=folder, follow_symlinks=False).st_mode
    if stat.S_IMODE(mode) & (stat.S_IRWXG | stat.S_IRWXO):
        os.unlink(NAME, dir_fd=folder)
        raise PermissionError(f"{FOLDER}/{NAME} would be open to others on this file system")


def inode(vault: Path) -> int | None:
    """Return what tells one socket in *vault* from the next, None when there is none."""
    try:
        return (vault / FOLDER / NAME).lstat().st_ino
    except OSError:
        return None


def remove(vault: Path, ours: int | None) -> None:
    """Remove the socket of *vault* if it still is the one whose inode is *ours*."""
    if ours is not None and inode(vault) == ours:
        (vault / FOLDER / NAME).unlink(missing_ok=True)


def is_ours(peer: socket.socket) -> bool:
    """Tell whether our own user is at the other end, as the system says."""
    if not hasattr(socket, "SO_PEERCRED"):  # the modes of socket and folder say as much
        return True
    found = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    return bool(_CREDENTIALS.unpack(found)[1] == os.geteuid())
