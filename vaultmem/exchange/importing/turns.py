"""Conversations from elsewhere become turns of sessions: once, and safe to cut short."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from vaultmem.exchange.formats.types import MessageReader, Shown
from vaultmem.exchange.importing import (
    full_turns,
    import_run,
    long_results,
    memory_batch,
    own_words,
    record_versions,
    registry,
    resumed,
    vault_turn,
)
from vaultmem.exchange.importing.conversations import Conversations
from vaultmem.exchange.importing.full_turns import FullTurn
from vaultmem.exchange.importing.import_run import ImportRun
from vaultmem.exchange.importing.message_reader import Line, lines
from vaultmem.exchange.importing.types import Imported, Progress, Settings
from vaultmem.memory.remember import MemoryInput
from vaultmem.records import iso
from vaultmem.storage import tombstones, transcript_files, transcripts
from vaultmem.storage.plan import Plan
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Turn

_PENDING = 16 * 1024 * 1024
"""Characters of turns that wait in memory until their sessions are written."""

_Whose = tuple[str, str]
"""An agent and its session."""


class Rest(NamedTuple):
    """The *reader* of what a session goes on with, and of what was said *earlier* in it."""

    reader: MessageReader
    earlier: Callable[[], Sequence[FullTurn]] = tuple


def run(
    store: Store,
    paths: Sequence[Path],
    settings: Settings,
    progress: Progress,
    rest: Rest | None = None,
) -> Imported:
    """Add every message that is new to the transcript of its session, in the order of the files.

    As `memories.run` otherwise; sessions go in one by one, each stretch of one whole and durable.
    Of a session that goes on the *rest* may be read alone, only where what is bad is skipped.
    """
    work = import_run.begun(store, paths, settings, "turns")
    reader = rest and rest.reader
    work.copies = (reader or registry.message_reader(settings.form)).copies
    here = Conversations(store, as_turns=True)
    read = map(here.placed, lines(paths, settings, reader))
    before: dict[_Whose, Sequence[FullTurn]] = {}
    for whose, said in _sessions(work, read, progress):
        if said[0].turn:
            go_on(work, *whose, said)
        else:
            if whose not in before:
                before[whose] = rest.earlier() if rest else ()
            full = _take(work, whose, said, before[whose])
            before[whose] = full_turns.newest(full)
        store.writer.commit_many()
    return work.done()


def told(store: Store, path: Path, settings: Settings, reader: MessageReader) -> tuple[Turn, ...]:
    """Return the turns that *reader* reads of the file at *path*, as `run` would keep them.

    Nothing is written. Raises BadInput.
    """
    work = ImportRun(store, "", settings.agent, "turns", dry_run=True)
    read = work.sorted_out(lines([path], settings, reader))
    return tuple(_turn(line.said, line.tool) for line in read if line.said)


def by_session(read: Iterable[Line]) -> list[tuple[_Whose, list[Line]]]:
    """Return the lines that belong to a session by whose it is and its name."""
    sessions: dict[tuple[_Whose, bool], list[Line]] = {}
    for line in read:
        if said := line.turn or line.said:
            key = (said.agent, said.session), line.turn is not None
            sessions.setdefault(key, []).append(line)
    return [(whose, own) for (whose, _), own in sessions.items()]


def _sessions(
    work: ImportRun, read: Iterable[Line], progress: Progress
) -> Iterator[tuple[_Whose, list[Line]]]:
    """Yield stretches of sessions, each session whole as long as that fits into memory.

    Turns of a vault and messages that become turns are apart.
    """
    waiting: list[Line] = []
    shown: list[Shown] = []
    pending = 0

    def counted() -> Iterator[Line]:
        for line in read:
            progress(1)
            if line.item.shown:
                shown.append(line.item.shown)
            yield line

    for line in work.sorted_out(counted()):
        waiting.append(replace(line, shown=tuple(shown)))
        pending += sum(len(text) for it in shown for text in it.texts)
        shown.clear()
        said = line.said.text if line.said else line.turn.turn.content if line.turn else ""
        pending += len(said) + len(line.in_full)
        if pending > _PENDING:
            yield from by_session(waiting)
            waiting, pending = [], 0
    yield from by_session(waiting)


def go_on(work: ImportRun, agent: str, session: str, read: Sequence[Line]) -> None:
    """Append to one session the turns that another vault exported and it does not hold yet."""
    store = work.store
    arrived = [(line.turn, line.where) for line in read if line.turn]

    def step() -> None:
        held = transcripts.load(store.root, transcript_files.path(agent, session))
        known, owner = tombstones.load(store), store.config().owner
        made = vault_turn.decide(held.turns if held else (), arrived, known, owner)
        if made.turns and not work.dry_run:
            added = transcripts.append(store.root, agent, session, made.turns)
            subject = work.subject(turns=len(made.turns))
            store.apply(Plan(work.op, "import", subject, (added,), agent, trust="agent"))
        work.went_on(agent, made)

    store.retry(step, scan=False)


def _take(
    work: ImportRun, whose: _Whose, read: Sequence[Line], earlier: Sequence[FullTurn]
) -> list[FullTurn]:
    """Take in what one session brings: turns, and what is a memory beside them.

    Return what was said in it until then, *earlier*, too.
    """
    if any(line.is_lasting for line in read):
        told = [line for line in own_words.told((), read) if line.is_lasting]
        memory_batch.keep(work, [*work.sorted_out(told)], [])
    if said := [line for line in read if not line.is_lasting]:
        _converse(work, whose, said, earlier)
    return [*earlier, *map(_full, said)]


def _converse(
    work: ImportRun, whose: _Whose, read: Sequence[Line], earlier: Sequence[FullTurn]
) -> None:
    """Append to one session what it does not hold yet."""
    store, (agent, session) = work.store, whose
    asked = frozenset(line.said.origin for line in read if line.said)
    said = [line.said for line in read if line.said] if work.copies else []
    elsewhere = resumed.known(store.root, agent, session, said)

    def step() -> None:
        held = transcripts.load(store.root, transcript_files.path(agent, session))
        versions = record_versions.of_turns(held.turns if held else (), asked)
        versions.known |= elsewhere
        outcomes = versions.outcomes(read)
        full = [_full(it.line, it.said) for it in outcomes]
        repeated = long_results.repeated([*earlier, *full], held.turns if held else ())
        new = [it.turn for it in full if it.is_new]
        turns = [each for turn in new for each in (*repeated.get(turn.origin, ()), turn)]
        if turns and not work.dry_run:
            added = transcripts.append(store.root, agent, session, turns)
            subject = work.subject(turns=len(turns))
            store.apply(Plan(work.op, "import", subject, (added,), agent, trust="agent"))
            if held is None and said:
                resumed.note(store.root, agent, session, said[0])
        work.took(agent, outcomes)

    store.retry(step, scan=False)


def _full(line: Line, new: MemoryInput | None = None) -> FullTurn:
    """Return what *line*, one of those with something said, says, as *new* where it is."""
    said = new or line.said
    turn = _turn(said, line.tool) if said else Turn("", "")
    # What a tool answered is in what its program showed, where that is told apart.
    whole = "" if line.item.shown and turn.role == "tool" else line.in_full
    return FullTurn(turn, whole, is_new=new is not None, shown=line.shown)


def _turn(said: MemoryInput, tool: str) -> Turn:
    at = iso(said.created)
    if said.trust == "untrusted":
        name = tool or said.speaker or said.source
        return Turn(said.spoken_as, said.text, "", at, name, said.origin)
    speaker = "" if tool or said.speaker == said.role else said.speaker
    return Turn(said.spoken_as, said.text, speaker, at, tool, said.origin)
