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
from vaultmem.errors import Busy, DiskRefused, ReadOnly, Refused, SecretFound, Unavailable
from vaultmem.files import READ_ONLY, Root, Step
from vaultmem.git import Repository
from vaultmem.ids import Entropy
from vaultmem.journal import Intent, Write
from vaultmem.merge import merge
from vaultmem.model import Clock, compact_stamp
from vaultmem.plan import Change, Plan

WRITE_LOCK = ".vaultmem/write.lock"
_IGNORED = ".vaultmem/.gitignore"
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
        state = self.root.path / LAST_ID
        with _disk(state):
            return ids.mint(state, self.clock(), count, floor, self._random)

    @contextlib.contextmanager
    def writing(self) -> Iterator[Callable[[Plan], None]]:
        """Hold the vault's write lock, all half-done writes made good; yield what carries out.

        The callable writes a plan whole or not at all: it raises StaleWrite, NameTaken or
        SecretFound before anything changed. Raises Busy when the lock is not to be had, DiskRefused
        and ReadOnly when the disk says no.
        """
        if (self.root.path / READ_ONLY).exists():
            raise ReadOnly(str(self.root.path))
        with self._locked(_LOCK_PATIENCE):
            try:
                self._replay()
                yield self._carry_out
            except ReadOnly:
                with contextlib.suppress(OSError):
                    (self.root.path / READ_ONLY).touch(mode=0o600)
                raise

    @contextlib.contextmanager
    def _locked(self, patience: float) -> Iterator[None]:
        from filelock import Timeout, UnixFileLock  # noqa: PLC0415  # only writers pay for it

        self._workings()
        # A new lock object each time: an open file of its own excludes threads, too.
        lock = UnixFileLock(self.root.path / WRITE_LOCK, mode=0o600, fallback_to_soft=False)
        try:
            with _disk(self.root.path / WRITE_LOCK):
                lock.acquire(timeout=patience)
        except Timeout as e:
            raise Busy("the vault's write lock", patience) from e
        try:
            yield
        finally:
            lock.release()

    def _carry_out(self, plan: Plan) -> None:
        for change in plan.changes:
            refuse_secrets(change)
        files.check(self.root, [c.step for c in plan.changes])
        todo = journal.intent(plan, self.mint()[0], self._head())
        try:
            journal.begin(self.root, todo)
            self._apply(todo)
        except DiskRefused as e:
            if files.begun(self.root, [w.step for w in todo.writes]):
                raise DiskRefused(e.path, e.why, begun=True) from e
            # Whoever hears that nothing was changed asks again: then it must not be done twice.
            journal.finish(self.root, todo)
            raise

    def recover(self) -> None:
        """Finish what a crash left half done, unless its writer is still at it.

        When it cannot be finished now, reading goes on, and the next write says why.
        """
        with contextlib.suppress(Unavailable, ReadOnly):
            if journal.half_done(self.root) and not (self.root.path / READ_ONLY).exists():
                with self._locked(patience=0):
                    self._replay()
        # A lock that a dead process of ours left would stop the person's own git.
        with contextlib.suppress(Unavailable):
            if self.repository:
                with self.repository.locked(patience=0):
                    pass

    def _workings(self) -> None:
        # A folder that was a repository before may have an ignore list without our line. The index
        # may have made ours, and not durably: the journal's promises need it to be.
        if files.stamp(self.root, _IGNORED) is None:
            token = self._random(8).hex()
            files.write(self.root, [Step(_IGNORED, None, b"*\n")], token, unsure=True)

    def _head(self) -> str | None:
        # A git that does not answer delays the commit, never the write.
        with contextlib.suppress(Unavailable):
            return self.repository.head() if self.repository else None
        return None

    def _replay(self) -> None:
        for name in journal.begun(self.root):
            if todo := journal.get(self.root, name):
                self._apply(todo, unsure=True)

    def _apply(self, todo: Intent, *, unsure: bool = False) -> None:
        left = files.write(self.root, [w.step for w in todo.writes], todo.id, unsure=unsure)
        self._set_aside(left, todo)
        if self._keeps_history():
            journal.applied(self.root, todo)
        else:
            journal.finish(self.root, todo)

    def _keeps_history(self) -> bool:
        if self.repository is not None:
            return True
        above = (self.root.path, *self.root.path.parents)
        return not git.available() and any((folder / ".git").exists() for folder in above)

    def _set_aside(self, left: Iterable[Step], todo: Intent) -> None:
        """Put our version of files that a person changed meanwhile into the inbox."""
        for step in left:
            if step.data is not None and step.path != "MEMORY.md":  # that one is made anew
                where = _conflict(todo.id.lower(), step.path, step.data)
                files.write(self.root, [Step(where, None, step.data)], todo.id)

    # --- committing -------------------------------------------------------------------------

    def settle(self, patience: float = 10.0) -> dict[str, str]:
        """Commit every applied intent; return the commit of each operation that got one.

        When git is busy, missing, or in the middle of a merge they stay pending: the files are
        safe, and the next command tries again.
        """
        commits: dict[str, str] = {}
        # Refused: a merge began after we asked.
        with contextlib.suppress(Unavailable, Refused):
            if journal.names(self.root) and self.repository and not self.repository.blocked():
                with self.repository.locked(patience) as lock:
                    # Read again: while we waited another process may have committed them.
                    self._commit(lock, journal.waiting(self.root), commits)
        return commits

    def _commit(
        self, lock: git.Lock, waiting: Sequence[tuple[str, Intent]], commits: dict[str, str]
    ) -> None:
        for _, batch in groupby(self._uncommitted(waiting), key=lambda x: _together(x[1])):
            group = list(batch)
            sha = lock.commit(self._changes([n for n, _ in group]), message([i for _, i in group]))
            for _, todo in group:
                if sha:
                    commits[todo.op] = sha
                journal.finish(self.root, todo)

    def _uncommitted(self, waiting: Sequence[tuple[str, Intent]]) -> Iterator[tuple[str, Intent]]:
        """Yield those that a crash did not stop just after their commit; forget the others."""
        head = self._head()
        for name, todo in waiting:
            if todo.base != head and self._landed(name, todo):
                journal.finish(self.root, todo)
            else:
                yield name, todo

    def _landed(self, name: str, todo: Intent) -> bool:
        """Tell whether a commit since its base names the operation and holds this part of it."""
        assert self.repository is not None  # noqa: S101  # settle() asked
        commits = [e.commit for e in self._since(todo.base) if (git.OP, todo.op) in e.trailers]
        held = {c.path for commit in commits for c in self.repository.changed(commit)}
        return bool(commits) and {w.path for w in self._writes(name) if w.old != w.new} <= held

    def _since(self, base: str | None) -> list[git.Entry]:
        assert self.repository is not None  # noqa: S101  # settle() asked
        try:
            return self.repository.log(None, since=base)
        except Unavailable:  # that commit is gone: somebody rewrote the history
            return self.repository.log(None)

    def _changes(self, names: Iterable[str]) -> Iterator[git.Change]:
        """Yield what the commit shall hold: HEAD's text plus what we changed, no more."""
        committed: dict[str, bytes | None] = {}
        for name in names:
            todo = journal.get(self.root, name)
            for write in todo.writes if todo else ():
                if write.old is None:
                    committed[write.path] = write.new
                    yield git.Change(write.path, write.new)
                elif (change := self._update(write, committed)) is not None:
                    yield change

    def _update(self, write: Write, committed: dict[str, bytes | None]) -> git.Change | None:
        """Leave a person's uncommitted lines, which *write* kept, out of the commit."""
        assert self.repository is not None  # noqa: S101  # settle() asked
        if write.path not in committed:
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
        # Refused: a merge began after we asked.
        with contextlib.suppress(Unavailable, Refused):
            if self.repository and not self.repository.blocked():
                return self._commit_rested(self.repository, quiet, leave)
        return None

    def _commit_rested(
        self, repository: Repository, quiet: float, leave: frozenset[str]
    ) -> str | None:
        self._workings()
        pending = {w.path for n in journal.names(self.root) for w in self._writes(n)}
        rested = [
            change
            for dirty in repository.unstaged()
            if dirty.path not in pending | leave
            and (change := self._rested(dirty.path, quiet)) is not None
        ]
        return repository.commit(rested, _edit_message(rested)) if rested else None

    def _writes(self, name: str) -> tuple[Write, ...]:
        todo = journal.get(self.root, name)
        return todo.writes if todo else ()

    def _rested(self, path: str, quiet: float) -> git.Change | None:
        with contextlib.suppress(Refused, DiskRefused, OSError):
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
        rested = [x for x in files.lingering(self.root) if time.time() - x.since >= quiet]
        stray = [x for x in files.leftovers(self.root) if not files.alive(x)]
        if not rested and not stray:
            return
        # Busy or read-only: the next round does it.
        with contextlib.suppress(Busy, ReadOnly), self.writing():
            for old in rested:
                self._let_go(old)
            for temp in stray:
                files.discard(self.root, temp)
            files.clear_shelves(self.root)

    def _let_go(self, old: files.Lingering) -> None:
        if old.live or self._rescued(old):
            files.discard(self.root, old.kept)

    def _rescued(self, old: files.Lingering) -> bool:
        """Tell whether nothing would be lost with the old inode; False when it must stay."""
        try:
            found = files.read(self.root, old.kept)
        except Refused:  # no file at all
            return True
        if found is None or found.sha == old.sha:
            return True
        where = _conflict(compact_stamp(self.clock()), old.path, found.data)
        return not files.write(self.root, [Step(where, None, found.data)], self.mint()[0])


@contextlib.contextmanager
def _disk(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as e:
        if isinstance(e, TimeoutError):  # filelock's, and no word of the disk
            raise
        raise DiskRefused(str(path), e.strerror or str(e)) from e


def _conflict(when: str, path: str, data: bytes) -> str:
    """Return where a second version of *path* waits for a person.

    Other bytes have another name, whatever the file's own name was and however long.
    """
    name = files.slug(PurePosixPath(path).stem)
    return (
        "-".join(x for x in (f"inbox/conflict-{when}", name, files.sha256(data)[:8]) if x) + ".md"
    )


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
    # A session's name may hold anything, but no line of its own.
    tail = "\n".join(f"{key}: {' '.join(value.split())}" for key, value in trailers)
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
