"""Read files whole, each by a folder that is held open; no link is ever followed."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from vaultmem.errors import DiskRefused, NotAFile
from vaultmem.storage.files.file_status import kind_of, stamp_of, walk
from vaultmem.storage.files.paths import inside, is_text
from vaultmem.storage.files.types import Content, Root, sha256

NO_FILE = frozenset({errno.ELOOP, errno.ENXIO, errno.EISDIR})
"""How the system answers when a name is a link or a device."""
LARGEST_NOTE = 8 << 20
"""Bytes of a note that is read at all, eighty times a memory's: what is larger is no note."""

T = TypeVar("T")
Read = Callable[[str], Content | None]
WalkTo = Callable[[Sequence[str]], contextlib.AbstractContextManager[int]]


def read(root: Root, path: str, walk_to: WalkTo | None = None) -> Content | None:
    """Return the file at *path*, None when there is none; *walk_to* as for `look_at`.

    Raises NotAFile for a link or device and DiskRefused when the system does not let us read, or
    for a note that is larger than any.
    """
    most = LARGEST_NOTE if path.endswith(".md") or is_text(path) else None
    return look_at(root, path, partial(read_at, most=most), walk_to)


@contextlib.contextmanager
def reading_many(root: Root) -> Iterator[Read]:
    """Yield what reads files as `read` does, and holds the folder of the last one open.

    Where many files of one folder are read in a row, it is walked to once.
    """
    with contextlib.ExitStack() as held:
        yield partial(read, root, walk_to=_LastFolder(root, held).walk)


class _LastFolder:
    """The folder that was walked to last, *held* open until another one is."""

    def __init__(self, root: Root, held: contextlib.ExitStack) -> None:
        self._root, self._held = root, held
        self._parts: Sequence[str] | None = None
        self._fd = -1

    def walk(self, parts: Sequence[str]) -> contextlib.AbstractContextManager[int]:
        """Have its descriptor in a block, as `walk` does."""
        if parts != self._parts:
            self._parts = None
            self._held.close()
            self._fd = self._held.enter_context(walk(self._root, parts))
            self._parts = parts
        return contextlib.nullcontext(self._fd)


def look_at(
    root: Root, path: str, look: Callable[[int, str], T], walk_to: WalkTo | None = None
) -> T | None:
    """Return what *look* finds, given the open folder and the name of *path*; None for no file.

    *walk_to* opens the folder, if that is not to be `walk`. Raises NotAFile for a link or device
    and DiskRefused when the system says no.
    """
    *folder, name = inside(path)
    try:
        with walk_to(folder) if walk_to else walk(root, folder) as fd:
            return look(fd, name)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as e:
        if e.errno == errno.ENAMETOOLONG:  # nothing can have this name
            return None
        if e.errno in NO_FILE:
            raise NotAFile(path, kind_of(root, path) or "no regular file") from e
        raise DiskRefused.of(path, e) from e


def read_at(folder: int, name: str, most: int | None = None) -> Content:
    """Return the file *name* in an open *folder*; raises OSError, one of NO_FILE for no file.

    EFBIG is for one of more than *most* bytes, of which none is read.
    """
    with regular(folder, name, os.O_RDONLY) as fd:
        found = os.fstat(fd)
        if most is not None and found.st_size > most:
            raise OSError(errno.EFBIG, f"larger than {most >> 20} MiB, as no note is", name)
        # Its size tells how much room it needs: to ask for *most* would take all that each time.
        data = io.FileIO(fd, closefd=False).readall()
    return Content(data, sha256(data), stamp_of(found), found.st_nlink)


@contextlib.contextmanager
def regular(folder: int, name: str, flags: int) -> Iterator[int]:
    """Yield a descriptor of the regular file *name*; raises OSError, one of NO_FILE for no file."""
    fd = os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError(errno.EISDIR, "not a regular file", name)
        yield fd
    finally:
        os.close(fd)
