"""Checks: how a vault is, and the proof that nothing is lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from vaultmem import arguments
from vaultmem.api.vault.runtime import Part
from vaultmem.maintenance import health
from vaultmem.maintenance.health import Health
from vaultmem.storage.progress import Phase, Progress, unnamed, untold

if TYPE_CHECKING:
    from vaultmem.maintenance.fsck import Report
    from vaultmem.maintenance.lint import Finding


@arguments.checked
class Checks(Part):
    """Look at a vault's health, and check and repair it."""

    def status(self) -> Health:
        """Return counts, windows, budgets and problems."""
        left = self._store.has_left_lock()
        self._store.sync_soon()
        writers, retriever = self._runtime.writers, self._runtime.retriever
        return health.check(self._store, writers, retriever, left_lock=left)

    def lint(
        self, progress: Progress = untold, phase: Phase = unnamed
    ) -> tuple[Finding, ...]:  # fmt: skip
        """Return what is wrong with files, by path and line; nothing is written but the index.

        *progress* is told how many files of how many are looked at in each *phase*.
        """
        from vaultmem.maintenance import lint

        self._store.sync()
        return lint.findings(self._store, progress, phase)

    @property
    def folder_in_repository(self) -> str:
        """The vault's folder in its git repository, with a slash behind; "" for the topmost."""
        repository = self._store.writer.repository
        return repository.prefix if repository else ""

    def fsck(
        self,
        *,
        repair: bool = False,
        accept_missing: bool = False,
        accept: Sequence[str] = (),
        progress: Progress = untold,
    ) -> Report:
        """Check everything; *repair* mends what needs no judgement first.

        *accept* names edited memories whose new text a person accepts: in one commit, which `undo`
        takes back. *progress* is told how many files of how many are compared with the index.
        Raises BadInput for what is none.
        """
        from vaultmem.maintenance import edited_memories, fsck, tombstone_problems
        from vaultmem.storage import gone_tombstones, history_notes

        self._store.sync()
        gone_tombstones.learn(self._store)
        if accept_missing:
            self._store.index.accept_missing()
            history_notes.accept_missing(self._store.writer)
            edited_memories.let_go(self._store)
            tombstone_problems.let_go(self._store)
            self._store.writer.commit_pending()
        if accept:
            edited_memories.accept(self._store, accept)
        set_aside: tuple[str, ...] = ()
        if repair:
            set_aside = fsck.repair(self._store)
            self._store.writer.commit_pending()
            self._store.sync()
        return replace(fsck.check(self._store, progress), set_aside=set_aside)
