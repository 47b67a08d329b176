"""The one door to the files: a plan is checked, journalled, written, and committed.

writing: under the write lock: replay what a crash left → check what was read → intent → files.
settle:  under git's own lock: every applied intent into a commit, then forgotten.
A crash anywhere leaves an intent that `recover` finishes; a busy git delays the commit alone.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import groupby
from pathlib import Path, PurePosixPath

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
from vaultmem.records import Clock, compact_stamp, first_line
from vaultmem.storage import files, git, journal, ledger, transcripts, ulids, unconfirmed_operations
from vaultmem.storage.files import HELD, READ_ONLY, Addition, Root, Step, private_file
from vaultmem.storage.git import Repository
from vaultmem.storage.journal import Intent, Write
from vaultmem.storage.ledger import Missing
from vaultmem.storage.ledger.entries import Line, holds, memory_id
from vaultmem.storage.ledger.service import Acknowledged, told
from vaultmem.storage.plan import Append, Change, Plan
from vaultmem.storage.three_way_merge import merge
from vaultmem.storage.ulids import Entropy
from vaultmem.storage.unconfirmed_operations import Earlier

WRITE_LOCK = ".vaultmem/write.lock"
_IGNORED = ".vaultmem/.gitignore"
LAST_ID = ".vaultmem/last-id"
_DELAY = ".vaultmem/commit-delay"
"""Why the last commit failed, for whoever is asked; gone once one succeeds."""
_LOCK_PATIENCE = 10.0
_SUBJECT = 60
_SMALL = frozenset({"remember", "turn", "working"})
"""The kinds of operations so many that those of one agent share a commit, a quiet batch."""
QUIET = 30.0
"""Seconds a person's file rests before it is committed, and an old inode before it is let go."""


@dataclass(frozen=True, slots=True)
class _Growth:
    """What several writes add to one file: where the *first* and the *last* of them begin."""

    first: int
    last: int
    data: bytes


