"""Commit what waits, and what left HEAD and still lies on disk.

A git that is busy or missing delays a commit; what is written is safe without it.
"""

from __future__ import annotations

from functools import cached_property

from vaultmem.documents import public_text
from vaultmem.errors import Busy, ReadOnly, Refused, Unavailable
from vaultmem.storage import delay_notes, git, journal, ledger
from vaultmem.storage.commits import commit_messages, lost_memories, pointer_texts
from vaultmem.storage.commits.edit_commits import EditCommits
from vaultmem.storage.commits.pending import PendingOperations, People
from vaultmem.storage.commits.vault_history import VaultHistory
from vaultmem.storage.git import Repository


class Commits(VaultHistory):
    """What gets into the history of a vault, where it has one."""

    _why_delayed = ""

    @cached_property
    def edits(self) -> EditCommits:
        """What people changed."""
        return EditCommits(self)

    def commit_pending(
        self, patience: float, people: People, laid: dict[str, bytes | None]
    ) -> dict[str, str]:
        """Commit every applied intent; return the commit of each operation that got one.

        *laid* takes the files that *people* added to ahead of ours, which is committed apart, with
        what git had of them.
        """
        commits: dict[str, str] = {}
        why = ""
        try:
            if self._is_due() and (found := self.found()) and not found.blocked():
                with self.locked(found, patience) as lock:
                    self._replace_pointers(lock, found, commits)
                    pending = PendingOperations(
                        self.root, found, self.acknowledged, self.now, people
                    )
                    pending.commit(lock, commits)
                    laid |= pending.laid
                    self._bring_back(lock, commits)
        except (Busy, Refused, ReadOnly):
            pass  # Refused: a merge began after we asked
        except Unavailable as e:
            why = str(e)
        self._why_delayed = why
        delay_notes.write(self.root.path, delay_notes.OPERATIONS, why)
        return commits

    def why_delayed(self) -> str:
        """Return why the last commit failed, "" when it did not; a full disk takes no note."""
        return self._why_delayed or delay_notes.read(self.root.path, delay_notes.OPERATIONS)

    def _is_due(self) -> bool:
        """Tell whether something waits for its commit, or somebody else may have moved HEAD."""
        return bool(journal.names(self.root)) or ledger.is_due(self.root.path)

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
        op = self.token()
        if sha := lock.commit(back, commit_messages.of_restored(op, back), when=self.now()):
            commits[op] = sha
        self.acknowledged.compare()

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
        op = self.token()
        message = commit_messages.of_texts(op, back)
        if sha := lock.commit(back, message, when=self.now()):
            commits[op] = sha
        self.acknowledged.compare()
