"""Commit the operations that wait: HEAD's text plus what we changed, no more."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import NamedTuple

from vaultmem.documents import public_text
from vaultmem.errors import Refused, Unavailable
from vaultmem.storage import attestation_notes, files, git, journal, ledger, line_changes
from vaultmem.storage.commits import commit_messages, waiting_versions
from vaultmem.storage.commits.batch_texts import CommittedTexts, Growth, ReplacedVersions, grow
from vaultmem.storage.commits.lacking_files import text_before
from vaultmem.storage.commits.taken_writes import TakenWrites
from vaultmem.storage.commits.waiting_versions import Lack
from vaultmem.storage.files import Root
from vaultmem.storage.git import Repository
from vaultmem.storage.journal import Intent, Write
from vaultmem.storage.ledger.service import Acknowledged, ledger_lines
from vaultmem.storage.ledger.types import Record
from vaultmem.storage.three_way_merge import merge

_BARE = frozenset({attestation_notes.ATTEST, ledger.RELEASE})
"""The kinds of operations that change no file: what they say is their message."""


class People(NamedTuple):
    """What a commit of ours asks about people's files.

    *put_back* puts on disk what came off it, and returns what it still lacks; *edits_too* tells
    whether what people wrote is committed for them.
    """

    put_back: Callable[[], Sequence[Lack]]
    edits_too: Callable[[], bool]


class PendingOperations:
    """The operations below *root* that are done on disk and not in the history yet."""

    def __init__(
        self,
        root: Root,
        repository: Repository,
        acknowledged: Acknowledged,
        now: Callable[[], datetime],
        people: People,
    ) -> None:
        """Commit to *repository*, and note in *acknowledged* what that acknowledges."""
        self.root, self.repository, self.acknowledged = root, repository, acknowledged
        self.now, self.people = now, people
        self._theirs: set[str] = set()
        self.laid: dict[str, bytes | None] = {}
        """What was laid ahead of what ours add to, committed now, by path: what git had of that."""
        self._left: dict[str, set[str]] = {}
        self._replaced = ReplacedVersions(root)
        self._commits: dict[str | None, list[git.Entry]] = {}
        self._taken = TakenWrites(root, repository, self._log)

    def commit(self, lock: git.Lock, commits: dict[str, str]) -> None:
        """Commit all that waits now, under git's *lock*; note each operation's in *commits*.

        Under that no git of a person takes anything away, so what came off the disk is put back
        first; as long as it is not, all waits.
        """
        # Read under the lock: while we waited another process may have committed them.
        waiting = [*self._uncommitted(journal.waiting(self.root))]
        if not ledger.is_current(self.root.path):
            self.acknowledged.compare()
        lacking = self.people.put_back()
        if any(it.step for it in lacking):
            return
        _tell_of_others(lacking)
        made: list[tuple[str, str]] = []
        for group in commit_messages.batches(waiting):
            self._commit_laid(lock, [todo for _, todo in group])
            kept: list[Record] = [it for name, todo in group for it in self._taken.of(name, todo)]
            merged = self._joined(lock, group)
            sha = merged or lock.commit(
                self._public(group, kept),
                commit_messages.of_operations([todo for _, todo in group]),
                when=self.now(),
                bare=all(todo.kind in _BARE for _, todo in group),
            )
            if sha:
                made.append(("" if merged else lock.parent(sha), sha))
                commits |= {todo.op: sha for _, todo in group}
            self._answer_for(group, kept)
        if waiting:
            self.acknowledged.advance(made)

    def _answer_for(self, group: Sequence[tuple[str, Intent]], kept: Sequence[Record]) -> None:
        """Note what is *kept* of a *group*, and let the journal go but for what its person has."""
        self.acknowledged.add(kept)
        for name, todo in group:
            if name in self._left:
                journal.leave(self.root, name, self._left[name])
            else:
                journal.finish(self.root, todo)

    def _commit_laid(self, lock: git.Lock, group: Sequence[Intent]) -> None:
        """Commit apart what somebody laid at the end of a file ahead of what *group* adds to it.

        In a commit of ours it would be the word of whoever ours is.
        """
        writes = [write for todo in group for write in todo.writes]
        whole = {write.path for write in writes if write.at is None}
        ends: dict[str, int] = {}
        for write in writes:
            if write.at is not None and write.path not in whole:
                ends[write.path] = min(write.at, ends.get(write.path, write.at))
        changes = [it for path, end in ends.items() for it in self._laid(path, end)]
        if changes and not self.people.edits_too():
            self._theirs |= {it.path for it in changes}
        elif changes:
            known = self.repository.in_head([it.path for it in changes])
            message = commit_messages.of_edits(changes, known, {})
            before = {it.path: self._have(it.path, CommittedTexts(self.root)) for it in changes}
            if lock.commit(changes, message, when=self.now()):
                self.laid |= before

    def _laid(self, path: str, end: int) -> Iterator[git.Change]:
        """Yield the file at *path* up to its *end*, where that goes on from what git has of it."""
        committed, now = CommittedTexts(self.root), self._on_disk(path) or b""
        laid = now[:end]
        if self._has(path, laid or None, committed) or public_text.is_withheld(path, laid):
            return
        have = self._have(path, committed) or b""
        if laid.startswith(have) and laid != have:
            yield git.Change(path, laid)

    def _joined(self, lock: git.Lock, group: Sequence[tuple[str, Intent]]) -> str | None:
        """Publish the merge that was made beforehand; None when HEAD moved on since.

        Then what it changed is committed like anything else, and the next sync merges once more.
        """
        first, *others = (todo for _, todo in group)
        if others or not (first.merge and first.base and self.repository.holds(first.merge)):
            return None
        moved = lock.advance(first.base, first.merge, first.subject)
        return first.merge if moved else None

    def _uncommitted(self, waiting: Sequence[tuple[str, Intent]]) -> Iterator[tuple[str, Intent]]:
        """Yield those that a crash did not stop just after their commit; forget the others."""
        head = self.repository.head()
        for name, todo in waiting:
            if todo.base != head and self._landed(name, todo):
                if not todo.merge:
                    writes = journal.writes(self.root, name)
                    self.acknowledged.add(line for w in writes for line in ledger_lines(w, todo))
                journal.finish(self.root, todo)
            else:
                yield name, todo

    def _landed(self, name: str, todo: Intent) -> bool:
        """Tell whether a commit since its base names the operation and holds this part of it."""
        if todo.merge and self.repository.merge_base("HEAD", todo.merge) == todo.merge:
            return True
        commits = [e for e in self._since(todo.base) if todo.op in e.ops]
        held = {c.path for it in commits for c in self.repository.done_by(it)}
        return (
            bool(commits)
            and {w.path for w in journal.writes(self.root, name) if w.old != w.new} <= held
        )

    def _since(self, base: str | None) -> list[git.Entry]:
        try:
            return self._log(base)
        except Unavailable:  # that commit is gone: somebody rewrote the history
            return self._log(None)

    def _log(self, since: str | None) -> list[git.Entry]:
        """Return what was committed *since* then, before any of this: git is asked once."""
        if since not in self._commits:
            self._commits[since] = self.repository.log(None, since=since)
        return self._commits[since]

    def _public(
        self, group: Sequence[tuple[str, Intent]], kept: list[Record]
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
    ) -> Iterator[tuple[git.Change, Iterable[Record]]]:
        """Yield HEAD's text plus what we changed, no more, and what is acknowledged with it."""
        committed = CommittedTexts(self.root)
        grown: dict[str, Growth] = {}
        for name, todo in group:
            writes = journal.writes(self.root, name)
            # At one go: they are known from then on.
            self.repository.in_head([w.path for w in writes if w.at is not None or w.old])
            for write in writes:
                if write.at is not None:
                    grown[write.path] = grow(grown.get(write.path), write, name, todo.base)
                elif write.old is None:
                    committed.note(write.path, name)
                    yield git.Change(write.path, write.new), ledger_lines(write, todo)
                elif change := self._update(name, write, committed, todo.base):
                    yield change, ledger_lines(write, todo)
                elif not (_is_withheld(write) or self._is_committed(write, committed)):
                    self._left.setdefault(name, set()).add(write.path)
        for path, growth in grown.items():
            if (change := self._growth(path, growth, committed)) is not None:
                yield change, ()

    def _growth(self, path: str, growth: Growth, committed: CommittedTexts) -> git.Change | None:
        """Return the file up to the end of what was added last, one version for all additions.

        What was added is as it was written, whatever a person made of it on disk since. None when
        git has all of it: then it is its person's to commit.
        """
        # What its person is to commit stays out of ours.
        now = None if path in self._theirs else self._on_disk(path)
        if now and growth.is_in(now) and self._has(path, now[: growth.first], committed):
            return git.Change(path, now[: growth.end])
        writes = [
            write for name in dict.fromkeys(growth.names)
            for write in journal.writes(self.root, name)
            if write.path == path and write.at is not None
        ]  # fmt: skip
        have = self._have(path, committed)
        before = partial(text_before, self.repository, growth.base, writes[0])
        shall = waiting_versions.grown([w.new or b"" for w in writes], now, have, before)
        return git.Change(path, shall) if shall != have else None

    def _on_disk(self, path: str) -> bytes | None:
        with contextlib.suppress(Refused):
            return found.data if (found := files.read(self.root, path)) else None
        return None

    def _update(
        self, name: str, write: Write, committed: CommittedTexts, base: str | None
    ) -> git.Change | None:
        """Leave a person's uncommitted lines, which *write* kept, out of the commit.

        Where those cannot be told apart, the file is its person's to commit, and waits for that as
        long as it has what was changed. What git has in its place by now comes behind it.
        """
        data = write.new
        if data is not None and not self._has(write.path, write.old, committed):
            have = self._have(write.path, committed)
            data = merge(ours=data, base=write.old or b"", theirs=have) if have else None
            if data is None and not self._was_in_git(write, base) and self._is_safe(write):
                return None
            data = write.new if data is None else data
        committed.note(write.path, name, data if data != write.new else None)
        return git.Change(write.path, data)

    def _is_committed(self, write: Write, committed: CommittedTexts) -> bool:
        """Tell whether git has what *write* changed: its person committed it among their lines."""
        have = self._have(write.path, committed) or b""
        return line_changes.has_change(write.old or b"", write.new or b"", have)

    def _is_safe(self, write: Write) -> bool:
        """Tell whether what *write* changed is on disk, or a later one of ours replaced it."""
        if line_changes.has_change(
            write.old or b"", write.new or b"", self._on_disk(write.path) or b""
        ):
            return True
        return write.new is not None and self._replaced.has(write.path, write.new)

    def _was_in_git(self, write: Write, base: str | None) -> bool:
        with contextlib.suppress(Unavailable):  # that commit is gone: somebody rewrote the history
            return base is not None and self.repository.show(base, write.path) == write.old
        return False

    def _has(self, path: str, data: bytes | None, committed: CommittedTexts) -> bool:
        """Tell whether that is what git has of the file: its id says so, without its bytes."""
        if path in committed:
            return committed.said(path) == data
        blob = self.repository.in_head([path]).get(path)
        if data is None or blob is None:
            return data is None and blob is None
        return blob.id == git.object_id(self.repository.algorithm, b"blob", data)

    def _have(self, path: str, committed: CommittedTexts) -> bytes | None:
        """Return what git has of the file, or will have by what is *committed* with it."""
        if path in committed:
            return committed.said(path)
        is_there = self.repository.in_head([path])
        return self.repository.show("HEAD", path) if is_there else None


def _is_withheld(write: Write) -> bool:
    """Tell whether *write* holds what is nowhere to be but in its person's own file."""
    return any(public_text.is_withheld(write.path, data) for data in (write.old, write.new))


def _tell_of_others(lacking: Sequence[Lack]) -> None:
    if lacking:
        import logging  # noqa: PLC0415  # hardly ever

        log = logging.getLogger(__name__)
        for it in lacking:
            log.warning("%s: another version stands on disk, and comes behind ours", it.path)