class Writer:
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
        self._git_was_busy = False

    @cached_property
    def repository(self) -> Repository | None:
        """The repository that keeps the vault's history, None without one."""
        return self._find(self.root.path)

    # --- writing ----------------------------------------------------------------------------

    def mint(self, count: int = 1, floor: str = "") -> list[str]:
        """Return *count* new ULIDs, rising."""
        self._workings()
        state = self.root.path / LAST_ID
        with disk_errors(state):
            return ulids.mint(state, self.clock(), count, floor, self._random)

    @contextlib.contextmanager
    def writing(self) -> Iterator[Callable[[Plan], Earlier | None]]:
        """Hold the vault's write lock, all half-done writes made good; yield what carries out.

        The callable writes a plan whole or not at all: it raises StaleWrite, NameTaken, SecretFound
        or HeldBack before anything changed, and writes nothing where an earlier operation, which
        it returns, did the same and was confirmed to nobody. Raises Busy when the lock is not to
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
        from filelock import Timeout, UnixFileLock  # noqa: PLC0415  # only writers pay for it

        self._workings()
        # A new lock object each time: an open file of its own excludes threads, too.
        lock = UnixFileLock(self.root.path / WRITE_LOCK, mode=0o600, fallback_to_soft=False)
        with disk_errors(self.root.path / WRITE_LOCK):
            try:
                lock.acquire(timeout=patience)
            except Timeout as e:
                raise Busy("the vault's write lock", patience) from e
        try:
            yield
        finally:
            lock.release()

    def _carry_out(self, plan: Plan) -> Earlier | None:
        if plan.asked and (
            earlier := unconfirmed_operations.take(self.root, plan.asked, self.clock())
        ):
            return earlier
        if not plan.merge:  # what it brings is in the history already
            for change in plan.changes:
                refuse_secrets(change)
                _refuse_to_touch_hidden(change)
        files.check(self.root, [c.step for c in plan.changes])
        todo = journal.intent(plan, self.mint()[0], self._head())
        try:
            journal.begin(self.root, todo)
            self._apply(todo)
        except (DiskRefused, ReadOnly) as e:
            if isinstance(e, ReadOnly):
                self._stop_writing()
            if not self._withdrawn(todo):
                raise Unconfirmed(todo.op, e.path, e.why) from e
            raise
        return None

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

    def _head(self) -> str | None:
        # A git that does not answer delays the commit, never the write.
        with contextlib.suppress(Unavailable):
            return self.repository.head() if self.repository else None
        return None

    def _replay(self) -> None:
        if not self._was_torn():
            return
        strewn = {journal.FOLDER}
        for name in journal.begun(self.root):
            if todo := journal.get(self.root, name):
                if todo.asked:  # first: a crash in between must not part them
                    unconfirmed_operations.note(self.root, todo.asked, todo.op, todo.ends)
                self._apply(todo, unsure=True)
                strewn |= {w.path.rpartition("/")[0] for w in todo.writes}
        unconfirmed_operations.clear(self.root, self.clock())
        files.sweep(self.root, sorted(strewn))

    def _apply(self, todo: Intent, *, unsure: bool = False) -> None:
        left = files.write(self.root, [w.step for w in todo.writes], todo.id, unsure=unsure)
        self._set_aside(left, todo)
        if self.keeps_history():
            journal.applied(self.root, todo)
        else:
            journal.finish(self.root, todo)

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
        above = (self.root.path, *self.root.path.parents)
        if not any((folder / ".git").exists() for folder in above):
            return False
        return not git.available() or bool(git.unopened(self.root.path))

    def _set_aside(self, left: Iterable[Step | Addition], todo: Intent) -> None:
        """Put our version of files that a person changed meanwhile into the inbox."""
        for step in left:
            if step.data is not None and step.path not in {"MEMORY.md", "TASKS.md"}:  # made anew
                where = conflict(todo.id.lower(), step.path, step.data)
                files.write(self.root, [Step(where, None, step.data)], todo.id)

    # --- committing -------------------------------------------------------------------------

    def waiting(self) -> int:
        """Return how many operations wait for their commit."""
        return len(journal.names(self.root))

    def settle(self, patience: float = git.PATIENCE) -> dict[str, str]:
        """Commit every applied intent; return the commit of each operation that got one.

        When git is busy, missing, or in the middle of a merge they stay pending: the files are
        safe, and the next command tries again. Nobody is kept waiting for longer than *patience*
        seconds, however often a command settles.
        """
        self._restore_vanished()
        commits: dict[str, str] = {}
        why = ""
        try:
            if self._is_due() and (found := self._found()) and not found.blocked():
                with self._git_locked(found, patience) as lock:
                    # Read again: while we waited another process may have committed them.
                    self._commit(lock, journal.waiting(self.root), commits)
                    self._bring_back(lock, commits)
        except (Busy, Refused, ReadOnly):
            pass  # Refused: a merge began after we asked
        except Unavailable as e:
            why = str(e)
        self._note_delay(why)
        return commits

    def vanished(self) -> tuple[Write, ...]:
        """Return the writes of new memories that wait for their commit and are gone from disk.

        Not of one that an operation of ours took away, or that a person moved or put aside.
        """
        newest: dict[str, Write] = {}
        made: set[str] = set()
        taken: set[str] = set()
        # The newest first: who commits what made a file and what took it is done with that first,
        # so where this is still there, that one was seen.
        for name in reversed(journal.names(self.root)):
            for write in reversed(journal.writes(self.root, name)):
                newest.setdefault(write.path, write)
                if write.new is None:
                    taken.add(write.path)
                elif write.old is None and holds(write.path):
                    made.add(write.path)
        lost = [newest[path] for path in sorted(made - taken) if self._is_gone(path)]
        with contextlib.suppress(Unavailable):  # what ails git is said elsewhere
            kept = self._kept_elsewhere(lost) if lost else frozenset()
            return tuple(w for w in lost if w.path not in kept)
        return ()

    def _is_gone(self, path: str) -> bool:
        with contextlib.suppress(Refused):
            return files.stamp(self.root, path) is None
        return False

    def _kept_elsewhere(self, lost: Sequence[Write]) -> frozenset[str]:
        """Return the paths of those of *lost* that a person has moved, or put aside."""
        if self.repository is None:
            return frozenset()
        there = [d.path for d in self.repository.unstaged() if d.kind == "untracked"]
        ids = {self._id_at(path) for path in there if path.endswith(".md")}
        moved = frozenset(w.path for w in lost if memory_id(w.new or b"") in ids)
        return moved | self._stashed(self.repository, [w.path for w in lost])

    def _id_at(self, path: str) -> str:
        with contextlib.suppress(Refused, DiskRefused):
            found = files.read(self.root, path)
            return memory_id(found.data) if found else ""
        return ""

    def _restore_vanished(self) -> None:
        """Write again what somebody's cleaning took before git had it: nobody meant to delete it.

        Under the write lock, so that no operation of ours takes it away meanwhile.
        """
        if (self.root.path / READ_ONLY).exists() or not self.vanished():
            return
        # Busy or full: the next command does it.
        import logging  # noqa: PLC0415  # hardly ever

        log = logging.getLogger(__name__)
        with contextlib.suppress(Unavailable, ReadOnly, Refused), self._locked(patience=0):
            for lost in self.vanished():
                step = Step(lost.path, None, lost.new)
                files.write(self.root, [step], self.mint()[0], unsure=True)
                log.warning("%s was removed before its commit: it is brought back", lost.path)

    def _found(self) -> Repository | None:
        """Return the repository; look for it anew where there was none, and something waits."""
        if self.repository is None and journal.names(self.root):
            del self.repository
            self.__dict__.pop("_is_kept_from_history", None)
        return self.repository

    def why_delayed(self) -> str:
        """Return why the last commit failed, "" when it did not."""
        with contextlib.suppress(OSError):
            return (self.root.path / _DELAY).read_text("utf-8", "replace")
        return ""

    def _note_delay(self, why: str) -> None:
        if why == self.why_delayed():
            return
        with contextlib.suppress(OSError):  # a disk that refuses is said elsewhere
            if why:
                said = why.encode("utf-8", "replace")
                private_file.write(self.root.path / _DELAY, said, durable=False)
            else:
                (self.root.path / _DELAY).unlink(missing_ok=True)

    def _is_due(self) -> bool:
        """Tell whether something waits for its commit, or somebody else may have moved HEAD."""
        return bool(journal.names(self.root)) or ledger.is_due(self.root.path)

    @contextlib.contextmanager
    def _git_locked(self, repository: Repository, patience: float) -> Iterator[git.Lock]:
        """Hold git's lock; who waited for it in vain once only tries, until it is free again."""
        try:
            with repository.locked(0 if self._git_was_busy else patience) as lock:
                self._git_was_busy = False
                yield lock
        except Busy:
            self._git_was_busy = True
            raise

    def _now(self) -> datetime:
        """Return the time of a commit, as a person's own git would date it: with the local zone."""
        return self.clock().astimezone()

    def _commit(
        self, lock: git.Lock, waiting: Sequence[tuple[str, Intent]], commits: dict[str, str]
    ) -> None:
        if not ledger.rests(self.root.path):
            self.acknowledged.compare()
        made: list[tuple[str, str]] = []
        for group in _batches(self._uncommitted(waiting)):
            kept: list[Line] = []
            merged = self._joined(lock, group)
            sha = merged or lock.commit(
                self._public(group, kept), message([i for _, i in group]), when=self._now()
            )
            if sha:
                made.append(("" if merged else lock.parent(sha), sha))
                commits |= {todo.op: sha for _, todo in group}
            self.acknowledged.add(kept)
            for _, todo in group:
                journal.finish(self.root, todo)
        if made:
            self.acknowledged.advance(made)

    def _joined(self, lock: git.Lock, group: Sequence[tuple[str, Intent]]) -> str | None:
        """Publish the merge that was made beforehand; None when HEAD moved on since.

        Then what it changed is committed like anything else, and the next sync merges once more.
        """
        assert self.repository is not None  # noqa: S101  # settle() asked
        first, *others = (todo for _, todo in group)
        if others or not (first.merge and first.base and self.repository.holds(first.merge)):
            return None
        moved = lock.advance(first.base, first.merge, first.subject)
        return first.merge if moved else None

    def _uncommitted(self, waiting: Sequence[tuple[str, Intent]]) -> Iterator[tuple[str, Intent]]:
        """Yield those that a crash did not stop just after their commit; forget the others."""
        head = self._head()
        for name, todo in waiting:
            if todo.base != head and self._landed(name, todo):
                if not todo.merge:
                    writes = journal.writes(self.root, name)
                    self.acknowledged.add(line for w in writes for line in told(w, todo))
                journal.finish(self.root, todo)
            else:
                yield name, todo

    def _landed(self, name: str, todo: Intent) -> bool:
        """Tell whether a commit since its base names the operation and holds this part of it."""
        assert self.repository is not None  # noqa: S101  # settle() asked
        if todo.merge and self.repository.merge_base("HEAD", todo.merge) == todo.merge:
            return True
        commits = [e.commit for e in self._since(todo.base) if (git.OP, todo.op) in e.trailers]
        held = {c.path for commit in commits for c in self.repository.changed(commit)}
        return (
            bool(commits)
            and {w.path for w in journal.writes(self.root, name) if w.old != w.new} <= held
        )

    def _since(self, base: str | None) -> list[git.Entry]:
        assert self.repository is not None  # noqa: S101  # settle() asked
        try:
            return self.repository.log(None, since=base)
        except Unavailable:  # that commit is gone: somebody rewrote the history
            return self.repository.log(None)

    def _public(
        self, group: Sequence[tuple[str, Intent]], kept: list[Line]
    ) -> Iterator[git.Change]:
        """Yield what the commit shall hold: no file with a part that is not to be told.

        What is acknowledged with it goes to *kept*.
        """
        for change, lines in self._changes(group):
            if not public_text.is_withheld(change.path, change.data):
                kept.extend(lines)
                yield change

    def _changes(
        self, group: Sequence[tuple[str, Intent]]
    ) -> Iterator[tuple[git.Change, Iterable[Line]]]:
        """Yield HEAD's text plus what we changed, no more, and what is acknowledged with it."""
        committed: dict[str, bytes | None] = {}
        grown: dict[str, _Growth] = {}
        for name, todo in group:
            for write in journal.writes(self.root, name):
                if write.at is not None:
                    before = grown.get(write.path)
                    first = before.first if before else write.at
                    grown[write.path] = _Growth(first, write.at, write.new or b"")
                elif write.old is None:
                    committed[write.path] = write.new
                    yield git.Change(write.path, write.new), told(write, todo)
                elif (change := self._update(write, committed)) is not None:
                    yield change, told(write, todo)
        for path, growth in grown.items():
            if (change := self._grown(path, growth, committed)) is not None:
                yield change, ()

    def _grown(
        self, path: str, growth: _Growth, committed: dict[str, bytes | None]
    ) -> git.Change | None:
        """Return the file up to the end of what was added last, one version for all additions.

        None when it was rewritten since or is gone, or when git has all of it: then it is its
        person's to commit.
        """
        now = self._up_to(path, growth)
        have = self._have(path, committed)
        if now is None or (have is not None and have.startswith(now)):
            return None
        if have is not None and not now.startswith(have):
            now = merge(ours=now, base=now[: growth.first], theirs=have)
        return None if now is None else git.Change(path, now)

    def _up_to(self, path: str, growth: _Growth) -> bytes | None:
        with contextlib.suppress(Refused):
            found = files.read(self.root, path)
            end = growth.last + len(growth.data)
            if found and found.data[growth.last : end] == growth.data:
                return found.data[:end]
        return None

    def _update(self, write: Write, committed: dict[str, bytes | None]) -> git.Change | None:
        """Leave a person's uncommitted lines, which *write* kept, out of the commit."""
        have = self._have(write.path, committed)
        data = write.new
        if data is not None and have != write.old:
            data = merge(ours=data, base=write.old or b"", theirs=have) if have else None
            if data is None:
                return None
        committed[write.path] = data
        return git.Change(write.path, data)

    def _have(self, path: str, committed: dict[str, bytes | None]) -> bytes | None:
        """Return what git has of the file, as *committed* notes it once it was asked for."""
        assert self.repository is not None  # noqa: S101  # settle() asked
        if path not in committed:
            committed[path] = self.repository.show("HEAD", path)
        return committed[path]

    # --- what was acknowledged ----------------------------------------------------------------

    @cached_property
    def acknowledged(self) -> Acknowledged:
        """The ledger of what was acknowledged, where there is a repository."""
        assert self.repository is not None  # noqa: S101  # nobody asks without one
        return Acknowledged(self.root.path, self.repository)

    def missing(self, *, whole: bool = False) -> tuple[Missing, ...]:
        """Return the acknowledged memories that HEAD has not; *whole* trusts no earlier look."""
        with contextlib.suppress(Unavailable):  # what ails git, or the disk, is said elsewhere
            if self.repository:
                self._workings()
                return self.acknowledged.compare(whole=whole)
        return ()

    def is_here(self, memory: Missing) -> bool:
        """Tell whether a memory that HEAD has not lies on disk where it was."""
        return self._lying(memory) is not None

    def accept_missing(self) -> None:
        """Believe that what HEAD lacks, and is not on disk, may be gone; a history, too."""
        with contextlib.suppress(Unavailable):
            if self.has_lost_history():
                self._give_up_history()
                return
            gone = [each.id for each in self.missing(whole=True) if not self.is_here(each)]
            if gone:
                self.acknowledged.let_go(gone, "accepted")

    def has_lost_history(self) -> bool:
        """Tell whether there was a repository, and is none any more."""
        if ledger.size(self.root.path) <= 0 or self.repository is not None:
            return False
        return git.available() and not git.unopened(self.root.path)

    def _give_up_history(self) -> None:
        with self._locked(_LOCK_PATIENCE):
            self._replay()
            ledger.discard(self.root.path)
            self.__dict__.pop("_is_kept_from_history", None)
            for _, todo in journal.waiting(self.root):
                journal.finish(self.root, todo)

    def _lying(self, memory: Missing) -> bytes | None:
        with contextlib.suppress(Refused, Unavailable):
            found = files.read(self.root, memory.path)
            return found.data if found and memory_id(found.data) == memory.id else None
        return None

    def _bring_back(self, lock: git.Lock, commits: dict[str, str]) -> None:
        """Commit again what left HEAD and still lies on disk: as git had it, edits stay edits."""
        known = ledger.load(self.root.path)
        back = [c for each in known.missing if (c := self._as_it_was(each))] if known else []
        if not back:
            return
        op = self.mint()[0]
        if sha := lock.commit(back, _back_message(op, back), when=self._now()):
            commits[op] = sha
        self.acknowledged.compare()

    def _as_it_was(self, memory: Missing) -> git.Change | None:
        """Return what commits a memory again that lies on disk; not one that is held back."""
        lies = self._lying(memory)
        if lies is None:
            return None
        data = self.text_of(memory) or lies
        return None if public_text.is_held(data) else git.Change(memory.path, data)

    def text_of(self, memory: Missing) -> bytes | None:
        """Return the text of a memory that HEAD has not, from wherever git has it."""
        assert self.repository is not None  # noqa: S101  # nobody asks without one
        with contextlib.suppress(Unavailable):
            blob = memory.blob or self.repository.last_blob(memory.path)
            found = self.repository.contents([git.Blob("100644", blob)]) if blob else {}
            return next((d for d in found.values() if memory_id(d) == memory.id), None)
        return None

    def commit_edits(
        self,
        quiet: float = QUIET,
        leave: frozenset[str] = frozenset(),
        only: frozenset[str] | None = None,
    ) -> str | None:
        """Commit what people changed and have not staged, apart from ours, once it has rested.

        *leave* names paths that must wait: broken ones, ones with a secret; *only*, if given, those
        that are meant.
        """
        # Refused: a merge began after we asked.
        with contextlib.suppress(Unavailable, Refused):
            if self.repository and not self.repository.blocked():
                return self._commit_rested(self.repository, quiet, leave, only)
        return None

    def _commit_rested(
        self,
        repository: Repository,
        quiet: float,
        leave: frozenset[str],
        only: frozenset[str] | None,
    ) -> str | None:
        self._workings()
        pending = {w.path for n in journal.names(self.root) for w in journal.writes(self.root, n)}
        unstaged = repository.unstaged()
        away = self._stashed(repository, [d.path for d in unstaged if d.kind == "deleted"])
        rested = [
            change
            for dirty in unstaged
            if dirty.path not in away
            and dirty.path not in pending | leave
            and (only is None or dirty.path in only)
            and not self.is_cut(dirty.path)
            and (change := self._rested(dirty.path, quiet)) is not None
        ]
        public = [c for c in rested if not public_text.is_withheld(c.path, c.data)]
        if only is None:
            self._note_held({c.path for c in rested} - {c.path for c in public})
        if not public:
            return None
        with self._git_locked(repository, git.PATIENCE) as lock:
            lines = self.acknowledged.edited(public)
            sha = lock.commit(public, _edit_message(public), when=self._now())
            self.acknowledged.add(lines)
            return sha

    def _stashed(self, repository: Repository, gone: Sequence[str]) -> frozenset[str]:
        """Return which of the memories among *gone* somebody has put aside: they are not deleted.

        `git stash --include-untracked` takes those that were not committed yet, which then are.
        """
        paths = [path for path in gone if holds(path)]
        return repository.stashed(paths) if paths else frozenset()

    def _note_held(self, paths: Iterable[str]) -> None:
        """Note which files were left out, for who tells of them; of notes the index knows it."""
        others = "".join(f"{path}\n" for path in sorted(paths) if not files.is_note(path))
        there = files.read(self.root, HELD)
        if others.encode() != (there.data if there else b""):
            step = Step(HELD, there.sha if there else None, others.encode() or None)
            files.write(self.root, [step], self.mint()[0])

    def is_cut(self, path: str) -> bool:
        """Tell whether a transcript lacks turns that git has: what is only added to waits then."""
        if not transcripts.holds(path) or self.repository is None:
            return False
        found, committed = files.read(self.root, path), self.repository.show("HEAD", path)
        return bool(found and committed and not found.data.startswith(committed))

    def _rested(self, path: str, quiet: float) -> git.Change | None:
        with contextlib.suppress(Refused, DiskRefused, OSError):
            found = files.read(self.root, path)
            touched = found.stamp.mtime_ns / 1e9 if found else self._folder_touched(path)
            if self._age(touched) < quiet:
                return None
            return git.Change(path, found.data if found else None)
        return None

    def _age(self, touched: float) -> float:
        """Return how many seconds ago that was, or will be: a file from the future rests, too."""
        return abs(self.clock().timestamp() - touched)

    def _folder_touched(self, path: str) -> float:
        folder = self.root.path / PurePosixPath(path).parent
        return folder.stat().st_mtime if folder.is_dir() else 0.0

    # --- tidying ----------------------------------------------------------------------------

    def tidy(self, quiet: float = QUIET) -> None:
        """Let go of rested old inodes and of temporary files whose writer is dead.

        An old inode that changed after we replaced it was held open by somebody's editor: what was
        written to it is set aside in the inbox. One that is still held open waits.
        """
        rested = [x for x in files.lingering(self.root) if self._age(x.since) >= quiet]
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
        if old.live or (not self._may_grow(old) and self._rescued(old)):
            files.discard(self.root, old.kept)

    def _may_grow(self, old: files.Lingering) -> bool:
        """Tell whether an editor still holds the old inode open, and may yet save into it."""
        with contextlib.suppress(OSError):
            return files.is_open(self.root, old.kept)
        return True

    def _sha(self, path: str) -> str | None:
        with contextlib.suppress(Refused, DiskRefused):
            found = files.read(self.root, path)
            return found.sha if found else None
        return None

    def _rescued(self, old: files.Lingering) -> bool:
        """Tell whether nothing would be lost with the old inode; False when it must stay."""
        try:
            found = files.read(self.root, old.kept)
        except Refused:  # no file at all
            return True
        except DiskRefused:  # nobody knows what was written to it
            return False
        if found is None or found.sha in {old.sha, self._sha(old.path)}:
            return True
        where = conflict(compact_stamp(self.clock()), old.path, found.data)
        return not files.write(self.root, [Step(where, None, found.data)], self.mint()[0])


