"""Faults: stand between a program and its disk, and take notes, refuse, or kill the process there.

`arm` changes `os`, `sqlite3` and `subprocess` for the whole process and never changes them back, so
it is called in processes only that were forked to die. Every call that changes something on disk is
a *call* here: what it is, and the path it is about.
"""

from __future__ import annotations

import errno
import functools
import itertools
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from fcntl import F_GETFL, fcntl
from multiprocessing import get_context
from pathlib import Path
from typing import Protocol, cast

from vaultmem.storage.files import name_exchange

READ = "open"
SQL = "sql"
SPAWN = "spawn"
_CHANGES = ("INSERT", "DELETE", "UPDATE", "CREATE", "BEGIN", "COMMIT", "ROLLBACK")
_WRITES = os.O_CREAT | os.O_WRONLY | os.O_RDWR
_REAL = {
    name: getattr(os, name)
    for name in (
        *("open", "write", "pwrite", "fsync", "link", "unlink", "remove", "rename", "replace"),
        *("mkdir", "rmdir", "chmod", "readlink", "fstat", "lseek", "ftruncate"),
    )
}
_LONGEST = 120.0
HUNG = -999
"""The exit code of who did not end."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call that changes, or may change, the disk; *to* is a second path, *data* is written."""

    what: str
    path: str
    to: str = ""
    at: int = 0
    data: bytes = b""
    made: bool = False


class Watcher(Protocol):
    """Who is told of every call: *before* may kill or raise, *after* may take notes."""

    def before(self, call: Call) -> None:
        """Hear of a call that is about to be made."""

    def after(self, call: Call) -> None:
        """Hear that the call succeeded."""


# --- the watchers -----------------------------------------------------------------------------


@dataclass
class Counter:
    """Counts the calls and keeps their names."""

    names: list[str] = field(default_factory=list)

    def before(self, call: Call) -> None:
        """Count it, unless it only reads."""
        if call.what != READ:
            self.names.append(call.what)

    def after(self, call: Call) -> None:
        """Take no notice."""


@dataclass
class Killer:
    """Kills the process with SIGKILL at the *nth* call.

    *how* is `before`, for a write `torn` (half of it is done), or for the start of a git: `orphan`
    (git lives on alone) and `both` (git dies *delay* seconds later, with us).
    """

    nth: int
    how: str = "before"
    delay: float = 0.0
    seen: int = 0

    def before(self, call: Call) -> None:
        """Die before the call."""
        self.seen += call.what != READ
        if self.seen == self.nth and self.how in _BEFORE and call.what != READ:
            if self.how == "torn":
                _write_half(call)
            os.kill(os.getpid(), signal.SIGKILL)

    def after(self, call: Call) -> None:
        """Die after it, maybe with the process it started."""
        if self.seen != self.nth or self.how in _BEFORE or call.what == READ:
            return
        if self.how == "both":
            time.sleep(self.delay)
            with suppress(ProcessLookupError, ValueError):
                os.kill(int(call.to), signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)


_BEFORE = frozenset({"before", "torn"})


