"""What was forgotten, and stands in the vault again: brought back by hand, or never taken away."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import replace

from vaultmem.records import Problem, Record
from vaultmem.storage import human_edits, tombstones
from vaultmem.storage.index import Filter
from vaultmem.storage.store import Store
from vaultmem.storage.tombstones import Tombstone, Tombstones

CODE = "forgotten"
_NOTES = Filter(type="note")


def problems(store: Store) -> Iterator[Problem]:
    """Name the files that have an id that was forgotten, and notes that say what was.

    Not those that are held back, which `status` names anyway: they go nowhere.
    """
    known = tombstones.load(store)
    if not known.all:
        return
    notes = _known_notes(store, known)
    named = store.index.identified(stone.id for stone in known.all)
    for path, it in sorted({r.path: r for r in (*notes, *named)}.items()):
        stone = None if it.held or tombstones.is_path(path) else find(known, it)
        if stone:
            message = f"this was forgotten on {stone.created[:10]}, and is here again"
            yield Problem(
                CODE,
                path,
                message,
                f"`vaultmem forget {shlex.quote(path)}` forgets it once more; to keep it, "
                f"delete {stone.path}",
            )


def _known_notes(store: Store, known: Tombstones) -> list[Record]:
    """Return the notes that say what was forgotten; each is hashed once, whatever that was."""
    digests = {digest for stone in known.all for digest in stone.digests}
    salts = {stone.salt for stone in known.all}
    return [
        it
        for it in store.index.records(_NOTES)
        if any(tombstones.digest(_text(it), salt) in digests for salt in salts)
    ]


def _text(record: Record) -> str:
    """Return the text by which a note is known again."""
    return record.body or record.facts or record.title


def find(known: Tombstones, record: Record) -> Tombstone | None:
    """Return what says that the file of *record* was forgotten: by its id, or all that it says."""
    if record.id:
        return next((stone for stone in known.all if stone.id == record.id.upper()), None)
    return known.of(_text(record))


def held_back(store: Store) -> Iterator[Problem]:
    """Yield the files that are kept out of the history, and say which are forgotten elsewhere."""
    yield from (problem for problem, _ in _held(store))


def held_and_forgotten(store: Store) -> Iterator[Problem]:
    """Yield those of `held_back` that were forgotten elsewhere, and stay on this machine alone."""
    yield from (problem for problem, is_forgotten in _held(store) if is_forgotten)


def _held(store: Store) -> Iterator[tuple[Problem, bool]]:
    held = tuple(human_edits.held_back(store))
    known = tombstones.load(store) if held else Tombstones()
    for found in held:
        records = store.index.at([found.path])
        if said := next((why for it in records if (why := _forgotten(known, it))), ""):
            message = f"{found.message}; {said}"
            repair = f"{_FORGET_HERE}; or {found.repair}"
            yield replace(found, message=message, repair=repair), True
        else:
            yield found, False


_FORGET_HERE = "delete it to forget it here, too"


def _forgotten(known: Tombstones, record: Record) -> str:
    if find(known, record):
        return "it was forgotten on another machine"
    if not record.id and next(tombstones.stretches(record.body, known.all), None):
        return "a sentence of it was forgotten"
    return ""