def conflict(when: str, path: str, data: bytes) -> str:
    """Return where a second version of *path* waits for a person.

    Other bytes have another name, whatever the file's own name was and however long.
    """
    name = files.slug(PurePosixPath(path).stem)
    return (
        "-".join(x for x in (f"inbox/conflict-{when}", name, files.sha256(data)[:8]) if x) + ".md"
    )


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


def _batches(
    waiting: Iterable[tuple[str, Intent]],
) -> Iterator[list[tuple[str, Intent]]]:
    """Yield what shall be committed together, in order.

    Memories and turns that came in between each other are parted: they have no file in common.
    """
    for small, run in groupby(waiting, key=lambda x: x[1].kind in _SMALL):
        some = list(run)
        if small:
            some.sort(key=lambda x: _together(x[1]))
        for _, batch in groupby(some, key=lambda x: _together(x[1])):
            yield list(batch)


def _together(todo: Intent) -> tuple[str, str]:
    """Return what it shares with its commit's others: an operation, or a quiet batch."""
    return (todo.kind, todo.agent) if todo.kind in _SMALL else ("op", todo.op)


def message(group: Sequence[Intent]) -> str:
    """Return the commit message for intents that are committed together."""
    many = len({i.op for i in group}) > 1
    subject = _batch_subject(group) if many else _subject(group)
    notes = [f"{i.op} {n}" if many else n for i in group for n in i.notes]
    trailers = dict.fromkeys(t for i in group for t in i.trailers)
    body = "\n".join(notes)
    # A session's name may hold anything, but no line of its own.
    tail = "\n".join(f"{key}: {' '.join(value.split())}" for key, value in trailers)
    # What it tells was let in; a name that somebody gave beside it may still be a credential. A
    # mark that is not closed must not hide the trailers.
    told = (public_text.shown(subject), public_text.shown(body), secrets.redact(tail))
    return "\n\n".join(filter(None, told)) + "\n"


