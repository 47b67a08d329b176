"""The protocol of a set of files: all bytes durable first, then all names, then all folders.

The old inode of every file it replaces is kept, see `leftover_files`; what is added to the end of a
file replaces nothing, see `appending`.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import PurePosixPath
from typing import TypeGuard

from vaultmem.errors import DiskRefused, ReadOnly
from vaultmem.storage.files import appending, new_file
from vaultmem.storage.files.appending import Tail
from vaultmem.storage.files.file_contents import NO_FILE, read_at
from vaultmem.storage.files.file_status import DIRECTORY, walk
from vaultmem.storage.files.leftover_files import backup_folder, temporary
from vaultmem.storage.files.paths import inside, portable
from vaultmem.storage.files.types import LINGER, TEMP, Addition, Root, Step

_OTHER = "no regular file"
_FORBIDDEN = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
_ENOUGH = 32  # of a sha-256; with two whole ones, a name is too long for eCryptfs
_Any = Step | Addition


def write(
    root: Root, steps: Sequence[Step | Addition], token: str, *, unsure: bool = False
) -> tuple[Step | Addition, ...]:
    """Carry out *steps* in order: all bytes durable first, then all names, then all folders.

    *token* (a ULID) makes temporary names unique. A step whose file already is as it should be is
    left alone, so a repeated write is harmless. What is added to a file is written, durable, when
    its turn comes among the names. Returns the steps that were left out because their file is
    neither as expected nor as wanted: its bytes are somebody's and stay. *unsure* syncs what was
    there already: who made it may have been killed before. Raises DiskRefused when the disk says
    no, and ReadOnly when an fsync failed: such a page must not be trusted again (fsyncgate).
    """
    left: list[_Any] = []
    with _disk(root):
        writing = _Writing(root, token, unsure=unsure)
        try:
            due = [s for s in steps if _due(writing, s, left)]
            temps: list[str] = []
            for n, step in enumerate(due):
                with _naming(root, step.path):
                    temps.append(_stage(writing, step, n))
            for step, temp in zip(due, temps, strict=True):
                with _naming(root, step.path):
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
        # A temporary name of ours would tell a person nothing.
        named = e.filename and not str(e.filename).startswith(TEMP)
        raise DiskRefused.of(e.filename if named else root.path, e) from e


@contextlib.contextmanager
def _naming(root: Root, path: str) -> Iterator[None]:
    """Let an error of the system name what may not be written of *path*: the file, or its folder.

    It names nothing itself, or what we call a file meanwhile.
    """
    try:
        yield
    except OSError as e:
        if e.errno in _FORBIDDEN:
            e.filename = _shut_above(root, path) or path
        raise


def _shut_above(root: Root, path: str) -> str:
    """Return the outermost of the folders of *path* up to one that may be written, "" for none."""
    there = (root.path / p for p in PurePosixPath(path).parents if (root.path / p).is_dir())
    shut = list(takewhile(lambda folder: not os.access(folder, os.W_OK), there))
    if not shut:
        return ""
    return str(root.path) if shut[-1] == root.path else str(shut[-1].relative_to(root.path))


def _due(writing: _Writing, step: _Any, left: list[_Any]) -> bool:
    """Tell whether *step* is still to be done; one that cannot be goes to *left*."""
    due, done = _added(writing, step) if isinstance(step, Addition) else _stands(writing, step)
    if done:
        writing.confirm(step)
    elif not due:
        left.append(step)
    return due and not done


def _added(writing: _Writing, step: Addition) -> tuple[bool, bool]:
    """Tell whether the addition can be made, and whether it is already there."""
    *folder, name = inside(step.path)
    try:
        tail = appending.look(writing.folder(tuple(folder)), name, step)
    except FileNotFoundError:
        tail = Tail.MOVED if step.at else Tail.FREE
    except NotADirectoryError:
        tail = Tail.MOVED
    return tail in {Tail.FREE, Tail.TORN}, tail is Tail.DONE


def _stands(writing: _Writing, step: Step) -> tuple[bool, bool]:
    """Tell whether the file is as the step expects it, and whether it is as it wants it."""
    found = _current(writing, step.path)
    return found == step.pre, found == step.post


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


def _stage(writing: _Writing, step: _Any, n: int) -> str:
    """Write the step's bytes, durable, beside their target; return the temporary name.

    There is none by that name where nothing is to be written, or at the end of a file.
    """
    temp = temporary(writing.token, n)
    if step.data is None or _extends(step):
        return temp
    *folder, _ = portable(step.path) if step.is_new else inside(step.path)
    fd = writing.folder(tuple(folder), make=True)
    writing.staged.append((fd, temp))
    new_file.create(fd, temp, (step.data,))
    return temp


def _extends(step: _Any) -> TypeGuard[Addition]:
    return isinstance(step, Addition) and not step.is_new


def _publish(writing: _Writing, step: _Any, temp: str) -> bool:
    """Give the staged bytes their name; False when somebody's bytes stand there by now."""
    *folder, name = inside(step.path)
    fd = writing.folder(tuple(folder))
    if _extends(step):
        if appending.separate(fd, name, temp):
            writing.touched.add(tuple(folder))
        return appending.extend(fd, name, step)
    writing.touched.add(tuple(folder))
    if isinstance(step, Addition) or step.is_new:
        return _create(fd, temp, name)
    if _sha(fd, name) != step.pre:
        return False
    if step.data is None:
        return _take_away(writing, fd, name, step)
    os.chmod(temp, stat.S_IMODE(os.stat(name, dir_fd=fd).st_mode), dir_fd=fd)
    return _replace(writing, fd, name, step, temp)


