"""The history of a vault as far as we write it: what is committed, when, and what was answered for.

A git that is busy or missing delays a commit; what is written is safe without it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from pathlib import Path

from vaultmem.documents import public_text
from vaultmem.errors import Busy, NotAFile, ReadOnly, Refused, Unavailable
from vaultmem.records import Clock
from vaultmem.storage import (
    delay_notes,
    files,
    git,
    git_state_files,
    journal,
    ledger,
    staged_cache,
    transcripts,
)
from vaultmem.storage.commits import (
    commit_messages,
    lost_memories,
    pointer_texts,
    rested_edits,
)
from vaultmem.storage.commits.pending import PendingOperations
from vaultmem.storage.commits.pointer_texts import PointerFile
from vaultmem.storage.commits.rested_edits import QUIET, Changed, RestedEdits
from vaultmem.storage.commits.waiting_versions import Lack
from vaultmem.storage.files import HELD, Root, Step
from vaultmem.storage.git import Repository
from vaultmem.storage.ledger import Comparison, LeftCommit, Missing
from vaultmem.storage.ledger.service import Acknowledged, Places


class Commits:
    """What gets into the history of the vault below *root*, where it has one."""

    def __init__(  # noqa: PLR0913, PLR0917  # all that it is given from outside
        self,
        root: Root,
        clock: Clock,
        find: Callable[[Path], Repository | None],
        prepare: Callable[[], None],
        token: Callable[[], str],
        places: Places,
    ) -> None:
        """Commit what lies below *root*; *find* looks for its repository when one is first needed.

        *prepare* makes our own folder before anything is noted there, *token* mints an id, *places*
        tells which files may be a memory.
        """
        self.root, self.clock, self._find = root, clock, find
        self._prepare, self._token, self._places = prepare, token, places
        self._git_was_busy = False
        self._why_delayed = ""

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

    # --- what waits -------------------------------------------------------------------------

    def commit_pending(
        self, patience: float, put_back: Callable[[], Sequence[Lack]]
    ) -> dict[str, str]:
        """Commit every applied intent; return the commit of each operation that got one.

        *put_back* puts on disk what came off it before, and returns what it still lacks.
        """
        commits: dict[str, str] = {}
        why = ""
        try:
            if self._is_due() and (found := self._found()) and not found.blocked():
                with self._git_locked(found, patience) as lock:
                    self._replace_pointers(lock, found, commits)
                    PendingOperations(
                        self.root, found, self.acknowledged, self._now, put_back
                    ).commit(lock, commits)
                    self._bring_back(lock, commits)
        except (Busy, Refused, ReadOnly):
            pass  # Refused: a merge began after we asked
        except Unavailable as e:
            why = str(e)
        self._why_delayed = why
        delay_notes.write(self.root.path, delay_notes.OPERATIONS, why)
        return commits

    def _found(self) -> Repository | None:
        """Return the repository; look for it anew where there was none, and something waits."""
        if self.repository is None and journal.names(self.root):
            del self.repository
            self.__dict__.pop("_is_kept_from_history", None)
        return self.repository

    def why_delayed(self) -> str:
        """Return why the last commit failed, "" when it did not; a full disk takes no note."""
        return self._why_delayed or delay_notes.read(self.root.path, delay_notes.OPERATIONS)

    def _is_due(self) -> bool:
        """Tell whether something waits for its commit, or somebody else may have moved HEAD."""
        return bool(journal.names(self.root)) or ledger.is_due(self.root.path)

    @contextlib.contextmanager
    def _git_locked(self, repository: Repository, patience: float) -> Iterator[git.Lock]:
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

    def _now(self) -> datetime:
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
                self._prepare()
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

    def _bring_back(self, lock: git.Lock, commits: dict[str, str]) -> None:
        """Commit again what left HEAD and still lies on disk: as git had it, edits stay edits."""
        assert self.repository is not None  # noqa: S101  # commit_pending() checked
        known = ledger.load(self.root.path)
        restored = (
            lost_memories.as_it_was(self.root, self.repository, each)
            for each in (known.missing if known else ())
        )
        back = [change for change in restored if change]
        if not back:
            return
        self.put_back_texts()
        op = self._token()
        if sha := lock.commit(back, commit_messages.of_restored(op, back), when=self._now()):
            commits[op] = sha
        self.acknowledged.compare()

    def replaced(self, beside: Collection[str] = ()) -> tuple[PointerFile, ...]:
        """Return the files that HEAD has as pointers of git LFS, and those *beside*."""
        with contextlib.suppress(Unavailable):  # what ails git is said elsewhere
            paths = {*beside, *(self.compared().pointers or ())}
            if paths and self.repository:
                return tuple(pointer_texts.find(self.root, self.repository, sorted(paths)))
        return ()

    def _replace_pointers(
        self, lock: git.Lock, repository: Repository, commits: dict[str, str]
    ) -> None:
        """Commit the texts of files that HEAD has as pointers, and whose texts lie on disk.

        First of all, since what waits adds to what HEAD has. Where git is still told to keep
        pointers its person would only commit them again.
        """
        if ledger.is_current(self.root.path):
            return
        if not (pointers := self.acknowledged.compare().pointers):
            return
        state = ledger.pointer_state(self.root.path, pointers)
        own = {*pointers} - repository.converted(pointers) - repository.staged()
        back = [
            git.Change(it.path, it.text)
            for it in pointer_texts.find(self.root, repository, sorted(own))
            if it.is_here and it.text is not None and not public_text.is_held(it.text)
        ]
        if not back:
            self.acknowledged.leave_pointers(state)
            return
        op = self._token()
        message = commit_messages.of_texts(op, back)
        if sha := lock.commit(back, message, when=self._now()):
            commits[op] = sha
        self.acknowledged.compare()

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

    # --- what people changed ------------------------------------------------------------------

    def commit_edits(
        self,
        quiet: float = QUIET,
        leave: frozenset[str] = frozenset(),
        only: frozenset[str] | None = None,
        changed: Changed = None,
    ) -> str | None:
        """Commit what people changed and have not staged, apart from ours, once it has rested.

        *leave* names paths that must wait: broken ones, ones with a secret; *only*, if given, those
        that are meant; *changed* is what `changed` found just now.
        """
        try:
            if self.repository is None or self.repository.blocked():
                return None
            done = self._commit_rested(self.repository, quiet, leave, only, changed)
        except (Busy, Refused):  # Refused: a merge began after we asked
            return None
        except Unavailable as e:
            delay_notes.write(self.root.path, delay_notes.EDITS, str(e))
            return None
        if only is None:
            delay_notes.write(self.root.path, delay_notes.EDITS, "")
        return done

    def changed(self) -> Changed:
        """Return what nobody has staged, and is not as git has it; None if git does not answer."""
        with contextlib.suppress(Unavailable, Busy, Refused):  # who asks again says what ails it
            if self.repository and not self.repository.blocked():
                return self.repository.unstaged(self.staged())
        return None

    def due_edits(
        self, leave: frozenset[str], quiet: float = QUIET, changed: Changed = None
    ) -> tuple[str, ...]:
        """Return the paths that `commit_edits` would commit now, leaving *leave* alone.

        Nobody has touched them for *quiet* seconds. *changed* is what `changed` found just now.
        """
        with contextlib.suppress(Unavailable):  # what ails git is said elsewhere
            if self.repository and not self.repository.blocked():
                found = self._rested(self.repository, quiet, leave, None, changed)
                return tuple(c.path for c in found if not public_text.is_withheld(c.path, c.data))
        return ()

    def new_texts(self, quiet: float, changed: Changed = None) -> tuple[str, ...]:
        """Return the paths of notes in Markdown and transcripts there that are in no commit.

        Staged and held back ones, too. Nobody has touched them for *quiet* seconds. *changed* is
        what `changed` found just now.
        """
        with contextlib.suppress(Unavailable):
            if self.repository and not self.repository.blocked():
                staged = [git.Dirty(path, "untracked") for path in sorted(self.staged() or ())]
                found = self._rested(self.repository, quiet, frozenset(), None, changed, staged)
                there = (it.path for it in found if it.data is not None)
                paths = [it for it in there if _says_whose(it)]
                known = self.repository.in_head(paths) if paths else {}
                return tuple(path for path in paths if path not in known)
        return ()

    def _rested(  # noqa: PLR0913, PLR0917  # what `RestedEdits.find` asks for
        self,
        repository: Repository,
        quiet: float,
        leave: frozenset[str],
        only: frozenset[str] | None,
        changed: Changed,
        more: Sequence[git.Dirty] = (),
    ) -> list[git.Change]:
        """Return what of what is *changed*, and of *more*, has rested."""
        staged = self.staged()
        edits = RestedEdits(self.root, repository, self.clock, staged or ())
        now = repository.unstaged(staged) if changed is None else changed
        return edits.find(quiet, leave, only, [*now, *more])

    def _commit_rested(
        self,
        repository: Repository,
        quiet: float,
        leave: frozenset[str],
        only: frozenset[str] | None,
        changed: Changed,
    ) -> str | None:
        self._prepare()
        rested = self._rested(repository, quiet, leave, only, changed)
        public = [c for c in rested if not public_text.is_withheld(c.path, c.data)]
        if only is None:
            with contextlib.suppress(NotAFile):  # a link there is in nobody's way
                self._note_held({c.path for c in rested} - {c.path for c in public})
        if not public:
            return None
        with self._git_locked(repository, git.PATIENCE) as lock:
            lines = self.acknowledged.edited(public)
            known = repository.in_head([change.path for change in public])
            moved = rested_edits.moved_whole(repository, public, known)
            message = commit_messages.of_edits(public, known, moved)
            sha = lock.commit(public, message, when=self._now())
            self.acknowledged.add(lines)
            return sha

    def _note_held(self, paths: Iterable[str]) -> None:
        """Note which files were left out, for who tells of them; of notes the index knows it."""
        others = "".join(f"{path}\n" for path in sorted(paths) if not files.is_note(path))
        there = files.read(self.root, HELD)
        if others.encode() != (there.data if there else b""):
            step = Step(HELD, there.sha if there else None, others.encode() or None)
            files.write(self.root, [step], self._token())

    def is_cut(self, path: str) -> bool:
        """Tell whether a transcript or item log lacks what git has: it waits, as it only grows."""
        return self.repository is not None and rested_edits.is_cut(self.root, self.repository, path)


def _says_whose(path: str) -> bool:
    """Tell whether the file at *path* can say whose words it has."""
    return (files.is_note(path) and not files.is_text(path)) or transcripts.holds(path)
