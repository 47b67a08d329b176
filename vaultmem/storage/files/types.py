"""What the package speaks of: a folder held open, a file as it was read, a step of a write."""

from __future__ import annotations

import contextlib
import hashlib
import os
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from vaultmem.errors import disk_errors
from vaultmem.storage.owner_thread import Owner, Uncopied

TEMP = ".vm-tmp-"
LINGER = ".vaultmem/linger"
READ_ONLY = ".vaultmem/read-only"
"""What a failed fsync leaves; only `fsck --repair` takes it away."""

HELD = ".vaultmem/held"
"""The files, a line each, that were kept out of the history when it last got a person's edits."""

RESTORE = "restore it with `git checkout -- {path}`"
"""What a person may do about a file that git has as it was; the path is a word of a shell."""

HALF_LINE = "finish the line by hand and end it with a newline, or remove it"
"""What a person shall do about a file that must grow and ends in half a line."""


class Stamp(NamedTuple):
    """What tells a changed file from an unchanged one without reading it.

    A program may put back when a file was written, not when the system noted a change, `ctime_ns`.
    A new mode, name or link moves that, too: such a file is read again, and found equal.
    """

    size: int
    mtime_ns: int
    inode: int
    ctime_ns: int


NO_STAMP = Stamp(0, 0, 0, 0)
"""Stands for a file that is on no disk, or was never seen."""

DOUBTED = Stamp(0, -1, 0, 0)
"""Stands for a folder that may have moved since: none has this stamp."""


class Content(NamedTuple):
    """A file as it was read: its bytes, their sha-256, its stamp, how many names it has."""

    data: bytes
    sha: str
    stamp: Stamp
    names: int = 1


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder as it was found: its stamp, its Markdown files, and what is neither.

    It is called "" or "a/b/"; its stamp moves with each name that comes, goes or is replaced.
    """

    path: str
    stamp: Stamp
    files: Mapping[str, Stamp] = field(default_factory=dict)
    odd: tuple[str, ...] = ()
    unmoved: bool = False
    """It was not looked into, for all above and in it is as it was."""
    shut: str = ""
    """Why it could not be looked into: nobody knows what is in it."""
    digest: str = ""
    """One digest of all notes in it, where it was looked into."""
    settled: bool = False
    """Its digest is the known one: its files are as they were, and left out."""


class Listing(NamedTuple):
    """Markdown files by path, every folder with its stamp, and what is neither: all at once."""

    files: dict[str, Stamp]
    folders: dict[str, Stamp]
    odd: tuple[str, ...]


class Step(NamedTuple):
    """One file of a write: from the bytes hashed *pre* to *data*; None is absence."""

    path: str
    pre: str | None
    data: bytes | None

    @property
    def is_new(self) -> bool:
        """Whether no file is expected there."""
        return self.pre is None

    @property
    def post(self) -> str | None:
        """The sha-256 the file has when this step is done."""
        return None if self.data is None else sha256(self.data)


class Addition(NamedTuple):
    """Bytes that go at the end of the file at *path*, whose size is *at*; 0 makes a new file.

    The file is neither read nor copied, so that a long one costs no more than what is added.
    """

    path: str
    at: int
    data: bytes

    @property
    def is_new(self) -> bool:
        """Whether no file is expected there."""
        return self.at == 0


class Ending(NamedTuple):
    """How a file ends: its *size* and its last *line*, *torn* when no newline closes it."""

    size: int
    line: bytes
    torn: bool


class Root(Uncopied):
    """A folder held open: all access below it goes through this descriptor."""

    def __init__(self, path: Path) -> None:
        """Open the folder at *path*; raises DiskRefused when the system does not let us."""
        self.path, self._owner = path, Owner("this vault")
        with disk_errors(path):
            self._fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        # Bound to this very object: what nobody closes is given back with it, once, and nothing
        # that merely looks like it has anything to give back.
        self._give_back = weakref.finalize(self, _close, self._fd)
        self._give_back.atexit = False  # the system does it then, after whoever writes to the last

    @property
    def fd(self) -> int:
        """The descriptor, for the thread that opened it; raises as `check` does."""
        self._owner.check()
        return self._fd

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._owner.closed

    @property
    def inherited(self) -> bool:
        """Whether this process is a fork of the one that opened it."""
        return self._owner.inherited

    def check(self) -> None:
        """Raise Closed once it is closed, OtherProcess or OtherThread to who did not open it."""
        self._owner.check()

    def close(self) -> None:
        """Give the descriptor back; twice is once. Raises OtherThread while its thread lives."""
        if self._owner.end():
            self._give_back()


def _close(fd: int) -> None:
    with contextlib.suppress(OSError):  # somebody else closed it: it is not open, as was wished
        os.close(fd)


class ReplacedFile(NamedTuple):
    """The old inode of a replaced file: where it is kept, of which path, since when (Unix time).

    *known* are beginnings of the sha-256 of what was replaced and of what replaced it, which a
    power loss may leave here: an exchange is of two folders. *live* when it has another name
    still: a crash came before the replacing.
    """

    kept: str
    path: str
    known: frozenset[str]
    since: float
    live: bool = False

    def is_known(self, sha: str) -> bool:
        """Tell whether *sha* is of bytes that we gave or took."""
        return sha.startswith(tuple(self.known))


def sha256(data: bytes) -> str:
    """Return the lower-case hexadecimal sha-256 of *data*."""
    return hashlib.sha256(data).hexdigest()


def content(data: bytes) -> Content:
    """Return *data* as if it had been read from a file, without a stamp."""
    return Content(data, sha256(data), NO_STAMP._replace(size=len(data)))
