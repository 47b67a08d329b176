"""The protocol of a set of files: all bytes durable first, then all names, then all folders.

The old inode of every file it replaces is kept, see `remains`.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator, Sequence

from vaultmem.errors import DiskRefused, ReadOnly
from vaultmem.files.model import LINGER, Root, Step
from vaultmem.files.names import inside, portable
from vaultmem.files.reading import DIRECTORY, NO_FILE, read_at, walk
from vaultmem.files.remains import shelf_of, temporary

_FRESH = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_NO_DIRECTORY_SYNC = frozenset({errno.EINVAL, errno.ENOTSUP})
_OTHER = "no regular file"


def write(
    root: Root, steps: Sequence[Step], token: str, *, unsure: bool = False
) -> tuple[Step, ...]:
    """Carry out *steps* in order: all bytes durable first, then all names, then all folders.

    *token* (a ULID) makes temporary names unique. A step whose file already is as it should be is
    left alone, so a repeated write is harmless. Returns the steps that were left out because their
    file is neither as expected nor as wanted: its bytes are somebody's and stay. *unsure* syncs the
    folders that were there already: who made them may have been killed before. Raises
    DiskRefused when the disk says no, and ReadOnly when an fsync failed: such a page must not be
    trusted again (fsyncgate).
    """
    left: list[Step] = []
    with _disk(root):
        writing = _Writing(root, token, unsure=unsure)
        try:
            due = [s for s in steps if _due(writing, s, left)]
            temps = [_stage(writing, s, n) for n, s in enumerate(due)]
            for step, temp in zip(due, temps, strict=True):
                if not _publish(writing, step, temp):
                    left.append(step)
            writing.sync()
        finally:
            writing.close()
    return tuple(left)


@contextlib.contextmanager
def _disk(root: Root) -> Iterator[None]:
    try:
        yield
    except OSError as e:
        if e.errno == errno.EIO:
            raise ReadOnly(str(e.filename or root.path)) from e
        raise DiskRefused(str(e.filename or root.path), e.strerror or str(e)) from e


def _due(writing: _Writing, step: Step, left: list[Step]) -> bool:
    """Tell whether *step* is still to be done; one that cannot be goes to *left*."""
    found = _current(writing, step.path)
    if found not in {step.pre, step.post}:
        left.append(step)
    return found == step.pre and step.pre != step.post


def _current(writing: _Writing, path: str) -> str | None:
    *folder, name = inside(path)
    try:
        return _sha(writing.folder(tuple(folder)), name)
    except FileNotFoundError:
        return None
    except NotADirectoryError:
        return _OTHER


def _sha(folder: int, name: str) -> str | None:
    """Return the file's sha-256, None when there is none, `_OTHER` for a link or a device."""
    try:
        return read_at(folder, name).sha
    except FileNotFoundError:
        return None
    except OSError as e:
        if e.errno in NO_FILE:
            return _OTHER
        raise


def _stage(writing: _Writing, step: Step, n: int) -> str:
    """Write the step's bytes, durable, beside their target; return the temporary name."""
    if step.data is None:
        return ""
    *folder, _ = portable(step.path) if step.pre is None else inside(step.path)
    fd = writing.folder(tuple(folder), make=True)
    temp = temporary(writing.token, n)
    writing.staged.append((fd, temp))
    _write_new(fd, temp, step.data)
    return temp


def _write_new(folder: int, name: str, data: bytes) -> None:
    fd = _open_new(folder, name)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(fd, view) :]
        os.fsync(fd)
    finally:
        os.close(fd)


def _open_new(folder: int, name: str) -> int:
    try:
        return os.open(name, _FRESH, 0o600, dir_fd=folder)
    except FileExistsError:
        # Left at this very write by a dead process whose number we have now: in a container
        # every process may have the same.
        os.unlink(name, dir_fd=folder)
        return os.open(name, _FRESH, 0o600, dir_fd=folder)


