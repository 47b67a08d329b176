"""The one door to the files: a plan is checked, journalled, written, and committed.

writing: under the write lock: replay what a crash left → check what was read → intent → files.
settle:  under git's own lock: every applied intent into a commit, then forgotten.
A crash anywhere leaves an intent that `recover` finishes; a busy git delays the commit alone.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby
from pathlib import Path, PurePosixPath

from vaultmem import files, git, ids, journal, secrets
from vaultmem.errors import Busy, ReadOnly, Refused, SecretFound, Unavailable
from vaultmem.files import Root, Step
from vaultmem.git import Repository
from vaultmem.ids import Entropy
from vaultmem.journal import Intent, Write
from vaultmem.merge import merge
from vaultmem.model import Clock, compact_stamp
from vaultmem.plan import Change, Plan

WRITE_LOCK = ".vaultmem/write.lock"
READ_ONLY = ".vaultmem/read-only"
LAST_ID = ".vaultmem/last-id"
_LOCK_PATIENCE = 10.0
QUIET = 30.0
"""Seconds a person's file rests before it is committed, and an old inode before it is let go."""


class Door:
    """Where every write passes: the vault's folder, its repository if it has one, the clock."""

    def __init__(
        self,
        root: Root,
        clock: Clock,
        find: Callable[[Path], Repository | None],
        random: Entropy = os.urandom,
    ) -> None:
        """Write below *root*; *find* looks for its repository when one is first needed."""
        self.root, self.clock, self._find, self._random = root, clock, find, random

    @cached_property
    def repository(self) -> Repository | None:
        """The repository that keeps the vault's history, None without one."""
        return self._find(self.root.path)

    # --- writing ----------------------------------------------------------------------------

    def mint(self, count: int = 1, floor: str = "") -> list[str]:
        """Return *count* new ULIDs, rising."""
        self._workings()
        return ids.mint(self.root.path / LAST_ID, self.clock(), count, floor, self._random)

    @contextlib.contextmanager
    def writing(self) -> Iterator[Callable[[Plan], None]]:
        """Hold the vault's write lock, all half-done writes made good; yield what carries out.

        The callable writes a plan whole or not at all: it raises StaleWrite, NameTaken or
        SecretFound before anything changed. Raises Busy when the lock is not to be had, DiskRefused
        and ReadOnly when the disk says no.
        """
        from filelock import Timeout, UnixFileLock  # noqa: PLC0415  # only writers pay for it

        self._workings()
        if (self.root.path / READ_ONLY).exists():
            raise ReadOnly(str(self.root.path))
        # A new lock object each time: an open file of its own excludes threads, too.
        lock = UnixFileLock(self.root.path / WRITE_LOCK, mode=0o600, fallback_to_soft=False)
        try:
            lock.acquire(timeout=_LOCK_PATIENCE)
        except Timeout as e:
            raise Busy("the vault's write lock", _LOCK_PATIENCE) from e
        try:
            self._replay()
            yield self._carry_out
        except ReadOnly:
            with contextlib.suppress(OSError):
                (self.root.path / READ_ONLY).touch(mode=0o600)
            raise
        finally:
            lock.release()

    def _carry_out(self, plan: Plan) -> None:
        for change in plan.changes:
            refuse_secrets(change)
        files.check(self.root, [c.step for c in plan.changes])
        todo = journal.intent(plan, self.mint()[0], self._head())
        journal.begin(self.root, todo)
        self._apply(todo)

    def recover(self) -> None:
        """Finish what a crash left half done, unless its writer is still at it."""
        if journal.half_done(self.root):
            with self.writing():
                pass

    def _workings(self) -> None:
        folder = self.root.path / ".vaultmem"
        if not folder.is_dir():
            folder.mkdir(mode=0o700, exist_ok=True)
            # A folder that was a repository before may have an ignore list without our line.
            (folder / ".gitignore").write_text("*\n", encoding="ascii")

    def _head(self) -> str | None:
        return self.repository.head() if self.repository else None

    def _replay(self) -> None:
        for name in journal.names(self.root):
            todo = journal.get(self.root, name)
            if todo and not todo.applied:
                self._apply(todo)

    def _apply(self, todo: Intent) -> None:
        left = files.write(self.root, [w.step for w in todo.writes], todo.id)
        self._set_aside(left, todo)
        if self.repository is None:
            journal.finish(self.root, todo)
        else:
            journal.applied(self.root, todo)

    def _set_aside(self, left: Iterable[Step], todo: Intent) -> None:
        """Put our version of files that a person changed meanwhile into the inbox."""
        for step in left:
            if step.data is not None and step.path != "MEMORY.md":  # that one is made anew
                where = f"inbox/conflict-{todo.id.lower()}-{PurePosixPath(step.path).name}"
                files.write(self.root, [Step(where, None, step.data)], todo.id)

    # --- committing -------------------------------------------------------------------------

    def settle(self, patience: float = 10.0) -> dict[str, str]:
        """Commit every applied intent; return the commit of each operation that got one.

        When git is busy, missing, or in the middle of a merge they stay pending: the files are
        safe, and the next command tries again.
        """
        if not journal.names(self.root) or self.repository is None or self.repository.blocked():
            return {}
        try:
            with self.repository.locked(patience) as lock:
                # Read again: while we waited another process may have committed them.
                return self._commit(lock, journal.waiting(self.root))
        except Unavailable:
            return {}

    def _commit(self, lock: git.Lock, waiting: Sequence[tuple[str, Intent]]) -> dict[str, str]:
        commits: dict[str, str] = {}
        for _, batch in groupby(self._uncommitted(waiting), key=lambda x: _together(x[1])):
            group = list(batch)
            sha = lock.commit(self._changes([n for n, _ in group]), message([i for _, i in group]))
            for _, todo in group:
                if sha:
                    commits[todo.op] = sha
                journal.finish(self.root, todo)
        return commits

    def _uncommitted(self, waiting: Sequence[tuple[str, Intent]]) -> Iterator[tuple[str, Intent]]:
        """Yield those that a crash did not stop just after their commit; forget the others."""
        assert self.repository is not None  # noqa: S101  # settle() asked
        head = self.repository.head()
        for name, todo in waiting:
            if todo.base != head and todo.op in self.repository.ops_since(todo.base):
                journal.finish(self.root, todo)
            else:
                yield name, todo

    def _changes(self, names: Iterable[str]) -> Iterator[git.Change]:
        """Yield what the commit shall hold: HEAD's text plus what we changed, no more."""
        committed: dict[str, bytes | None] = {}
        for name in names:
            todo = journal.get(self.root, name)
            for write in todo.writes if todo else ():
                if write.old is None:
                    committed[write.path] = None
                    yield git.Change(write.path, write.new)
                elif (change := self._update(write, committed)) is not None:
                    yield change

    def _update(self, write: Write, committed: dict[str, bytes | None]) -> git.Change | None:
        """Leave a person's uncommitted lines, which *write* kept, out of the commit."""
        assert self.repository is not None  # noqa: S101  # settle() asked
        if committed.get(write.path) is None:
            committed[write.path] = self.repository.show("HEAD", write.path)
        have = committed[write.path]
        data = write.new
        if data is not None and have != write.old:
            data = merge(ours=data, base=write.old or b"", theirs=have) if have else None
            if data is None:
                return None
        committed[write.path] = data
        return git.Change(write.path, data)

    def commit_edits(self, quiet: float = QUIET, leave: frozenset[str] = frozenset()) -> str | None:
        """Commit what people changed and have not staged, apart from ours, once it has rested.

        *leave* names paths that must wait: broken ones, ones with a secret.
        """
        if self.repository is None or self.repository.blocked():
            return None
        pending = {w.path for n, _ in journal.waiting(self.root) for w in self._writes(n)}
        rested = [
            change
            for dirty in self.repository.unstaged()
            if dirty.path not in pending | leave
            and (change := self._rested(dirty.path, quiet)) is not None
        ]
        try:
            return self.repository.commit(rested, _edit_message(rested)) if rested else None
        except Unavailable:
            return None

    def _writes(self, name: str) -> tuple[Write, ...]:
        todo = journal.get(self.root, name)
        return todo.writes if todo else ()

    def _rested(self, path: str, quiet: float) -> git.Change | None:
        with contextlib.suppress(Refused, OSError):
            found = files.read(self.root, path)
            touched = found.stamp.mtime_ns / 1e9 if found else self._folder_touched(path)
            if time.time() - touched < quiet:
                return None
            if found and secrets.find(found.data.decode("utf-8", "replace")):
                return None
            return git.Change(path, found.data if found else None)
        return None

    def _folder_touched(self, path: str) -> float:
        folder = self.root.path / PurePosixPath(path).parent
        return folder.stat().st_mtime if folder.is_dir() else 0.0

    # --- tidying ----------------------------------------------------------------------------

    def tidy(self, quiet: float = QUIET) -> None:
        """Let go of rested old inodes and of temporary files whose writer is dead.

        An old inode that changed after we replaced it was held open by somebody's editor: what was
        written to it is set aside in the inbox.
        """
        for old in files.lingering(self.root):
            if time.time() - old.since >= quiet:
                self._let_go(old)
        for temp in list(files.leftovers(self.root)):
            if not files.alive(temp):
                files.discard(self.root, temp)

    def _let_go(self, old: files.Lingering) -> None:
        found = files.read(self.root, old.kept)
        if found and found.sha != old.sha:
            stamp = compact_stamp(self.clock())
            where = f"inbox/conflict-{stamp}-{PurePosixPath(old.path).name}"
            with contextlib.suppress(Refused):
                files.write(self.root, [Step(where, None, found.data)], self.mint()[0])
        files.discard(self.root, old.kept)


