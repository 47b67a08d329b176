"""Where the indexes of the past are kept: a folder for each commit, few of them, the last used.

What is in use is never taken away, and whatever is deleted comes back when it is asked for.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from vaultmem.storage import file_lock

FOLDER = ".vaultmem/past"
CATALOG = "catalog.sqlite3"
MOST = 4
MOST_BYTES = 512 << 20  # ten thousand short memories take some 20 MB

_LOCK = "lock"
_IN_USE = "in-use"
_BUILDING = "building"
_GONE = "gone"


@contextlib.contextmanager
def entry(cache: Path, commit: str) -> Iterator[Path]:
    """Yield where the index of *commit* belongs; it stays there for as long as the block lasts.

    On a disk that takes nothing it is only a name, and the index will live in memory.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            stack.enter_context(_claimed(cache, commit))
        yield cache / commit / CATALOG


@contextlib.contextmanager
def building(catalog: Path) -> Iterator[None]:
    """Let one process at a time build the *catalog* of a claimed entry."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            stack.enter_context(file_lock.locked(catalog.with_name(_BUILDING)))
        yield


@contextlib.contextmanager
def _claimed(cache: Path, commit: str) -> Iterator[None]:
    cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        with file_lock.locked(cache / _LOCK):
            (cache / commit).mkdir(mode=0o700, exist_ok=True)
            os.utime(cache / commit)
            # Free to be had at once: who removes an entry holds the lock of all.
            stack.enter_context(file_lock.locked(cache / commit / _IN_USE, shared=True))
        yield
        with contextlib.suppress(OSError), file_lock.locked(cache / _LOCK):
            _evict(cache)


def _evict(cache: Path) -> None:
    """Remove what is too much, the least recently used first; the newest always stays."""
    shutil.rmtree(cache / _GONE, ignore_errors=True)  # of a process that died at it
    entries = [e for e in cache.iterdir() if e.is_dir()]
    entries.sort(key=lambda e: e.stat().st_mtime_ns, reverse=True)
    room = MOST_BYTES
    for number, old in enumerate(entries):
        room -= sum(file.stat().st_size for file in old.iterdir())
        if number and (number >= MOST or room < 0):
            _remove(old)


def _remove(old: Path) -> None:
    with (
        contextlib.suppress(BlockingIOError),
        file_lock.locked(old / _IN_USE, patience=0),
    ):
        # Away in one step: a database without its log might be taken for whole.
        gone = old.rename(old.with_name(_GONE))
        shutil.rmtree(gone)
