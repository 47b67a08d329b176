"""The ledger's file: a line for each memory that is acknowledged, and for each that is released.

And for each file that somebody else committed as an operation of ours had left it.

It is only added to, under a lock of its own, and synced before anybody relies on it. Half a line
that a crash left is passed over. Only a purge takes lines out: a path has words of its text.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from vaultmem.errors import disk_errors
from vaultmem.storage import file_lock
from vaultmem.storage.batches import batches
from vaultmem.storage.files import new_file, private_file
from vaultmem.storage.ledger import missing_cache
from vaultmem.storage.ledger.missing_cache import ENTRIES, Comparison
from vaultmem.storage.ledger.standing_entries import alive
from vaultmem.storage.ledger.types import LET_GO, Entry, Line, Record, Release, Taken

_ID = re.compile(rb"""(?im)^id:[ \t]*["']?([0-9A-HJKMNP-TV-Z]{26})["']?[ \t]*\r?$""")
_MEMORY = re.compile(r"(?:agents/[^/]+/(?:memories|archive)|inbox/review)/.+\.md", re.DOTALL)
_HEAD = 16 << 10
_AT_ONCE = 5000
"""Lines that are written in one call."""
_PAGE = 1 << 20
"""Bytes of lines that are read at once."""
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
_READ_ONLY = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


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

    def add(self, lines: Iterable[Record]) -> None:
        """Add *lines*, durably; raises DiskRefused."""
        is_new = not self.size
        with disk_errors(self._vault / ENTRIES, below=True):
            if _append(self._fd, lines):
                os.fsync(self._fd)
                if is_new:
                    private_file.sync_folder((self._vault / ENTRIES).parent)

    @property
    def is_damaged(self) -> bool:
        """Whether there is a line that cannot be read, by a crash or a bad disk."""
        lines = _read(self._fd, 0, self.size)
        return any(line and _load(line) is None for line in lines)

    def since(self, start: int) -> Iterator[Line]:
        """Yield the lines of memories from byte *start* on."""
        return _of_memories(self.records(start))

    def records(self, start: int = 0) -> Iterator[Record]:
        """Yield all lines from byte *start* on."""
        return _loaded(_read(self._fd, max(start, 0), self.size))

    def taken(self, start: int = 0) -> Iterator[Taken]:
        """Yield what others have committed, by the lines from byte *start* on."""
        return (it for it in self.records(start) if isinstance(it, Taken))

    def alive(self) -> Iterator[Entry]:
        """Yield what is acknowledged, by path."""
        return alive(self.since(0))

    def entries(self, wanted: Collection[str]) -> dict[str, Entry]:
        """Return those of the memories *wanted*, by id, that are acknowledged."""
        lines = (it for it in self.since(0) if isinstance(it, Release) or it.id in wanted)
        return {entry.id: entry for entry in alive(lines)}

    def let_go(self) -> dict[str, Entry]:
        """Return what a person let go and nobody acknowledged since, by id, as it was before."""
        gone = {it.id for it in self.since(0) if _lets_go(it)}
        if not gone:
            return {}
        others = (it for it in self.since(0) if not _lets_go(it)
                  and (isinstance(it, Release) or it.id in gone))  # fmt: skip
        now = self.entries(gone)
        return {entry.id: entry for entry in alive(others) if entry.id not in now}

    def cut(self, refs: Collection[str], commits: Mapping[str, str]) -> None:
        """Take out every line of what has *refs*, ids or paths, for good.

        *commits* go by other ids from now on.
        """
        kept = (it for it in self.records() if _names(it).isdisjoint(refs))
        self.become(
            it._replace(commit=commits.get(it.commit, it.commit)) if isinstance(it, Taken) else it
            for it in kept
        )

    def become(self, lines: Iterable[Record]) -> None:
        """Hold *lines* and nothing else, also when there is a crash; raises DiskRefused."""
        missing_cache.forget(self._vault)
        path = self._vault / ENTRIES
        new = path.with_name(f"{path.name}.new")
        with disk_errors(path, below=True):
            fd = os.open(new, _FLAGS | os.O_TRUNC, 0o600)
            old, self._fd = self._fd, fd
            try:
                fcntl.flock(fd, fcntl.LOCK_EX)
                _append(fd, lines)  # which may be read of what was
                os.fsync(fd)
                new.replace(path)
                private_file.sync_folder(path.parent)
            finally:
                file_lock.unlock(old)


class Growth(NamedTuple):
    """A page of what was added to the ledger since somebody read up to there; it ends at *up_to*.

    *anew*: it is another ledger by now, and this its first page.
    """

    up_to: str
    lines: tuple[Line, ...] = ()
    anew: bool = False


def growth(vault: Path, up_to: str) -> Growth | None:
    """Return the next page of the ledger beyond *up_to*, where the last one ended; None at its end.

    "" reads it from the first. Nothing is locked: a line that is being written is read by the next
    look. Raises DiskRefused where it cannot be read: what it said is not gone.
    """
    with disk_errors(vault / ENTRIES):
        page = _page(vault, up_to)
    if page is None:
        return Growth("", anew=True) if up_to else None
    return page if page.lines or page.up_to != up_to else None


def _page(vault: Path, up_to: str) -> Growth | None:
    """Return the lines beyond *up_to*, None where there is no ledger."""
    try:
        fd = _opened(vault / ENTRIES)
    except FileNotFoundError:
        return None
    try:
        stat = os.fstat(fd)
        inode, _, size = up_to.partition(":")
        anew = inode != str(stat.st_ino) or stat.st_size < int(size)
        start = 0 if anew else int(size)
        data = os.pread(fd, _PAGE, start)
    finally:
        os.close(fd)
    end = data.rfind(b"\n") + 1
    if not end and len(data) == _PAGE:  # no line of ours is as long: what a torn disk left there
        end = _PAGE
    lines = _of_memories(_loaded(data[:end].splitlines()))
    return Growth(f"{stat.st_ino}:{start + end}", tuple(lines), anew)


def _lets_go(line: Line) -> bool:
    return isinstance(line, Release) and line.why == LET_GO


def _lines(vault: Path) -> Iterator[Line]:
    """Yield all lines of memories of the ledger of *vault*, as it is now; nothing is locked.

    One that takes its place meanwhile is another file.
    """
    with disk_errors(vault / ENTRIES):
        try:
            fd = _opened(vault / ENTRIES)
        except FileNotFoundError:
            return
        try:
            yield from _of_memories(_loaded(_read(fd, 0, os.fstat(fd).st_size)))
        finally:
            os.close(fd)


def standing(vault: Path) -> Iterator[Entry]:
    """Yield the memories of the vault at *vault* that are acknowledged, by path.

    Nothing is locked. Raises DiskRefused.
    """
    return alive(_lines(vault))


def count(vault: Path) -> int:
    """Return how many memories of the vault at *vault* are acknowledged; raises DiskRefused."""
    return sum(1 for _ in standing(vault))


def fault(vault: Path) -> str:
    """Say why the ledger of *vault* cannot be read, "" where it can, or where there is none."""
    try:
        fd = _opened(vault / ENTRIES)
        try:
            os.pread(fd, 1, 0)  # what can be opened may refuse that; each `status` asks
        finally:
            os.close(fd)
    except FileNotFoundError:
        return ""
    except OSError as e:
        return e.strerror or str(e)
    return ""


def discard(vault: Path) -> None:
    """Answer for nothing any more: the history that held it is given up."""
    missing_cache.forget(vault)
    (vault / ENTRIES).unlink(missing_ok=True)


def _opened(path: Path) -> int:
    """Return the file at *path*, open to be read; raises OSError, also for what is no file."""
    fd = os.open(path, _READ_ONLY)
    try:
        file_lock.must_be_file(fd, path)
    except OSError:
        os.close(fd)
        raise
    return fd


def _locked(path: Path) -> int:
    """Return the file at *path*, open and locked."""
    with disk_errors(path, below=True):
        return file_lock.locked_file(path)


def _read(fd: int, start: int, end: int) -> Iterator[bytes]:
    """Yield the lines of the file *fd* between two bytes, few of them at once."""
    left = b""
    while start < end and (data := os.pread(fd, min(_PAGE, end - start), start)):
        start += len(data)
        *whole, left = (left + data).split(b"\n")
        yield from whole
        if len(left) >= _PAGE:  # no line of ours is as long: what a torn disk left there
            left = b""
    yield left


def _loaded(lines: Iterable[bytes]) -> Iterator[Record]:
    return filter(None, map(_load, lines))


def _of_memories(records: Iterable[Record]) -> Iterator[Line]:
    return (it for it in records if not isinstance(it, Taken))


def _names(line: Record) -> set[str]:
    return {line.path} if isinstance(line, Taken) else {line.id, line.path}


def _append(fd: int, lines: Iterable[Record]) -> bool:
    """Add *lines* to the file *fd*; tell whether there are any."""
    is_any = False
    for some in batches(lines, _AT_ONCE):
        new_file.append_lines(fd, b"".join(map(_dump, some)))
        is_any = True
    return is_any


def _dump(line: Record) -> bytes:
    if isinstance(line, Entry):
        said = ["+", line.id, line.path, line.op, line.text]
    elif isinstance(line, Taken):
        said = ["=", line.commit, line.path, *line.ops]
    else:
        said = ["-", line.id, line.path, line.why]
    return json.dumps(said, separators=(",", ":")).encode() + b"\n"


def _load(line: bytes) -> Record | None:
    with contextlib.suppress(ValueError, TypeError, RecursionError):
        match json.loads(line):
            case ["+", str(memory), str(path), str(op), str(text)]:
                return Entry(memory, path, op, text)
            case ["+", str(memory), str(path), str(op)]:  # as it was written before texts were
                return Entry(memory, path, op)
            case ["-", str(memory), str(path), str(why)]:
                return Release(memory, path, why)
            case ["=", str(commit), str(path), *ops]:
                return Taken(commit, path, tuple(map(str, ops)))
    return None
