"""Files outside of the vault, which no journal watches over: an export, a project's settings.

A list of what was written there lies beside it, where anybody may have written: a cloned
repository brings its own. So every name is walked from the folder held open, over no link.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from vaultmem.errors import DiskRefused, Refused, disk_errors
from vaultmem.storage.files import new_file
from vaultmem.storage.files.file_contents import NO_FILE, read_at
from vaultmem.storage.files.file_status import walk
from vaultmem.storage.files.paths import inside
from vaultmem.storage.files.types import Root, sha256
from vaultmem.storage.processes import is_alive, own_name

_TEMP = ".vaultmem-new"
_LEFTOVER = re.compile(rf"{re.escape(_TEMP)}-(\d{{1,9}}(?:\.\d+)?)-[0-9a-f]{{8}}")
_OPEN_TO_ALL = 0o666
"""The mode of a person's file, before their umask."""
_NOT_PLAIN = NO_FILE | {errno.ENOTDIR}


def read(root: Root, path: str) -> bytes | None:
    """Return what the file *path* below *root* holds, None when there is none.

    Raises Refused for a path that leaves *root*, by its name or over a link, and DiskRefused.
    """
    *folders, name = inside(path)
    try:
        with _disk(root, path), walk(root, folders) as fd:
            return read_at(fd, name).data
    except FileNotFoundError:
        return None


def holds(root: Root, path: str, sha: str) -> bool:
    """Tell whether *path* is a file below *root*, with no link on the way, and as it was written.

    Nothing else may be taken away: the list that names it may be anybody's.
    """
    try:
        found = read(root, path)
    except Refused:
        return False
    return found is not None and sha256(found) == sha


def put(path: Path, data: bytes) -> None:
    """Write a file that a person named, in folders for our own eyes; raises DiskRefused."""
    with disk_errors(path):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.closing(Root(path.parent)) as root:
        put_below(root, path.name, data)


def put_lines(path: Path, lines: Iterable[bytes]) -> bool:
    """Write a file that a person named as `put` does, and tell whether it says another thing now.

    Of the *lines*, which may be any bytes, few are held at once. A file that has them stays.
    """
    with disk_errors(path):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.closing(Root(path.parent)) as root:
        *way, name = inside(path.name)
        with _disk(root, path.name), walk(root, way) as fd:
            return _replace(fd, name, lines)


def put_below(root: Root, path: str, data: bytes, folders: int = 0o700) -> None:
    """Write a file below *root* whole or not at all, with the mode that it has.

    Folders that are not there are made with the mode *folders*. Raises Refused and DiskRefused.
    """
    *way, name = inside(path)
    with _disk(root, path):
        _make_way(root, way, folders)
        with walk(root, way) as fd:
            _replace(fd, name, (data,))


def remove(root: Root, path: str) -> None:
    """Remove the file *path* below *root*; raises Refused, DiskRefused."""
    *way, name = inside(path)
    with _disk(root, path), contextlib.suppress(FileNotFoundError), walk(root, way) as fd:
        os.unlink(name, dir_fd=fd)


def remove_folder(root: Root, path: str) -> None:
    """Remove the folder *path* below *root* if nothing is in it, and no link leads there."""
    *way, name = inside(path)
    with contextlib.suppress(OSError), walk(root, way) as fd:
        os.rmdir(name, dir_fd=fd)


def is_leftover(name: str) -> bool:
    """Tell whether the file *name* is one of ours that was being written."""
    return _LEFTOVER.fullmatch(name) is not None


def sweep(root: Root, folder: str) -> None:
    """Remove what writers that are dead left half written in *folder* below *root*."""
    way = inside(folder) if folder else ()
    with contextlib.suppress(OSError, Refused), walk(root, way) as fd, os.scandir(fd) as entries:
        found = [match for entry in entries if (match := _LEFTOVER.fullmatch(entry.name))]
        for match in found:
            if not is_alive(match[1]):
                os.unlink(match[0], dir_fd=fd)


@contextlib.contextmanager
def _disk(root: Root, path: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as e:
        where = root.path / path
        if e.errno in _NOT_PLAIN:
            raise Refused(
                f"{where} is a link, lies behind one, or is no regular file; nothing was written: "
                "move that away"
            ) from e
        raise DiskRefused.of(where, e) from e


def _make_way(root: Root, way: list[str], mode: int) -> None:
    for depth in range(len(way)):
        with walk(root, way[:depth]) as fd, contextlib.suppress(FileExistsError):
            os.mkdir(way[depth], mode, dir_fd=fd)


def _replace(folder: int, name: str, chunks: Iterable[bytes]) -> bool:
    """Give the file *name* these bytes, and tell whether it had others."""
    temp = f"{_TEMP}-{own_name()}-{sha256(name.encode(errors='surrogateescape'))[:8]}"
    with new_file.staged(folder, temp, chunks, _OPEN_TO_ALL):
        with contextlib.suppress(FileNotFoundError):
            found = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if not stat.S_ISREG(found.st_mode):
                raise OSError(errno.ELOOP, "no regular file", name)
            if _are_alike(folder, temp, name):
                return False
            os.chmod(temp, stat.S_IMODE(found.st_mode), dir_fd=folder)
        new_file.publish(folder, temp, name)
    return True


def _are_alike(folder: int, *names: str) -> bool:
    """Tell whether two files have the same bytes."""
    digests = set[bytes]()
    for name in names:
        fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
        with os.fdopen(fd, "rb") as file:
            digests.add(hashlib.file_digest(file, "sha256").digest())
    return len(digests) == 1