def _create(fd: int, temp: str, name: str) -> bool:
    # A link refuses to overwrite, a rename does not.
    try:
        os.link(temp, name, src_dir_fd=fd, dst_dir_fd=fd, follow_symlinks=False)
    except FileExistsError:
        return False
    os.unlink(temp, dir_fd=fd)
    return True


def _replace(writing: _Writing, fd: int, name: str, step: Step, temp: str) -> bool:
    """Put the staged bytes in the place of those that were checked, which are kept.

    An editor that holds the old inode open may still write to it. False, and theirs stand there,
    when somebody saved since the check.
    """
    from vaultmem.storage.files import name_exchange  # noqa: PLC0415  # who only reads loads no ctypes

    backup, kept = writing.backup_place(step)
    writing.move(fd, temp, backup, kept)
    try:
        done = name_exchange.exchange(backup, kept, fd, name)
    except FileNotFoundError:  # somebody took it away since the check
        return False
    if not done:
        writing.move(backup, kept, fd, temp)
        return _replace_blindly(fd, name, step, temp, (backup, kept))
    if _sha(backup, kept) == step.pre:
        writing.leave(backup, kept)
        return True
    with contextlib.suppress(FileNotFoundError):
        name_exchange.exchange(backup, kept, fd, name)
        if _sha(backup, kept) == step.post:
            return False
        name_exchange.exchange(backup, kept, fd, name)  # somebody saved once more: the newest stays
    writing.leave(backup, kept)  # whose bytes ever they are, they go to the inbox
    return False


def _replace_blindly(fd: int, name: str, step: Step, temp: str, place: tuple[int, str]) -> bool:
    """Do so where nothing can be exchanged: a save between check and rename would be lost."""
    backup, kept = place
    with contextlib.suppress(FileExistsError, FileNotFoundError):
        os.link(name, kept, src_dir_fd=fd, dst_dir_fd=backup, follow_symlinks=False)
    if _sha(fd, name) != step.pre:
        return False
    new_file.publish(fd, temp, name)
    return True


def _take_away(writing: _Writing, fd: int, name: str, step: Step) -> bool:
    """Take the name from the bytes that were checked, and keep them; False if others stand there.

    What is taken is looked at when it is out of everybody's reach, and given back if it is another.
    """
    backup, kept = writing.backup_place(step)
    try:
        os.replace(name, kept, src_dir_fd=fd, dst_dir_fd=backup)
    except FileNotFoundError:
        return False
    if _sha(backup, kept) == step.pre:
        return True
    with contextlib.suppress(FileExistsError):  # somebody's newer one: this goes to the inbox
        os.link(kept, name, src_dir_fd=backup, dst_dir_fd=fd, follow_symlinks=False)
        os.unlink(kept, dir_fd=backup)
    return False


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

    def confirm(self, step: Step | Addition) -> None:
        """Make a step that was done before durable, if that is *unsure*."""
        *folder, name = inside(step.path)
        parts = tuple(folder)
        if self.unsure and parts in self.fds:
            self.touched.add(parts)
            if isinstance(step, Addition):
                appending.confirm(self.fds[parts], name)

    def backup_place(self, step: Step) -> tuple[int, str]:
        """Return where what *step* replaces is kept: the open folder, and the name in it."""
        folder = self.folder((*LINGER.split("/"), backup_folder(step.path)), make=True)
        known = (sha[:_ENOUGH] for sha in (step.pre, step.post) if sha)
        return folder, "-".join((*known, self.token))

    def move(self, fd: int, name: str, folder: int, to: str) -> None:
        """Give what was staged another name."""
        os.replace(name, to, src_dir_fd=fd, dst_dir_fd=folder)
        self.leave(fd, name)
        self.staged.append((folder, to))

    def leave(self, fd: int, name: str) -> None:
        """Let what was staged stay when this write is over."""
        self.staged.remove((fd, name))

    def _make(self, above: int, parts: tuple[str, ...]) -> None:
        with contextlib.suppress(FileExistsError):
            os.mkdir(parts[-1], 0o700, dir_fd=above)
            self.touched.add(parts[:-1])

    def sync(self) -> None:
        """Make every touched folder durable, the deepest first."""
        for parts in sorted(self.touched, key=len, reverse=True):
            new_file.sync_folder(self.fds[parts], "/".join(parts))
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
        new_file.sync_folder(fd, path)


def rename(root: Root, old: str, new: str) -> None:
    """Rename a file of our own workings within its folder; not durable until the next sync."""
    *folder, name = inside(old)
    with _disk(root), walk(root, folder) as fd:
        new_file.publish(fd, name, inside(new)[-1])
