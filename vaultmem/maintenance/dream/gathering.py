"""Gather what a dream looks at: the files it may clean up, and what is remembered beside them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

from vaultmem.maintenance.dream import edits, facts
from vaultmem.maintenance.dream.types import Note, Seen, Used
from vaultmem.records import Record
from vaultmem.retrieval import usage
from vaultmem.storage import files
from vaultmem.storage.files import Root
from vaultmem.storage.store import Store

_NO_NOTES = frozenset({"memory", "summary", "episode", "task", "working", "config", "dream"})
_WRITABLE = 0o222


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was seen, and the bytes of its notes as they were read then."""

    seen: Seen
    data: dict[str, bytes]


def gather(store: Store, since: str) -> Gathered:
    """Return all of the vault that a dream looks at; *since* is when the last one was."""
    known = store.index.records()
    data: dict[str, bytes] = {}
    notes = _kept_out(store, [note for record in known if (note := _note(store, record, data))])
    seen = Seen(
        notes=tuple(sorted(notes, key=lambda note: note.path)),
        memories=tuple(r for r in known if r.type == "memory" and _is_usable(r)),
        episodes=tuple(r for r in known if r.type == "episode" and _is_usable(r)),
        paths=frozenset(files.paths(store.root, lambda name: name.startswith("."))),
        now=store.clock(),
        since=since,
        uses={
            ref: Used(u.count, u.questions, u.last)
            for ref, u in usage.load(store.root.path).items()
        },
    )
    return Gathered(seen, data)


def _is_usable(record: Record) -> bool:
    return record.recallable and not record.problem and not record.held


def _note(store: Store, record: Record, data: dict[str, bytes]) -> Note | None:
    """Return the file of *record* as a note, its bytes put into *data*; None when it is none."""
    # What the history must not have is nobody's to move: a dream could not be undone.
    if record.type in _NO_NOTES or record.held or not facts.is_cleaned(record.path):
        return None
    found = store.read_if_allowed(record.path)
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
