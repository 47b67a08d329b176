"""Write what is imported as memories, a batch in one operation, with the notes beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from vaultmem.errors import StaleWrite
from vaultmem.exchange.importing import record_versions, vault_notes
from vaultmem.exchange.importing.import_run import ImportRun
from vaultmem.exchange.importing.message_reader import Line
from vaultmem.exchange.importing.vault_notes import Arrivals
from vaultmem.memory import remember
from vaultmem.memory.placement import Placement
from vaultmem.memory.remember import MemoryInput
from vaultmem.records import lowest
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store
from vaultmem.storage.ulids import ULID


def keep(work: ImportRun, read: Sequence[Line], notes: Sequence[Line]) -> None:
    """Write one batch of memories, those of each agent by themselves, and of *notes*."""
    whose: dict[str, list[Line]] = {}
    for line in read:
        whose.setdefault(line.agent, []).append(line)
    for agent, own in (whose or {work.agent: []}).items():
        _keep_of(work, agent, own, notes)
        notes = ()


def _keep_of(work: ImportRun, agent: str, read: Sequence[Line], notes: Sequence[Line]) -> None:
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
    known = store.index.known_ids(own for own in named.values() if ULID.fullmatch(own))
    return frozenset(origin for origin, own in named.items() if own in known)


def _plan(
    work: ImportRun, agent: str, fresh: Sequence[MemoryInput], notes: Sequence[Change]
) -> Plan:
    minted = work.store.mint_many(len(fresh)) if fresh else []
    place = Placement(work.store).folder
    named = _identified(work.store, agent, fresh, minted)
    changes = tuple(remember.change(s, i, place) for s, i in zip(named, minted, strict=True))
    trust = lowest(s.trust for s in fresh)
    made = (*changes, *notes)
    return Plan(
        work.op,
        "import",
        work.subject(memories=len(fresh), notes=len(notes)),
        made,
        agent,
        trust=trust,
    )


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
