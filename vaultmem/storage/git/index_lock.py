"""Take git's index.lock with a token that says who we are, and tell a dead holder from a live one.

The token is a file of ours, linked to the name of the lock. Its first line is the process that
holds it; every line after is the (old, new) of a commit that process began to publish.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from vaultmem.errors import Busy, Unavailable
from vaultmem.storage.file_lock import is_at
from vaultmem.storage.git.types import Place
from vaultmem.storage.processes import is_running, started_at

_PAUSE, _LONGEST_PAUSE = 0.004, 0.12
_LIMIT = 1 << 16
_WORDS = 5
_RECORD = re.compile(r"([0-9a-f]{40,64}) ([0-9a-f]{40,64})")
_UNSIGNED = 900.0


def take(place: Place, patience: float) -> tuple[str, int]:
    """Take index.lock; return the tag of what we leave beside it, and the token, held open.

    Raises Busy when another process keeps it for more than *patience* seconds.
    """
    tag = f"{os.getpid()}-{os.urandom(6).hex()}"
    token, lock = place.git_dir / f"vaultmem-{tag}.lock", place.index_lock
    with contextlib.ExitStack() as undo, writing(place):
        fd = os.open(token, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o600)
        undo.callback(os.close, fd)
        with contextlib.ExitStack() as always:
            always.callback(token.unlink, missing_ok=True)
            _sign(fd)
            _wait(lambda: _claim(token, fd, lock), patience, lock)
        undo.pop_all()
    return tag, fd


@contextlib.contextmanager
def writing(place: Place) -> Iterator[None]:
    """Raise Unavailable when the disk refuses what is written in the git folder."""
    try:
        yield
    except OSError as error:
        raise Unavailable(
            f"cannot write below {place.git_dir}: {error}; the files are safe, only history waits"
        ) from error


def note(fd: int, records: list[tuple[str, str]]) -> None:
    """Write to the token what is about to be published."""
    os.write(fd, b"".join(f"{old} {new}\n".encode() for old, new in records))
    os.fsync(fd)


def records(fd: int) -> list[tuple[str, str]]:
    """Return what the holder of a token began to publish."""
    lines = os.pread(fd, _LIMIT, 0).decode(errors="replace").splitlines()[1:]
    found = [_RECORD.fullmatch(line) for line in lines]
    return [(match[1], match[2]) for match in found if match]


def noted_at(fd: int) -> int:
    """Return when the last of what a token says was written, in Unix time and ns."""
    return os.fstat(fd).st_mtime_ns


def is_stray(path: Path) -> bool:
    """Say whether a file of ours beside the lock has lost its process."""
    # An index copy belongs to whoever holds the lock, and that is us; a token may be waiting.
    if path.suffix != ".lock" or path.name.endswith(".index.lock"):
        return True
    with contextlib.suppress(OSError), path.open("rb") as token:
        facts = os.fstat(token.fileno())
        # Not yet signed: its process died, or is about to sign.
        old = facts.st_size == 0 and time.time() - facts.st_mtime > _UNSIGNED
        return old or _is_abandoned(token.fileno())
    return False


def boot_id() -> str:
    """Return what this boot of the machine is called, "" where nobody says."""
    with contextlib.suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return ""


def _sign(fd: int) -> None:
    # Whoever finds this lock can tell whether we still live: by process, and by the flock, which
    # the kernel drops with us even where process numbers of another container mean nothing.
    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    pid = os.getpid()
    # What socket.gethostname says, without a module more to load.
    os.write(fd, f"vaultmem {os.uname().nodename} {boot_id()} {pid} {started_at(pid)}\n".encode())
    os.fsync(fd)


def _wait(attempt: Callable[[], bool], patience: float, what: Path) -> None:
    until, pause = time.monotonic() + patience, _PAUSE
    while not attempt():
        left = until - time.monotonic()
        if left <= 0:
            raise Busy(str(what), patience)
        # Jitter, or two that wait would meet again and again.
        time.sleep(min(left, pause * (0.5 + os.urandom(1)[0] / 255)))
        pause = min(_LONGEST_PAUSE, pause * 1.6)


def _claim(token: Path, fd: int, lock: Path) -> bool:
    try:
        os.link(token, lock)
    except FileExistsError:
        return _inherit(token, fd, lock)
    return True


def _inherit(token: Path, fd: int, lock: Path) -> bool:
    # One rename, so that no moment lies between a dead lock of ours and our own.
    try:
        dead = os.open(lock, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, PermissionError):
        return False
    with contextlib.ExitStack() as stack:
        stack.callback(os.close, dead)
        if not _is_abandoned(dead) or not is_at(dead, lock):
            return False
        note(fd, records(dead))
        # What the dead began, it began then: the locks it left are told by that.
        os.utime(fd, ns=(noted_at(dead), noted_at(dead)))
        token.replace(lock)
    return True


def _is_abandoned(fd: int) -> bool:
    # Only a token of ours is ever locked by us; the lock also keeps two from inheriting at once.
    who = os.pread(fd, _LIMIT, 0).decode(errors="replace").partition("\n")[0].split(" ")
    if len(who) != _WORDS or who[:2] != ["vaultmem", os.uname().nodename]:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    _, _, boot, pid, started = who
    return boot != boot_id() or not _lives(pid, started)


def _lives(pid: str, started: str) -> bool:
    if not pid.isdecimal():
        return True
    try:
        if not is_running(int(pid)):
            return False
    except OverflowError:
        return True
    return started in {"", started_at(int(pid))}
