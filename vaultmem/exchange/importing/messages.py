"""Conversations from elsewhere become memories, or turns of sessions: once, and safe to cut short.

Each message has an origin, so that the same files can be imported any number of times.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from pathlib import Path

from vaultmem.errors import StaleWrite
from vaultmem.exchange.formats.types import MessageReader
from vaultmem.exchange.importing import (
    pointers,
    record_versions,
    registry,
    resumed,
    vault_notes,
    vault_turn,
)
from vaultmem.exchange.importing.conversations import Conversations
from vaultmem.exchange.importing.message_reader import Line, lines, refuse_bad
from vaultmem.exchange.importing.record_versions import Outcome
from vaultmem.exchange.importing.types import (
    FORGOTTEN,
    Imported,
    Progress,
    Settings,
    Tally,
    batches,
    refuse_off,
    result,
)
from vaultmem.exchange.importing.vault_notes import Arrivals
from vaultmem.exchange.importing.vault_turn import GoneOn
from vaultmem.memory import remember
from vaultmem.memory.placement import Placement
from vaultmem.memory.remember import MemoryInput
from vaultmem.memory.tool_quotes import quotes
from vaultmem.records import iso, lowest
from vaultmem.storage import tombstones, transcripts
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store
from vaultmem.storage.tombstones import Tombstones
from vaultmem.storage.transcripts import Turn

BATCH = 1000
_PENDING = 16 * 1024 * 1024
"""Characters of turns that wait in memory until their sessions are written."""

_ULID = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")
_OFF = "its session is switched off"
_AGENT_OFF = "its agent is switched off"
_Whose = tuple[str, str]
"""An agent and its session."""

_UNDATED = "its time cannot be read as one: it has the time of this import"
_A_NOTE = "a note of a vault, no turn"
_A_TOOL = "a tool's result, which only an import as turns keeps"
_REPEATED = "an assistant's line that only repeats a tool's, which only an import as turns keeps"
_MENTION = re.compile(r"\([^()\n]{1,80}\)")


def run(store: Store, paths: Sequence[Path], settings: Settings, progress: Progress) -> Imported:
    """Remember every message of the files that is new; *progress* hears of lines as they pass.

    Nothing is imported when a line is bad (unless they are to be skipped): the files are read
    through first. Then they go in by batches, each whole and durable; a run that was cut short is
    taken up by the next. Raises BadLine, BadInput, SwitchedOff and what `Store.apply` does.
    """
    work = _begun(store, paths, settings, "memories")
    before: list[Line] = []
    tasks: list[Line] = []
    corrections: list[Line] = []
    here = Conversations(store, as_turns=False)
    for batch in batches(map(here.placed, lines(paths, settings)), BATCH):
        own = _in_own_words(before, batch)
        before = batch
        fresh = [line for line in work.sorted_out(own) if not _is_tool(line, work)]
        tasks += [line for line in fresh if line.note and line.note.type == "task"]
        corrections += [line for line in fresh if line.said and line.said.supersedes]
        notes = [line for line in fresh if line.note and line.note.type != "task"]
        _keep(work, [x for x in fresh if x.said and not x.said.supersedes], notes)
        for whose, said in _by_session(line for line in fresh if line.turn):
            _go_on(work, *whose, said)
        progress(len(batch))
    _keep(work, [], tasks)  # together, since they name each other by numbers that may be taken here
    for batch in batches(corrections, BATCH):  # what they name has come, and has its id
        _keep(work, batch, [])
    return work.done()


def _in_own_words(before: Sequence[Line], batch: Sequence[Line]) -> list[Line]:
    """Return the *batch* without what an assistant repeats of a tool's line word for word.

    Of the same session, in this batch or the one *before*. Whole it stays in `--as turns`.
    """
    sessions: dict[str, list[tuple[int, MemoryInput]]] = {}
    for n, line in enumerate((*before, *batch), -len(before)):
        if line.said:
            sessions.setdefault(line.said.session, []).append((n, line.said))
    made = list(batch)
    for said in sessions.values():
        turns = [Turn(it.role or "user", it.text, tool=it.speaker) for _, it in said]
        for (n, it), turn in zip(said, quotes.mentioned(turns, None), strict=True):
            if n >= 0 and turn.content != it.text:
                made[n] = _told(made[n], it, turn.content)
    return made


def _told(line: Line, said: MemoryInput, text: str) -> Line:
    """Return *line* with *text* for what is *said*; it is skipped where only mentions are left."""
    if re.search(r"\w", _MENTION.sub("", text)):
        return replace(line, said=replace(said, text=text), whole=said.text)
    return replace(line, said=None, skipped=_REPEATED)


def _is_tool(line: Line, work: _ImportRun) -> bool:
    # Nobody here said it: a memory of its own would be one more to be reviewed by a person.
    if line.said and line.said.role == "tool" and (line.tool or line.said.source == "tool"):
        work.skipped.add(_A_TOOL, line.where)
        return True
    return False


def run_turns(
    store: Store,
    paths: Sequence[Path],
    settings: Settings,
    progress: Progress,
    reader: MessageReader | None = None,
) -> Imported:
    """Add every message that is new to the transcript of its session, in the order of the files.

    As `run` otherwise; sessions go in one by one, each stretch of one whole and durable. A *reader*
    of its own reads once, and only where what is bad is skipped.
    """
    work = _begun(store, paths, settings, "turns")
    work.copies = (reader or registry.message_reader(settings.form)).copies
    here = Conversations(store, as_turns=True)
    read = map(here.placed, lines(paths, settings, reader))
    for (agent, session), said in _sessions(work, read, progress):
        if said[0].turn:
            _go_on(work, agent, session, said)
        else:
            _converse(work, agent, session, said)
    return work.done()


def turns_told(
    store: Store, path: Path, settings: Settings, reader: MessageReader
) -> tuple[Turn, ...]:
    """Return the turns that *reader* reads of the file at *path*, as `run_turns` would keep them.

    Nothing is written. Raises BadInput.
    """
    work = _ImportRun(store, "", settings.agent, "turns", dry_run=True)
    read = work.sorted_out(lines([path], settings, reader))
    return tuple(_turn(line.said, line.tool) for line in read if line.said)


def _begun(store: Store, paths: Sequence[Path], settings: Settings, noun: str) -> _ImportRun:
    refuse_off(store, settings)
    if not settings.skip_bad:
        refuse_bad(lines(paths, settings))
    return _ImportRun(store, store.mint(), settings.agent, noun, dry_run=settings.dry_run)


@dataclass(slots=True)
class _ImportRun:
    """An import of *noun* under way, and what it came to so far."""

    store: Store
    op: str
    agent: str
    noun: str
    dry_run: bool = False
    copies: bool = False
    """An id is the only one anywhere, see `MessageReader`."""

    imported: int = 0
    updated: int = 0
    notes: int = 0
    turns: int = 0
    agents: set[str] = field(default_factory=set)
    skipped: Tally = field(default_factory=Tally)
    failed: Tally = field(default_factory=Tally)
    remarks: Tally = field(default_factory=Tally)

    def sorted_out(self, read: Iterable[Line]) -> Iterator[Line]:
        """Yield the lines that say something; note why the others are left out.

        What was forgotten stays away.
        """
        forgotten, config = tombstones.load(self.store), self.store.config()
        for line in read:
            said, where = line.said or line.turn, line.where
            if line.fault:
                self.failed.add(line.fault, where)
            elif line.agent in config.disabled_agents:
                self.skipped.add(_AGENT_OFF, where)
            elif said and said.session in config.disabled_sessions:
                self.skipped.add(_OFF, where)
            elif line.said and self._is_forgotten(line.said, forgotten):
                self.skipped.add(FORGOTTEN, where)
            elif said or (line.note and self.noun != "turns"):
                yield line
            else:
                self.skipped.add(line.skipped or _A_NOTE, where)

    def _is_forgotten(self, said: MemoryInput, forgotten: Tombstones) -> bool:
        if not forgotten.all:
            return False
        key = said.origin.partition("/")[2]
        texts = (*said.words, key) if " " in key else said.words
        return bool(forgotten.of(*texts, agent=said.agent, origin=said.origin))

    def took(self, agent: str, outcomes: Sequence[Outcome]) -> None:
        """Note what became of lines of *agent*."""
        for it in outcomes:
            if it.said is None:
                self.skipped.add(it.why, it.line.where)
                continue
            self.agents.add(agent)
            self.imported += not it.changed
            self.updated += it.changed
            self._remark(it)

    def _remark(self, it: Outcome) -> None:
        line = it.line
        if it.changed:
            is_turn = self.noun == "turns"
            why = record_versions.CHANGED_TURN if is_turn else record_versions.CHANGED
            self.remarks.add(why, line.where)
        for why in filter(None, (line.left_out, line.replaced)):
            self.remarks.add(why, line.where)
        if line.unread_time:
            self.remarks.add(_UNDATED, f"{line.where}: {line.unread_time}")

    def went_on(self, agent: str, gone_on: GoneOn) -> None:
        """Note what became of turns of a session of *agent*."""
        self.imported += len(gone_on.turns)
        self.turns += len(gone_on.turns)
        self.agents |= {agent} if gone_on.turns else set()
        for why, where in gone_on.skipped:
            self.skipped.add(why, where)

    def brought(self, arrivals: Arrivals) -> None:
        """Note what became of notes."""
        self.imported += len(arrivals.changes)
        self.notes += len(arrivals.changes)
        for why, where in arrivals.skipped:
            self.skipped.add(why, where)
        for why, where in arrivals.remarks:
            self.remarks.add(why, where)

    def subject(self, more: int = 0, notes: int = 0, turns: int = 0) -> str:
        """Return the subject of its commit, when *more*, so many *notes* and *turns* came in."""
        own = self.imported + self.updated - self.notes - self.turns
        counts = Counter({self.noun: own + more})
        counts.update({"notes": self.notes + notes, "turns": self.turns + turns})
        told = (f"{n} {noun}" for noun, n in counts.items() if n or noun == self.noun)
        return f"import({self.agent}): {', '.join(told)}"

    def done(self) -> Imported:
        """Return what it came to, once MEMORY.md points at it."""
        if (self.imported or self.updated) and not self.dry_run:
            pointers.bring_up_to_date(self.store, self.op, self.agent, self.subject())
        done = result(self.op, self.imported, self.skipped, self.failed)
        turns = 0 if self.noun == "turns" else self.turns
        return replace(
            done, updated=self.updated, remarks=self.remarks.reasons(), notes=self.notes,
            turns=turns, agents=tuple(sorted(self.agents)),
        )  # fmt: skip


# --- as memories ------------------------------------------------------------------------------


def _keep(work: _ImportRun, read: Sequence[Line], notes: Sequence[Line]) -> None:
    """Write one batch of memories, those of each agent by themselves, and of *notes*."""
    whose: dict[str, list[Line]] = {}
    for line in read:
        whose.setdefault(line.agent, []).append(line)
    for agent, own in (whose or {work.agent: []}).items():
        _keep_of(work, agent, own, notes)
        notes = ()


def _keep_of(work: _ImportRun, agent: str, read: Sequence[Line], notes: Sequence[Line]) -> None:
    store = work.store
    asked = frozenset(line.said.origin for line in read if line.said)

    def step() -> None:
        here = record_versions.of_memories(store.index, agent, asked, _exported(store, asked))
        outcomes = here.outcomes(read)
        fresh = list(record_versions.fresh(outcomes))
        arrivals = vault_notes.decide(store, notes) if notes else Arrivals()
        if (fresh or arrivals.changes) and not work.dry_run:
            plan = _plan(work, agent, fresh, arrivals.changes)
            store.apply(plan, _unknown(store, agent, [said.origin for said in fresh]))
        work.took(agent, outcomes)
        work.brought(arrivals)

    store.retry(step)


def _exported(store: Store, origins: AbstractSet[str]) -> frozenset[str]:
    """Return those of *origins* that name a memory of this vault by its own id."""
    named = {origin: origin.rpartition("/")[2] for origin in origins}
    known = store.index.known_ids(own for own in named.values() if _ULID.fullmatch(own))
    return frozenset(origin for origin, own in named.items() if own in known)


def _plan(
    work: _ImportRun, agent: str, fresh: Sequence[MemoryInput], notes: Sequence[Change]
) -> Plan:
    minted = work.store.mint_many(len(fresh)) if fresh else []
    place = Placement(work.store).folder
    named = _identified(work.store, agent, fresh, minted)
    changes = tuple(remember.change(s, i, place) for s, i in zip(named, minted, strict=True))
    trust = lowest(s.trust for s in fresh)
    made = (*changes, *notes)
    return Plan(work.op, "import", work.subject(len(fresh), len(notes)), made, agent, trust=trust)


def _identified(
    store: Store, agent: str, fresh: Sequence[MemoryInput], minted: Sequence[str]
) -> list[MemoryInput]:
    """Return what is *fresh* with the ids here of what it supersedes, which came by an import, too.

    What nobody imported no file of another vault may end.
    """
    wanted = {origin for said in fresh for origin in said.supersedes}
    if not wanted:
        return list(fresh)
    found = sorted(store.index.of_origins(wanted), key=lambda row: row[1] == agent)
    ids = {origin: its_id for origin, _, its_id in found}
    ids |= {said.origin: new for said, new in zip(fresh, minted, strict=True)}
    return [
        replace(said, supersedes=tuple(ids[x] for x in said.supersedes if x in ids))
        for said in fresh
    ]


def _unknown(store: Store, agent: str, origins: Sequence[str]) -> Callable[[], None]:
    """Return the guard that refuses what another import brought in meanwhile."""

    def check() -> None:
        if taken := store.index.origins(agent, origins):
            raise StaleWrite(min(taken), None, "imported")

    return check


# --- as turns ---------------------------------------------------------------------------------


def _by_session(read: Iterable[Line]) -> list[tuple[_Whose, list[Line]]]:
    """Return the lines that belong to a session by whose it is and its name."""
    sessions: dict[tuple[_Whose, bool], list[Line]] = {}
    for line in read:
        if said := line.turn or line.said:
            key = (said.agent, said.session), line.turn is not None
            sessions.setdefault(key, []).append(line)
    return [(whose, own) for (whose, _), own in sessions.items()]


def _sessions(
    work: _ImportRun, read: Iterable[Line], progress: Progress
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
            yield from _by_session(waiting)
            waiting, pending = [], 0
    yield from _by_session(waiting)


def _go_on(work: _ImportRun, agent: str, session: str, read: Sequence[Line]) -> None:
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


def _converse(work: _ImportRun, agent: str, session: str, read: Sequence[Line]) -> None:
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
            subject = work.subject(len(turns))
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
