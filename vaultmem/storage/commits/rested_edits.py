"""What people changed and left alone since: it is committed apart from ours."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import PurePosixPath

from vaultmem.errors import DiskRefused, Refused
from vaultmem.records import Clock
from vaultmem.storage import files, git, journal, transcripts
from vaultmem.storage.files import Root
from vaultmem.storage.git import Repository
from vaultmem.storage.ledger.entries import holds

QUIET = 30.0
"""Seconds a person's file must be quiet before it is committed, and an old inode before it goes."""


class RestedEdits:
    """The edits below *root* that nobody is busy with any more."""

    def __init__(self, root: Root, repository: Repository, clock: Clock) -> None:
        """Compare with what *repository* has; *clock* tells how long a file rests."""
        self.root, self.repository, self.clock = root, repository, clock

    def find(
        self,
        quiet: float,
        leave: frozenset[str],
        only: frozenset[str] | None,
        staged: frozenset[str] | None,
    ) -> list[git.Change]:
        """Return what nobody has staged, and has rested for *quiet* seconds.

        *leave* and *only* as for `Commits.commit_edits`, *staged* as for `Repository.unstaged`.
        """
        pending = {w.path for n in journal.names(self.root) for w in journal.writes(self.root, n)}
        unstaged = self.repository.unstaged(staged)
        away = stashed(self.repository, [d.path for d in unstaged if d.kind == "deleted"])
        return [
            change
            for dirty in unstaged
            if dirty.path not in away
            and dirty.path not in pending | leave
            and (only is None or dirty.path in only)
            and not is_cut(self.root, self.repository, dirty.path)
            and (change := self._rested(dirty.path, quiet)) is not None
        ]

    def _rested(self, path: str, quiet: float) -> git.Change | None:
        with contextlib.suppress(Refused, DiskRefused, OSError):
            found = files.read(self.root, path)
            touched = found.stamp.mtime_ns / 1e9 if found else self._folder_touched(path)
            if age(self.clock, touched) < quiet:
                return None
            return git.Change(path, found.data if found else None)
        return None

    def _folder_touched(self, path: str) -> float:
        folder = self.root.path / PurePosixPath(path).parent
        return folder.stat().st_mtime if folder.is_dir() else 0.0


def age(clock: Clock, touched: float) -> float:
    """Return how many seconds ago that was, or will be: a file from the future rests, too."""
    return abs(clock().timestamp() - touched)


def is_cut(root: Root, repository: Repository, path: str) -> bool:
    """Tell whether a transcript lacks turns that git has: what is only added to waits then."""
    if not transcripts.holds(path):
        return False
    found, committed = files.read(root, path), repository.show("HEAD", path)
    return bool(found and committed and not found.data.startswith(committed))


def stashed(repository: Repository, gone: Sequence[str]) -> frozenset[str]:
    """Return which of the memories among *gone* somebody has put aside: they are not deleted.

    `git stash --include-untracked` takes those that were not committed yet, which then are.
    """
    paths = [path for path in gone if holds(path)]
    return repository.stashed(paths) if paths else frozenset()
