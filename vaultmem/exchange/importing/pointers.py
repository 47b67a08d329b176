"""MEMORY.md and TASKS.md show what an import brought, in the import's own commit."""

from __future__ import annotations

import logging

from vaultmem.errors import DiskRefused
from vaultmem.knowledge.tasks import service as task_service
from vaultmem.memory import pointed_index
from vaultmem.storage.plan import Plan
from vaultmem.storage.store import Store


def bring_up_to_date(store: Store, op: str, agent: str, subject: str) -> None:
    """Let both show what the operation *op* wrote: once, after its last batch.

    Where the disk refuses that, the next round does it: what came in is safe.
    """

    def step() -> None:
        if store.index.lags:
            store.index.sync()
        pointing = pointed_index.change(store, ())
        if changes := (*task_service.board_change(store), *pointing):
            store.apply(Plan(op, "import", subject, changes, agent, trust="agent"))

    try:
        store.retry(step)
    except DiskRefused as e:
        logging.getLogger(__name__).warning("what came in is safe; pointing at it waits: %s", e.why)
