"""Alone at work: the lock of dreams, git that is free, and steps taken again when ground moves."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from vaultmem.errors import Unavailable
from vaultmem.storage import file_lock
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
    store.mint()  # our folder is there, and git ignores it
    with file_lock.alone(store.root.path / LOCK, "another dream: the dreams' lock", _PATIENCE):
        yield