def _publish(writing: _Writing, step: Step, temp: str) -> bool:
    """Give the staged bytes their name; False when somebody's bytes stand there by now."""
    *folder, name = inside(step.path)
    fd = writing.folder(tuple(folder))
    writing.touched.add(tuple(folder))
    if step.pre is None:
        return _create(fd, temp, name)
    if not _linger(writing, fd, name, step):
        return False
    if step.data is None:
        os.unlink(name, dir_fd=fd)
    else:
        os.chmod(temp, stat.S_IMODE(os.stat(name, dir_fd=fd).st_mode), dir_fd=fd)
        os.replace(temp, name, src_dir_fd=fd, dst_dir_fd=fd)
    return True


def _create(fd: int, temp: str, name: str) -> bool:
    # A link refuses to overwrite, a rename does not.
    try:
        os.link(temp, name, src_dir_fd=fd, dst_dir_fd=fd, follow_symlinks=False)
    except FileExistsError:
        return False
    os.unlink(temp, dir_fd=fd)
    return True


def _linger(writing: _Writing, fd: int, name: str, step: Step) -> bool:
    """Keep the old inode by a second name: an editor that holds it open may still write to it.

    False when the file changed since it was checked, or is gone.
    """
    shelf = writing.folder((*LINGER.split("/"), shelf_of(step.path)), make=True)
    kept = f"{step.pre}-{writing.token}"
    with contextlib.suppress(FileExistsError, FileNotFoundError):
        os.link(name, kept, src_dir_fd=fd, dst_dir_fd=shelf, follow_symlinks=False)
    return _sha(fd, name) == step.pre


class _Writing:
    """The folders one write has open, so that each is walked and synced once."""

    def __init__(self, root: Root, token: str, *, unsure: bool) -> None:
        self.root = root
        self.token = token
        self.unsure = unsure
        self.fds: dict[tuple[str, ...], int] = {(): os.dup(root.fd)}
        self.touched: set[tuple[str, ...]] = set()
        self.staged: list[tuple[int, str]] = []

    def folder(self, parts: tuple[str, ...], *, make: bool = False) -> int:
        """Return the descriptor of a folder, made with mode 0700 if asked."""
        if parts not in self.fds:
            above = self.folder(parts[:-1], make=make)
            if make:
                self._make(above, parts)
            self.fds[parts] = os.open(parts[-1], DIRECTORY, dir_fd=above)
            if self.unsure:
                self.touched.add(parts[:-1])
        return self.fds[parts]

    def _make(self, above: int, parts: tuple[str, ...]) -> None:
        with contextlib.suppress(FileExistsError):
            os.mkdir(parts[-1], 0o700, dir_fd=above)
            self.touched.add(parts[:-1])

    def sync(self) -> None:
        """Make every touched folder durable, the deepest first."""
        for parts in sorted(self.touched, key=len, reverse=True):
            _sync_folder(self.fds[parts], "/".join(parts))
        self.touched.clear()

    def close(self) -> None:
        """Remove what was staged and not published, and give the descriptors back."""
        for fd, name in self.staged:
            with contextlib.suppress(OSError):
                os.unlink(name, dir_fd=fd)
        for fd in self.fds.values():
            os.close(fd)


def discard(root: Root, path: str) -> None:
    """Remove a file of our own workings (a temporary, a lingering inode, an intent), durably."""
    *folder, name = inside(path)
    with _disk(root), contextlib.suppress(FileNotFoundError), walk(root, folder) as fd:
        os.unlink(name, dir_fd=fd)
        _sync_folder(fd, path)


def rename(root: Root, old: str, new: str) -> None:
    """Rename a file of our own workings within its folder; not durable until the next sync."""
    *folder, name = inside(old)
    with _disk(root), walk(root, folder) as fd:
        os.replace(name, inside(new)[-1], src_dir_fd=fd, dst_dir_fd=fd)


def _sync_folder(fd: int, path: str) -> None:
    try:
        os.fsync(fd)
    except OSError as e:
        if e.errno not in _NO_DIRECTORY_SYNC:
            e.filename = path
            raise
