"""What people changed and left alone since: it is committed apart from ours."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem.errors import DiskRefused, Refused
from vaultmem.records import Clock
from vaultmem.storage import (
    files,
    git,
    git_state_files,
    journal,
    transcript_lines,
)
from vaultmem.storage.files import Root
from vaultmem.storage.git import Repository
from vaultmem.storage.ledger.entries import memory_id

Changed = Sequence[git.Dirty] | None
"""What of the work tree was not as git has it when somebody looked; None where nobody did."""

Laid = Mapping[str, bytes | None]
"""By the paths of what people wrote and that can say whose words it has, what git has of it."""

Compare = Callable[[Laid], Callable[[], None]]
"""Asks of what is to be committed whose words it has; what it returns is called once it is."""


def compare_nothing(_: Laid) -> Callable[[], None]:
    """Compare nothing: for who has done so."""
    return lambda: None


QUIET = 30.0
"""Seconds a person's file must be quiet before it is committed, and an old inode before it goes."""


class RestedEdits:
    """The edits below *root* that nobody is busy with any more."""

    def __init__(
        self, root: Root, repository: Repository, clock: Clock, staged: Iterable[str]
    ) -> None:
        """Compare with what *repository* has; *clock* tells how long a file rests.

        What is *staged* is its person's to commit, and so is what was moved there.
        """
        self.root, self.repository, self.clock = root, repository, clock
        self.staged = staged

    def find(
        self,
        quiet: float,
        leave: frozenset[str],
        only: frozenset[str] | None,
        unstaged: Sequence[git.Dirty],
    ) -> list[git.Change]:
        """Return what of *unstaged*, as `Repository.unstaged` gives it, rested *quiet* seconds.

        *leave* and *only* as for `EditCommits.commit`.
        """
        pending = {w.path for n in journal.due(self.root) for w in journal.writes(self.root, n)}
        away = stashed(self.repository, [d.path for d in unstaged if d.kind == "deleted"])
        mine = [d for d in unstaged if d.path not in away.keys() | pending | leave]
        asked = [d.path for d in mine if only is None or d.path in only]
        whole = (path for path in asked if not is_cut(self.root, self.repository, path))
        found = {it.path: it for path in whole if (it := self._rested(path, quiet))}
        for gone, new in self._moved(mine).items():
            if new in found:  # else who gets the commit has it twice, or not at all
                found[gone] = git.Change(gone, None)
            else:
                found.pop(gone, None)
        return list(found.values())

    def _moved(self, unstaged: Sequence[git.Dirty]) -> dict[str, str]:
        """Return where each note of *unstaged* that has an id was moved, by its old path.

        Into what is staged, too.
        """
        gone = [d.path for d in unstaged if d.kind == "deleted" and d.path.endswith(".md")]
        if not gone:
            return {}
        had = self.repository.in_head(gone)
        texts = self.repository.contents(had.values())
        old = {memory_id(texts[blob.id]): path for path, blob in had.items() if blob.id in texts}
        there = (d.path for d in unstaged if d.kind != "deleted")
        new = (path for path in (*there, *self.staged) if path.endswith(".md"))
        return {old[it]: path for path in new if (it := self._id(path)) in old}

    def _id(self, path: str) -> str | None:
        with contextlib.suppress(Refused, DiskRefused, OSError):
            return memory_id(found.data) or None if (found := files.read(self.root, path)) else None
        return None

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


def moved_whole(
    repository: Repository, changes: Sequence[git.Change], had: Mapping[str, git.Blob]
) -> dict[str, str]:
    """Return where the files among *changes* went that say what they said, by their old paths.

    *had* is what the last commit has of them.
    """
    gone = [change.path for change in changes if change.data is None]
    if not gone:
        return {}
    there = {
        git.object_id(repository.algorithm, b"blob", change.data): change.path
        for change in changes
        if change.data
    }
    found = {had[path].id: path for path in gone if path in had}
    return {path: there[blob] for blob, path in found.items() if blob in there}


def age(clock: Clock, touched: float) -> float:
    """Return how many seconds ago that was, or will be: a file from the future rests, too."""
    return abs(clock().timestamp() - touched)


def is_cut(root: Root, repository: Repository, path: str) -> bool:
    """Tell whether a transcript or an item log lacks what git has: it waits, as it only grows.

    Not one whose lines a person mended by hand: put in order, made readable, or moved away.
    """
    if not transcript_lines.is_grown(path):
        return False
    found, committed = files.read(root, path), repository.show("HEAD", path)
    if not found or not committed or found.data.startswith(committed):
        return False
    return transcript_lines.lacks(path, found.data, committed)


def stashed(repository: Repository, gone: Sequence[str]) -> dict[str, str]:
    """Return which of the files among *gone* somebody has put aside: they are not deleted.

    By path, the stash that has it. `git stash --include-untracked` takes those that were not
    committed yet, which then are.
    """
    may_be = gone and git_state_files.may_have_stash(repository.root)
    return repository.stashed(gone) if may_be else {}