def _batch_subject(group: Sequence[Intent]) -> str:
    """Return what a quiet batch came to."""
    agent, count = group[0].agent, sum(todo.count for todo in group)
    if group[0].kind == "remember":
        return f"remember({agent}): {count} memories"
    if group[0].kind == "working":
        return f"working({agent}): {count} changes"
    sessions = {dict(todo.trailers).get("Session", "") for todo in group}
    of = first_line(min(sessions), _SUBJECT) if len(sessions) == 1 else f"{len(sessions)} sessions"
    return f"turns({agent}): {count} turns of {of}"


def _subject(group: Sequence[Intent]) -> str:
    """Return what the operation's parts came to: the last of each kind says how many in all."""
    return "; ".join({todo.kind: todo.subject for todo in group}.values())


def _back_message(op: str, changes: Sequence[git.Change]) -> str:
    many = f"{len(changes)} memories" if len(changes) > 1 else "a memory"
    paths = "\n".join(change.path for change in changes)
    return f"restore: {many} that had left the history\n\n{paths}\n\n{git.OP}: {op}\n"


def _edit_message(changes: Sequence[git.Change]) -> str:
    paths = [public_text.shown(c.path) for c in changes]
    if len(paths) == 1:
        verb = "delete" if changes[0].data is None else "edit"
        return f"human: {verb} {paths[0]}\n"
    return f"human: edit {len(paths)} files\n\n" + "\n".join(paths) + "\n"
