"""The only way to the files: a plan is checked, journalled, written, and committed.

writing: under the write lock: replay what a crash left → check what was read → intent → files.
commit:  under git's own lock: every applied intent into a commit, then forgotten.
A crash anywhere leaves an intent that `recover` finishes; a busy git delays the commit alone.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from vaultmem.errors import (
    Busy,
    DiskRefused,
    ReadOnly,
    Refused,
    Unavailable,
    Unconfirmed,
    disk_errors,
)
from vaultmem.records import LISTS, Clock
from vaultmem.storage import (
    change_checks,
    files,
    git,
    journal,
    tombstone_ledger,
    ulids,
    unconfirmed_operations,
)
from vaultmem.storage.commits import QUIET, Commits
from vaultmem.storage.commits.lost_writes import LostWrites
from vaultmem.storage.commits.pending import People
from vaultmem.storage.commits.rested_edits import Changed, Compare, compare_nothing
from vaultmem.storage.commits.waiting_versions import Lack
from vaultmem.storage.files import READ_ONLY, Addition, Root, Step
from vaultmem.storage.git import Repository
from vaultmem.storage.journal import Intent
from vaultmem.storage.ledger import Missing, entries
from vaultmem.storage.ledger.service import Places
from vaultmem.storage.old_inodes import OldInodes
from vaultmem.storage.plan import Append, Change, Plan
from vaultmem.storage.ulids import Entropy
from vaultmem.storage.unconfirmed_operations import Earlier
from vaultmem.storage.write_lock import WriteLock

_IGNORED = ".vaultmem/.gitignore"
LAST_ID = ".vaultmem/last-id"
_LOCK_PATIENCE = 10.0
MANY = 16
"""Parts of an operation that are committed together, where it has no end."""


class Writer:
    """Where every write passes: the vault's folder, its repository if it has one, the clock."""

    def __init__(
        self,
        root: Root,
        clock: Clock,
        find: Callable[[Path], Repository | None],
        random: Entropy = os.urandom,
        places: Places = lambda _: (),
    ) -> None:
        """Write below *root*; *find* looks for its repository when one is first needed.

        *places* tells which files are said to have one of some ids.
        """
        self.root, self.clock, self._random = root, clock, random
        self.compare: Compare = compare_nothing
        """Asked about what people wrote, before it is committed."""
        self.edits_too: Callable[[], bool] = lambda: True
        """Tells whether what people wrote is committed for them."""
        self.commits = Commits(root, clock, find, self._workings, self._token, places)
        self._lock = WriteLock(root, self._workings)
        self._lost = LostWrites(
            root, lambda: self.repository, self._token, lambda: self._replayed(patience=0)
        )
        self._last: tuple[str, Earlier] | None = None
        self.carried_out = 0
        """How many plans were, by this writer."""

    @property
    def repository(self) -> Repository | None:
        """The repository that keeps the vault's history, None without one."""
        return self.commits.repository

    # --- writing ----------------------------------------------------------------------------

    def mint(self, count: int = 1, floor: str = "") -> list[str]:
        """Return *count* new ULIDs, rising."""
        self._workings()
        state = self.root.path / LAST_ID
        with disk_errors(state):
            return ulids.mint(state, self.clock(), count, floor, self._random)

    def _token(self) -> str:
        return self.mint()[0]

    @contextlib.contextmanager
    def writing(self) -> Iterator[Callable[[Plan], None]]:
        """Hold the vault's write lock, all half-done writes made good; yield what carries out.

        The callable writes a plan whole or not at all: it raises StaleWrite, NameTaken, SecretFound
        or HeldBack before anything changed. Raises Busy when the lock is not to
        be had, DiskRefused and ReadOnly when the disk says no, Unconfirmed when it does so late.
        """
        if (self.root.path / READ_ONLY).exists():
            raise ReadOnly(str(self.root.path))
        with self._lock.held(_LOCK_PATIENCE):
            try:
                self._replay()
                yield self._carry_out
            except ReadOnly:
                self._stop_writing()
                raise

    @contextlib.contextmanager
    def _replayed(self, patience: float) -> Iterator[None]:
        """Hold the write lock, all half-done writes made good, on a disk that failed, too."""
        with self._lock.held(patience):
            self._replay()
            yield

    def is_anyone_writing(self) -> bool:
        """Tell whether a process has the write lock; where nobody can tell, one may have it."""
        return self._lock.is_anyone_writing()

    def earlier(self, asked: str, holds: Callable[[Earlier], bool]) -> Earlier | None:
        """Return the operation that did what is *asked* and was confirmed to nobody, and *holds*.

        Who is `writing` asks before: with one, nothing is to be written.
        """
        if not asked:
            return None
        found = unconfirmed_operations.take(self.root, asked, self.clock(), holds)
        self._last = (asked, found) if found else self._last
        return found

    def _carry_out(self, plan: Plan) -> None:
        if not plan.merge:  # what it brings is in the history already
            for change in plan.changes:
                change_checks.check(change)
        self._lost.complete({c.path for c in plan.changes if not _is_new_memory(c)})
        files.check(self.root, [c.step for c in plan.changes])
        todo = journal.intent(plan, self._token(), self.commits.head())
        if todo.asked:
            self._last = todo.asked, Earlier(todo.op, todo.marks)
        try:
            journal.begin(self.root, todo)
            self._apply(todo)
        except (DiskRefused, ReadOnly) as e:
            if isinstance(e, ReadOnly):
                self._stop_writing()
            if not self._withdrawn(todo):
                raise Unconfirmed(todo.op, e.path, e.why) from e
            raise
        self.carried_out += 1

    def note_unconfirmed(self) -> bool:
        """Keep that the last operation, if it was carried out, is confirmed to nobody.

        For who breaks off before the answer is given: asked once more, it is not done twice. Tell
        whether there is one and that is kept.
        """
        if self._last is None:
            return False
        # A folder of its own: the vault may be closed by now.
        with (
            contextlib.suppress(DiskRefused, ReadOnly, Refused),
            contextlib.closing(Root(self.root.path)) as root,
        ):
            if unconfirmed_operations.is_done(root, self._last[1]):
                unconfirmed_operations.note(root, *self._last)
                return True
        return False

    def _withdrawn(self, todo: Intent) -> bool:
        """Take an intent back of which nothing is done; False when somebody may carry it out."""
        try:
            if files.begun(self.root, [w.step for w in todo.writes]):
                return False
            journal.finish(self.root, todo)
        except (Unavailable, ReadOnly):
            return False
        return True

    def _stop_writing(self) -> None:
        with contextlib.suppress(OSError):
            (self.root.path / READ_ONLY).touch(mode=0o600)

    def recover(self) -> None:
        """Finish what a crash left half done, unless its writer is still at it.

        When it cannot be finished now, reading goes on, and the next write says why.
        """
        with contextlib.suppress(Unavailable, ReadOnly):
            if journal.was_torn(self.root) and not (self.root.path / READ_ONLY).exists():
                with self._replayed(patience=0):
                    pass
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

    def _replay(self) -> None:
        if not journal.was_torn(self.root):
            return
        strewn = {journal.FOLDER}
        for name in journal.begun(self.root):
            if todo := journal.get(self.root, name):
                if todo.asked:  # first: a crash in between must not part them
                    done = Earlier(todo.op, todo.marks)
                    unconfirmed_operations.note(self.root, todo.asked, done)
                self._apply(todo, unsure=True)
                strewn |= {w.path.rpartition("/")[0] for w in todo.writes}
        unconfirmed_operations.clear(self.root, self.clock())
        files.sweep(self.root, sorted(strewn))

    def _apply(self, todo: Intent, *, unsure: bool = False) -> None:
        left = files.write(self.root, [w.step for w in todo.writes], todo.id, unsure=unsure)
        self._set_aside(left, todo)
        # Of a replay as well: an undo that was killed lets go of what it takes back.
        tombstone_ledger.follow(self.root.path, todo.writes)
        if self.commits.keeps_history():
            journal.applied(self.root, todo)
        else:
            self._finish(todo)

    def _finish(self, todo: Intent) -> None:
        """Forget an intent that is carried out and goes to no git.

        Once it is removed the answer is that it is done, though a disk that fails may bring it back
        after a power loss: a replay finds everything done, while whoever asked again would double.
        """
        try:
            journal.finish(self.root, todo)
        except (DiskRefused, ReadOnly) as e:
            if journal.stays(self.root, todo):
                raise
            if isinstance(e, ReadOnly):
                self._stop_writing()

    def _set_aside(self, left: Iterable[Step | Addition], todo: Intent) -> None:
        """Put our version of files that a person changed meanwhile into the inbox."""
        for step in left:
            if step.data is not None and step.path not in LISTS:
                where = files.conflict(todo.id.lower(), step.path, step.data)
                files.write(self.root, [Step(where, None, step.data)], todo.id)

    # --- committing -------------------------------------------------------------------------

    def waiting(self) -> int:
        """Return how many operations wait for a commit that is ours to make."""
        return len(journal.due(self.root))

    def commit_pending(self, patience: float = git.PATIENCE) -> dict[str, str]:
        """Commit every applied intent; return the commit of each operation that got one.

        When git is busy, missing, or in the middle of a merge they stay pending: the files are
        safe, and the next command tries again. Nobody is kept waiting for longer than *patience*
        seconds, however often a command commits.
        """
        looked = list[Sequence[Lack]]()

        def put_back() -> Sequence[Lack]:
            looked.append(self._lost.put_back())
            return looked[-1]

        people, laid = People(put_back, self.edits_too), dict[str, bytes | None]()
        commits = self.commits.commit_pending(patience, people, laid)
        if laid:  # what marks it as a tool's waits for its own commit
            self.compare(laid)()
            commits |= self.commits.commit_pending(patience, people, {})
        if not looked:  # a git that is in the middle of something has the other files
            self.restore_made()
        return commits

    def commit_many(self) -> None:
        """Commit what waits, once that is many: for an operation of which nobody knows the size.

        A commit is made of all that waits, and who asks what it will have reads that. All commits
        of an operation name it, so that one undo takes them back.
        """
        if self.waiting() >= MANY:
            self.commit_pending()

    def commit_edits(
        self,
        quiet: float = QUIET,
        leave: frozenset[str] = frozenset(),
        only: frozenset[str] | None = None,
        changed: Changed = None,
        *,
        compared: bool = False,
    ) -> str | None:
        """Commit what people changed and have not staged, as `EditCommits.commit` does.

        *compared*: who asks knows whose words that is, and marks it.
        """
        compare = compare_nothing if compared else self.compare
        return self.commits.edits.commit(compare, quiet, leave, only, changed)

    # --- what is missing -----------------------------------------------------------------------

    def lacking(self) -> tuple[Lack, ...]:
        """Return what files lack on disk of what waits for its commit.

        Not what an operation of ours took away, nor what a person moved or put aside.
        """
        return self._lost.find()

    def put_aside(self) -> dict[str, str]:
        """Return which acknowledged files a stash has, not the disk: its name by path."""
        return self._lost.put_aside()

    def restore_made(self) -> None:
        """Write again what we made and somebody took before git had it, whatever git is at.

        For who decides on what is there, too: a summary or an episode is not made twice.
        """
        self._lost.put_back_made()

    def missing(self, *, whole: bool = False) -> tuple[Missing, ...]:
        """Return the acknowledged memories that HEAD has not; *whole* trusts no earlier look."""
        return self.commits.missing(whole=whole)

    def forget_history(self) -> None:
        """Answer for no history any more, which is gone for good: nothing waits for it."""
        with self._replayed(_LOCK_PATIENCE):
            self.commits.forget_history()
            for _, todo in journal.waiting(self.root):
                journal.finish(self.root, todo)

    # --- sweeping ---------------------------------------------------------------------------

    def sweep(self, quiet: float = QUIET) -> None:
        """Remove old inodes that nobody uses, and temporary files whose writer is dead.

        An old inode that changed after we replaced it was held open by somebody's editor: what was
        written to it is set aside in the inbox. One that is still held open waits.
        """
        inodes = OldInodes(self.root, self.clock, self._token)
        rested = inodes.rested(quiet)
        stray = [x for x in files.leftovers(self.root) if not files.alive(x)]
        if not rested and not stray:
            return
        # Busy or read-only: the next round does it.
        with contextlib.suppress(Busy, ReadOnly), self.writing():
            for old in rested:
                inodes.let_go(old)
            for temp in stray:
                files.discard(self.root, temp)
            files.remove_empty_folders(self.root)


def _is_new_memory(change: Change | Append) -> bool:
    """Tell whether *change* makes a memory: what waits has no other at its path."""
    return isinstance(change, Change) and change.old is None and entries.holds(change.path)
