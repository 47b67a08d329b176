"""One daemon per vault: the lock that proves it lives, and the file that says how it is."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, Self

from vaultmem.errors import Watched
from vaultmem.records import Clock, iso, moment
from vaultmem.storage import file_lock
from vaultmem.storage.files import private_file
from vaultmem.storage.processes import is_running

LOCK = ".vaultmem/daemon.lock"
HEARTBEAT = ".vaultmem/daemon.json"
BEAT = 20.0
"""Seconds from one heartbeat to the next."""

_LATE = 4.5 * BEAT
_PATIENCE = 1.0


@dataclass(frozen=True, slots=True)
class State:
    """Whether a daemon runs here, its process id, and when it last said so (ISO 8601).

    *late* when it runs and has not said so for longer than it should take: it hangs.
    """

    running: bool
    heartbeat: str | None = None
    pid: int | None = None
    late: bool = False


class Beat(NamedTuple):
    """What a daemon says of itself."""

    pid: int
    host: str
    started: str
    beat: str
    kind: str
    version: str


def present(vault: Path) -> bool:
    """Tell whether a daemon holds this vault; it costs two system calls."""
    try:
        fd = os.open(vault / LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        # Shared, so that two who ask at once do not see each other.
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        fcntl.flock(fd, fcntl.LOCK_UN)  # a process that is being started has it, too, until it runs
    except BlockingIOError:
        return True
    except OSError:  # no locks on this file system: no daemon could have started
        return False
    finally:
        os.close(fd)
    return False


def state(vault: Path, now: datetime) -> State:
    """Return what is known at the time *now* of the daemon that watches *vault*."""
    beat = _read(vault)
    if beat is None:
        return State(present(vault))
    running = present(vault) and (beat.host != _host() or _alive(beat.pid))
    late = running and (now - moment(beat.beat)).total_seconds() > _LATE
    return State(running, beat.beat, beat.pid if running else None, late)


def _read(vault: Path) -> Beat | None:
    try:
        found = Beat(**json.loads((vault / HEARTBEAT).read_bytes()))
        moment(found.beat)
    except (OSError, ValueError, TypeError, AttributeError):
        return None
    return found if isinstance(found.pid, int) and found.pid > 0 else None


def _host() -> str:
    return os.uname().nodename


def _alive(pid: int) -> bool:
    try:
        return is_running(pid)
    except OverflowError:
        return False


class Presence:
    """The one daemon of a vault, from taking the lock to giving it back."""

    def __init__(self, vault: Path, clock: Clock, version: str) -> None:
        """Be about to watch *vault*; `with` takes the lock."""
        self._vault, self._clock, self._version = vault, clock, version
        self._started, self._lock = iso(clock()), contextlib.ExitStack()

    def __enter__(self) -> Self:
        """Take the lock; raises Watched when another daemon has it."""
        self._take()
        return self

    def __exit__(self, *_: object) -> None:
        """Say that nobody watches any more. The lock's file stays: see `_take`."""
        said = _read(self._vault)
        if said and said.pid == os.getpid():
            (self._vault / HEARTBEAT).unlink(missing_ok=True)
        self._lock.close()

    def _take(self) -> None:
        path = self._vault / LOCK
        path.parent.mkdir(mode=0o700, exist_ok=True)
        # Whoever deleted the file would let a second daemon lock another one of the same name.
        try:
            # Somebody who only asks holds it for a moment.
            self._lock.enter_context(file_lock.locked(path, patience=_PATIENCE))
        except BlockingIOError as e:
            beat = _read(self._vault)
            raise Watched(str(self._vault), beat.pid if beat else None) from e
        self._inode = path.stat().st_ino

    def beat(self, kind: str) -> None:
        """Say that the daemon lives; *kind* is how it watches.

        Raises Watched when the workings were deleted and another daemon came since.
        """
        if self._inode_now() != self._inode:
            self._lock.close()
            self._take()
        said = Beat(os.getpid(), _host(), self._started, iso(self._clock()), kind, self._version)
        # A heartbeat need not outlive a power failure.
        data = json.dumps(said._asdict()).encode()
        private_file.write(self._vault / HEARTBEAT, data, durable=False)

    def _inode_now(self) -> int | None:
        try:
            return (self._vault / LOCK).stat().st_ino
        except FileNotFoundError:
            return None
