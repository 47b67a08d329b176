"""One round of what is due: half-done writes, compactions, MEMORY.md, commits, tidying."""

from __future__ import annotations

from dataclasses import dataclass

from vaultmem import cascade
from vaultmem.cascade import Outcome
from vaultmem.compact import Compaction
from vaultmem.errors import MassVanish
from vaultmem.plan import Plan
from vaultmem.site import Site
from vaultmem.summarize import Summarizer


@dataclass(frozen=True, slots=True)
class Round:
    """What one round did."""

    compactions: tuple[Compaction, ...]
    commits: tuple[str, ...]
    edits: str | None


def once(site: Site, summarizer: Summarizer) -> Round:
    """Do what is due now and return what that was."""
    site.sync()
    outcomes = [_compact(site, agent, summarizer) for agent in site.index.agents()]
    _refresh_pointers(site)
    commits = tuple(dict.fromkeys(site.door.settle().values()))
    edits = _commit_edits(site)
    site.door.tidy()
    return Round(tuple(c for o in outcomes for c in o.compactions), commits, edits)


def _compact(site: Site, agent: str, summarizer: Summarizer) -> Outcome:
    try:
        return cascade.run(site, agent, summarizer)
    except MassVanish as e:
        return Outcome(None, reason=str(e))


def _refresh_pointers(site: Site) -> None:
    if site.index.vanished():
        return
    if change := cascade.index_change(site, ()):
        site.carry_out(Plan(site.mint(), "index", "index: MEMORY.md", change))


def _commit_edits(site: Site) -> str | None:
    if not site.config().commit_human_edits or site.index.vanished():
        return None
    broken = frozenset(p.path for p in site.index.problems())
    return site.door.commit_edits(leave=broken)
