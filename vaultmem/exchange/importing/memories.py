"""Conversations from elsewhere become memories: once, and safe to cut short.

Each message has an origin, so that the same files can be imported any number of times.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
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
from vaultmem.exchange.importing.types import Imported, Progress, Settings, batches
from vaultmem.exchange.importing.vault_note import COUNTED
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
    before: list[Line] = []
    linked: list[Line] = []
    counted: list[Line] = []
    moved = MovedLinks(store)
    corrections: list[Line] = []
    here = Conversations(store, as_turns=False)
    read: Iterable[Line] = map(here.placed, lines(paths, settings))
    if registry.message_reader(settings.form).edited:
        edited = edited_notes.compared(store, read)
        read = edited.lines
        for why, where in edited.remarks:
            work.remarks.add(why, where)
    for batch in batches(read, BATCH):
        own = own_words.told(before, batch)
        before = batch
        fresh = [line for line in work.sorted_out(own) if not _is_tool(line, work)]
        for line in fresh:
            moved.note(line)
        counted += [line for line in fresh if line.note and line.note.type in COUNTED]
        corrections += [line for line in fresh if line.said and line.said.supersedes]
        notes = [line for line in fresh if line.note and line.note.type not in COUNTED]
        linked += [line for line in notes if _names_others(line)]
        own_notes = [line for line in notes if not _names_others(line)]
        memory_batch.keep(work, [x for x in fresh if x.said and not x.said.supersedes], own_notes)
        for whose, said in turns.by_session(line for line in fresh if line.turn):
            turns.go_on(work, *whose, said)
        store.writer.commit_many()
        progress(len(batch))
    for batch in batches(corrections, BATCH):  # what they name has come, and has its id
        memory_batch.keep(work, batch, [])
        store.writer.commit_many()
    # Together, since they name each other by numbers that may be taken here.
    memory_batch.keep(work, [], [moved.relinked(line) for line in counted])
    for batch in batches(linked, BATCH):  # what they name has come, and has its name
        led = [_placed(moved.relinked(line), work.places) for line in batch]
        memory_batch.keep(work, [], led)
        store.writer.commit_many()
    return work.done()


def _placed(line: Line, places: Mapping[str, Places]) -> Line:
    return replace(line, note=line.note and note_places.led(line.note, line.item, places))


def _names_others(line: Line) -> bool:
    """Tell whether the note in *line* has links, or sources, which only links may be."""
    return line.note is not None and any(
        it in line.note.text for it in ("[[", "](", "]:", "sources:")
    )


def _is_tool(line: Line, work: ImportRun) -> bool:
    # Nobody here said it: a memory of its own would be one more to be reviewed by a person.
    if line.said and line.said.role == "tool" and (line.tool or line.said.source == "tool"):
        work.skipped.add(_A_TOOL, line.where)
        return True
    return False
