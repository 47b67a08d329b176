"""Commit under git's index.lock: build, move the index, move HEAD, and heal what a crash left."""

from __future__ import annotations

import contextlib
import io
import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from vaultmem.errors import Busy, Refused, Unavailable
from vaultmem.storage import file_lock
from vaultmem.storage.git import (
    config,
    fast_import,
    identity,
    index_lock,
    log,
    objects,
    process,
    reference_locks,
)
from vaultmem.storage.git.fast_import import FastImport
from vaultmem.storage.git.reference_locks import Publish
from vaultmem.storage.git.types import ABSENT, Blob, Change, Edit, Place, Row

_REBUILDS = 8
_FEW = 32
"""Files of a commit whose old versions are asked for one by one, and not by their folders."""
_AT_ONCE, _BYTES = 1000, 4 << 20
"""Of so many files, or files of so much, the folders are looked at together."""
_WAITS = {
    "MERGE_HEAD": "a merge is in progress",
    "rebase-merge": "a rebase is in progress",
    "rebase-apply": "a rebase or am is in progress",
    "CHERRY_PICK_HEAD": "a cherry-pick is in progress",
    "REVERT_HEAD": "a revert is in progress",
    "sequencer": "a cherry-pick or revert is in progress",
    "BISECT_LOG": "a bisect is in progress",
}
_LEFT = "a rebase was left before it began (`git rebase --quit` ends it)"


def blocked(place: Place) -> str | None:
    """Say why a commit must wait: a person's operation is half done; None when free."""
    if why := half_done(place.git_dir):
        return why
    # A file committed on a detached HEAD would vanish at the next checkout.
    return None if _is_attached(place) else "detached HEAD"


def half_done(git_dir: Path) -> str | None:
    """Say which operation of a person's is half done, as plain files tell; None for none."""
    there = (name for name in _WAITS if os.path.lexists(git_dir / name))
    if (name := next(there, None)) is None:
        return None
    return _LEFT if _is_left(git_dir / name) else _WAITS[name]


def _is_left(state: Path) -> bool:
    """Tell whether a rebase did not get as far as noting which branch it is of.

    Git stops so where another git has the index just then, and no `git rebase --abort` ends it.
    """
    is_rebase = state.name == "rebase-merge" and state.is_dir()
    return is_rebase and not (state / "head-name").exists()


def _is_attached(place: Place) -> bool:
    if objects.branch_file(place):
        return True
    return bool(process.git(place, "symbolic-ref", "-q", "HEAD", okay=(0, 1)))


def acquire(place: Place, patience: float) -> Lock:
    """Take index.lock; raises Busy when another process keeps it for longer than *patience*."""
    return Lock(place, *index_lock.take(place, patience))


