"""The index of what was said in sessions: each turn that may be told, found as a memory is.

It stands beside the catalog, which has none of it, and is made when a vault with sessions is first
asked. A transcript is read again when it is another one by its stamp; of its turns those alone are
noted that say otherwise than before. Which turns may be told, and what of them, says who opens it.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from vaultmem.errors import DiskRefused, Refused
from vaultmem.records import Record
from vaultmem.storage import files, transcripts, turn_names
from vaultmem.storage.files import DOUBTED, NO_STAMP, Content, Root, Stamp
from vaultmem.storage.index import Index, Source, Sync, marked_files, turn_queries
from vaultmem.storage.index import rows as index_rows
from vaultmem.storage.index.cache_database import transaction
from vaultmem.storage.transcripts import Transcript

FILE = ".vaultmem/index/turns.sqlite3"
_READING = "1"
"""To be raised when other turns may be told of the same transcripts, or more of them."""

Tell = Callable[[Transcript], Iterable[Record]]
"""Returns the turns of a transcript that may be told, each as a memory at its name."""


class TurnIndex(Index):
    """The turns of the transcripts below *root* that *tell* returns.

    Their records are memories to it, which stand beside each other in their session; whoever asks
    for them gets records of the type `turn`, with the sha-256 of their transcript.
    """

    def __init__(self, path: Path, root: Root, tell: Tell) -> None:
        """Open the index at *path*, empty when it is absent, damaged or of another schema."""
        self._root, self._tell = root, tell
        nothing = Source(lambda *_: (), lambda _: {}, contextlib.nullcontext)  # type: ignore[arg-type]
        super().__init__(path, nothing, lambda name, content: Record(name, content.sha))

    def _sync(self, *_: object) -> Sync:
        """Make the index equal to the transcripts."""
        if not turn_queries.is_read_by(self, _READING):
            with transaction(self.db):
                turn_queries.forget_all(self, _READING)
        found = {it.path: it.stamp for it in transcripts.transcript_files(self._root)}
        seen = marked_files.seen(self)
        changed = 0
        for path in sorted(seen.keys() | found.keys()):
            if seen.get(path) != found.get(path):
                changed += self._look_at(path)
        return Sync(modified=changed)

    def _look_at(self, path: str) -> bool:
        """Note what the transcript at *path* says now; tell whether that is news."""
        started = time.time_ns()
        with transaction(self.db):
            content = self._content(path)
            if content is None:
                self._note(path, {})
                turn_queries.drop(self.db, path)
                return True
            stamp = _trusted(content.stamp, started)
            is_news = content.sha != turn_queries.sha(self, path)
            if is_news:
                told = self._tell(transcripts.parse(path, content.data))
                self._note(path, {it.path: it for it in told})
            turn_queries.note(self.db, path, stamp, content.sha)
            return is_news

    def _content(self, path: str) -> Content | None:
        """Return the transcript at *path*; None where it is gone, or cannot be read."""
        with contextlib.suppress(DiskRefused, Refused):
            return files.read(self._root, path)
        return None

    def _note(self, path: str, told: Mapping[str, Record]) -> None:
        """Let what is known of the transcript at *path* be what is *told* of it."""
        known = turn_queries.known(self.db, path)
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
