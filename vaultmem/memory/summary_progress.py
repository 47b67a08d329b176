"""How far the memories of an agent are summarized, in numbers, as the index has counted them."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import NamedTuple

from vaultmem.config import Config
from vaultmem.storage.index import (
    Index,
    count_queries,
    coverage,
    edited_memories,
    summary_tally,
)


class SummaryProgress(NamedTuple):
    """How far an agent's memories are summarized, in numbers: no record is made for them.

    *pending* memories are outside the immediate window and no short-term summary covers them;
    *begun* when one covers any. *stale* when one is not of what it names now, *behind* when the
    long-term one is to catch up.
    """

    agent: str
    memories: int
    covered: int
    pending: int
    begun: bool
    stale: bool
    behind: bool


def progress(index: Index, agent: str, config: Config) -> SummaryProgress:
    """Return how far the memories of *agent* are summarized, as the index has counted them."""
    left = unsound(index, agent)
    memories = coverage.memories(index, agent)
    return SummaryProgress(
        agent,
        memories,
        covered=memories - coverage.uncovered(index, agent),
        pending=coverage.waiting(index, agent, config.immediate_window, left),
        begun=coverage.tells(index, agent),
        stale=any(left.isdisjoint(r.own) for r in coverage.stale(index, agent)),
        behind=summary_tally.lags(index, agent),
    )


def are_settled(index: Index, agent: str) -> bool:
    """Tell whether nothing is to be written again of what tells of *agent*'s memories.

    That is, each summary is of what it names, the long-term one of all that it should be, and no
    memory waits. So much costs a few rows, however long the past is.
    """
    waits = unsound(index, agent) or coverage.stale(index, agent)
    return not waits and not summary_tally.lags(index, agent)


def unsound(index: Index, agent: str) -> frozenset[str]:
    """Return the stems of memories of *agent* that are not to be summarized now, see `Past`."""
    # Also those that no index ever saw sound: they have no id, and a summary may name them.
    folders = (f"agents/{agent}/memories/", f"agents/{agent}/archive/")
    broken = (p.path for p in index.problems() if p.path.startswith(folders))
    paths = (*broken, *edited_memories.paths(index))
    held = count_queries.held_memories(index, agent)
    return frozenset({*(PurePosixPath(path).stem for path in paths), *held})
