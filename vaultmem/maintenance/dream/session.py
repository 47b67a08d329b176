"""A vault as one dream sees it: what it reads, on which terms, and what its changes come to."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache, partial

from vaultmem.maintenance.authorship import Authorship
from vaultmem.maintenance.dream import candidates, edits, facts, instructions, line_days
from vaultmem.maintenance.dream.detectors import relative_dates
from vaultmem.maintenance.dream.gates import dreams
from vaultmem.maintenance.dream.inbox import PendingReview
from vaultmem.maintenance.dream.link_graph import folded_name, named
from vaultmem.maintenance.dream.planner import Terms
from vaultmem.maintenance.dream.results import Overlay
from vaultmem.maintenance.dream.types import Note, Seen, Used
from vaultmem.memory import memory_index, pointed_index, tool_quotes
from vaultmem.records import Record
from vaultmem.retrieval import usage
from vaultmem.storage import files, reader
from vaultmem.storage.files import Root
from vaultmem.storage.index import Filter
from vaultmem.storage.plan import Change
from vaultmem.storage.store import Store

_NO_NOTES = frozenset({"memory", "summary", "episode", "task", "working", "config", "dream"})
_WRITABLE = 0o222


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was seen, and the bytes of its notes as they were read then."""

    seen: Seen
    data: dict[str, bytes]


def gather(store: Store, since: str, also: Collection[str] = ()) -> Gathered:
    """Return all of the vault that a dream looks at; *since* is when the last one was.

    *also* are paths of memories that were proposed to be changed.
    """
    data: dict[str, bytes] = {}
    notes: list[Note] = []
    episodes: list[Record] = []
    for record in store.index.each(Filter(other_than="memory")):
        if record.type == "episode" and _is_usable(record):
            episodes.append(record)
        elif note := _note(store, record, data):
            notes.append(note)
    candidates.learn(store.index)
    seen = Seen(
        notes=tuple(sorted(_kept_out(store, notes), key=lambda note: note.path)),
        memories=(),
        episodes=tuple(episodes),
        paths=frozenset(),
        now=store.clock(),
        since=since,
        instructions=tuple(instructions.read(store.root)),
        uses={
            ref: Used(u.count, u.questions, u.last)
            for ref, u in usage.load(store.root.path).items()
        },
        subjects=cache(partial(candidates.of_all, store.index, since)),
        told=partial(candidates.times_told, store.index),
    )
    memories = candidates.memories(store.index, seen, also)
    linked = {folded_name(memory.path) for memory in memories}
    paths = _paths(store.root, linked.union(named(seen)))
    return Gathered(replace(seen, memories=memories, paths=frozenset(paths)), data)


def _paths(root: Root, linked: AbstractSet[str]) -> Iterator[str]:
    """Yield the paths of all files but memories; of these what is *linked*, and one of a folder."""
    folders = set[str]()
    for path in files.paths(root, lambda name: name.startswith(".")):
        folder = path[: path.rfind("/")]
        told = reader.kind_of(path) != "memory" or folder not in folders
        if told or folded_name(path) in linked:
            folders.add(folder)
            yield path


def _is_usable(record: Record) -> bool:
    return record.recallable and not record.problem and not record.held


def _note(store: Store, record: Record, data: dict[str, bytes]) -> Note | None:
    """Return the file of *record* as a note, its bytes put into *data*; None when it is none."""
    # What the history must not have is nobody's to move: a dream could not be undone.
    if record.type in _NO_NOTES or record.held or not facts.is_cleaned(record.path):
        return None
    found = store.texts.read_if_allowed(record.path)
    if found is None:
        return None
    fixed = record.trust == "untrusted" or not _is_writable(store.root, record.path)
    note = facts.note(record.path, found, fixed=fixed)
    if note:
        data[record.path] = found
        trust, claimed = record.trust, record.claimed  # as it is attested
        note = replace(note, record=replace(note.record, trust=trust, claimed=claimed))
    return note


def _kept_out(store: Store, notes: Sequence[Note]) -> list[Note]:
    """Return the *notes*, fixed where git is told to ignore them: nothing would bring them back."""
    repository = store.writer.repository
    paths = {note.path for note in notes}
    ignored = edits.ignored(repository, paths) if repository else frozenset()
    return [replace(note, fixed=note.fixed or note.path in ignored) for note in notes]


def _is_writable(root: Root, path: str) -> bool:
    try:
        return bool(os.stat(path, dir_fd=root.fd, follow_symlinks=False).st_mode & _WRITABLE)
    except OSError:
        return False


def _changed_on(root: Root, path: str) -> str:
    """Return the day on which the file at *path* was last written (UTC), "" when unknown."""
    try:
        at = os.stat(path, dir_fd=root.fd, follow_symlinks=False).st_mtime
    except OSError:
        return ""
    return datetime.fromtimestamp(at, UTC).date().isoformat()


class Work:
    """A vault as one dream sees it: what was read is read once, and must still be so at the end."""

    def __init__(
        self, store: Store, notes: Sequence[PendingReview], *, unasked: bool = False
    ) -> None:
        """Gather what *store* has; what the *notes* propose is as protected as they say.

        *unasked*: no person looks at it, so that theirs is whatever they wrote since the beginning.
        """
        self._store = store
        last = next(iter(dreams(store)), None)
        asked = {path for note in notes for p in note.open for path in p.paths}
        self.seen: Gathered = gather(store, last.when if last else "", asked)
        self._data: dict[str, bytes | None] = dict(self.seen.data)
        repository = store.writer.repository
        protected = frozenset(p.id for w in notes for p in w.open if p.protected)
        said = partial(tool_quotes.tool_of, store, "")
        self.terms = Terms(
            self.read, protected=protected, history=repository is not None, tool_of=said
        )
        if repository:
            loose = partial(edits.loose, repository, read=self.read)
            self.terms = replace(self.terms, loose=loose)
        if repository and (last or unasked):
            since = last.commit if last and not unasked else None
            authorship = Authorship(store, repository, self.read, since)
            self.terms = replace(self.terms, own=authorship.own)

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file as they were when they were first asked for."""
        if path not in self._data:
            self._data[path] = self._store.texts.read(path)
        return self._data[path]

    def dated(self, seen: Seen) -> Seen:
        """Return what was *seen* with the days of lines that only git can date."""
        repository = self._store.writer.repository
        wanted = relative_dates.undated(seen)
        if repository is None or not wanted:
            return seen
        latest = partial(_changed_on, self._store.root)
        return replace(seen, days=line_days.first_days(repository, wanted, latest))

    def changes(self, changed: Overlay, reason: str) -> tuple[Change, ...]:
        """Return what *changed* comes to, `MEMORY.md` pointing at what there is then."""
        made = {path: Change(path, self.read(path), new, reason) for path, new in changed.items()}
        real = [c for c in made.values() if c.old != c.new]
        if not real:
            return ()
        index = made.pop(memory_index.PATH, None)
        if index and (index.old is None or index.new is None):  # nothing there to point from
            return tuple(real)
        rest = [c for c in real if c is not index]
        return (
            *rest,
            *pointed_index.change(self._store, rest, index.new if index else None),
        )
