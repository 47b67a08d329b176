"""Decide what becomes of the notes of another vault: new files, or nothing where they are here.

No file that stands is changed: what is here under the same id or path stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import chain, count

from vaultmem.documents.markdown import blocks
from vaultmem.exchange.importing import task_numbers
from vaultmem.exchange.importing.message_reader import Line
from vaultmem.exchange.importing.task_numbers import Numbers, TaskNumbers
from vaultmem.exchange.importing.types import KNOWN, why_forgotten
from vaultmem.exchange.importing.vault_note import NewNote, says_the_same
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
    numbers: Numbers = field(default_factory=dict)


def decide(store: Store, lines: Iterable[Line]) -> Arrivals:
    """Return what becomes of the notes in *lines*; of tasks, all that come must be among them."""
    arrived = [(line, line.note) for line in lines if line.note]
    named = store.index.identified(note.id for _, note in arrived if note.id)
    here = {record.id: record.path for record in named}
    made, forgotten, fresh = Arrivals(), tombstones.load(store), list[Line]()
    known = list[tuple[Line, str]]()
    numbers = TaskNumbers.of(store, [note for _, note in arrived])
    taken = set[str]()
    for line, note in arrived:
        path = here.get(note.id) or _standing(store, note)
        if path or (note.type not in _COUNTED and note.path.casefold() in taken):
            known.append((line, path))
            numbers.know(line.item.file, note, path)
        elif stone := _forgotten(note, forgotten):
            made.skipped.append((why_forgotten(stone), line.where))
        else:
            taken.add(note.path.casefold())
            numbers.take(line.item.file, note)
            fresh.append(line)
    made.numbers = numbers.here
    made.skipped += [
        (_why_left(store, task_numbers.led(it, numbers.here), path), it.where) for it, path in known
    ]
    episodes = _Episodes(store)
    for line in fresh:
        came = task_numbers.led(line, numbers.here).note
        if came is None:
            continue
        new = came
        if came.type == "task":
            new = task_numbers.renumbered(came, numbers.here[line.item.file])
        elif came.type == "episode":
            new = episodes.placed(came)
        made.changes.append(Change(new.path, None, new.data, f"imported from {line.where}"))
        if new.path != came.path and came.type == "task":
            made.remarks.append((RENUMBERED, f"{came.path} is {new.path}"))
    return made


def _why_left(store: Store, line: Line, path: str) -> str:
    if path and line.note and says_the_same(line.note, store.read(path) or b""):
        return KNOWN
    return DIFFERS


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
