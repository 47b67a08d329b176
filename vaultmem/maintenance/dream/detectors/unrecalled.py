"""Find courtesies that nobody has asked for in a long time, and that nobody called important.

Whatever says anything stays, however long nobody asked: it is what a memory is for. They are
archived, a month of an agent's at a time: kept as they are, and not recalled any more.
What was recalled is counted outside of git (`retrieval/usage`); where that is gone, age alone
counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from vaultmem.maintenance import archive
from vaultmem.maintenance.dream import importance
from vaultmem.maintenance.dream.types import Move, Proposal, Seen, Used
from vaultmem.memory import placement
from vaultmem.nlp.extraction.talk import pleasantries
from vaultmem.records import INSTRUCTS, Record
from vaultmem.storage import ulids

_IMPORTANT = 0.7
_MATTERS = 0.2
"""As `importance` has it: after 90 days 0.125 for what was never recalled, 0.2 for four recalls."""

_MOST = 50
_DAY = 86_400


def find(seen: Seen) -> Iterator[Proposal]:
    """Yield a proposal for each agent's memories of a month that nobody has asked for."""
    months: defaultdict[tuple[str, str], list[Record]] = defaultdict(list)
    for memory in seen.memories:
        if _may_go(memory, seen):
            months[memory.agent, memory.created[:7]].append(memory)
    for (agent, month), memories in months.items():
        for start in range(0, len(memories), _MOST):
            yield _archived(agent, month, memories[start : start + _MOST], seen)


def _may_go(memory: Record, seen: Seen) -> bool:
    if memory.superseded_by or memory.importance >= _IMPORTANT or not archive.is_movable(memory):
        return False
    if not {tag.casefold() for tag in memory.tags}.isdisjoint(INSTRUCTS):
        return False
    worth = importance.importance(memory, _used(memory, seen), seen.now, 1.0)
    idle = _idle_days(memory, seen) > seen.retention.max_age_days
    return idle and worth < _MATTERS and is_trivial(memory)


def is_trivial(memory: Record) -> bool:
    """Tell whether nothing is lost with *memory*: it is courtesy alone."""
    return pleasantries.is_courtesy(memory.body)


def _used(memory: Record, seen: Seen) -> Used | None:
    return seen.uses.get(memory.id) or seen.uses.get(memory.path)


def _idle_days(memory: Record, seen: Seen) -> float:
    """Return for how many days nobody has recalled *memory*.

    What was imported could not be recalled before it came, however old it is.
    """
    days = importance.age(memory.created, seen.now)
    if memory.origin and ulids.is_valid(memory.id):
        came = (seen.now.timestamp() - ulids.minted_at(memory.id)) / _DAY
        days = min(days, max(came, 0.0))
    used = _used(memory, seen)
    return min(days, importance.age(used.last, seen.now)) if used else days


def _archived(agent: str, month: str, memories: Sequence[Record], seen: Seen) -> Proposal:
    quoted = "; ".join(f'"{" ".join(m.body.split())}"' for m in memories)
    count = "a memory" if len(memories) == 1 else f"{len(memories)} memories"
    return Proposal(
        "archive",
        memories[0].path,
        f"{agent} has {count} of {month} that nobody has recalled for"
        f" {seen.retention.max_age_days} days, courtesies alone: {quoted}",
        tuple(Move(m.path, placement.archived_path(m.path), m.sha) for m in memories),
    )
