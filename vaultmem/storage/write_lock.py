"""The vault's write lock: one process writes at a time, and in it one operation."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from vaultmem.errors import Busy, DiskRefused
from vaultmem.storage import file_lock
from vaultmem.storage.files import Root

WRITE_LOCK = ".vaultmem/write.lock"
_WHAT = "the vault's write lock"
_INTERRUPTED = (
    "this vault is in the middle of a write, which a signal handler interrupted; nothing was done: "
    "let the handler note what it wants, and do it once the write is over"
)


class WriteLock:
    """The write lock of the vault below *root*."""

    def __init__(self, root: Root, prepare: Callable[[], None]) -> None:
        """*prepare* makes our own folder before the lock is taken in there."""
        self.root, self._prepare = root, prepare
        self._is_held = False

    @contextlib.contextmanager
    def held(self, patience: float) -> Iterator[None]:
        """Hold the lock; raises Busy after *patience* seconds, and at once to who has it already.

        DiskRefused where the disk says no.
        """
        if self._is_held:
            raise Busy(_WHAT, 0, _INTERRUPTED)
        self._prepare()
        with self._alone(patience):
            self._is_held = True
            try:
                yield
            finally:
                self._is_held = False

    def is_anyone_writing(self) -> bool:
        """Tell whether a process has the lock; where nobody can tell, one may have it."""
        try:
            with self._alone(0):
                return False
        except (Busy, DiskRefused):
            return True

    def _alone(self, patience: float) -> contextlib.AbstractContextManager[None]:
        path = self.root.path / WRITE_LOCK
        return file_lock.alone(path, _WHAT, patience, folder=self.root.fd)
