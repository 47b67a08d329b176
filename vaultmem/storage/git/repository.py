"""The repository a vault lies in: what may be asked of it."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Self

from vaultmem.storage.git import (
    blame,
    commit_lock,
    log,
    merge_commit,
    object_check,
    objects,
    process,
    remote,
    worktree,
)
from vaultmem.storage.git.object_check import Gap
from vaultmem.storage.git.remote import Remote
from vaultmem.storage.git.types import (
    OP,
    PATIENCE,
    Blob,
    Change,
    Dirty,
    Entry,
    FileChange,
    Fork,
    Place,
    Row,
)

_OP = re.compile(r"[0-9A-Z]{1,64}", re.ASCII)


class Repository(Place):
    """The git repository a vault lives in; the vault may be a folder of a bigger one."""

    __slots__ = ()

    @property
    def whole(self) -> Self:
        """The same as of the folder that is its top: a path is one of git's own there."""
        return replace(self, prefix="", root=self.top)

    @property
    def is_shared(self) -> bool:
        """Whether the vault is a folder of a repository that holds other things, too."""
        return bool(self.prefix)

    def head(self) -> str | None:
        """Return the commit HEAD stands on, None on an unborn branch."""
        return objects.head(self)

    def blocked(self) -> str | None:
        """Say why a commit must wait: a person's operation is half done; None when free."""
        return commit_lock.blocked(self)

    @contextlib.contextmanager
    def locked(self, patience: float = PATIENCE) -> Iterator[commit_lock.Lock]:
        """Hold git's index.lock, so that what is read inside is what gets committed.

        Raises Busy when another process keeps it for more than *patience* seconds.
        """
        held = commit_lock.acquire(self, patience)
        try:
            held.recover()
            yield held
        finally:
            held.release()

    def commit(
        self,
        changes: Iterable[Change],
        message: str,
        *,
        when: datetime,
        patience: float = PATIENCE,
    ) -> str | None:
        """Commit *changes* on top of HEAD, dated *when*; None when HEAD already holds them.

        Raises Busy after *patience* seconds of a foreign lock, Refused when `blocked()`,
        Unavailable when git fails.
        """
        with self.locked(patience) as held:
            return held.commit(changes, message, when=when)

    # --- the other side -----------------------------------------------------------------------

    def counterpart(self, name: str = "") -> Remote | None:
        """Return the branch elsewhere to be in step with; None without one; raises BadInput."""
        return remote.find(self, name)

    def unpublished(self) -> str:
        """Return the branch here, where it follows none elsewhere and another one does; else ""."""
        return remote.unpublished(self)

    def tip(self, there: Remote) -> str | None:
        """Return the commit that the branch has *there*, None when it has none yet."""
        return remote.tip(self, there)

    def fetch(self, there: Remote) -> None:
        """Bring what the branch has *there*; raises Unavailable."""
        remote.fetch(self, there)

    def push(self, there: Remote, commit: str) -> bool:
        """Give *commit* to the branch *there*; False when somebody else was faster."""
        return remote.push(self, there, commit)

    def merge_base(self, ours: str, theirs: str) -> str | None:
        """Return the commit that both go back to, None when they share no history."""
        return merge_commit.base(self, ours, theirs)

    def ahead(self, commit: str, since: str | None) -> int:
        """Return how many commits *commit* has that *since* has not."""
        return log.ahead(self, commit, since)

    def between(self, old: str, new: str) -> list[Row]:
        """Return what differs between two commits; paths count from the top of the work tree."""
        return merge_commit.changed(self, old, new)

    def fork(self, base: str, ours: str, theirs: str) -> Fork:
        """Return all files of three commits of a vault that shares its repository with nothing."""
        return merge_commit.fork(self, base, ours, theirs)

    def join(self, fork: Fork, changes: Iterable[Change], message: str, when: datetime) -> str:
        """Store a merge commit that nothing points to, and return its id; see `Lock.advance`."""
        return merge_commit.commit(self, fork, changes, message, when)

    def holds(self, commit: str) -> bool:
        """Tell whether the commit is in the repository."""
        return objects.is_tree(self, commit)

    def held(self, ids: Iterable[str]) -> frozenset[str]:
        """Return those of the objects with *ids* that are in the repository."""
        return objects.held(self, ids)

    def beyond(self, commit: str, head: str) -> int | None:
        """Return how many objects *commit* has that *head* has not; None when not all are here.

        A fetch that was killed leaves the newest commits without what they stand on.
        """
        args = ("rev-list", "--objects", commit, "--not", head)
        done = process.run(process.argv(self, args), self.top)
        return done.stdout.count(b"\n") if done.returncode == 0 else None

    # --- the past -----------------------------------------------------------------------------

    def log(
        self, limit: int | None, *, since: str | None = None, paths: Sequence[str] = ()
    ) -> list[Entry]:
        """Return at most *limit* commits of the vault after *since*, newest first."""
        if self.head() is None:
            return []
        count = () if limit is None else (f"--max-count={limit}",)
        return log.entries(self, *count, log.after(self, since), *self.below(paths))

    def resolve(self, name: str) -> str | None:
        """Return the commit that *name* stands for, None when there is none."""
        return self.head() if name == "HEAD" else objects.resolve(self, name)

    def commits(self, span: str, paths: Sequence[str] = ()) -> list[Entry]:
        """Return the commits of the vault in a range as rev-list knows it, newest first."""
        return log.entries(self, span, *self.below(paths))

    def since(self, old: str, new: str) -> list[Entry]:
        """Return the commits that *new* has and *old*, "" for none, has not; see `log.since`."""
        return log.since(self, old, new)

    def goes_on(self, old: str, new: str) -> bool:
        """Tell whether the commit *new* is *old*, or stands on it."""
        return old == new or any(old in it.parents for it in self.since(old, new))

    def ask_apart(self, base: str, ours: str, theirs: str) -> None:
        """Ask at one go what came on either of two lines since *base*; see `log.ask_apart`."""
        log.ask_apart(self, base, ours, theirs)

    def is_known_to_go_on(self, old: str, new: str) -> bool:
        """Tell whether the commit *new* stands on *old*, as far as that was asked already."""
        return old == new or log.is_known_to_go_on(self, old, new)

    def joined(self, span: str) -> list[Entry]:
        """Return the merges in a range as rev-list knows it, newest first."""
        return log.entries(self, "--merges", "--topo-order", span, "--")

    def merges(self, old: str, new: str, subject: str) -> list[tuple[str, str]]:
        """Return both parents of each merge that *new* has, *old* has not, and *subject* begins.

        The newest come first.
        """
        found = [e.parents for e in self.since(old, new) if e.subject.startswith(subject)]
        return [(both[0], both[1]) for both in found if len(both) == 2]  # noqa: PLR2004  # no octopus

    def entries(self, commits: Collection[str]) -> list[Entry]:
        """Return what the log says of *commits*, which there must be."""
        return log.entries(self, "--no-walk", *commits, "--") if commits else []

    def blame(self, path: str, data: bytes) -> list[str | None]:
        """Return which commit wrote each line of *data*, what the file at *path* holds now.

        None for a line that is in no commit yet.
        """
        return blame.blame(self, path, data)

    @property
    def is_shallow(self) -> bool:
        """Whether older commits exist elsewhere and not here."""
        return object_check.is_shallow(self)

    def history_gap(self) -> Gap | None:
        """Return what of the history is not here, None where all is; reads which objects there are.

        What stands in no commit here may stand in one of those.
        """
        return object_check.gap(self)

    def at(self, when: datetime | None) -> str | None:
        """Return the newest commit of the vault dated *when* or before; None asks for the newest.

        None when there is none. How dates in disorder are read: see `log.until`.
        """
        head = self.head()
        second = None if when is None else math.floor(when.timestamp())
        return log.until(self, head, second) if head else None

    def tips_until(self, when: datetime, head: str = "") -> list[str]:
        """Return the newest commits dated *when* or before on every line, not the first alone.

        Of what *head* stands on, else the last commit. None of them stands on another. See
        `log.tips_until`.
        """
        at = head or self.head()
        return log.tips_until(self, at, math.floor(when.timestamp())) if at else []

    def above(self, tips: Iterable[str], head: str) -> list[Entry]:
        """Return the commits of the vault that *head* stands on and *tips* do not, newest first."""
        return log.entries(self, head, *(f"^{tip}" for tip in tips), *self.below())

    def later(self, commit: str, when: datetime, now: datetime) -> list[str]:
        """Return what *commit* stands on that is dated between *when* and *now*, oldest first.

        There is such a commit where a clock went back.
        """
        seconds = (math.floor(it.timestamp()) for it in (when, now))
        return log.later(self, commit, *seconds)

    def begins(self) -> datetime | None:
        """Return the earliest date of a commit of the vault, None when there is none."""
        head = self.head()
        return log.begins(self, head) if head else None

    def files(self, commit: str, *paths: str) -> dict[str, Blob]:
        """Return the vault's files in *commit*, links and submodules too, or those of *paths*."""
        return objects.files(self, commit, *paths)

    def names(self, commit: str, folders: Collection[str]) -> frozenset[str]:
        """Return the paths that *commit* has right in *folders*, of folders, too."""
        return objects.names(self, commit, folders)

    def in_head(self, paths: Collection[str]) -> dict[str, Blob]:
        """Return those of the files at *paths* that the last commit has, links, too."""
        head = self.head()
        return objects.at(self, head, paths) if head else {}

    def touched(self, commits: Sequence[str]) -> dict[str, tuple[Row, ...]]:
        """Return what each of *commits* did to files of the vault; merges and links are left out.

        Their paths count from the vault's folder.
        """
        return log.touched(self, commits)

    def against_first_parent(self, commits: Sequence[str]) -> dict[str, tuple[Row, ...]]:
        """Return what each of *commits* did, a merge to what its first parent has.

        As `touched` does. However many these are, two processes tell it.
        """
        parents = self.parents(commits)
        return log.did(self, [" ".join((it, *parents[it][:1])) for it in commits])

    def against(self, parent: str, commit: str) -> tuple[Row, ...]:
        """Return what *commit* made of the files of the vault that *parent* has, as `touched` does.

        Of a merge, say, which did nothing by itself.
        """
        rows = (row for row in self.between(parent, commit) if row.path.startswith(self.prefix))
        return tuple(row._replace(path=self.inside(row.path)) for row in rows if log.is_file(row))

    def line_counts(self, commits: Sequence[str]) -> dict[tuple[str, str], tuple[int, int]]:
        """Return how many lines came and went in each file of *commits*, by commit and path."""
        return log.line_counts(self, commits) if commits else {}

    def contents(
        self, wanted: Iterable[Blob], check: Callable[[str, int], None] | None = None
    ) -> dict[str, bytes]:
        """Return the bytes of *wanted* by blob id; *check* is told each id and size first."""
        return objects.contents(self, wanted, check)

    def sizes(self, wanted: Iterable[Blob]) -> dict[str, int]:
        """Return how many bytes each of *wanted* has, by blob id, without reading one."""
        return objects.sizes(self, wanted)

    def sized(self, commit: str) -> Iterator[tuple[str, Blob, int]]:
        """Yield the vault's files in *commit* with how many bytes each has, and keep none."""
        return objects.sized(self, commit)

    @contextlib.contextmanager
    def reading(self) -> Iterator[Callable[[Blob], bytes]]:
        """Yield what returns the bytes of a blob, one process for all; it raises Unavailable."""
        with objects.reading(self) as read:
            yield read

    def commits_mentioning(self, *texts: str, commits: Sequence[str]) -> list[Entry]:
        """Return those of *commits*, as rev-list names them, whose message holds one of *texts*.

        The newest come first, also of several branches.
        """
        wanted = (f"--grep={text}" for text in texts)
        return log.entries(self, "--date-order", "--fixed-strings", *wanted, *commits, "--")

    def commits_without(self, text: str, span: str) -> list[Entry]:
        """Return the commits in a range as rev-list knows it whose message lacks *text*.

        The newest come first.
        """
        return log.entries(self, "--fixed-strings", "--invert-grep", f"--grep={text}", span, "--")

    def left_behind(
        self, tips: Sequence[str], head: str, others: Collection[str] = ()
    ) -> list[Entry]:
        """Return the commits that *tips* reach and *head* does not, newest first.

        Those that name an operation of ours, and those among *others*. "" reaches none. What git
        has not is left out.
        """
        return log.left_behind(self, tips, head, others)

    def reflog(self) -> list[str]:
        """Return the commits that HEAD stood on in this clone, the newest first."""
        return log.reflog(self) if self.head() else []

    def refs(self) -> dict[str, str]:
        """Return every ref and what it points at, the branch that was moved last first."""
        return objects.refs(self)

    def stashed(self, paths: Sequence[str]) -> dict[str, str]:
        """Return which of the files at *paths* a stash took away though no commit had them.

        By path, the newest of these stashes as git names it.
        """
        kept = ((f"stash@{{{n}}}", commit) for n, commit in enumerate(log.stashes(self)))
        found: dict[str, str] = {}
        for name, commit in kept:
            for path in objects.blobs(self, f"{commit}^3", paths):
                found.setdefault(path, name)
        return found

    def blobs(self, commit: str, paths: Sequence[str]) -> dict[str, Blob]:
        """Return those of the files at *paths* that *commit* has; "" has none."""
        return objects.blobs(self, commit, paths) if commit and paths else {}

    def versions(self, path: str, *, newest: bool = False) -> Iterator[str]:
        """Yield the versions of the file that any commit has, those left behind, too, as blobs.

        The newest first, or that alone, which is quicker.
        """
        return log.versions(self, path, newest=newest)

    @property
    def nothing(self) -> str:
        """The tree without a file."""
        return objects.nothing(self)

    def parents(self, commits: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the parents of each of *commits*."""
        return log.parents(self, commits) if commits else {}

    def find_op(self, op: str) -> Entry | None:
        """Return the newest commit whose trailers name the operation *op*."""
        if not _OP.fullmatch(op):  # no id of any: git is not asked
            return None
        found = log.mentions(self, f"{OP}: {op}")
        return next((entry for entry in found if op in entry.ops), None)

    def changed(self, commit: str) -> tuple[FileChange, ...]:
        """Return what *commit* did below the vault, against its first parent.

        Raises Unavailable when there is no such commit.
        """
        return self._files(*objects.step(self, commit))

    def done_by(self, entry: Entry) -> tuple[FileChange, ...]:
        """Return what a commit of the log did, as `changed`; its parents are known."""
        return self._files((*entry.parents, self.nothing)[0], entry.commit)

    def _files(self, old: str, new: str) -> tuple[FileChange, ...]:
        rows = [row for row in objects.changes(self, old, new, *self.below()) if log.is_file(row)]
        blobs = objects.contents(self, (blob for row in rows for blob in (row.old, row.new)))
        return tuple(
            FileChange(self.inside(row.path), blobs.get(row.old.id), blobs.get(row.new.id))
            for row in rows
        )

    def show(self, commit: str, path: str) -> bytes | None:
        """Return the bytes of *path* in *commit* (or HEAD), None when either is missing."""
        found = self.head() if commit == "HEAD" else objects.resolve(self, commit)
        return objects.text(self, found, path) if found else None

    def diff(self, commit: str | None, paths: Sequence[str] = ()) -> str:
        """Return the patch of one commit, or of tracked files against HEAD when None.

        Raises Unavailable when there is no such commit.
        """
        if commit is None:
            return worktree.diff(self, paths)
        return objects.patch(self, *objects.step(self, commit), paths, {})

    def edits(self) -> tuple[FileChange, ...]:
        """Return what the tracked files on disk are, where HEAD has them otherwise."""
        return worktree.edits(self)

    def staged(self) -> frozenset[str]:
        """Return the paths below the vault whose index entry differs from HEAD."""
        rows = objects.staged(self, self.head(), *self.below())
        return frozenset(self.inside(row.path) for row in rows)

    def unstaged(self, staged: frozenset[str] | None = None) -> tuple[Dirty, ...]:
        """Return the files a person changed and has not staged, in path order.

        Git is asked what is *staged* unless that is given. The bytes are compared here: git's own
        comparison would run the repository's filters.
        """
        return worktree.unstaged(self, self.staged() if staged is None else staged)

    def is_any_changed(self, paths: Sequence[str]) -> bool:
        """Tell whether a file at one of *paths* is not as the index has it, or is new to that.

        Nothing else is looked at, and none of no *paths*.
        """
        return bool(paths) and worktree.is_any_changed(self, paths)

    def ignored(self, paths: Sequence[str]) -> set[str]:
        """Return those of *paths* that git is told to ignore, tracked or not."""
        return worktree.ignored(self, paths) if paths else set()

    def converted(self, paths: Sequence[str]) -> set[str]:
        """Return those of *paths* of which git is told to store something else than their text."""
        return worktree.converted(self, paths)

    @property
    def is_sparse(self) -> bool:
        """Whether a person chose once which files are checked out."""
        return (self.git_dir / "info/sparse-checkout").exists()

    def left_out(self) -> frozenset[str]:
        """Return the files that a sparse checkout leaves out, or that were left out one by one."""
        return worktree.left_out(self)

    def lost_texts(self) -> dict[str, Blob]:
        """Return the files of the vault whose text HEAD names, and the repository has not got."""
        head = self.head()
        return object_check.lost_blobs(self, head) if head else {}

    def put_back(self, lost: Blob, data: bytes) -> bool:
        """Store *data* if it is what was *lost*; tell whether it is there then."""
        return object_check.put_back(self, lost, data)

    def fsck(self) -> str | None:
        """Return what git finds wrong with the repository, None when nothing is wrong."""
        return object_check.check(self)
