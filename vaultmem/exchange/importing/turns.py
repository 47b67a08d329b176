"""Conversations from elsewhere become turns of sessions: once, and safe to cut short."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from vaultmem.exchange.formats.types import MessageReader
from vaultmem.exchange.importing import (
    import_run,
    memory_batch,
    record_versions,
    registry,
    resumed,
    vault_turn,
)
from vaultmem.exchange.importing.conversations import Conversations
from vaultmem.exchange.importing.import_run import ImportRun
from vaultmem.exchange.importing.message_reader import Line, lines
from vaultmem.exchange.importing.types import Imported, Progress, Settings
from vaultmem.memory.remember import MemoryInput
from vaultmem.records import iso
from vaultmem.storage import tombstones, transcripts
from vaultmem.storage.plan import Plan
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Turn

_PENDING = 16 * 1024 * 1024
"""Characters of turns that wait in memory until their sessions are written."""

_Whose = tuple[str, str]
"""An agent and its session."""


def run(
    store: Store,
    paths: Sequence[Path],
    settings: Settings,
    progress: Progress,
    reader: MessageReader | None = None,
) -> Imported:
    """Add every message that is new to the transcript of its session, in the order of the files.

    As `memories.run` otherwise; sessions go in one by one, each stretch of one whole and durable.
    A *reader* of its own reads once, and only where what is bad is skipped.
    """
    work = import_run.begun(store, paths, settings, "turns")
    work.copies = (reader or registry.message_reader(settings.form)).copies
    here = Conversations(store, as_turns=True)
    read = map(here.placed, lines(paths, settings, reader))
    for (agent, session), said in _sessions(work, read, progress):
        if said[0].turn:
            go_on(work, agent, session, said)
        else:
            _take(work, agent, session, said)
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
    pending = 0

    def counted() -> Iterator[Line]:
        for line in read:
            progress(1)
            yield line

    for line in work.sorted_out(counted()):
        waiting.append(line)
        said = line.said.text if line.said else line.turn.turn.content if line.turn else ""
        pending += len(said)
        if pending > _PENDING:
            yield from by_session(waiting)
            waiting, pending = [], 0
    yield from by_session(waiting)


def go_on(work: ImportRun, agent: str, session: str, read: Sequence[Line]) -> None:
    """Append to one session the turns that another vault exported and it does not hold yet."""
    store = work.store
    arrived = [(line.turn, line.where) for line in read if line.turn]

    def step() -> None:
        held = transcripts.load(store.root, transcripts.path(agent, session))
        made = vault_turn.decide(held.turns if held else (), arrived, tombstones.load(store))
        if made.turns and not work.dry_run:
            added = transcripts.append(store.root, agent, session, made.turns)
            subject = work.subject(turns=len(made.turns))
            store.apply(Plan(work.op, "import", subject, (added,), agent, trust="agent"))
        work.went_on(agent, made)

    store.retry(step, scan=False)


def _take(work: ImportRun, agent: str, session: str, read: Sequence[Line]) -> None:
    """Take in what one session brings: turns, and what is a memory beside them."""
    if lasting := [line for line in read if line.is_lasting]:
        memory_batch.keep(work, lasting, [])
    if said := [line for line in read if not line.is_lasting]:
        _converse(work, agent, session, said)


def _converse(work: ImportRun, agent: str, session: str, read: Sequence[Line]) -> None:
    """Append to one session what it does not hold yet."""
    store = work.store
    asked = frozenset(line.said.origin for line in read if line.said)
    said = [line.said for line in read if line.said] if work.copies else []
    elsewhere = resumed.known(store.root, agent, session, said)

    def step() -> None:
        held = transcripts.load(store.root, transcripts.path(agent, session))
        versions = record_versions.of_turns(held.turns if held else (), asked)
        versions.known |= elsewhere
        outcomes = versions.outcomes(read)
        turns = [_turn(it.said, it.line.tool) for it in outcomes if it.said]
        if turns and not work.dry_run:
            added = transcripts.append(store.root, agent, session, turns)
            subject = work.subject(turns=len(turns))
            store.apply(Plan(work.op, "import", subject, (added,), agent, trust="agent"))
            if held is None and said:
                resumed.note(store.root, agent, session, said[0])
        work.took(agent, outcomes)

    store.retry(step, scan=False)


def _turn(said: MemoryInput, tool: str) -> Turn:
    at = iso(said.created)
    if said.trust == "untrusted":  # a page, say, whoever it is told to have spoken
        name = tool or said.speaker or said.source
        return Turn("tool", said.text, "", at, name, said.origin)
    speaker = "" if tool or said.speaker == said.role else said.speaker
    return Turn(said.role or "user", said.text, speaker, at, tool, said.origin)
