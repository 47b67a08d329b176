"""The locks that git takes on HEAD and on its branch while HEAD moves, and those it left behind.

A git that is killed between its lock and its rename leaves them, and nobody moves HEAD any more.
A lock of ours can be told: only we knew the commit that was about to be published.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
from pathlib import Path
from typing import NamedTuple

from vaultmem.storage.git import objects
from vaultmem.storage.git.types import Place

_LEFT = 2.0
"""Seconds after which such a lock is nobody's: git holds it for milliseconds."""
_PAUSE = 0.05
_IN_TABLES = b"ref: refs/heads/.invalid\n"
"""What HEAD says where git keeps its references in tables."""
_LONGEST = 120.0
"""Seconds within which our own git, which is ended when it takes longer, took its locks."""


class Publish(NamedTuple):
    """A commit that was about to be published, and when (Unix time in ns) that was written down."""

    new: str
    at: int


def left_lock(place: Place) -> Path | None:
    """Return a lock that keeps HEAD from moving and has stood for too long, None without one."""
    locks = (*_locks(place), *_locks_of_tables(place))
    return next((lock for lock in locks if _age(lock) >= _LEFT), None)


def clear(place: Place, publish: Publish, *, killed: bool) -> None:
    """Remove the locks that a git of ours left which died while it carried out *publish*.

    *killed* tells that it has just died, and nobody else had time to take them.
    """
    of_head, *of_branch = _locks(place)
    for lock in of_branch:
        if not _is_ours(lock, publish, killed=killed):
            return  # HEAD's belongs to whoever holds the branch
        _remove(lock)
    # Our git takes HEAD's first and lets go of it last, and writes nothing to it.
    if _is_ours(of_head, publish, killed=killed):
        _remove(of_head)


def _locks(place: Place) -> tuple[Path, ...]:
    """Return where git puts the lock of HEAD, and that of the branch HEAD is on."""
    branch = objects.branch_file(place)
    ours = place.git_dir / "HEAD.lock"
    return (ours, place.common_dir / f"{branch}.lock") if branch else (ours,)


def _locks_of_tables(place: Place) -> tuple[Path, ...]:
    """Return where git puts the locks of all references that it keeps in tables (reftable)."""
    with contextlib.suppress(OSError):
        if (place.git_dir / "HEAD").read_bytes() != _IN_TABLES:
            return ()
    folders = dict.fromkeys((place.git_dir, place.common_dir))
    return tuple(folder / "reftable/tables.list.lock" for folder in folders)


def _age(lock: Path) -> float:
    with contextlib.suppress(OSError):
        return time.time() - lock.lstat().st_mtime
    return -1.0


def _is_ours(lock: Path, publish: Publish, *, killed: bool) -> bool:
    """Tell whether a lock is one of ours, or gone, which nobody has to remove."""
    try:
        facts = lock.lstat()
        held = lock.read_bytes() if stat.S_ISREG(facts.st_mode) else b"?"
    except FileNotFoundError:
        return True
    except OSError:
        return False
    since = (facts.st_mtime_ns - publish.at) / 1e9
    wanted = held == f"{publish.new}\n".encode() if held else 0 <= since <= _LONGEST
    return wanted and (killed or _outlived(lock))


def _outlived(lock: Path) -> bool:
    """Tell whether a lock outlives any git that may still be at work, though we are not."""
    while 0 <= (age := _age(lock)) < _LEFT:
        time.sleep(_PAUSE)
    return age >= _LEFT or not os.path.lexists(lock)


def _remove(lock: Path) -> None:
    # A disk that refuses leaves it; then it is named.
    with contextlib.suppress(OSError):
        lock.unlink()
