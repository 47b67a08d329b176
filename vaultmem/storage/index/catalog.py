"""Keep the index equal to the files: by the difference of two listings, or one path at a time."""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, cast

from vaultmem.errors import Busy, DiskRefused, IndexFailed
from vaultmem.records import Record
from vaultmem.storage import files
from vaultmem.storage.files import DOUBTED, Content, Read, Stamp
from vaultmem.storage.index import coverage, marked_files, moved_files, neighbours, scan
from vaultmem.storage.index import folders as noted_folders
from vaultmem.storage.index import rows as index_rows
from vaultmem.storage.index.cache_database import Connection, inode, set_meta, transaction
from vaultmem.storage.index.diff import Move, moves, suspicious
from vaultmem.storage.index.intake import Intake
from vaultmem.storage.index.queries import Queries
from vaultmem.storage.index.scan import Scan
from vaultmem.storage.index.schema import CATALOG
from vaultmem.storage.index.source import Source
from vaultmem.storage.progress import Progress, untold

_KNOWN = "SELECT path, size, mtime_ns, inode, ctime_ns, racy FROM seen WHERE folder = ?"
_NOW_AND_THEN = 100
_PATIENCE, _SHARE = 60.0, 20
"""Seconds between two full looks at most; of a quick one so many times what it takes."""
_MEMORIES = re.compile(r"agents/[^/]+/memories/")

Rests = Callable[[str], bool]


def _all_rest(_folder: str) -> bool:
    return True


def _has_memories(folder: str) -> bool:
    return bool(_MEMORIES.match(folder))


class _Todo(NamedTuple):
    """What is to be done in one folder, how many files that has, and why it cannot be read."""

    moves: tuple[Move, ...]
    files: int
    shut: Mapping[str, str] = MappingProxyType({})


class Sync(NamedTuple):
    """What one sync did, in numbers; *vanished* names files that went in a suspicious crowd."""

    added: int = 0
    modified: int = 0
    removed: int = 0
    vanished: tuple[str, ...] = ()


