"""Whether a file may be executed: the one part of its mode that git keeps, too."""

from __future__ import annotations

import errno
import os
import stat

from vaultmem.errors import disk_errors
from vaultmem.storage.files.file_contents import NO_FILE
from vaultmem.storage.files.file_status import walk
from vaultmem.storage.files.paths import inside
from vaultmem.storage.files.types import Root

_LOOK = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_ABSENT = NO_FILE | {errno.ENOENT, errno.ENOTDIR}
_MAY_READ, _MAY_EXECUTE = 0o444, 0o111


def set_executable(root: Root, path: str, *, executable: bool) -> None:
    """Let those execute the file at *path* who may read it, or nobody; raises DiskRefused.

    No link is followed, and nothing done where there is no file.
    """
    *folder, name = inside(path)
    with disk_errors(root.path / path):
        try:
            with walk(root, folder) as parent:
                fd = os.open(name, _LOOK, dir_fd=parent)
        except OSError as e:
            if e.errno in _ABSENT:
                return
            raise
        try:
            mode = stat.S_IMODE(os.fstat(fd).st_mode)
            may = (mode & _MAY_READ) >> 2 if executable else 0
            os.fchmod(fd, mode & ~_MAY_EXECUTE | may)
        finally:
            os.close(fd)
