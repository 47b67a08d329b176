"""The only way to the files: a plan is checked, journalled, written, and committed.

writing: under the write lock: replay what a crash left → check what was read → intent → files.
commit:  under git's own lock: every applied intent into a commit, then forgotten.
A crash anywhere leaves an intent that `recover` finishes; a busy git delays the commit alone.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from pathlib import Path

from vaultmem.documents import public_text, secrets
from vaultmem.errors import (
    Busy,
    DiskRefused,
    HeldBack,
    ReadOnly,
    Refused,
    SecretFound,
    Unavailable,
    Unconfirmed,
    disk_errors,
)
from vaultmem.records import LISTS, Clock
from vaultmem.storage import (
    attestation_notes,
    file_lock,
    files,
    git,
    journal,
    ledger,
    tombstone_ledger,
    transcripts,
    ulids,
    unconfirmed_operations,
)
from vaultmem.storage.commits import QUIET, Commits, lacking_files, waiting_tasks
from vaultmem.storage.commits.rested_edits import Changed, Compare, compare_nothing
from vaultmem.storage.commits.waiting_versions import Lack
from vaultmem.storage.files import READ_ONLY, Addition, Root, Step
from vaultmem.storage.git import Repository
from vaultmem.storage.journal import Intent
from vaultmem.storage.ledger import LET_GO, RELEASE, Missing, entries, left_commits
from vaultmem.storage.ledger.service import Acknowledged, Places
from vaultmem.storage.old_inodes import OldInodes
from vaultmem.storage.plan import Append, Change, Plan
from vaultmem.storage.ulids import Entropy
from vaultmem.storage.unconfirmed_operations import Earlier

WRITE_LOCK = ".vaultmem/write.lock"
_IGNORED = ".vaultmem/.gitignore"
LAST_ID = ".vaultmem/last-id"
_LOCK_PATIENCE = 10.0
MANY = 16
"""Parts of an operation that are committed together, where it has no end."""

_INTERRUPTED = (
    "this vault is in the middle of a write, which a signal handler interrupted; nothing was done: "
    "let the handler note what it wants, and do it once the write is over"
)


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
        self.commits = Commits(root, clock, find, self._workings, self._token, places)
        self._at_work = False
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
        with self._locked(_LOCK_PATIENCE):
            try:
                self._replay()
                yield self._carry_out
            except ReadOnly:
                self._stop_writing()
                raise

    @contextlib.contextmanager
    def _locked(self, patience: float) -> Iterator[None]:
        if self._at_work:
            raise Busy("the vault's write lock", 0, _INTERRUPTED)
        self._workings()
        path, what = self.root.path / WRITE_LOCK, "the vault's write lock"
        with file_lock.alone(path, what, patience, folder=self.root.fd):
            self._at_work = True
            try:
                yield
            finally:
                self._at_work = False

    def is_anyone_writing(self) -> bool:
        """Tell whether a process has the write lock; where nobody can tell, one may have it."""
        path, what = self.root.path / WRITE_LOCK, "the vault's write lock"
        try:
            with file_lock.alone(path, what, 0, folder=self.root.fd):
                return False
        except (Busy, DiskRefused):
            return True

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
                refuse_secrets(change)
                _refuse_to_touch_hidden(change)
        self._complete({c.path for c in plan.changes if not _is_new_memory(c)})
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

    def _complete(self, paths: AbstractSet[str]) -> None:
        """Put back what came off the files at *paths*: whoever read them without it reads again."""
        if paths and journal.names(self.root):
            find = partial(lacking_files.find, self.root, lambda: self.repository, paths)
            self._write_again(self._numbered(find))

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
            if self._was_torn() and not (self.root.path / READ_ONLY).exists():
                with self._locked(patience=0):
                    self._replay()
        # A lock that a dead process of ours left would stop the person's own git.
        with contextlib.suppress(Unavailable):
            if self.repository:
                with self.repository.locked(patience=0):
                    pass

    def _was_torn(self) -> bool:
        # Who is killed while the intent itself is written leaves no intent.
        return journal.half_done(self.root) or files.has_strays(self.root, journal.FOLDER)

    def _workings(self) -> None:
        # A folder that was a repository before may have an ignore list without our line. The index
        # may have made ours, and not durably: the journal's promises need it to be.
        if files.stamp(self.root, _IGNORED) is None:
            token = self._random(8).hex()
            files.write(self.root, [Step(_IGNORED, None, b"*\n")], token, unsure=True)

    def _replay(self) -> None:
        if not self._was_torn():
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
            looked.append(self._put_back())
            return looked[-1]

        commits = self.commits.commit_pending(patience, put_back)
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

    def lacking(self) -> tuple[Lack, ...]:
        """Return what files lack on disk of what waits for its commit.

        Not what an operation of ours took away, nor what a person moved or put aside.
        """
        return lacking_files.find(self.root, lambda: self.repository)

    def put_aside(self) -> dict[str, str]:
        """Return which acknowledged files a stash has, not the disk: its name by path."""
        return lacking_files.put_aside(self.root, lambda: self.repository)

    def restore_made(self) -> None:
        """Write again what we made and somebody took before git had it, whatever git is at.

        For who decides on what is there, too: a summary or an episode is not made twice.
        """
        with contextlib.suppress(Unavailable, ReadOnly, Refused):
            if journal.names(self.root):
                self._put_back(made=True)

    def _put_back(self, *, made: bool = False) -> Sequence[Lack]:
        """Write again what somebody took before git had it: nobody meant to. Return what is left.

        Under the write lock, so that no operation of ours takes it away meanwhile; of files that
        we *made* alone, if asked. Busy, full, or a journal that cannot be read: the next command
        does it, and what was written before this look is not refused because of it.
        """
        lost: Sequence[Lack] = self.lacking()
        if not (any(it.step for it in lost) or self._was_torn()):
            return lost
        with contextlib.suppress(Unavailable, ReadOnly, Refused):
            if (self.root.path / READ_ONLY).exists():
                return lost
            with self._locked(patience=0):
                self._replay()  # what a dead process had not written yet was not removed
                lost = self._numbered(self.lacking)
                self._write_again(it for it in lost if not made or (it.step and it.step.is_new))
                lost = self.lacking()
        return lost

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

    def _write_again(self, lost: Iterable[Lack]) -> None:
        for path, step in ((it.path, it.step) for it in lost):
            if step:
                files.write(self.root, [step], self._token(), unsure=True)
                _warn("%s lacked what waits for its commit: it is brought back", path)

    # --- what was acknowledged ----------------------------------------------------------------

    @property
    def acknowledged(self) -> Acknowledged:
        """The ledger of what was acknowledged, where there is a repository."""
        return self.commits.acknowledged

    def missing(self, *, whole: bool = False) -> tuple[Missing, ...]:
        """Return the acknowledged memories that HEAD has not; *whole* trusts no earlier look."""
        return self.commits.missing(whole=whole)

    def accept_missing(self) -> None:
        """Believe that what HEAD lacks, and is not on disk, may be gone; a history, too."""
        with contextlib.suppress(Unavailable):
            if self.commits.has_lost_history():
                self._give_up_history()
                return
            missing = self.missing(whole=True)
            gone = [m.id for m in missing if not self.commits.is_here(m)]
            self.let_go(gone, left_commits.operations(self.commits.left()))
            if self.commits.thrown():
                self.acknowledged.accept_thrown()

    def let_go(self, memories: Sequence[str], operations: Sequence[str] = ()) -> None:
        """Answer no more for *memories*, by id, as a person says: in the history, for all clones.

        Nor for *operations* whose commits left HEAD. Raises Unavailable and ReadOnly.
        """
        if memories or operations:
            count = len(memories) + len(operations)
            noun = "operation" if operations else "memory"
            nouns = "operations" if operations else "memories"
            many = f"{count} missing {nouns}" if count > 1 else f"a missing {noun}"
            notes = (*map(ledger.release_note, memories), *map(ledger.operation_note, operations))
            said = f"{RELEASE}: {many}"
            with self.writing() as carry_out:
                carry_out(Plan(self._token(), RELEASE, said, (), trust="user", notes=notes))
            self.acknowledged.release(memories, LET_GO)

    def attest(self, blobs: Sequence[str]) -> None:
        """Say in the history, for all clones, that these files were given the trust they claim.

        Raises what `writing` does.
        """
        many = f"{len(blobs)} files" if len(blobs) > 1 else "a file"
        said = f"{attestation_notes.ATTEST}: the trust of {many}"
        notes = tuple(map(attestation_notes.note, blobs))
        with self.writing() as carry_out:
            carry_out(
                Plan(self._token(), attestation_notes.ATTEST, said, (), trust="user", notes=notes)
            )

    def _give_up_history(self) -> None:
        with self._locked(_LOCK_PATIENCE):
            self._replay()
            self.commits.forget_history()
            for _, todo in journal.waiting(self.root):
                journal.finish(self.root, todo)

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


def refuse_secrets(change: Change | Append) -> None:
    """Raise SecretFound when *change* brings in a credential that was not there before."""
    old, text = _news(change)
    for finding in secrets.find(text):
        if text[finding.start : finding.end] not in old:
            raise SecretFound(change.path, finding.rule)


def _refuse_to_touch_hidden(change: Change | Append) -> None:
    """Raise HeldBack when *change* would alter a part of a file that is not to be told."""
    if isinstance(change, Append) or change.old is None or change.new is None:
        return
    if not public_text.keeps(change.old, change.new):
        raise HeldBack(change.path)


def _news(change: Change | Append) -> tuple[str, str]:
    """Return the text that was there as far as it matters, and the one that shall be."""
    if isinstance(change, Append):
        return "", transcripts.words(change.data)
    old, new = ((data or b"").decode("utf-8", "replace") for data in (change.old, change.new))
    return old, new


def _warn(said: str, *names: str) -> None:
    import logging  # noqa: PLC0415  # hardly ever

    logging.getLogger(__name__).warning(said, *names)
