"""Conversations from elsewhere become memories: once, and safe to cut short.

Each message has an origin, so that the same files can be imported any number of times.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from vaultmem.exchange.importing import (
    edited_notes,
    import_run,
    memory_batch,
    note_places,
    record_versions,
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
from vaultmem.memory.remember import MemoryInput
from vaultmem.memory.tool_quotes import quotes
from vaultmem.memory.tool_quotes.excerpts import Wanted
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Turn

BATCH = 1000

_A_TOOL = "a tool's result, which only an import as turns keeps"
_REPEATED = "an assistant's line that only repeats a tool's, which only an import as turns keeps"


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
        own = _in_own_words(before, batch)
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


def _in_own_words(before: Sequence[Line], batch: Sequence[Line]) -> list[Line]:
    """Return the *batch* without what an assistant repeats of a tool's line word for word.

    Of the same session, in this batch or the one *before*. Whole it stays in `--as turns`.
    """
    sessions: dict[str, list[tuple[int, MemoryInput, str]]] = {}
    for n, line in enumerate((*before, *batch), -len(before)):
        if line.said:
            whole = line.in_full if line.said.spoken_as == "tool" else ""
            sessions.setdefault(line.said.session, []).append((n, line.said, whole))
    made = list(batch)
    for said in sessions.values():
        if not any(it.spoken_as == "tool" for _, it, _ in said):
            continue  # nobody's words to repeat
        spoken = [Turn(it.spoken_as, whole or it.text, tool=it.speaker) for _, it, whole in said]
        wanted = Wanted(it.text for _, it, _ in said if it.spoken_as not in {"tool", "user"})
        parts = [wanted.part_of(turn) if turn.role == "tool" else turn for turn in spoken]
        for (n, it, _), turn in zip(said, quotes.mentioned(parts, None), strict=True):
            if n >= 0 and it.spoken_as != "tool" and turn.content != it.text:
                made[n] = _told(made[n], it, turn.content)
    return made


def _told(line: Line, said: MemoryInput, text: str) -> Line:
    """Return *line* with *text* for what is *said*; it is skipped where only mentions are left."""
    if re.search(r"\w", record_versions.MENTION.sub("", text)):
        return replace(line, said=replace(said, text=text), whole=said.text)
    return replace(line, said=None, skipped=_REPEATED)


def _is_tool(line: Line, work: ImportRun) -> bool:
    # Nobody here said it: a memory of its own would be one more to be reviewed by a person.
    if line.said and line.said.role == "tool" and (line.tool or line.said.source == "tool"):
        work.skipped.add(_A_TOOL, line.where)
        return True
    return False
