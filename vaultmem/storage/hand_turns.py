"""Which turns of a transcript no program of ours wrote: nobody vouches for who speaks there.

A person, or an agent with file tools, may add a line to a transcript, or change one. What an
operation of ours wrote is in a commit that names it, or waits for that; a line that is on disk
alone, or came by a commit that names no operation, is by hand. It is known by what it says, under
whatever number and in whatever session: a line that is moved, or put in order, stays what it was.

What a repository begins with is taken as it is, and so is all without one.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from vaultmem.documents import frontmatter
from vaultmem.errors import Busy, DiskRefused, IndexFailed, Refused, Unavailable
from vaultmem.storage import files, transcript_files, transcript_lines, transcripts
from vaultmem.storage.files import Root
from vaultmem.storage.git import ABSENT, OP, PLAIN, Blob, Entry, Repository, Row, blob_ids
from vaultmem.storage.index.cache_database import (
    CacheDatabase,
    Connection,
    meta,
    set_meta,
    transaction,
)
from vaultmem.storage.ledger.entries import Ledger
from vaultmem.storage.tombstone_checks import MARK
from vaultmem.storage.transcripts import Transcript
from vaultmem.storage.waiting_writes import WaitingWrites

FILE = ".vaultmem/hand_turns.sqlite3"

_SHADOW = CacheDatabase(
    "which turns are by hand", "CREATE TABLE by_hand(mark TEXT PRIMARY KEY) WITHOUT ROWID"
)
_READ = "read up to"
_AGENTS = "agents"


class HandTurns:
    """Those of the vault at *root*; *repository* finds its history when that is asked.

    *waiting* is what waits for its commit.
    """

    def __init__(
        self, root: Root, repository: Callable[[], Repository | None], waiting: WaitingWrites
    ) -> None:
        """Open nothing yet: most commands read no transcript."""
        self._root, self._repository, self._waiting = root, repository, waiting

    @cached_property
    def _db(self) -> Connection:
        return _SHADOW.connect(self._root.path / FILE)

    def close(self) -> None:
        """Close what was opened."""
        if "_db" in self.__dict__:
            self.__dict__.pop("_db").close()

    def look_up(self, paths: Iterable[str]) -> None:
        """Ask git at once for what it has of the transcripts at *paths*, which are asked for next.

        One by one they would cost a process each.
        """
        with contextlib.suppress(Unavailable):
            if repository := self._repository():
                repository.in_head([*paths])

    def parse(self, path: str, data: bytes) -> Transcript:
        """Return the transcript that *data*, the bytes of the file at *path*, holds; marked."""
        return _marked(transcripts.parse(path, data), self.numbers(path, data))

    def marked(self, transcript: Transcript) -> Transcript:
        """Return *transcript* with those of its turns marked that are by hand."""
        with contextlib.suppress(DiskRefused, Refused):
            if found := files.read(self._root, transcript.path):
                data = found.data[: transcript.size]
                return _marked(transcript, self.numbers(transcript.path, data))
        return transcript

    def numbers(self, path: str, data: bytes) -> frozenset[int]:
        """Return the numbers of the turns by hand in *data*, the bytes of the file at *path*.

        None without a repository, or with one that does not answer.
        """
        with contextlib.suppress(Unavailable, IndexFailed, Busy):
            if (repository := self._repository()) and (head := repository.head()):
                self._learn(repository, head)
                return self._uncommitted(repository, path, data) | self._known(data)
        return frozenset()

    def cut(self, paths: Sequence[str]) -> list[bytes]:
        """Return the lines that git has of the transcripts at *paths*, and these have no more."""
        gone: list[bytes] = []
        with contextlib.suppress(Unavailable, DiskRefused, Refused):
            repository = self._repository() if paths else None
            if repository and repository.is_any_changed(paths):
                had = repository.in_head(paths)
                texts = repository.contents(had.values())
                for path in (path for path in paths if path in had and had[path].id in texts):
                    gone += self._gone(path, texts[had[path].id])
        return gone

    def _gone(self, path: str, old: bytes) -> list[bytes]:
        found = files.read(self._root, path)
        if frontmatter.is_pointer(old) or (found and found.data.startswith(old)):
            return []
        lines = transcript_lines.standing(
            transcript_lines.lines_of(old), found.data if found else b""
        )
        return [it.line for it in lines if it.how != "same"]

    # --- what git has not ---------------------------------------------------------------------

    def _uncommitted(self, repository: Repository, path: str, data: bytes) -> frozenset[int]:
        """Return the numbers of those turns that no commit has, and that do not wait for one."""
        had = repository.in_head([path]).get(path)
        if had and had.mode not in PLAIN:
            had = None
        if had and had.id in blob_ids(repository.algorithm, data):
            return frozenset()
        old = repository.contents([had]).get(had.id, b"") if had else b""
        if frontmatter.is_pointer(old) or (not had and _is_elsewhere(repository, "HEAD", data)):
            return frozenset()
        known = _said(old) | self._coming(path)
        first = old.count(b"\n") if old.endswith(b"\n") and data.startswith(old) else 0
        lines = [*enumerate(data.split(b"\n"), 1)][first:]
        return frozenset(n for n, line in lines if not _is_among(line, known))

    def _coming(self, *paths: str) -> frozenset[bytes]:
        """Return what lines say that operations of ours wrote at *paths* and that wait."""
        writes = self._waiting.of(frozenset(paths))
        return frozenset[bytes]().union(*(_said(write.new or b"") for write in writes))

    # --- what came by hand --------------------------------------------------------------------

    def _known(self, data: bytes) -> frozenset[int]:
        """Return the numbers of those lines of *data* that a commit brought by hand."""
        if not self._db.execute("SELECT 1 FROM by_hand LIMIT 1").fetchone():
            return frozenset()
        lines = enumerate(data.split(b"\n"), 1)
        return frozenset(n for n, line in lines if line and self._has(line))

    def _has(self, line: bytes) -> bool:
        whole, turn = _marks(line)
        # Of what was forgotten in it since it says nothing; who spoke when stays.
        asked = [whole, *([turn] if MARK.encode() in line else [])]
        sql = "SELECT 1 FROM by_hand WHERE mark = ?"
        return any(self._db.execute(sql, (mark,)).fetchone() for mark in asked)

    def _learn(self, repository: Repository, head: str) -> None:
        """Read what came by hand in commits up to *head* that were not read yet."""
        start = meta(self._db, _READ)
        if start == head:
            return
        came, is_anew = _gained(repository, start, head)
        marks = [m for line in self._by_hand(repository, came) for m in _marks(line) if m]
        with transaction(self._db):
            if is_anew:
                self._db.execute("DELETE FROM by_hand")
            rows = [(mark,) for mark in marks]
            self._db.executemany("INSERT OR IGNORE INTO by_hand VALUES(?)", rows)
            set_meta(self._db, _READ, head)

    def _by_hand(self, repository: Repository, came: Iterable[Entry]) -> Iterator[bytes]:
        """Yield the lines that the commits which *came* added and no operation of ours wrote."""
        # A merge adds nothing that neither side has; what has no parent is what there was.
        hand = {it.commit: it for it in came if len(it.parents) == 1 and not it.names_operation}
        for commit, rows in repository.touched([*hand]).items():
            some = [it for it in rows if transcript_files.holds(it.path)]
            if any(it.new.mode in PLAIN for it in some):
                yield from self._added(repository, hand[commit], some)

    def _added(self, repository: Repository, commit: Entry, rows: Iterable[Row]) -> Iterator[bytes]:
        """Yield the lines that *rows* of a *commit* added, wherever these stood before it."""
        taken = self._taken(commit.commit)
        with repository.reading() as read:
            both = [(it, _read(read, it.old), _read(read, it.new)) for it in rows]
        paths = [row.path for row, *_ in both]
        known = self._coming(*paths).union(*(_said(old) for _, old, _ in both))
        for row, old, new in both:
            is_ours = row.path in taken or any(map(frontmatter.is_pointer, (old, new)))
            is_copy = row.old.mode == ABSENT and _is_elsewhere(repository, commit.parents[0], new)
            if not is_ours and not is_copy:
                yield from (it for it in transcript_lines.lines_of(new) if not _is_among(it, known))

    def _taken(self, commit: str) -> frozenset[str]:
        """Return the files that a *commit* of somebody's took as operations of ours left them."""
        with Ledger.of(self._root.path) as ledger:
            return frozenset(it.path for it in ledger.taken() if it.commit == commit)


