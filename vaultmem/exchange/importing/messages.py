"""Conversations from elsewhere become memories, or turns of sessions: once, and safe to cut short.

Each message has an origin, so that the same files can be imported any number of times.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from vaultmem.errors import StaleWrite
from vaultmem.exchange.importing import pointers, vault_notes
from vaultmem.exchange.importing.message_reader import Line, lines, refuse_bad
from vaultmem.exchange.importing.types import (
    Imported,
    Progress,
    Settings,
    Tally,
    batches,
    refuse_off,
    result,
)
from vaultmem.exchange.importing.vault_notes import FORGOTTEN, KNOWN, Arrivals
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
    for batch in batches(lines(paths, settings), BATCH):
        own = _in_own_words(before, batch)
        before = batch
        said = (line for line in own if not line.note)
        fresh = [line for line in work.sorted_out(said) if not _is_tool(line, work)]
        tasks += [line for line in own if line.note and line.note.type == "task"]
        _keep(work, fresh, [line for line in own if line.note and line.note.type != "task"])
        progress(len(batch))
    _keep(work, [], tasks)  # together, since they name each other by numbers that may be taken here
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
        return replace(line, said=replace(said, text=text))
    return replace(line, said=None, skipped=_REPEATED)


def _is_tool(line: Line, work: _ImportRun) -> bool:
    # Nobody here said it: a memory of its own would be one more to be reviewed by a person.
    if line.said and line.said.role == "tool" and (line.tool or line.said.source == "tool"):
        work.skipped.add(_A_TOOL, line.where)
        return True
    return False


def run_turns(
    store: Store, paths: Sequence[Path], settings: Settings, progress: Progress
) -> Imported:
    """Add every message that is new to the transcript of its session, in the order of the files.

    As `run` otherwise; sessions go in one by one, each stretch of one whole and durable.
    """
    work = _begun(store, paths, settings, "turns")
    for session, said in _sessions(work, lines(paths, settings), progress):
        _converse(work, session, said)
    return work.done()


def _begun(store: Store, paths: Sequence[Path], settings: Settings, noun: str) -> _ImportRun:
    refuse_off(store, settings)
    if not settings.skip_bad:
        refuse_bad(lines(paths, settings))
    off = store.config().disabled_sessions
    return _ImportRun(store, store.mint(), settings.agent, noun, off, dry_run=settings.dry_run)


@dataclass(slots=True)
class _ImportRun:
    """An import of *noun* under way, and what it came to so far."""

    store: Store
    op: str
    agent: str
    noun: str
    off: tuple[str, ...]
    dry_run: bool = False
    imported: int = 0
    notes: int = 0
    skipped: Tally = field(default_factory=Tally)
    failed: Tally = field(default_factory=Tally)
    remarks: Tally = field(default_factory=Tally)

    def sorted_out(self, read: Iterable[Line]) -> Iterator[Line]:
        """Yield the lines that say something; note why the others are left out.

        What was forgotten stays away.
        """
        forgotten = tombstones.load(self.store)
        for line in read:
            if line.fault:
                self.failed.add(line.fault, line.where)
            elif line.said is None:
                self.skipped.add(line.skipped or _A_NOTE, line.where)
            elif line.said.session in self.off:
                self.skipped.add(_OFF, line.where)
            elif self._is_forgotten(line.said, forgotten):
                self.skipped.add(FORGOTTEN, line.where)
            else:
                yield line

    def _is_forgotten(self, said: MemoryInput, forgotten: Tombstones) -> bool:
        if not forgotten.all:
            return False
        key = said.origin.partition("/")[2]
        texts = (*said.words, key) if " " in key else said.words
        return bool(forgotten.of(*texts, agent=self.agent, origin=said.origin))

    def fresh(self, read: Sequence[Line], known: frozenset[str]) -> dict[str, MemoryInput]:
        """Return what is new of *read* by origin."""
        return {x.said.origin: x.said for x in read if x.said and x.said.origin not in known}

    def took(self, read: Sequence[Line], fresh: dict[str, MemoryInput]) -> None:
        """Note that of *read* what is *fresh* went in, and the rest was known."""
        self.imported += len(fresh)
        left = dict(fresh)
        for line in read:
            if line.said and left.pop(line.said.origin, None) is None:
                self.skipped.add(KNOWN, line.where)
                continue
            if line.left_out:
                self.remarks.add(line.left_out, line.where)
            if line.unread_time:
                self.remarks.add(_UNDATED, f"{line.where}: {line.unread_time}")

    def brought(self, arrivals: Arrivals) -> None:
        """Note what became of notes."""
        self.imported += len(arrivals.changes)
        self.notes += len(arrivals.changes)
        for why, where in arrivals.skipped:
            self.skipped.add(why, where)
        for why, where in arrivals.remarks:
            self.remarks.add(why, where)

    def subject(self, more: int = 0, notes: int = 0) -> str:
        """Return the subject of its commit, when *more* and so many *notes* have come in."""
        counts = {self.noun: self.imported - self.notes + more, "notes": self.notes + notes}
        told = (f"{n} {noun}" for noun, n in counts.items() if n or noun == self.noun)
        return f"import({self.agent}): {', '.join(told)}"

    def done(self) -> Imported:
        """Return what it came to, once MEMORY.md points at it."""
        if self.imported and not self.dry_run:
            pointers.bring_up_to_date(self.store, self.op, self.agent, self.subject())
        done = result(self.op, self.imported, self.skipped, self.failed)
        return replace(done, remarks=self.remarks.reasons(), notes=self.notes)


# --- as memories ------------------------------------------------------------------------------


def _keep(work: _ImportRun, read: Sequence[Line], notes: Sequence[Line]) -> None:
    """Write one batch of memories and of *notes*."""
    store, agent = work.store, work.agent
    asked = [line.said.origin for line in read if line.said]

    def step() -> None:
        known = store.index.origins(agent, asked) | _exported(store, asked)
        fresh = work.fresh(read, known)
        arrivals = vault_notes.decide(store, notes) if notes else Arrivals()
        if (fresh or arrivals.changes) and not work.dry_run:
            plan = _plan(work, list(fresh.values()), arrivals.changes)
            store.apply(plan, _unknown(store, agent, list(fresh)))
        work.took(read, fresh)
        work.brought(arrivals)

    store.retry(step)


def _exported(store: Store, origins: Sequence[str]) -> frozenset[str]:
    """Return those of *origins* that name a memory of this vault by its own id."""
    named = {origin: origin.rpartition("/")[2] for origin in origins}
    known = store.index.known_ids(own for own in named.values() if _ULID.fullmatch(own))
    return frozenset(origin for origin, own in named.items() if own in known)


def _plan(work: _ImportRun, fresh: Sequence[MemoryInput], notes: Sequence[Change]) -> Plan:
    minted = work.store.mint_many(len(fresh)) if fresh else []
    place = Placement(work.store).folder
    changes = tuple(remember.change(s, i, place) for s, i in zip(fresh, minted, strict=True))
    trust = lowest(s.trust for s in fresh)
    made = (*changes, *notes)
    return Plan(
        work.op, "import", work.subject(len(fresh), len(notes)), made, work.agent, trust=trust
    )


def _unknown(store: Store, agent: str, origins: Sequence[str]) -> Callable[[], None]:
    """Return the guard that refuses what another import brought in meanwhile."""

    def check() -> None:
        if taken := store.index.origins(agent, origins):
            raise StaleWrite(min(taken), None, "imported")

    return check


# --- as turns ---------------------------------------------------------------------------------


def _sessions(
    work: _ImportRun, read: Iterable[Line], progress: Progress
) -> Iterator[tuple[str, list[Line]]]:
    """Yield stretches of sessions, each session whole as long as that fits into memory."""
    sessions: dict[str, list[Line]] = {}
    pending = 0

    def counted() -> Iterator[Line]:
        for line in read:
            progress(1)
            yield line

    for line in work.sorted_out(counted()):
        if line.said:
            sessions.setdefault(line.said.session, []).append(line)
            pending += len(line.said.text)
        if pending > _PENDING:
            yield from sessions.items()
            sessions, pending = {}, 0
    yield from sessions.items()


def _converse(work: _ImportRun, session: str, read: Sequence[Line]) -> None:
    """Append to one session what it does not hold yet."""
    store, agent = work.store, work.agent
    tools = {line.said.origin: line.tool for line in read if line.said}

    def step() -> None:
        held = transcripts.load(store.root, transcripts.path(agent, session))
        fresh = work.fresh(read, frozenset(t.origin for t in held.turns) if held else frozenset())
        if fresh and not work.dry_run:
            turns = [_turn(said, tools[origin]) for origin, said in fresh.items()]
            added = transcripts.append(store.root, agent, session, turns)
            subject = work.subject(len(turns))
            store.apply(Plan(work.op, "import", subject, (added,), agent, trust="agent"))
        work.took(read, fresh)

    store.retry(step, scan=False)


def _turn(said: MemoryInput, tool: str) -> Turn:
    at = iso(said.created)
    if said.trust == "untrusted":  # a page, say, whoever it is told to have spoken
        name = tool or said.speaker or said.source
        return Turn("tool", said.text, "", at, name, said.origin)
    speaker = "" if tool or said.speaker == said.role else said.speaker
    return Turn(said.role or "user", said.text, speaker, at, tool, said.origin)
