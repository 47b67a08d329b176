"""What writes leave behind: the old inodes of replaced files, and temporary files of the dead."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import signal
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from vaultmem.storage.files.file_status import FOLDER, kind_of, stamp, status, walk
from vaultmem.storage.files.folder_scan import names, paths
from vaultmem.storage.files.paths import inside, slug
from vaultmem.storage.files.types import LINGER, TEMP, Content, ReplacedFile, Root
from vaultmem.storage.processes import is_alive, own_name

_LONGEST_FOLDER = 200
_LOOK = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
# A folder called tea.md is found by whoever looks for notes.
_OLD = "~"


def replaced_files(root: Root) -> Iterator[ReplacedFile]:
    """Yield the old inodes of files we replaced or removed."""
    for backup in names(root, LINGER):
        for kept in names(root, f"{LINGER}/{backup}"):
            where = f"{LINGER}/{backup}/{kept}"
            found = status(root, where)
            if found:
                live = found.st_nlink > 1
                *known, _ = kept.split("-")
                yield ReplacedFile(
                    where, _unquoted(backup), frozenset(known), found.st_ctime, live=live
                )


def is_open(root: Root, path: str) -> bool:
    """Tell whether somebody, in whatever process, has the file at *path* open.

    A write lease is granted on a file that nobody else has open (Linux, fcntl(2), F_SETLEASE);
    False where the system has no leases.
    """
    *folder, name = inside(path)
    with contextlib.suppress(FileNotFoundError), walk(root, folder) as above:
        fd = os.open(name, _LOOK, dir_fd=above)
        try:
            return _is_open_elsewhere(fd)
        finally:
            os.close(fd)
    return False


def _is_open_elsewhere(fd: int) -> bool:
    if not hasattr(fcntl, "F_SETLEASE"):
        return False
    try:
        # Whoever opens the file in this moment breaks the lease, and its usual signal would end us.
        fcntl.fcntl(fd, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_WRLCK)
    except OSError as e:
        return e.errno == errno.EAGAIN
    fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return False


def is_known_elsewhere(root: Root, path: str, found: Content) -> bool:
    """Tell whether the file *found* at *path* has a name beside that one and those we gave it."""
    return _has_other_names(root, path, found.names, found.stamp.inode)


def is_elsewhere(root: Root, path: str) -> bool:
    """Tell the same of the file that is at *path* now, without reading it."""
    found = status(root, path)
    return found is not None and _has_other_names(root, path, found.st_nlink, found.st_ino)


def _has_other_names(root: Root, path: str, count: int, inode: int) -> bool:
    if count == 1:
        return False
    folder, backup = path.rpartition("/")[0], f"{LINGER}/{backup_folder(path)}"
    temps = (name for name in names(root, folder) if name.startswith(TEMP))
    ours = [f"{folder}/{name}".lstrip("/") for name in temps]
    ours += [f"{backup}/{name}" for name in names(root, backup)]
    same = [s for own in ours if (s := stamp(root, own)) and s.inode == inode]
    return count > 1 + len(same)


def remove_empty_folders(root: Root) -> None:
    """Remove the folders of inodes that are gone: their names say what was once written."""
    for backup in names(root, LINGER):
        with contextlib.suppress(OSError), walk(root, inside(LINGER)) as fd:
            os.rmdir(backup, dir_fd=fd)


def remove_empty_folder(root: Root, path: str) -> None:
    """Remove the folder at *path* if there is no file in it or below; else nothing is lost."""
    for name in names(root, path):
        if kind_of(root, inner := f"{path}/{name}") != FOLDER:
            return
        remove_empty_folder(root, inner)
    *above, last = inside(path)
    with contextlib.suppress(OSError), walk(root, above) as fd:
        os.rmdir(last, dir_fd=fd)


def backup_folder(path: str) -> str:
    """Return the name of the folder that keeps the old inodes of the file at *path*."""
    # The end tells a person most, and no file system takes a longer name.
    whole = path.replace("%", "%25").replace("/", "%2F")
    return os.fsencode(whole)[-_LONGEST_FOLDER:].decode("utf-8", "ignore") + _OLD


def _unquoted(name: str) -> str:
    return name.removesuffix(_OLD).replace("%2F", "/").replace("%25", "%")


def leftovers(root: Root) -> Iterator[str]:
    """Yield the paths of temporary files of ours, wherever they lie."""
    for path in paths(root, lambda folder: folder in {".git", ".trash"}):
        if path.rpartition("/")[2].startswith(TEMP):
            yield path


def has_strays(root: Root, folder: str) -> bool:
    """Tell whether temporary files of the dead lie directly in *folder*."""
    return any(_is_stray(name) for name in names(root, folder))


def sweep(root: Root, folders: Iterable[str]) -> None:
    """Remove the temporary files of the dead that lie directly in *folders*, as far as it goes.

    Not durable, and no folder is walked further: what stays is `leftovers`' to find.
    """
    for folder in folders:
        parts = inside(folder) if folder else ()
        with contextlib.suppress(OSError), walk(root, parts) as fd:
            with os.scandir(fd) as entries:
                strays = [entry.name for entry in entries if _is_stray(entry.name)]
            for name in strays:
                os.unlink(name, dir_fd=fd)


def _is_stray(name: str) -> bool:
    return name.startswith(TEMP) and not alive(name)


def temporary(token: str, n: int) -> str:
    """Return the name of our temporary file number *n* in the write that *token* names."""
    return f"{TEMP}{_host()}-{own_name()}-{token}-{n}"


def alive(temp: str) -> bool:
    """Tell whether the process that owns the temporary file named *temp* still runs here."""
    parts = PurePosixPath(temp).name.removeprefix(TEMP).rsplit("-", 3)
    if len(parts) != len(("host", "process", "token", "n")) or parts[0] != _host():
        return True  # another machine's: not ours to judge
    return is_alive(parts[1])


def _host() -> str:
    return slug(os.uname().nodename, 20) or "host"
