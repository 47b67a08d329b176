"""Decide what becomes of the notes of another vault: new files, or nothing where they are here.

No file that stands is changed: what is here under the same id or path stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count

from vaultmem.documents.bodies import blocks
from vaultmem.exchange.importing.message_reader import Line
from vaultmem.exchange.importing.types import KNOWN, why_forgotten
from vaultmem.exchange.importing.vault_note import NewNote, renumbered, says_the_same
from vaultmem.knowledge import tasks
from vaultmem.memory import folding
from vaultmem.storage import files, reader, tombstones
from vaultmem.storage.index import file_queries, session_queries
from vaultmem.storage.plan import Change
from vaultmem.storage.store import Store
from vaultmem.storage.tombstones import Tombstone, Tombstones

DIFFERS = "it is here already and says something else: what is here stays"
RENUMBERED = "another number here, where a task has its own already"
_COUNTED = frozenset(("task", "episode"))
"""What has a number for its name, which another may have here."""


@dataclass(slots=True)
class Arrivals:
    """What became of some notes: the files to make, what was left out and why, what is remarked."""

    changes: list[Change] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    remarks: list[tuple[str, str]] = field(default_factory=list)


def decide(store: Store, lines: Iterable[Line]) -> Arrivals:
    """Return what becomes of the notes in *lines*; of tasks, all that come must be among them."""
    arrived = [(line, line.note) for line in lines if line.note]
    named = store.index.identified(note.id for _, note in arrived if note.id)
    here = {record.id: record.path for record in named}
    made, forgotten, fresh = Arrivals(), tombstones.load(store), list[tuple[Line, NewNote]]()
    numbers = _Numbers.of(store, [note for _, note in arrived])
    taken = set[str]()
    for line, note in arrived:
        path = here.get(note.id) or _standing(store, note)
        if path or (note.type not in _COUNTED and note.path.casefold() in taken):
            is_same = bool(path) and says_the_same(note, store.read(path) or b"")
            made.skipped.append((KNOWN if is_same else DIFFERS, line.where))
            numbers.know(line.item.file, note, path)
        elif stone := _forgotten(note, forgotten):
            made.skipped.append((why_forgotten(stone), line.where))
        else:
            taken.add(note.path.casefold())
            numbers.take(line.item.file, note)
            fresh.append((line, note))
    episodes = _Episodes(store)
    for line, note in fresh:
        new = note
        if note.type == "task":
            new = renumbered(note, numbers.of_file(line.item.file))
        elif note.type == "episode":
            new = episodes.placed(note)
        made.changes.append(Change(new.path, None, new.data, f"imported from {line.where}"))
        if new.path != note.path and note.type == "task":
            made.remarks.append((RENUMBERED, f"{note.path} is {new.path}"))
    return made


def _standing(store: Store, note: NewNote) -> str:
    """Return where the file of *note* stands already, "" for nowhere.

    Where another task or experience has its number, that is none of it.
    """
    data = store.read(note.path)
    if data is None:
        return note.path if file_queries.knows_in_any_case(store.index, note.path) else ""
    return note.path if note.type not in _COUNTED or says_the_same(note, data) else ""


def _forgotten(note: NewNote, forgotten: Tombstones) -> Tombstone | None:
    if not forgotten.all:
        return None
    record = reader.record(note.path, files.content(note.data))
    said = (*blocks.passages(record.body), *record.facts.splitlines())
    texts = (*said, *reader.names(note.path, note.data))
    return forgotten.of_id(note.id) or forgotten.of(*texts)


@dataclass(slots=True)
class _Episodes:
    """Where experiences go: each by its own number where that is free, else by the next."""

    store: Store
    taken: set[str] = field(default_factory=set)

    def placed(self, note: NewNote) -> NewNote:
        """Return *note* at a path that nothing has, in whatever letters."""
        known = session_queries.episode_stems(self.store.index, note.agent)
        number = folding.number((*known, *(path.rpartition("/")[2] for path in self.taken)))
        tries = chain(
            (note.path,), (folding.path(note.agent, n, note.title) for n in count(number))
        )
        path = next(path for path in tries if self._is_free(path))
        self.taken.add(path.casefold())
        return replace(note, path=path)

    def _is_free(self, path: str) -> bool:
        known = file_queries.knows_in_any_case(self.store.index, path)
        return not known and path.casefold() not in self.taken and self.store.read(path) is None


@dataclass(slots=True)
class _Numbers:
    """Which number each task of each file has here, and which are free."""

    used: set[int]
    free: int
    here: dict[str, dict[int, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, store: Store, notes: Sequence[NewNote]) -> _Numbers:
        """Return the numbers that are used now, where *notes* are about to come."""
        stand = (path for path, _ in file_queries.shas(store.index, tasks.FOLDER))
        used = {n for path in stand if (n := tasks.number_of(path))}
        come = {n for note in notes if (n := tasks.number_of(note.path))}
        return cls(used, 1 + max(used | come, default=0))

    def know(self, file: str, note: NewNote, path: str) -> None:
        """Note that *note* of *file* stands at *path* already."""
        there, here = tasks.number_of(note.path), tasks.number_of(path)
        if there and here:
            self.here.setdefault(file, {})[there] = here

    def take(self, file: str, note: NewNote) -> None:
        """Give *note* of *file* its own number where that is free, else the next that is."""
        if there := tasks.number_of(note.path):
            here = there if there not in self.used else self.free
            self.free += here == self.free
            self.used.add(here)
            self.here.setdefault(file, {})[there] = here

    def of_file(self, file: str) -> Mapping[int, int]:
        """Return the number here of each task of *file* by the number there."""
        return self.here.get(file, {})
