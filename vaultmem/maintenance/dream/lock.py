"""Alone at work: the lock of dreams, git that is free, and steps taken again when ground moves."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from vaultmem.errors import Busy, Unavailable, disk_errors
from vaultmem.storage.store import Store

LOCK = ".vaultmem/dream.lock"

_PATIENCE = 10.0


def git_busy(store: Store, patience: float | None = None) -> str:
    """Return what keeps git from committing, "" when nothing does within *patience* seconds."""
    repository = store.writer.repository
    if repository is None:
        return ""
    if why := repository.blocked():
        return f"{why}; try again once it is over"
    try:
        with repository.locked(_PATIENCE if patience is None else patience):
            return ""
    except Unavailable as e:
        return str(e)


@contextlib.contextmanager
def alone(store: Store) -> Iterator[None]:
    """Hold the lock of dreams; the system takes it from a process that dies."""
    from filelock import Timeout, UnixFileLock  # noqa: PLC0415  # only dreams pay for it

    path = store.root.path / LOCK
    store.mint()  # our folder is there, and git ignores it
    lock = UnixFileLock(path, mode=0o600, fallback_to_soft=False)
    with disk_errors(path):
        try:
            lock.acquire(timeout=_PATIENCE)
        except Timeout as e:
            raise Busy("another dream: the dreams' lock", _PATIENCE) from e
    try:
        yield
    finally:
        lock.release()