@dataclass(frozen=True, slots=True)
class Lock:
    """Git's index.lock, held by us; get one from `Repository.locked`.

    The lock file is our token, and every line after the first is the (old, new) of a commit we
    began to publish: whoever takes the lock over after a crash knows what to put right.

    *clean_at* is the commit from which no index entry differed when the lock was taken, "" where
    nobody has looked.
    """

    place: Place
    tag: str
    fd: int
    clean_at: str = ""

    def commit(
        self, changes: Iterable[Change], message: str, *, when: datetime, bare: bool = False
    ) -> str | None:
        """Commit *changes* on top of HEAD, dated *when*; None when HEAD already holds them.

        A *bare* commit may have none: what it says is its message.

        Raises Refused when `blocked()` or a path is no path of a vault, Busy when HEAD keeps
        moving, Unavailable when git fails.
        """
        place = self.place
        self._must_be_free()
        facts = identity.facts(place, message, when)
        blobs: dict[str, str | None] = {}
        edits = fast_import.edits(changes, place.algorithm, blobs)
        for _ in range(_REBUILDS):
            base = objects.head(place)
            rows: list[Row] = []
            new = self._build(base, edits, facts, rows, bare=bare)
            if new is None or self._publish(base, new, rows, message):
                return new
            # Someone moved HEAD without taking the lock. Our blobs are stored; only name them.
            edits = (Edit(path, blob, None) for path, blob in blobs.items())
        raise Busy(f"HEAD of {place.top}", 0)

    def advance(self, base: str, new: str, message: str) -> bool:
        """Move HEAD from *base* to the commit *new*, which is stored already; False when it moved.

        Raises Refused when `blocked()`, Unavailable when git fails.
        """
        self._must_be_free()
        if objects.head(self.place) != base:
            return False
        return self._publish(base, new, objects.changes(self.place, base, new), message)

    def parent(self, commit: str) -> str:
        """Return what *commit*, published under this lock, stands on; "" when it was not."""
        return next((old for old, new in index_lock.records(self.fd) if new == commit), "")

    def published(self) -> list[tuple[str, str]]:
        """Return the (old, new) of what was to be published under this lock, in order."""
        return index_lock.records(self.fd)

    def recover(self) -> None:
        """Put right what a dead process of ours left: its index entries, its temporary files."""
        begun = index_lock.noted_at(self.fd)
        for old, new in index_lock.records(self.fd):
            reference_locks.clear(self.place, Publish(new, begun), killed=False)
            self._repair_index(old, new)
        for stray in self.place.git_dir.glob("vaultmem-*"):
            if self.tag not in stray.name and index_lock.is_stray(stray):
                stray.unlink(missing_ok=True)

    def release(self) -> None:
        """Give the lock back, unless someone already took it away from us."""
        # A disk that refuses must not turn a commit that landed into an error. The token stays,
        # and tells the next process once we are dead.
        with contextlib.suppress(OSError):
            if self._held():
                self.place.index_lock.unlink()
        os.close(self.fd)

    def _must_be_free(self) -> None:
        """Raise what tells why HEAD cannot move now, before anything is built for it."""
        if why := blocked(self.place):
            raise Refused(f"{why} in {self.place.top}; the commit waits until it is over")
        if lock := reference_locks.left_lock(self.place):
            raise Busy(str(lock), 0)

    def _held(self) -> bool:
        return file_lock.is_at(self.fd, self.place.index_lock)

    def _build(
        self,
        base: str | None,
        edits: Iterable[Edit],
        facts: bytes,
        rows: list[Row],
        *,
        bare: bool = False,
    ) -> str | None:
        """Store the commit that puts *edits* on top of *base*; what it changes goes to *rows*."""
        place = self.place
        edits = iter(edits)
        first_few = tuple(itertools.islice(edits, _FEW + 1))
        everything = itertools.chain(first_few, edits)
        few = base if len(first_few) <= _FEW else None
        new = None
        with fast_import.fast_import(place, {}) as importing:
            there: dict[str, Blob] = {}
            had = self._asked(few, importing) if few else there.get
            known = everything if few else _looked_up(place, base, everything, there)
            news = _noted(fast_import.news(place, known, had), rows)
            first = [*itertools.islice(news, 1)]
            if first or bare:
                new = importing.store(facts, base, itertools.chain(first, news))
        if new:
            place.known_files.advance(base or "", new, rows)
            log.note_made(place, new, (base or "",), facts)
        return new

    def _asked(self, base: str, importing: FastImport) -> Callable[[str], Blob | None]:
        """Return what says which file *base* has at a path: as is known, or as it is asked."""
        known, top = self.place.known_files.of(base), self.place.prefix
        return lambda p: known[top + p] if top + p in known else importing.file(base, p)

    def _publish(self, base: str | None, new: str, rows: Sequence[Row], message: str) -> bool:
        # The index goes first, then HEAD. A crash between the two leaves our files staged: at
        # worst a person's next commit carries them. The other way round they would stand as
        # staged deletions, and that commit would drop them from history.
        old = base or objects.nothing(self.place)
        self._note(old, new)
        with contextlib.ExitStack() as undo:
            undo.callback(self._repair_index, old, new)
            self._shift(old, rows)
            if not self._move_head(base, new, message):
                return False
            undo.pop_all()
        return True

    def _note(self, old: str, new: str) -> None:
        with index_lock.writing(self.place):
            index_lock.note(self.fd, [(old, new)])

    def _move_head(self, base: str | None, new: str, message: str) -> bool:
        place = self.place
        self._must_hold()
        subject = message.replace("\0", "").strip().partition("\n")[0]
        args = ("update-ref", "-m", f"commit: {subject}", "HEAD", new, base or "0" * len(new))
        begun = Publish(new, index_lock.noted_at(self.fd))
        with self._cleared_when_killed(begun):
            # It may outlive us. As long as it may still move HEAD, nobody takes the lock over.
            done = process.run_holding(self.fd, place, *args)
        if done.returncode == 0:
            return True
        if done.returncode < 0:
            reference_locks.clear(place, begun, killed=True)
        head = objects.head(place)
        if head == base:
            raise process.failed(place, "update-ref", done.stderr)
        # Killed after its rename it has done what it was asked for.
        return head == new

    @contextlib.contextmanager
    def _cleared_when_killed(self, begun: Publish) -> Iterator[None]:
        """Clear what a git left that we ended because it took too long."""
        try:
            yield
        except Unavailable:
            reference_locks.clear(self.place, begun, killed=True)
            raise

    def _must_hold(self) -> None:
        if not self._held():
            raise Unavailable(
                f"someone removed {self.place.index_lock} while a commit was written; "
                "nothing was committed: try again"
            )

    def _repair_index(self, old: str, new: str) -> None:
        # Index entries that a publish moved to *new* follow HEAD, wherever HEAD ended up.
        place = self.place
        head = objects.head(place) or objects.nothing(place)
        if head == new or not (objects.is_tree(place, old) and objects.is_tree(place, new)):
            return
        ours = {row.path for row in objects.changes(place, old, new)}
        self._shift(new, [row for row in objects.changes(place, new, head) if row.path in ours])

    def _shift(self, old: str, rows: Sequence[Row]) -> None:
        # Every index entry that stands as in *old* moves as *rows* say; a staged one stays.
        if not rows:
            return
        known = self._has_nothing_staged(old)
        staged = set() if known else {row.path for row in objects.staged(self.place, old)}
        lines = io.BytesIO()
        for row in rows:
            if row.path not in staged:
                lines.write(_index_line(row))
        if lines.tell():
            self._write_index(lines.getvalue())

    def _has_nothing_staged(self, commit: str) -> bool:
        """Tell whether it is known already: our own commits stage nothing."""
        clean = {self.clean_at} - {""}
        for old, new in self.published():
            if old in clean:
                clean.add(new)
        return commit in clean

    def _write_index(self, lines: bytes) -> None:
        place = self.place
        index = place.git_dir / "index"
        copy = index.with_name(f"vaultmem-{self.tag}.index")
        with index_lock.writing(place):
            # Git puts a new file in the place of the one it is given, so a second name is a copy.
            if index.exists():
                copy.hardlink_to(index)
            # Git compares files as young as its index once more, and by their filters' output.
            extra = {"GIT_INDEX_FILE": str(copy), **config.without_filters(place)}
            process.git(place, "update-index", "-z", "--index-info", stdin=lines, extra=extra)
            self._must_hold()
            copy.replace(index)
            copy.unlink(missing_ok=True)  # where nothing was new, both names are of one file
            # HEAD may only move once the disk has the index, see `_publish`.
            _sync(place.git_dir)


def _looked_up(
    place: Place, base: str | None, edits: Iterator[Edit], there: dict[str, Blob]
) -> Iterator[Edit]:
    """Yield *edits*; from before each on *there* has what *base* has in its folder.

    Not all that *base* has: a vault of a million files would be held whole.
    """
    for some in _slices(edits):
        there.clear()
        if base:
            there.update(objects.beside(place, base, [edit.path for edit in some]))
        yield from some


def _slices(edits: Iterator[Edit]) -> Iterator[list[Edit]]:
    some: list[Edit] = []
    size = 0
    for edit in edits:
        some.append(edit)
        size += len(edit.data or b"")
        if len(some) >= _AT_ONCE or size >= _BYTES:
            yield some
            some, size = [], 0
    if some:
        yield some


def _noted(news: Iterable[tuple[Edit, Row]], rows: list[Row]) -> Iterator[tuple[Edit, Row]]:
    for edit, row in news:
        rows.append(row)
        yield edit, row


def _index_line(row: Row) -> bytes:
    mode = "0" if row.new.mode == ABSENT else row.new.mode
    return f"{mode} {row.new.id}\t".encode() + os.fsencode(row.path) + b"\0"


def _sync(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
