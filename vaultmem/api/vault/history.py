"""History: what was done to a vault, what it changed, and undoing it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from vaultmem import arguments
from vaultmem.api.vault.runtime import Runtime

if TYPE_CHECKING:
    from vaultmem.maintenance.digest import Digest
    from vaultmem.maintenance.history import Operation
    from vaultmem.storage.plan import Plan


@arguments.checked
class History:
    """Look at the past of a vault, and undo operations."""

    def __init__(self, runtime: Runtime) -> None:
        """Work on the vault of *runtime*."""
        self._runtime = runtime

    @property
    def has_repository(self) -> bool:
        """Whether git keeps a history of the vault."""
        return self._runtime.store.writer.repository is not None

    def commit_pending(self) -> Mapping[str, str]:
        """Commit what was written and waits for its commit; return the commits by operation."""
        return self._runtime.store.writer.settle()

    def log(self, limit: int | None = 20) -> tuple[Operation, ...]:
        """Return the newest operations, newest first; raises Unavailable without git."""
        from vaultmem.maintenance import history

        self._runtime.store.writer.settle()
        return history.operations(self._runtime.store, limit)

    def digest(self, since: str = "", until: str = "", agent: str = "") -> Digest:
        """Return what was learnt, corrected and forgotten, by all or by *agent*.

        See `Vault.digest`.
        """
        from vaultmem.maintenance import digest

        period = digest.period(since, until, self._runtime.store.clock())
        self._runtime.store.sync()
        name = self._runtime.store.require_agent(agent) if agent else ""
        self._runtime.store.writer.settle()
        return digest.digest(digest.gather(self._runtime.store, period, name))

    def diff(self, op: str = "") -> str:
        """Return the patch of one operation, or of what is not committed when none is named."""
        from vaultmem.maintenance import history

        return history.diff(self._runtime.store, op)

    def undo(self, op: str, *, partly: bool = False) -> tuple[Plan, str | None]:
        """Take one operation back, keeping later edits; return the plan and its commit.

        *partly*: where these stand on the same lines, the file stays and the older text goes to the
        inbox.
        """
        plan = self.plan_undo(op, partly=partly)
        self._runtime.store.apply(plan)
        return plan, self._runtime.store.writer.settle().get(plan.op)

    def plan_undo(self, op: str, *, partly: bool = False) -> Plan:
        """Return the plan that would take one operation back, as `undo` does."""
        from vaultmem.maintenance import history

        self._runtime.store.sync_soon()
        self._runtime.store.writer.settle()
        return history.undo(self._runtime.store, op, partly=partly)
