"""The ledger's file: a line for each memory that is acknowledged, and for each that is released.

It is only added to, under a lock of its own, and synced before anybody relies on it. Half a line
that a crash left is passed over. Only a purge takes lines out: a path has words of its text.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from vaultmem.errors import disk_errors
from vaultmem.storage import file_lock
from vaultmem.storage.files import new_file, private_file
from vaultmem.storage.ledger import missing_cache
from vaultmem.storage.ledger.missing_cache import ENTRIES, Comparison

_ID = re.compile(rb"""(?im)^id:[ \t]*["']?([0-9A-HJKMNP-TV-Z]{26})["']?[ \t]*\r?$""")
_MEMORY = re.compile(r"(?:agents/[^/]+/(?:memories|archive)|inbox/review)/.+\.md", re.DOTALL)
_HEAD = 16 << 10
_AT_ONCE = 5000
"""Lines that are written in one call."""
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW


@dataclass(frozen=True, slots=True)
class Entry:
    """A memory that was acknowledged by the operation *op*, and where it is kept.

    *text* is what is accepted of its text by that, as `accepted_text.by_operation` says it.
    """

    id: str
    path: str
    op: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Release:
    """A memory that nobody has to answer for any more where it was, and *why*.

    Kept at another *path* meanwhile it stays acknowledged; "" lets it go wherever it is. What was
    acknowledged at that path goes with it under whichever id: a person may have edited that.
    """

    id: str
    path: str
    why: str


Line = Entry | Release

LET_GO = "accepted"
"""Why a memory is released that a person lets go."""


def holds(path: str) -> bool:
    """Tell whether a memory may stand at *path*; what is not trusted waits in the inbox."""
    return _MEMORY.fullmatch(path) is not None


def memory_id(data: bytes) -> str:
    """Return the id in the frontmatter of *data*, "" without one."""
    found = _ID.search(data[:_HEAD].partition(b"\n---")[0])
    return found[1].decode().upper() if found else ""


class Ledger:
    """The ledger of the vault at *vault*, with its lock held; get one from `Ledger.of`."""

    def __init__(self, vault: Path, fd: int) -> None:
        """Read and write through *fd*."""
        self._vault, self._fd = vault, fd

    @classmethod
    @contextlib.contextmanager
    def of(cls, vault: Path) -> Iterator[Ledger]:
        """Hold the ledger of *vault*, empty where there is none; raises DiskRefused."""
        held = cls(vault, _locked(vault / ENTRIES))
        try:
            yield held
        finally:
            file_lock.unlock(held._fd)

    @property
    def size(self) -> int:
        """How long it is; 0 when it is new."""
        return os.fstat(self._fd).st_size

    @property
    def last_comparison(self) -> Comparison | None:
        """How it differed from HEAD when they were compared last."""
        return missing_cache.load(self._vault)

    def stands(self, known: Comparison) -> Comparison:
        """Note how it stands to HEAD now, and return that."""
        if known != self.last_comparison:
            missing_cache.note(self._vault, known)
        return known

    def add(self, lines: Iterable[Line]) -> None:
        """Add *lines*, durably; raises DiskRefused."""
        rest = iter(lines)
        some = list(islice(rest, _AT_ONCE))
        if not some:
            return
        start = self.size
        with disk_errors(self._vault / ENTRIES, below=True):
            while some:
                new_file.append_lines(self._fd, b"".join(map(_dump, some)))
                some = list(islice(rest, _AT_ONCE))
            os.fsync(self._fd)
            if not start:
                private_file.sync_folder((self._vault / ENTRIES).parent)

    def since(self, start: int) -> Iterator[Line]:
        """Yield the lines from byte *start* on."""
        data = os.pread(self._fd, max(self.size - start, 0), max(start, 0))
        for line in data.splitlines():
            if (found := _load(line)) is not None:
                yield found

    def entries(self) -> dict[str, Entry]:
        """Return what is acknowledged, by id."""
        return alive(self.since(0))

    def cut(self, refs: Collection[str]) -> None:
        """Take out every line of the memories with *refs*, ids or paths, for good."""
        self.become([line for line in self.since(0) if not {line.id, line.path} & {*refs}])

    def become(self, lines: Iterable[Line]) -> None:
        """Hold *lines* and nothing else, also when there is a crash; raises DiskRefused."""
        missing_cache.forget(self._vault)
        path = self._vault / ENTRIES
        new = path.with_name(f"{path.name}.new")
        with disk_errors(path, below=True):
            fd = os.open(new, _FLAGS | os.O_TRUNC, 0o600)
            fcntl.flock(fd, fcntl.LOCK_EX)
            file_lock.unlock(self._fd)
            self._fd = fd
            new_file.write_all(fd, b"".join(map(_dump, lines)))
            os.fsync(fd)
            new.replace(path)
            private_file.sync_folder(path.parent)


@dataclass(frozen=True, slots=True)
class Growth:
    """What was added to the ledger since somebody read *up_to* here; all of it where *anew*."""

    up_to: str
    lines: tuple[Line, ...] = ()
    anew: bool = False


def growth(vault: Path, up_to: str) -> Growth:
    """Return what the ledger has beyond *up_to*, which an earlier look returned; "" reads it all.

    Nothing is locked: a line that is being written is read by the next look.
    """
    try:
        fd = os.open(vault / ENTRIES, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return Growth("", anew=bool(up_to))
    try:
        stat = os.fstat(fd)
        inode, _, size = up_to.partition(":")
        anew = inode != str(stat.st_ino) or stat.st_size < int(size)
        start = 0 if anew else int(size)
        data = os.pread(fd, stat.st_size - start, start)
    finally:
        os.close(fd)
    end = data.rfind(b"\n") + 1
    lines = tuple(line for raw in data[:end].splitlines() if (line := _load(raw)))
    return Growth(f"{stat.st_ino}:{start + end}", lines, anew)


def count(vault: Path) -> int:
    """Return how many memories of the vault at *vault* are acknowledged; raises DiskRefused."""
    if missing_cache.size(vault) <= 0:
        return 0
    with Ledger.of(vault) as ledger:
        return len(ledger.entries())


def discard(vault: Path) -> None:
    """Answer for nothing any more: the history that held it is given up."""
    missing_cache.forget(vault)
    (vault / ENTRIES).unlink(missing_ok=True)


def _locked(path: Path) -> int:
    """Return the file at *path*, open and locked."""
    with disk_errors(path, below=True):
        return file_lock.locked_file(path)


def alive(lines: Iterable[Line]) -> dict[str, Entry]:
    """Return what *lines*, in their order, leave acknowledged, by id."""
    found: dict[str, Entry] = {}
    at: defaultdict[str, set[str]] = defaultdict(set)
    for line in lines:
        if isinstance(line, Entry):
            found[line.id] = line
            at[line.path].add(line.id)
        else:
            for memory in {line.id, *at.pop(line.path, ())}:
                if memory in found and line.path in {"", found[memory].path}:
                    del found[memory]
    return found


def _dump(line: Line) -> bytes:
    if isinstance(line, Entry):
        said = ["+", line.id, line.path, line.op, line.text]
    else:
        said = ["-", line.id, line.path, line.why]
    return json.dumps(said, separators=(",", ":")).encode() + b"\n"


def _load(line: bytes) -> Line | None:
    with contextlib.suppress(ValueError, TypeError):
        match json.loads(line):
            case ["+", str(memory), str(path), str(op), str(text)]:
                return Entry(memory, path, op, text)
            case ["+", str(memory), str(path), str(op)]:  # as it was written before texts were
                return Entry(memory, path, op)
            case ["-", str(memory), str(path), str(why)]:
                return Release(memory, path, why)
    return None
