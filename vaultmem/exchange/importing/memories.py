"""Conversations from elsewhere become memories: once, and safe to cut short.

Each message has an origin, so that the same files can be imported any number of times.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from vaultmem.exchange.importing import (
    edited_notes,
    import_run,
    memory_batch,
    note_places,
    own_words,
    registry,
    turns,
)
from vaultmem.exchange.importing.conversations import Conversations
from vaultmem.exchange.importing.import_run import ImportRun
from vaultmem.exchange.importing.message_reader import Line, lines
from vaultmem.exchange.importing.moved_links import MovedLinks
from vaultmem.exchange.importing.note_places import Places
from vaultmem.exchange.importing.types import Imported, Progress, Settings
from vaultmem.exchange.importing.vault_note import COUNTED
from vaultmem.storage.batches import batches
from vaultmem.storage.store import Store

BATCH = 1000

_A_TOOL = "a tool's or a program's word, which only an import as turns keeps"


def run(store: Store, paths: Sequence[Path], settings: Settings, progress: Progress) -> Imported:
    """Remember every message of the files that is new; *progress* hears of lines as they pass.

    Nothing is imported when a line is bad (unless they are to be skipped): the files are read
    through first. Then they go in by batches, each whole and durable; a run that was cut short is
    taken up by the next. Raises BadLine, BadInput, SwitchedOff and what `Store.apply` does.
    """
    work = import_run.begun(store, paths, settings, "memories")
    moved, waits = MovedLinks(store), _Waits()
    before: list[Line] = []
    for batch in batches(_read(work, paths, settings), BATCH):
        own = own_words.told(before, batch)
        before = batch
        fresh = [line for line in work.sorted_out(own) if not _is_tool(line, work)]
        for line in fresh:
            moved.note(line)
        memory_batch.keep(work, *waits.ready(fresh))
        for whose, said in turns.by_session(line for line in fresh if line.turn):
            turns.go_on(work, *whose, said)
        store.writer.commit_many()
        progress(len(batch))
    _keep(work, waits, moved)
    return work.done()


def _read(work: ImportRun, paths: Sequence[Path], settings: Settings) -> Iterable[Line]:
    """Return what the files say, each line in the session it has here, and as it was corrected."""
    here = Conversations(work.store, as_turns=False)
    read = map(here.placed, lines(paths, settings))
    if not registry.message_reader(settings.form).edited:
        return read
    edited = edited_notes.compared(work.store, read)
    for why, where in edited.remarks:
        work.remarks.add(why, where)
    return edited.lines


@dataclass(frozen=True, slots=True)
class _Waits:
    """What is kept once all has come that it names: by its id, by its number, or by its name."""

    corrections: list[Line] = field(default_factory=list)
    counted: list[Line] = field(default_factory=list)
    linked: list[Line] = field(default_factory=list)

    def ready(self, fresh: Sequence[Line]) -> tuple[list[Line], list[Line]]:
        """Return the memories and the notes among *fresh* that name nothing; the rest waits."""
        said, notes = list[Line](), list[Line]()
        for line in fresh:
            if line.said:
                (self.corrections if line.said.supersedes else said).append(line)
            if line.note and line.note.type in COUNTED:
                self.counted.append(line)
            elif line.note:
                (self.linked if _names_others(line.note.text) else notes).append(line)
        return said, notes


def _keep(work: ImportRun, waits: _Waits, moved: MovedLinks) -> None:
    """Keep what waited, with its links led to where all lies here that was *moved*."""
    for batch in batches(waits.corrections, BATCH):
        memory_batch.keep(work, batch, [])
        work.store.writer.commit_many()
    # Together, since they name each other by numbers that may be taken here.
    memory_batch.keep(work, [], [moved.relinked(line) for line in waits.counted])
    for batch in batches(waits.linked, BATCH):
        led = [_placed(moved.relinked(line), work.places) for line in batch]
        memory_batch.keep(work, [], led)
        work.store.writer.commit_many()


def _placed(line: Line, places: Mapping[str, Places]) -> Line:
    return replace(line, note=line.note and note_places.led(line.note, line.item, places))


def _names_others(note: str) -> bool:
    """Tell whether a *note* has links, or sources, which only links may be."""
    return any(it in note for it in ("[[", "](", "]:", "sources:"))


def _is_tool(line: Line, work: ImportRun) -> bool:
    # Nobody here said it: a memory of its own would be one more to be reviewed by a person.
    if line.said and line.said.role == "tool" and (line.tool or line.said.source == "tool"):
        work.skipped.add(_A_TOOL, line.where)
        return True
    return False