def _gained(repository: Repository, start: str, head: str) -> tuple[list[Entry], bool]:
    """Return what may have come by hand from *start* on, and whether that is all there is."""
    if start:
        with contextlib.suppress(Unavailable):  # that commit is gone: the history was rewritten
            return repository.since(start, head), False
    return repository.commits_without(f"{OP}: ", head), True


def _marked(transcript: Transcript, numbers: frozenset[int]) -> Transcript:
    if not numbers:
        return transcript
    turns = (
        replace(turn, by_hand=True) if n in numbers else turn
        for n, turn in enumerate(transcript.turns, 1)
    )
    return transcript._replace(turns=tuple(turns))


def _read(read: Callable[[Blob], bytes], blob: Blob) -> bytes:
    return read(blob) if blob.mode in PLAIN else b""


def _is_elsewhere(repository: Repository, commit: str, data: bytes) -> bool:
    """Tell whether *commit* has *data*, all of it, as the transcript of some session."""
    ids = blob_ids(repository.algorithm, data)
    there = repository.files(commit, _AGENTS).items()
    return any(blob.id in ids and transcript_files.holds(path) for path, blob in there)


def _said(data: bytes) -> frozenset[bytes]:
    return frozenset(map(transcript_lines.unnumbered, transcript_lines.lines_of(data)))


def _is_among(line: bytes, known: frozenset[bytes]) -> bool:
    """Tell whether *line* says nothing, or one of what is *known*, maybe with a part hidden."""
    own = line.removesuffix(b"\r")
    says = transcript_lines.unnumbered(own)
    return not own or says in known or transcript_lines.unmarked(own) in known


def _marks(line: bytes) -> tuple[str, str]:
    """Return what *line* is known by: all that it says, and who spoke when, "" where it is not."""
    key = transcripts.turn_key(line)
    turn = _digest(repr(key[1:]).encode()) if key else ""
    return _digest(transcript_lines.unnumbered(line)), turn


def _digest(said: bytes) -> str:
    return hashlib.sha256(said).hexdigest()
