"""An import of conversations under way: which lines come in, and what became of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from vaultmem.exchange.importing import own_words, pointers, record_versions
from vaultmem.exchange.importing.message_reader import Line, lines, refuse_bad
from vaultmem.exchange.importing.note_places import Places
from vaultmem.exchange.importing.record_versions import Outcome
from vaultmem.exchange.importing.types import (
    Imported,
    Settings,
    Tally,
    refuse_off,
    result,
    what_was_forgotten,
    why_forgotten,
)
from vaultmem.exchange.importing.vault_notes import Arrivals
from vaultmem.exchange.importing.vault_turn import GoneOn
from vaultmem.memory.remember import MemoryInput
from vaultmem.storage import forgotten_passages, tombstones
from vaultmem.storage.store import Store
from vaultmem.storage.tombstones import Tombstone, Tombstones

SESSION_OFF = "its session is switched off"
_AGENT_OFF = "its agent is switched off"
_UNDATED = "its time cannot be read as one: it has the time of this import"
_A_NOTE = "a note of a vault, no turn"
_PUT_AWAY = "archived where it comes from, and no turn has an archive"
_ARCHIVED = "archived where it comes from: it is in the archive here, too (`vaultmem archive`)"
_WAITS = "the web or a tool said it: a person lets it in first, see `vaultmem review`"


@dataclass(slots=True)
class ImportRun:
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
    memories: int = 0
    """What is a memory where messages become turns; *later* are the versions of such."""
    later: int = 0
    agents: set[str] = field(default_factory=set)
    places: dict[str, Places] = field(default_factory=dict)
    """Where the tasks and experiences of each file lie here."""
    skipped: Tally = field(default_factory=Tally)
    failed: Tally = field(default_factory=Tally)
    remarks: Tally = field(default_factory=Tally)

    def sorted_out(self, read: Iterable[Line]) -> Iterator[Line]:
        """Yield the lines that say something; note why the others are left out.

        What was forgotten stays away: a memory whole, of a turn the passages.
        """
        forgotten, config = tombstones.load(self.store), self.store.config()
        for line in read:
            said, where = line.said or line.turn, line.where
            if line.fault:
                self.failed.add(line.fault, where)
            elif line.agent in config.disabled_agents:
                self.skipped.add(_AGENT_OFF, where)
            elif said and said.session in config.disabled_sessions:
                self.skipped.add(SESSION_OFF, where)
            elif line.said and line.said.archived and self.noun == "turns":
                self.skipped.add(_PUT_AWAY, where)
            elif line.said and (stone := _what_forgot(line.said, forgotten, config.owner)):
                if left := self._left(line, line.said, forgotten, config.owner):
                    yield replace(line, said=left, forgotten=what_was_forgotten(stone))
                else:
                    self.skipped.add(why_forgotten(stone), where)
            elif said or (line.note and self.noun != "turns"):
                yield line
            else:
                self.skipped.add(line.skipped or _A_NOTE, where)

    def _left(
        self, line: Line, said: MemoryInput, forgotten: Tombstones, owner: str
    ) -> MemoryInput | None:
        """Return what of a turn may come in, None for nothing, and for a memory."""
        if self.noun != "turns" or line.is_lasting:
            return None
        text = forgotten_passages.without(said.text, forgotten.of_speaker(said.speaker, owner))
        left = replace(said, text=text)
        return left if text and not _what_forgot(left, forgotten, owner) else None

    def took(self, agent: str, outcomes: Sequence[Outcome]) -> None:
        """Note what became of lines of *agent*."""
        for it in outcomes:
            if it.said is None:
                self.skipped.add(it.why, it.line.where)
                continue
            self.agents.add(agent)
            self.imported += not it.changed
            self.updated += it.changed
            if self._is_beside(it.line):
                self.memories += not it.changed
                self.later += it.changed
            self._remark(it)

    def _is_beside(self, line: Line) -> bool:
        return self.noun == "turns" and line.is_lasting

    def _remark(self, it: Outcome) -> None:
        line = it.line
        is_turn = self.noun == "turns" and not line.is_lasting
        if it.said and it.said.trust == "untrusted" and not is_turn:
            self.remarks.add(_WAITS, line.where)
        elif it.said and it.said.archived:
            self.remarks.add(_ARCHIVED, line.where)
        if it.changed:
            why = record_versions.CHANGED_TURN if is_turn else record_versions.CHANGED
            self.remarks.add(why, line.where)
        shortened = own_words.SHORTENED if line.whole else ""
        for why in filter(None, (line.left_out, line.replaced, line.forgotten, shortened)):
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
        for why, where in gone_on.remarks:
            self.remarks.add(why, where)

    def brought(self, arrivals: Arrivals) -> None:
        """Note what became of notes."""
        self.imported += len(arrivals.changes)
        self.notes += len(arrivals.changes)
        self.places.update(arrivals.places)
        for why, where in arrivals.skipped:
            self.skipped.add(why, where)
        for why, where in arrivals.remarks:
            self.remarks.add(why, where)

    def subject(self, *, notes: int = 0, turns: int = 0, memories: int = 0) -> str:
        """Return the subject of its commit, when so many *notes*, *turns*, *memories* came in."""
        beside = self.memories + self.later
        own = self.imported + self.updated - self.notes - self.turns - beside
        counts = Counter({self.noun: own})
        counts.update(
            notes=self.notes + notes, turns=self.turns + turns, memories=beside + memories
        )
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
            turns=turns, memories=self.memories, agents=tuple(sorted(self.agents)),
        )  # fmt: skip


def _what_forgot(said: MemoryInput, forgotten: Tombstones, owner: str) -> Tombstone | None:
    """Return which of *forgotten* bars *said*, None for none.

    Not one of a text that is another one's own matter than the speaker's, who may be the *owner*.
    """
    key = said.origin.partition("/")[2]
    texts = (*said.words, key) if " " in key else said.words
    named = forgotten.of(agent=said.agent, origin=said.origin)
    return named or forgotten.of_speaker(said.speaker, owner).of(*texts, agent=said.agent)


def begun(store: Store, paths: Sequence[Path], settings: Settings, noun: str) -> ImportRun:
    """Return the import of *noun* from *paths*, which were read through for bad lines.

    Raises BadLine where one is not to be skipped, BadInput, SwitchedOff.
    """
    refuse_off(store, settings)
    if not settings.skip_bad:
        refuse_bad(lines(paths, settings))
    return ImportRun(store, store.mint(), settings.agent, noun, dry_run=settings.dry_run)
