"""Whether a process runs on this machine, told from a later one that was given the same number."""

from __future__ import annotations

import contextlib
import functools
import os
from pathlib import Path


def is_running(pid: int) -> bool:
    """Tell whether a process has the number *pid*, whoever's it is.

    Raises OverflowError for a number that no process can have.
    """
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def started_at(pid: int) -> str:
    """Return when a process started, in clock ticks since the boot; "" where nobody says.

    Field 22 of proc_pid_stat(5), counted behind the name, which may hold spaces.
    """
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    return ""


def own_name() -> str:
    """Return what this process is called, which no later one with its number is."""
    return _name(os.getpid())


# A child that was forked has a number of its own.
@functools.lru_cache(maxsize=1)
def _name(pid: int) -> str:
    return ".".join(filter(None, (str(pid), started_at(pid))))


def is_alive(name: str) -> bool:
    """Tell whether the process called *name* runs; False for what is the name of none.

    A machine that is started anew, and a container always, gives the same numbers again: by the
    number alone, what a dead process left would be somebody's for ever. It is by the number where
    nobody says when that one started, as of others' processes on some systems.
    """
    pid, _, started = name.partition(".")
    try:
        return is_running(int(pid)) and _is_of(started, started_at(int(pid)))
    except (ValueError, OverflowError):
        return False


def _is_of(told: str, seen: str) -> bool:
    return not told or not seen or told == seen