def _write_half(call: Call) -> None:
    with suppress(OSError):  # a pipe
        fd = _REAL["open"](call.path, os.O_WRONLY)
        _REAL["pwrite"](fd, call.data[: len(call.data) // 2], call.at)


@dataclass
class Refuser:
    """Fails the *nth* call below *folder* with the error *number*; from then on all, if *lasting*.

    A full disk stays full and a disk without write permission stays so: that is lasting.
    """

    nth: int
    number: int
    folder: str
    lasting: bool = False
    seen: int = 0
    reads: int = 0

    def before(self, call: Call) -> None:
        """Refuse the call whose turn it is."""
        if not call.path.startswith(self.folder) or not fits(self.number, call):
            return
        self.seen += 1
        if self.seen == self.nth or (self.lasting and self.seen > self.nth):
            self.reads += call.what == READ
            if call.what == SQL:
                raise _failure(self.number)
            raise OSError(self.number, os.strerror(self.number), call.path)

    def after(self, call: Call) -> None:
        """Take no notice."""


_MAKING = frozenset({"open-new", "link", "mkdir", "replace", "exchange"})
_FITTING = {
    errno.ENOSPC: _MAKING | {"write", "pwrite", "fsync", SQL},
    errno.EIO: (_MAKING - {"mkdir"}) | {"open", "write", "pwrite", "fsync", "ftruncate", SQL},
    errno.EACCES: _MAKING | {"open", "unlink"},
    errno.EMFILE: frozenset({"open", "open-new"}),
    errno.EROFS: _MAKING | {"write", "unlink"},
}


def _failure(number: int) -> sqlite3.Error:
    """Return what SQLite makes of an error of the disk."""
    full = number == errno.ENOSPC
    error = sqlite3.OperationalError("database or disk is full" if full else "disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL if full else sqlite3.SQLITE_IOERR_FSYNC
    return error


def fits(number: int, call: Call) -> bool:
    """Tell whether a system may answer this *call* with the error *number*."""
    return call.what in _FITTING[number]


@dataclass
class Recorder:
    """Tells every call that succeeded below *folder*; fails the fsync number *broken*."""

    folder: str
    told: Callable[[str, object], None]
    broken: int = 0
    synced: int = 0

    def before(self, call: Call) -> None:
        """Fail the fsync that shall fail, and lose its pages, as Linux does."""
        if call.what == "fsync" and call.path.startswith(self.folder) and not is_folder(call):
            self.synced += 1
            if self.synced == self.broken:
                self.after(Call("spoilt", call.path))
                raise OSError(errno.EIO, "Input/output error", call.path)

    def after(self, call: Call) -> None:
        """Note the call."""
        if call.path.startswith(self.folder) and call.what not in {SQL, SPAWN, READ}:
            note = asdict(call) | {"data": call.data.decode("latin-1")}
            self.told("call", note)


def noted(raw: dict[str, object]) -> Call:
    """Return the call that a Recorder noted as *raw*."""
    return Call(
        str(raw["what"]),
        str(raw["path"]),
        str(raw["to"]),
        int(str(raw["at"])),
        str(raw["data"]).encode("latin-1"),
        bool(raw["made"]),
    )


def is_folder(call: Call) -> bool:
    """Tell whether an fsync is a folder's."""
    return bool(call.to)


# --- standing in between ----------------------------------------------------------------------


def arm(watcher: Watcher) -> None:
    """Tell *watcher* of every call this process makes from now on."""
    for name in ("link", "rename", "replace"):
        _put(os, name, _two_paths(watcher, name))
    for name in ("unlink", "remove", "mkdir", "rmdir", "chmod"):
        _put(os, name, _one_path(watcher, name))
    for name in ("write", "pwrite", "fsync", "ftruncate"):
        _put(os, name, _by_descriptor(watcher, name))
    _put(os, "open", _open(watcher))
    _put(name_exchange, "exchange", _exchange(watcher))
    _put(shutil, "copyfile", _copyfile(watcher))
    _put(Path, "write_text", _write_text(watcher))
    _put(subprocess, "Popen", _process(watcher))
    _put(sqlite3, "connect", _connect(watcher))


def _put(where: object, name: str, what: object) -> None:
    setattr(where, name, what)


def _full(path: object, folder: int | None) -> str:
    base = Path.cwd() if folder is None else Path(_REAL["readlink"](f"/proc/self/fd/{folder}"))
    return str(base / os.fsdecode(path))  # type: ignore[arg-type]


def _one_path(watcher: Watcher, name: str) -> Callable[..., object]:
    real = _REAL[name]
    what = "unlink" if name == "remove" else name

    def wrapped(path: object, *args: object, dir_fd: int | None = None, **more: object) -> object:
        call = Call(what, _full(path, dir_fd))
        watcher.before(call)
        done = real(path, *args, dir_fd=dir_fd, **more)
        watcher.after(call)
        return done

    return wrapped


def _two_paths(watcher: Watcher, name: str) -> Callable[..., object]:
    real = _REAL[name]

    def wrapped(
        src: object,
        dst: object,
        *,
        src_dir_fd: int | None = None,
        dst_dir_fd: int | None = None,
        **more: object,
    ) -> object:
        what = "link" if name == "link" else "replace"
        call = Call(what, _full(src, src_dir_fd), _full(dst, dst_dir_fd))
        watcher.before(call)
        done = real(src, dst, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd, **more)
        watcher.after(call)
        return done

    return wrapped


def _exchange(watcher: Watcher) -> Callable[..., bool]:
    real = name_exchange.exchange

    def wrapped(folder: int, name: str, other: int, second: str) -> bool:
        call = Call("exchange", _full(name, folder), _full(second, other))
        watcher.before(call)
        done = real(folder, name, other, second)
        watcher.after(call)
        return done

    return wrapped


def _by_descriptor(watcher: Watcher, name: str) -> Callable[..., object]:
    real = _REAL[name]

    def wrapped(fd: int, *args: object) -> object:
        call = _descriptor_call(name, fd, args)
        watcher.before(call)
        done = real(fd, *args)
        watcher.after(call)
        return done

    return wrapped


def _descriptor_call(name: str, fd: int, args: Sequence[object]) -> Call:
    path = _REAL["readlink"](f"/proc/self/fd/{fd}")
    if name == "fsync":
        folder = "folder" if Path(path).is_dir() else ""
        return Call(name, path, folder)
    if name == "ftruncate":
        return Call(name, path, at=int(str(args[0])))
    data = bytes(cast("bytes", args[0]))
    if fcntl(fd, F_GETFL) & os.O_APPEND:
        return Call(name, path, at=_REAL["fstat"](fd).st_size, data=data)
    if name == "pwrite":
        return Call("write", path, at=int(str(args[1])), data=data)
    at = 0
    with suppress(OSError):  # a pipe has no place
        at = _REAL["lseek"](fd, 0, os.SEEK_CUR)
    return Call(name, path, at=at, data=data)


def _open(watcher: Watcher) -> Callable[..., int]:
    def wrapped(path: object, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        full = _full(path, dir_fd)
        made = bool(flags & os.O_CREAT) and not os.path.lexists(full)
        call = Call("open-new" if flags & _WRITES else READ, full, at=flags, made=made)
        watcher.before(call)
        fd: int = _REAL["open"](path, flags, mode, dir_fd=dir_fd)
        watcher.after(call)
        return fd

    return wrapped


def _copyfile(watcher: Watcher) -> Callable[..., object]:
    real = shutil.copyfile

    def wrapped(src: Path, dst: Path) -> object:
        call = Call("copy", str(src), str(dst))
        watcher.before(call)
        done = real(src, dst)
        watcher.after(call)
        return done

    return wrapped


def _write_text(watcher: Watcher) -> Callable[..., int]:
    real = Path.write_text

    def wrapped(self: Path, data: str, **more: str) -> int:
        made = Call("open-new", str(self), at=os.O_CREAT | os.O_TRUNC, made=not self.exists())
        written = Call("write", str(self), data=data.encode())
        watcher.before(made)
        done = real(self, data, **more)
        watcher.after(made)
        watcher.after(written)
        return done

    return wrapped


def _process(watcher: Watcher) -> type[subprocess.Popen[bytes]]:
    class Watched(subprocess.Popen[bytes]):
        def __init__(self, args: Sequence[str], **more: object) -> None:
            watcher.before(Call(SPAWN, " ".join(args[-3:])))
            super().__init__(args, **more)  # type: ignore[call-overload]
            watcher.after(Call(SPAWN, " ".join(args[-3:]), str(self.pid)))

    return Watched


def _connect(watcher: Watcher) -> Callable[..., sqlite3.Connection]:
    class Watched(sqlite3.Connection):
        path = ""

        def execute(self, sql: str, *args: object) -> sqlite3.Cursor:
            call = Call(SQL, self.path, sql)
            if sql.startswith(_CHANGES):
                watcher.before(call)
            done = super().execute(sql, *args)  # type: ignore[arg-type]
            if sql.startswith(_CHANGES):
                watcher.after(call)
            return done

    def wrapped(
        path: str | Path, factory: type[sqlite3.Connection] = sqlite3.Connection, **more: object
    ) -> sqlite3.Connection:
        # Below what the program makes of a connection: that hears of errors as SQLite's own.
        both = Watched if factory is sqlite3.Connection else type("Both", (factory, Watched), {})
        db = cast("Watched", _REAL_CONNECT(path, factory=both, **more))
        db.path = str(path)
        return db

    return wrapped


_REAL_CONNECT: Callable[..., sqlite3.Connection] = sqlite3.connect


# --- processes that may die -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Diary:
    """What a process told before it ended: (what, value) in order."""

    path: Path

    def open(self) -> Callable[[str, object], None]:
        """Return the function that notes one thing, durable against the death of the process."""
        fd = _REAL["open"](self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

        def tell(what: str, value: object) -> None:
            _REAL["write"](fd, json.dumps([what, value]).encode() + b"\n")

        return tell

    def pages(self) -> Iterator[tuple[str, object]]:
        """Yield all that was noted."""
        text = self.path.read_text() if self.path.exists() else ""
        yield from (tuple(json.loads(line)) for line in text.splitlines())

    def read(self, what: str) -> Iterator[object]:
        """Yield the values that were noted as *what*."""
        return (value for key, value in self.pages() if key == what)


def in_child(work: Callable[[], None], moment: float | None = None) -> int:
    """Run *work* in a forked process and return its exit code; SIGKILL it at *moment* seconds."""
    child = get_context("fork").Process(target=functools.partial(_quietly, work))
    child.start()
    child.join(_LONGEST if moment is None else moment)
    if child.exitcode is None:
        child.kill()
        child.join()
        if moment is None:
            return HUNG
    code = child.exitcode
    child.close()
    return -signal.SIGKILL if code is None else code


def _quietly(work: Callable[[], None]) -> None:
    # A fork of a test run has its output captured, and nobody to read it.
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    signal.setitimer(signal.ITIMER_REAL, 0)
    work()


def origin(error: BaseException) -> str:
    """Return where in the package *error* came from: the last frames of ours, innermost first."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f"{Path(f.filename).stem}.{f.name}" for f in frames if "/vaultmem/" in f.filename]
    return " < ".join(itertools.islice(reversed(ours), 4))