def refuse_secrets(change: Change) -> None:
    """Raise SecretFound when *change* brings in a credential that was not there before."""
    if change.new is None:
        return
    old = (change.old or b"").decode("utf-8", "replace")
    text = change.new.decode("utf-8", "replace")
    for finding in secrets.find(text):
        if text[finding.start : finding.end] not in old:
            raise SecretFound(change.path, finding.rule)


def _together(todo: Intent) -> tuple[str, str]:
    """Return what it shares with its commit's others: an operation, or a quiet batch."""
    return ("remember", todo.agent) if todo.kind == "remember" else ("op", todo.op)


def message(group: Sequence[Intent]) -> str:
    """Return the commit message for intents that are committed together."""
    many = len({i.op for i in group}) > 1
    subject = f"remember({group[0].agent}): {len(group)} memories" if many else _subject(group)
    notes = [f"{i.op} {n}" if many else n for i in group for n in i.notes]
    trailers = dict.fromkeys(t for i in group for t in i.trailers)
    body = "\n".join(notes)
    tail = "\n".join(f"{key}: {value}" for key, value in trailers)
    return "\n\n".join(part for part in (subject, body, tail) if part) + "\n"


def _subject(group: Sequence[Intent]) -> str:
    """Return what the operation's parts came to: the last of each kind says how many in all."""
    return "; ".join({todo.kind: todo.subject for todo in group}.values())


def _edit_message(changes: Sequence[git.Change]) -> str:
    paths = [c.path for c in changes]
    if len(paths) == 1:
        verb = "delete" if changes[0].data is None else "edit"
        return f"human: {verb} {paths[0]}\n"
    return f"human: edit {len(paths)} files\n\n" + "\n".join(paths) + "\n"
