"""Checks: how a vault is, and the proof that nothing is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem import arguments
from vaultmem.api.vault.runtime import Runtime
from vaultmem.maintenance import health
from vaultmem.maintenance.health import Health

if TYPE_CHECKING:
    from vaultmem.maintenance.fsck import Report


@arguments.checked
class Checks:
    """Look at a vault's health, and check and repair it."""

    def __init__(self, runtime: Runtime) -> None:
        """Work on the vault of *runtime*."""
        self._runtime = runtime

    def status(self) -> Health:
        """Return counts, windows, budgets and problems."""
        left = self._runtime.store.has_left_lock()
        self._runtime.store.sync_soon()
        return health.check(
            self._runtime.store, self._runtime.writers, self._runtime.retriever, left_lock=left
        )

    def fsck(self, *, repair: bool = False, accept_missing: bool = False) -> Report:
        """Check everything; *repair* mends what needs no judgement first."""
        from vaultmem.maintenance import fsck

        self._runtime.store.sync()
        if accept_missing:
            self._runtime.store.index.accept_missing()
            self._runtime.store.writer.accept_missing()
        if repair:
            fsck.repair(self._runtime.store)
            self._runtime.store.writer.commit_pending()
            self._runtime.store.sync()
        return fsck.check(self._runtime.store)
