"""Decide what becomes of the notes of another vault: new files, or nothing where they are here.

No file that stands is changed: what is here under the same id or path stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from vaultmem.documents.markdown import blocks
from vaultmem.exchange.importing import note_places
from vaultmem.exchange.importing.folder_names import Folders
from vaultmem.exchange.importing.message_reader import Line
from vaultmem.exchange.importing.note_places import NewPlaces, Places
from vaultmem.exchange.importing.types import KNOWN, why_forgotten
from vaultmem.exchange.importing.vault_note import COUNTED, NewNote, says_the_same
from vaultmem.storage import files, reader, tombstones
from vaultmem.storage.index import file_queries
from vaultmem.storage.plan import Change
from vaultmem.storage.store import Store
from vaultmem.storage.tombstones import Tombstone, Tombstones

DIFFERS = "it is here already and says something else: what is here stays"
RENUMBERED = "another number here, where a task has its own already"


@dataclass(slots=True)
class Arrivals:
    """What became of some notes: the files to make, what was left out and why, what is remarked."""

    changes: list[Change] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    remarks: list[tuple[str, str]] = field(default_factory=list)
    places: Mapping[str, Places] = field(default_factory=dict)
    """Where the tasks and experiences of each file lie here."""


def decide(store: Store, lines: Iterable[Line]) -> Arrivals:
    """Return what becomes of the notes in *lines*.

    Of tasks and experiences, all that come must be among them.
    """
    folders = Folders(store.root)
    arrived = [
        (line, replace(line.note, path=folders.placed(line.note.path)))
        for line in lines
        if line.note
    ]
    named = store.index.identified(note.id for _, note in arrived if note.id)
    here = {record.id: record.path for record in named}
    made, forgotten = Arrivals(), tombstones.load(store)
    places = NewPlaces.of(store, [note for _, note in arrived])
    first = dict[str, NewNote]()
    known, fresh = list[tuple[Line, NewNote, bytes]](), list[tuple[Line, NewNote]]()
    for line, note in arrived:
        own = note.id if note.type in COUNTED else note.path.casefold()
        path, twin = here.get(note.id) or _standing(store, note), first.get(own)
        if path or twin:
            places.know(line, path or (twin.path if twin else ""))
            known.append(
                (line, note, (store.texts.read(path) if path else twin and twin.data) or b"")
            )
        elif stone := _forgotten(note, forgotten):
            made.skipped.append((why_forgotten(stone), line.where))
        else:
            first[own] = placed = places.take(line, note)
            fresh.append((line, placed))
    made.places = {file: Places(its) for file, its in places.here.items()}

    def led(line: Line, note: NewNote) -> NewNote:
        return note_places.led(note, line.item, made.places)

    made.skipped += [(_why_left(led(line, note), data), line.where) for line, note, data in known]
    for line, placed in fresh:
        new = led(line, placed)
        made.changes.append(Change(new.path, None, new.data, f"imported from {line.where}"))
        if new.type == "task" and line.note and new.path != line.note.path:
            made.remarks.append((RENUMBERED, f"{line.note.path} is {new.path}"))
    return made


def _why_left(note: NewNote, data: bytes) -> str:
    return KNOWN if says_the_same(note, data) else DIFFERS


def _standing(store: Store, note: NewNote) -> str:
    """Return where the file of *note* stands already, "" for nowhere.

    Where another task or experience has its number, that is none of it.
    """
    data = store.texts.read(note.path)
    if data is None:
        return note.path if file_queries.knows_in_any_case(store.index, note.path) else ""
    return note.path if note.type not in COUNTED or says_the_same(note, data) else ""


def _forgotten(note: NewNote, forgotten: Tombstones) -> Tombstone | None:
    if not forgotten.all:
        return None
    record = reader.record(note.path, files.content(note.data))
    said = (*blocks.passages(record.body), *record.facts.splitlines())
    texts = (*said, *reader.names(note.path, note.data))
    return forgotten.of_id(note.id) or forgotten.of(*texts)
