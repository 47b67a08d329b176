"""What stands at a path: its stamp, its kind, and what is in the way.

Each folder on the way is opened from a held descriptor; no link is followed.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator, Sequence

from vaultmem.errors import Refused
from vaultmem.storage.files.paths import inside
from vaultmem.storage.files.types import Root, Stamp

DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE, FOLDER, _DEVICE = "a file", "a folder", "a device"
_KINDS = {
    stat.S_IFREG: FILE,
    stat.S_IFDIR: FOLDER,
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
}
KINDS = frozenset({*_KINDS.values(), _DEVICE})
"""What may stand at a name, as `kind_of` says it."""
_TICK_NS, _SECOND_NS = 20_000_000, 1_000_000_000


@contextlib.contextmanager
def walk(root: Root, parts: Sequence[str]) -> Iterator[int]:
    """Yield a descriptor of the folder that *parts* name, following no link."""
    fd = os.dup(root.fd)
    try:
        for part in parts:
            inner = os.open(part, DIRECTORY, dir_fd=fd)
            os.close(fd)
            fd = inner
        yield fd
    finally:
        os.close(fd)


def status(root: Root, path: str) -> os.stat_result | None:
    """Return what the system knows of whatever is at *path*, None when there is nothing."""
    *folder, name = inside(path)
    try:
        with walk(root, folder) as fd:
            return os.stat(name, dir_fd=fd, follow_symlinks=False)
    except OSError:  # gone, or a folder on the way is now something else: not there for us
        return None


def stamp(root: Root, path: str) -> Stamp | None:
    """Return the stamp of the regular file at *path*, None when there is none."""
    found = status(root, path)
    return stamp_of(found) if found and stat.S_ISREG(found.st_mode) else None


def stamp_of(found: os.stat_result) -> Stamp:
    """Return the stamp that *found* has."""
    return Stamp(found.st_size, found.st_mtime_ns, found.st_ino, found.st_ctime_ns)


def is_young(changed: int, now: int) -> bool:
    """Tell whether a file *changed* then, by the system, may change again and show the same time.

    In nanoseconds: within one tick of its clock. Some disks know whole seconds only, or even ones.
    """
    return now - changed < (_TICK_NS if changed % _SECOND_NS else 2 * _SECOND_NS)


def folder_inodes(root: Root, paths: Iterable[str]) -> dict[str, int]:
    """Return the inodes of those folders of *paths* that are there; "" is the vault.

    The folders on the way are none that somebody put in their place: whoever lists them sees that.
    """
    found: dict[str, int] = {}
    for path in paths:
        with contextlib.suppress(OSError):
            found[path] = os.stat(path or ".", dir_fd=root.fd, follow_symlinks=False).st_ino
    return found


def touched(root: Root, path: str) -> float:
    """Return when whatever is at *path* changed last, in Unix time, 0 where there is nothing.

    A program may set back when a file was written, and not when the system noted that it did.
    """
    found = status(root, path)
    return max(found.st_mtime, found.st_ctime) if found else 0.0


def kind_of(root: Root, path: str) -> str:
    """Return what is at *path*, in words (`a symbolic link`); "" for nothing that has a name."""
    with contextlib.suppress(Refused):
        if found := status(root, path):
            return _KINDS.get(stat.S_IFMT(found.st_mode), _DEVICE)
    return ""


def obstacle(root: Root, path: str) -> str:
    """Return the folder on the way to *path* that is none by now (a link, a file), "" for none."""
    folder = ""
    for part in inside(path)[:-1]:
        folder = f"{folder}/{part}" if folder else part
        found = status(root, folder)
        if found is None or not stat.S_ISDIR(found.st_mode):
            return folder if found else ""
    return ""
