"""Write again what came off the disk before git had it: nobody meant to take it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import partial

from vaultmem.errors import ReadOnly, Refused, Unavailable
from vaultmem.storage import files, journal
from vaultmem.storage.commits import lacking_files, waiting_tasks
from vaultmem.storage.commits.waiting_versions import Lack
from vaultmem.storage.files import READ_ONLY, Root


class LostWrites:
    """What waits for its commit, and files of the vault below *root* lack."""

    def __init__(
        self,
        root: Root,
        repository: lacking_files.Find,
        token: Callable[[], str],
        locked: Callable[[], contextlib.AbstractContextManager[None]],
    ) -> None:
        """*token* mints an id, *locked* holds the write lock, all half-done writes made good.

        Who has to wait for the lock is told Busy at once.
        """
        self.root, self.repository = root, repository
        self._token, self._locked = token, locked

    def find(self, only: AbstractSet[str] | None = None) -> tuple[Lack, ...]:
        """Return what files lack, of all or of those at the paths *only*."""
        return lacking_files.find(self.root, self.repository, only)

    def put_aside(self) -> dict[str, str]:
        """Return which acknowledged files a stash has, not the disk: its name by path."""
        return lacking_files.put_aside(self.root, self.repository)

    def put_back(self, *, made: bool = False) -> Sequence[Lack]:
        """Write it again, of files that we *made* alone, if asked; return what is left.

        Under the write lock, so that no operation of ours takes it away meanwhile. Busy, full, or a
        journal that cannot be read: the next command does it, and what was written before this look
        is not refused because of it.
        """
        lost: Sequence[Lack] = self.find()
        if not (any(it.step for it in lost) or journal.was_torn(self.root)):
            return lost
        with contextlib.suppress(Unavailable, ReadOnly, Refused):
            if (self.root.path / READ_ONLY).exists():
                return lost
            with self._locked():  # what a dead process had not written yet was not removed
                lost = self._numbered(self.find)
                self._write(it for it in lost if not made or (it.step and it.step.is_new))
                lost = self.find()
        return lost

    def put_back_made(self) -> None:
        """Write again what we made, whatever git is at."""
        with contextlib.suppress(Unavailable, ReadOnly, Refused):
            if journal.names(self.root):
                self.put_back(made=True)

    def complete(self, paths: AbstractSet[str]) -> None:
        """Write again what came off the files at *paths*, for who has the write lock.

        Whoever read them without it reads them again.
        """
        if paths and journal.names(self.root):
            self._write(self._numbered(partial(self.find, paths)))

    def _numbered(self, find: Callable[[], Sequence[Lack]]) -> Sequence[Lack]:
        """Return what *find* finds lacking once each task that waits has a number of its own."""
        lost = find()
        for _ in lost:
            it = next((it for it in lost if it.moves), None)
            if it is None or it.step is None:
                break
            new = waiting_tasks.renumber(self.root, it.path, it.step.path, self._token())
            _warn("%s waits as %s now: another task has that number", it.path, new)
            lost = find()
        return lost

    def _write(self, lost: Iterable[Lack]) -> None:
        for path, step in ((it.path, it.step) for it in lost):
            if step:
                files.write(self.root, [step], self._token(), unsure=True)
                _warn("%s lacked what waits for its commit: it is brought back", path)


def _warn(said: str, *names: str) -> None:
    import logging  # noqa: PLC0415  # hardly ever

    logging.getLogger(__name__).warning(said, *names)
