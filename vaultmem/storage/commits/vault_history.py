"""The history that keeps a vault: its repository, the lock to commit under, what it answers for.

Nothing is committed here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from pathlib import Path

from vaultmem.errors import Busy, Refused, Unavailable
from vaultmem.records import Clock
from vaultmem.storage import files, git, git_state_files, journal, ledger, staged_cache
from vaultmem.storage.commits import lost_memories, pointer_texts
from vaultmem.storage.commits.pointer_texts import PointerFile
from vaultmem.storage.files import Root
from vaultmem.storage.git import Repository
from vaultmem.storage.ledger import Comparison, LeftCommit, Missing
from vaultmem.storage.ledger.service import Acknowledged, Places


class VaultHistory:
    """The history of the vault below *root*, where it has one."""

    def __init__(  # noqa: PLR0913, PLR0917  # all that it is given from outside
        self,
        root: Root,
        clock: Clock,
        find: Callable[[Path], Repository | None],
        prepare: Callable[[], None],
        token: Callable[[], str],
        places: Places,
    ) -> None:
        """Look below *root*; *find* looks for its repository when one is first needed.

        *prepare* makes our own folder before anything is noted there, *token* mints an id, *places*
        tells which files may be a memory.
        """
        self.root, self.clock, self._find = root, clock, find
        self.prepare, self.token, self._places = prepare, token, places
        self._git_was_busy = False

    @cached_property
    def repository(self) -> Repository | None:
        """The repository that keeps the vault's history, None without one."""
        return self._find(self.root.path)

    def head(self) -> str | None:
        """Return the commit that HEAD stands on, None where git does not say."""
        with contextlib.suppress(Unavailable):
            return self.repository.head() if self.repository else None
        return None

    def keeps_history(self) -> bool:
        """Tell whether what is written gets into a history, now or when git is back."""
        return self.repository is not None or self._is_kept_from_history

    @cached_property
    def _is_kept_from_history(self) -> bool:
        """Whether the vault has a history that cannot be written now.

        No git, or one that does not open it; or it is gone, and comes back from a backup.
        """
        if ledger.size(self.root.path) > 0:
            return True
        if git_state_files.git_dir(self.root.path) is None:
            return False
        return not git.available() or bool(git.unopened(self.root.path))

    def found(self) -> Repository | None:
        """Return the repository; look for it anew where there was none, and something waits."""
        if self.repository is None and journal.names(self.root):
            del self.repository
            self.__dict__.pop("_is_kept_from_history", None)
        return self.repository

    # --- under git's lock -----------------------------------------------------------------------

    @contextlib.contextmanager
    def locked(self, repository: Repository, patience: float) -> Iterator[git.Lock]:
        """Hold git's lock; who waited for it in vain once only tries, until it is free again."""
        try:
            with repository.locked(0 if self._git_was_busy else patience) as lock:
                self._git_was_busy = False
                with self._staged_stays_known(lock) as known:
                    yield known
        except Busy:
            self._git_was_busy = True
            raise

    # --- what people staged -------------------------------------------------------------------

    def staged(self) -> frozenset[str] | None:
        """Return the files that a person has staged, None where nobody says.

        Git is asked when its index or HEAD has moved.
        """
        vault = self.root.path
        at = staged_cache.state(vault)
        found = staged_cache.load(vault, at)
        with contextlib.suppress(Unavailable):  # what ails git is said elsewhere
            if found is None and self.repository:
                found = self.repository.staged()
                staged_cache.note(vault, at, found)
        return found

    def half_done(self) -> str | None:
        """Say which operation of a person's git is half done, None for none, without asking git."""
        there = git_state_files.git_dir(self.root.path)
        return git.half_done(there) if there else None

    @contextlib.contextmanager
    def _staged_stays_known(self, lock: git.Lock) -> Iterator[git.Lock]:
        """Note that still nothing is staged, where nothing was before: *lock* keeps it so.

        Yield the lock that knows it, too.
        """
        vault = self.root.path
        begin = staged_cache.head(vault) or self._before_any_commit()
        was_clean = self.staged() == frozenset()
        yield replace(lock, clean_at=begin if was_clean else "")
        end = staged_cache.head(vault)
        if was_clean and begin != end and staged_cache.is_unbroken(begin, lock.published(), end):
            staged_cache.note(vault, staged_cache.state(vault), ())

    def _before_any_commit(self) -> str:
        """Return the tree that a first commit stands on, "" where there is a commit."""
        found = self.repository
        return found.nothing if found and found.head() is None else ""

    def now(self) -> datetime:
        """Return the time of a commit, as a person's own git would date it: with the local zone."""
        return self.clock().astimezone()

    # --- what was acknowledged ----------------------------------------------------------------

    @cached_property
    def acknowledged(self) -> Acknowledged:
        """The ledger of what was acknowledged, where there is a repository."""
        assert self.repository is not None  # noqa: S101  # nobody asks without one
        return Acknowledged(self.root.path, self.repository, self._places)

    def compared(self, *, whole: bool = False) -> Comparison:
        """Return how what was acknowledged stands to HEAD; *whole* trusts no earlier look.

        Nothing is amiss where nobody can tell: what ails git, or the disk, is said elsewhere.
        """
        with contextlib.suppress(Unavailable):
            if self.repository:
                self.prepare()
                return self.acknowledged.compare(whole=whole)
        return Comparison("", 0)

    def missing(self, *, whole: bool = False) -> tuple[Missing, ...]:
        """Return the acknowledged memories that HEAD has not; *whole* trusts no earlier look."""
        return self.compared(whole=whole).missing

    def left(self) -> tuple[LeftCommit, ...]:
        """Return the commits of ours whose work HEAD has not any more."""
        return self.compared().left

    def thrown(self) -> tuple[str, ...]:
        """Return the commits that HEAD was seen on and that git has not any more."""
        return self.compared().thrown

    def is_here(self, memory: Missing) -> bool:
        """Tell whether a memory that HEAD has not lies on disk where it was."""
        return lost_memories.on_disk(self.root, memory) is not None

    def has_lost_history(self) -> bool:
        """Tell whether there was a repository, and is none any more."""
        if ledger.size(self.root.path) <= 0 or self.repository is not None:
            return False
        return git.available() and not git.unopened(self.root.path)

    def forget_history(self) -> None:
        """Answer for nothing any more: the history that held it is gone for good."""
        ledger.discard(self.root.path)
        self.__dict__.pop("_is_kept_from_history", None)

    def replaced(self, beside: Collection[str] = ()) -> tuple[PointerFile, ...]:
        """Return the files that HEAD has as pointers of git LFS, and those *beside*."""
        with contextlib.suppress(Unavailable):  # what ails git is said elsewhere
            paths = {*beside, *(self.compared().pointers or ())}
            if paths and self.repository:
                return tuple(pointer_texts.find(self.root, self.repository, sorted(paths)))
        return ()

    def put_back_texts(self) -> None:
        """Store anew what HEAD says of a file, git has lost, and still lies on disk as it was."""
        if (repository := self.repository) is None:
            return
        with contextlib.suppress(Unavailable):  # what ails git, or the disk, is said elsewhere
            for path, blob in repository.lost_texts().items():
                with contextlib.suppress(Refused):
                    if found := files.read(self.root, path):
                        repository.put_back(blob, found.data)

    def text_of(self, memory: Missing) -> bytes | None:
        """Return the text of a memory that HEAD has not, from wherever git has it."""
        return lost_memories.in_git(self.repository, memory) if self.repository else None