class Index(Queries):
    """The catalog of one vault: the files of a *source*, and what they say by *record*."""

    def __init__(
        self, path: Path, source: Source, record: Callable[[str, Content], Record]
    ) -> None:
        """Open the index at *path*, rebuilt when it is absent, damaged or of another schema."""
        self.path = path
        self._source, self._record = source, record
        self._folders: dict[str, Stamp] = {}
        self._scanned, self._took = -math.inf, 0.0
        self.progress: Progress = untold
        """Is told how many files of how many a sync has read, now and then."""
        self.removed: Callable[[], AbstractSet[str]] = frozenset
        """Names what operations take away whose commit waits: who is killed tells no index."""
        self.is_current: Callable[[], bool] = lambda: False
        """Tells whether whoever watches the files says that the index is equal to them now."""
        self.settled: Callable[[bool], None] = lambda _: None
        """Is called once a sync is done; tells whether that looked at all there is."""
        self.hidden_words = ""
        """What people hide, as it was noted when files were read last."""
        self.odd: tuple[str, ...] = ()
        self.shut: Mapping[str, str] = {}
        super().__init__(CATALOG.connect(path))
        self._inode = inode(path)

    def close(self) -> None:
        """Close the database; twice is once. Raises OtherThread while its thread lives."""
        if self._owner.end():
            self._db.close()
            if self._db.damaged:
                with contextlib.suppress(OSError, Busy):  # the next to meet the damage rebuilds it
                    CATALOG.discard(self.path, self._inode)

    def sync(self, expected: frozenset[str] = frozenset()) -> Sync:
        """Make the index equal to the files; *expected* names removals that are our own.

        When suspiciously many files are gone at once nothing is removed: they are named in the
        result and in `vanished()` until they come back or `accept_missing()` is called.
        """
        return self._mended(expected, {})

    def fresh(self, patience: float | None = None) -> Sync:
        """Like `sync`, but look only at folders in which something came, went or was replaced.

        A file changed in place shows in no folder's time, so a full sync is due every *patience*
        seconds all the same: a minute at most, and in a small vault as soon as it takes no more
        than a twentieth of the time. Who edits in place is seen by the next question there. Who
        watches the files spares both.
        """
        least = min(_PATIENCE, _SHARE * self._took) if patience is None else patience
        if self.lags or time.monotonic() - self._scanned >= least:
            return Sync() if self.is_current() else self.sync()
        return self._mended(frozenset(), self._noted_stamps())

    def folders(self) -> list[str]:
        """Return the folders of the vault as whoever looked last found them, "" the vault's own."""
        return [*self._noted_stamps()]

    @property
    def inode(self) -> int:
        """What tells the database that is open from one that was made in its place; 0 in memory."""
        return 0 if self.db.why else self._inode

    def sync_names(self) -> Sync:
        """Like `sync`, but look only at folders that moved since anybody looked.

        What came, went or was replaced shows there; what was changed in place does not.
        """
        return self._mended(frozenset(), self._noted_stamps())

    def sync_notes(self) -> Sync:
        """Like `fresh`, for who asks of cards, topics or tasks: of memories, see names alone.

        Most folders of a vault have memories, whose words nobody changes; where a person does all
        the same, the next `sync` sees that.
        """
        if time.monotonic() - self._scanned < _PATIENCE:
            return self.fresh(_PATIENCE)
        return self._mended(frozenset(), self._noted_stamps(), _has_memories)

    def _noted_stamps(self) -> Mapping[str, Stamp]:
        """Return the stamps of folders that whoever looked last noted beside the rows.

        Not what this process saw: a folder may have been away since, and others noted that.
        """
        return noted_folders.noted(self.db).stamps

    def release(self) -> None:
        """Close the database, whose file is about to be deleted, until `rebuild`."""
        self.db.close()

    def rebuild(self) -> None:
        """Throw the database away, damaged as it is, and start an empty one."""
        self.db.close()  # first: the last to close a file removes the log that stands at its name
        self._use(CATALOG.anew(self.path, self._inode))

    def _use(self, db: Connection) -> None:
        db.written = self._db.written
        self._db, self._inode, self._folders = db, inode(self.path), {}

    def _mended(
        self, expected: frozenset[str], folders: Mapping[str, Stamp], rests: Rests = _all_rest
    ) -> Sync:
        if self._inode != inode(self.path):  # deleted under us: others would not see ours
            self.db.close()
            self._use(CATALOG.connect(self.path))
            folders = {}
        elif self.db.damaged:  # a question met what no sync looks at
            self.rebuild()
            folders = {}
        elif self.db.why and not folders:
            self._leave_memory()
        begun = time.monotonic()
        try:
            done = self._sync(expected, folders, rests)
        except IndexFailed as e:
            self.recover(e)
            done = self._sync(expected, {})
        if not folders:
            self._took = time.monotonic() - begun
        self.settled(not folders)
        return done

    def recover(self, failure: IndexFailed) -> None:
        """Go on after a *failure*: with a new database, or in memory where the disk refuses."""
        if failure.damaged:
            self.rebuild()
            return
        old = self.db
        self._use(CATALOG.in_memory(failure.why, old))
        old.close()

    def _leave_memory(self) -> None:
        """Use the file again where the disk takes one by now."""
        with contextlib.suppress(Busy):
            again = CATALOG.connect(self.path)
            if again.why:
                again.close()
            else:
                self.db.close()
                self._use(again)

    def _sync(
        self, expected: frozenset[str], folders: Mapping[str, Stamp], rests: Rests = _all_rest
    ) -> Sync:
        """Make the index equal to the files that lie elsewhere than in *folders* as they were.

        These are looked into all the same where they are none that *rests*.
        """
        started = time.time_ns()
        before = noted_folders.noted(self.db)
        seen = scan.of(self._source.folders(folders, before.digests, rests))
        odd = noted_folders.all_odd(before, seen)
        self.odd = tuple(sorted(itertools.chain.from_iterable(odd.values())))
        if folders and seen.unmoved == folders.keys():
            return Sync()
        if folders and self.vanished():  # only all there is tells whether the crowd is back
            return self._sync(expected, {})
        todo = self._todo(seen)
        first = next(todo, None)
        # Files may come back as they were, with nothing to do but to say so.
        if first or self.vanished():
            moved = itertools.chain([first] if first else (), todo)
            done, shut = self._carry_out(moved, seen, started, expected)
            seen = seen.shutting(shut)
        else:
            done = Sync()
        self._remember(seen, started)
        noted_folders.note(self.db, before, replace(seen, folders=self._folders))
        return done

    def _todo(self, seen: Scan) -> Iterator[_Todo]:
        """Yield what is to be done in each folder that is not as it was, few files at once.

        Who looked into a folder and cannot do so again has another look next time.
        """
        left = seen.unmoved | seen.settled
        known = noted_folders.with_files(self.db, left)
        for folder in sorted({*known, *seen.counts}):
            if not seen.hides(folder):
                rows = {row[0]: row for row in self.db.execute(_KNOWN, (folder,))}
                try:
                    found = self._source.notes(folder) if folder in seen.counts else {}
                except DiskRefused as e:
                    if not folder:  # the vault itself
                        raise
                    yield _Todo((), 0, {folder: e.why})
                    continue
                if todo := tuple(moves(rows, found)):
                    yield _Todo(todo, len(found))

    def _behind(self, removed: Iterable[str]) -> dict[str, str]:
        """Return the folders of what is *removed* that are no folders now, and what they are.

        A link or a file stands there: what was in the folder is not read, and is not gone.
        """
        found = (self._source.blocked(path) for path in removed)
        return {f"{folder}/": kind for folder, kind in found if folder}

    def note_write(self) -> None:
        """Note that an operation of ours writes: what asked for it is not to be asked once more."""
        self.db.written = time.monotonic()

    def absorb(self, paths: Iterable[str]) -> None:
        """Look at *paths* alone, which the caller has just written or removed, or decides on.

        The files are safe already, so an index that cannot take them lags until the next scan. Of a
        crowd that is gone, only a scan tells whether it still is one.
        """
        started = time.time_ns()
        try:
            if self.vanished():
                self._folders = {}
            self.hidden_words = marked_files.dumped(self)
            with transaction(self.db), self._source.reading() as read:
                for path in self._gone(read, paths, started):
                    index_rows.drop(self.db, path)
                self._settle()
                self._bump(changed=True)
        except (IndexFailed, Busy):
            self._folders = {}

    def read_again(self, paths: Sequence[str]) -> None:
        """Take *paths*, whose bytes are what they were, for files that were never read."""
        if not paths:
            return
        started = time.time_ns()
        with transaction(self.db), self._source.reading() as read:
            for path in paths:
                index_rows.drop(self.db, path)
            self._gone(read, paths, started)
            self._settle()
            self._bump(changed=True)

    def _settle(self) -> None:
        """Prove or settle, before a transaction ends, whatever it has put in doubt."""
        coverage.prove(self.db)
        neighbours.settle(self.db)

    @property
    def is_damaged(self) -> bool:
        """Whether the database said what only a new one helps against."""
        return self.db.damaged

    @property
    def lags(self) -> bool:
        """Whether a write could not be taken in: only a scan tells what there is."""
        return not self._folders

    def _remember(self, seen: Scan, started: int) -> None:
        self._folders = {
            folder: DOUBTED if files.is_young(stamp.ctime_ns, started) else stamp
            for folder, stamp in seen.folders.items()
        }
        self.shut = seen.shut
        if not seen.unmoved:
            self._scanned = time.monotonic()

    def _carry_out(
        self, todo: Iterable[_Todo], seen: Scan, started: int, expected: frozenset[str]
    ) -> tuple[Sync, dict[str, str]]:
        """Do what is *todo*; return what that was, and which folders cannot be read, with why.

        What stands in a folder's place is no reason to take what was in it for gone.
        """
        total, done = sum(seen.counts.values()), 0
        news: Counter[str] = Counter()
        gone: list[str] = []
        shut: dict[str, str] = {}
        self.hidden_words = marked_files.dumped(self)
        with transaction(self.db), self._source.reading() as read:
            intake = Intake(self.db, read, self._record, started)
            for some in todo:
                gone += (move.path for move in some.moves if move.what == "removed")
                there = (move for move in some.moves if move.what != "removed")
                for number, (move, is_new) in enumerate(intake.take(there)):
                    if number % _NOW_AND_THEN == 0:
                        self.progress(min(done + number, total), total)
                    news[move.what] += bool(is_new)
                done += some.files
                shut |= some.shut
            self.progress(total, total)
            shut |= self._behind(gone)
            gone = [path for path in gone if not path.startswith(tuple(shut))]
            removed, vanished = self._remove(read, gone, expected, started)
            self._settle()
            self._bump(changed=bool(news.total() or removed))
        return Sync(news["added"], news["doubtful"], removed, vanished), shut

    def _gone(self, read: Read, paths: Iterable[str], started: int) -> list[str]:
        """Read the files at *paths* and note what they say; return those that are not there."""
        moves = (Move("doubtful", path) for path in paths)
        looked = Intake(self.db, read, self._record, started).take(moves)
        return [move.path for move, is_new in looked if is_new is None]

    def _remove(
        self, read: Read, gone: list[str], expected: frozenset[str], started: int
    ) -> tuple[int, tuple[str, ...]]:
        """Drop what is gone, unless it is a suspicious crowd; return how many, and that crowd.

        What only moved is in none.
        """
        # Another process may have written and indexed a file after we listed the folder. And what
        # cannot be read, as a link in a file's place, is not gone.
        gone = self._gone(read, gone, started)
        unasked = [p for p in gone if p not in expected]
        if self._is_crowd(unasked):
            expected |= self.removed() | moved_files.among(self.db, gone)
            unasked = [p for p in gone if p not in expected]
        crowd = tuple(unasked) if self._is_crowd(unasked) else ()
        left = [p for p in gone if p in expected] if crowd else gone
        for path in left:
            index_rows.drop(self.db, path)
        if crowd != self.vanished():
            set_meta(self.db, "vanished", json.dumps(crowd) if crowd else "")
        return len(left), crowd

    def _is_crowd(self, gone: Sequence[str]) -> bool:
        known = self.value("SELECT count(*) FROM seen") if gone else 0
        return suspicious(len(gone), cast("int", known))

    def accept_missing(self) -> int:
        """Believe that the vanished files are meant to be gone; return how many."""
        gone = self.vanished()
        self.sync(expected=frozenset(gone))
        return len(gone)

    def _bump(self, *, changed: bool) -> None:
        if changed:
            set_meta(self.db, "generation", str(self.generation() + 1))
