"""Folders of Markdown become notes of the vault: copied, or pointed at where they lie.

Again and again: what changed there is brought up to date here, what a person changed here stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path

from vaultmem.errors import Refused
from vaultmem.exchange.formats import note_frontmatter
from vaultmem.exchange.formats.types import FolderEntry, Place
from vaultmem.exchange.importing import pointers
from vaultmem.exchange.importing.note_changes import Step
from vaultmem.exchange.importing.note_source import Source, open_sources
from vaultmem.exchange.importing.types import (
    Imported,
    Progress,
    Settings,
    Tally,
    refuse_off,
    result,
)
from vaultmem.records import Record
from vaultmem.storage import tombstones
from vaultmem.storage.batches import batches
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store

BATCH = 200
_GONE = "gone at its source, kept here: pruning removes it"
_GONE_EDITED = "gone at its source, changed here: kept"
_Known = dict[str, Record]


def run(store: Store, paths: Sequence[Path], settings: Settings, progress: Progress) -> Imported:
    """Take in the notes of every folder, or single file, of *paths*.

    Nothing is written when a note is bad (unless they are to be skipped): all are read first.
    Raises BadInput, SwitchedOff, DiskRefused and what `Store.apply` does.
    """
    refuse_off(store, settings)
    sources = open_sources(store, paths, settings)
    for source in sources:
        source.refuse_empty()
    work = Work(store, settings, store.mint())
    for source in sources:
        if not settings.skip_bad:
            source.refuse_bad(source.entries())
    for source in sources:
        work.take(source, source.entries(), progress)
    return work.done()


@dataclass(slots=True)
class Work:
    """An import of notes under way, and what it came to so far."""

    store: Store
    settings: Settings
    op: str
    imported: int = 0
    updated: int = 0
    removed: int = 0
    skipped: Tally = field(default_factory=Tally)
    failed: Tally = field(default_factory=Tally)
    remarks: Tally = field(default_factory=Tally)

    def take(self, source: Source, every: Iterable[FolderEntry], progress: Progress) -> None:
        """Bring in what is new and changed of *source*, batch by batch."""
        where, seen, known = source.placed(), set[str](), source.known()
        for batch in batches(self._notes(source, every, seen, progress), BATCH):
            # Asked for anew only where another process was faster.
            looks = chain((known,), iter(source.known, None))
            self.store.retry(partial(self._batch, source, where, batch, looks))
        if source.path.is_dir():
            self.store.retry(lambda: self._gone(source, seen))

    def _notes(
        self, source: Source, every: Iterable[FolderEntry], seen: set[str], progress: Progress
    ) -> Iterator[FolderEntry]:
        for found in every:
            progress(1)
            if not found.why:
                seen.add(source.place(found.name))
                yield found
            else:
                self.skipped.add(found.why, found.shown)

    def done(self) -> Imported:
        """Return what it came to, once MEMORY.md points at it and all of it is committed."""
        if not self.settings.dry_run:
            if self.imported or self.updated or self.removed:
                agent = self.settings.agent
                pointers.bring_up_to_date(self.store, self.op, agent, self._subject())
            self.store.writer.commit_pending()
        done = result(self.op, self.imported, self.skipped, self.failed)
        told_too = self.remarks.reasons()
        return replace(done, updated=self.updated, removed=self.removed, remarks=told_too)

    def _batch(
        self, source: Source, where: Place, batch: Sequence[FolderEntry], looks: Iterator[_Known]
    ) -> None:
        step = Step(self.op, source, where, next(looks), tombstones.load(self.store))
        for found, fresh in zip(batch, self.store.mint_many(len(batch)), strict=True):
            step.decide(found, fresh)
        self._carry_out(step.changes, step.refuse_twice)
        self.imported += step.imported
        self.updated += step.updated
        mine = (step.skipped, step.failed, step.remarks)
        for tally, added in zip((self.skipped, self.failed, self.remarks), mine, strict=True):
            for reason in added:
                tally.add(*reason)

    def _carry_out(
        self, changes: Sequence[Change], guard: Callable[[], None] | None = None
    ) -> None:
        if not changes or self.settings.dry_run:
            return
        agent, subject = self.settings.agent, self._subject(len(changes))
        plan = Plan(self.op, "import", subject, tuple(changes), agent, trust="agent")
        self.store.apply(plan, guard)

    def _subject(self, more: int = 0) -> str:
        """Return the subject of its commit, when *more* notes are written or removed."""
        many = self.imported + self.updated + self.removed + more
        return f"import({self.settings.agent}): {many} note{'s' * (many != 1)}"

    def _gone(self, source: Source, seen: set[str]) -> None:
        """Report what is no longer at its source; remove it where that is asked and safe."""
        if self.settings.prune and not seen:
            raise Refused(f"{source.path} holds no note at all: is it mounted? nothing was removed")
        changes, kept = [], []
        for place, record in source.known().items():
            if place in seen:
                continue
            data = self.store.texts.read(record.path) or b""
            if not note_frontmatter.is_untouched(data):
                kept.append((_GONE_EDITED, record.path))
            elif self.settings.prune:
                changes.append(Change(record.path, data, None, "gone at its source"))
            else:
                kept.append((_GONE, record.path))
        self._carry_out(changes)
        self.removed += len(changes)
        for reason in kept:
            self.skipped.add(*reason)
