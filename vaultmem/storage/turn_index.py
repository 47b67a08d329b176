"""The index of what was said in sessions: each turn that may be told, found as a memory is.

It stands beside the catalog, which has none of it, and is made when a vault with sessions is first
asked. A transcript is read again when it is another one by its stamp; of one that only grew what is
new is looked at, of any other those turns are noted that say otherwise than before. Which turns may
be told, and what of them, says who opens it.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.errors import DiskRefused, Refused
from vaultmem.records import Record
from vaultmem.storage import files, transcript_files, turn_names
from vaultmem.storage.files import DOUBTED, NO_STAMP, Content, Root, Stamp
from vaultmem.storage.index import Index, Source, Sync, marked_files, turn_queries
from vaultmem.storage.index import rows as index_rows
from vaultmem.storage.index.cache_database import transaction
from vaultmem.storage.index.turn_queries import Read
from vaultmem.storage.transcripts import Transcript

if TYPE_CHECKING:
    from vaultmem.storage.hand_turns import HandTurns

FILE = ".vaultmem/index/turns.sqlite3"
_READING = "3"
"""To be raised when other turns may be told of the same transcripts, or more of them."""

_PATIENCE = 10.0
"""Seconds that a question waits for transcripts that are new; the next one goes on with them."""

Tell = Callable[[Transcript, int], Iterable[Record]]
"""Returns the turns of a transcript that may be told, from a number on: memories at their names."""


class TurnIndex(Index):
    """The turns of the transcripts below *root* that *tell* returns.

    Their records are memories to it, which stand beside each other in their session; whoever asks
    for them gets records of the type `turn`, with the sha-256 of their transcript.
    """

    def __init__(self, path: Path, root: Root, hand_turns: HandTurns, tell: Tell) -> None:
        """Open the index at *path*, empty when it is absent, damaged or of another schema.

        *hand_turns* knows which turns no program of ours wrote.
        """
        self._root, self._hand_turns, self._tell = root, hand_turns, tell
        nothing = Source(lambda *_: (), lambda _: {}, contextlib.nullcontext)  # type: ignore[arg-type]
        super().__init__(path, nothing, lambda name, content: Record(name, content.sha))

    def sync(self, expected: frozenset[str] = frozenset()) -> Sync:
        """Make the index equal to the transcripts, also where a daemon watches the notes."""
        return self._mended(expected, {})

    def _sync(self, *_: object) -> Sync:
        """Make the index equal to the transcripts."""
        if not turn_queries.is_read_by(self, _READING):
            with transaction(self.db):
                turn_queries.forget_all(self, _READING)
        found = {it.path: it.stamp for it in transcript_files.every(self._root)}
        seen = marked_files.seen(self)
        moved = [path for path in seen.keys() | found.keys() if seen.get(path) != found.get(path)]
        # What was written last is asked for first, where there is no time for all.
        moved.sort(key=lambda it: (-found[it].mtime_ns, it) if it in found else (-math.inf, it))
        self._hand_turns.look_up(path for path in moved if path in found)
        changed, begun = 0, time.monotonic()
        for path in moved:
            if path not in found or time.monotonic() - begun < _PATIENCE:
                changed += self._look_at(path)
            elif path in seen:  # what it says now may be less
                with transaction(self.db):
                    changed += self._drop(path)
        return Sync(modified=changed)

    def _look_at(self, path: str) -> bool:
        """Note what the transcript at *path* says now; tell whether that is news."""
        started = time.time_ns()
        with transaction(self.db):
            content = self._content(path)
            if content is None:
                return self._drop(path)
            before = turn_queries.read(self, path)
            now = Read(len(content.data), content.sha)
            if now != before:
                # Of one that only grew what was read stays as it is.
                old = content.data[: before.size]
                is_grown = old.endswith(b"\n") and hashlib.sha256(old).hexdigest() == before.sha
                first = old.count(b"\n") + 1 if is_grown else 1
                talk = self._hand_turns.parse(path, content.data)
                self._note(path, self._tell(talk, first), first)
            turn_queries.note(self.db, path, _trusted(content.stamp, started), now)
            return now != before

    def _drop(self, path: str) -> bool:
        """Forget what is known of the transcript at *path*."""
        self._note(path, (), first=1)
        turn_queries.drop(self.db, path)
        return True

    def _content(self, path: str) -> Content | None:
        """Return the transcript at *path*; None where it is gone, or cannot be read."""
        with contextlib.suppress(DiskRefused, Refused):
            return files.read(self._root, path)
        return None

    def _note(self, path: str, records: Iterable[Record], first: int) -> None:
        """Let what is known of the transcript at *path* from turn *first* on be its *records*."""
        told = {it.path: it for it in records}
        known = turn_queries.known(self.db, path) if first == 1 else {}
        changed = {name: it for name, it in told.items() if known.get(name) != it.sha}
        for name in known:
            if name not in told or name in changed:
                index_rows.drop(self.db, name)
        for name, record in changed.items():
            sighting = index_rows.see(self.db, name, Content(b"", record.sha, NO_STAMP), racy=False)
            if sighting:
                index_rows.note(self.db, sighting, record)
        self._settle()
        self._bump(changed=bool(changed) or len(known) > len(told))

    def _rows_as_turns(self, records: Collection[Record]) -> list[Record]:
        paths = {it.path: transcript_of(it.path) for it in records}
        shas = turn_queries.shas(self, frozenset(paths.values()))
        kind = turn_names.TYPE
        return [replace(it, type=kind, sha=shas.get(paths[it.path], "")) for it in records]

    def _select(self, *where: object, **how: object) -> list[Record]:
        """Return the records that are asked for, as turns."""
        return self._rows_as_turns(super()._select(*where, **how))  # type: ignore[arg-type]

    def numbered(self, docs: Iterable[int]) -> dict[int, Record]:
        """Return the turns that have the numbers *docs*, by number."""
        found = super().numbered(docs)
        return dict(zip(found, self._rows_as_turns([*found.values()]), strict=True))


def _trusted(stamp: Stamp, started: int) -> Stamp:
    return DOUBTED if files.is_young(stamp.ctime_ns, started) else stamp


def transcript_of(name: str) -> str:
    """Return the path of the transcript of the turn that is called *name*, else *name*."""
    turn = turn_names.parse(name)
    return turn.path if turn else name


def is_made(vault: Path) -> bool:
    """Tell whether the vault at *vault* has such an index."""
    return (vault / FILE).exists()
