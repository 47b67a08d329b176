"""What compaction speaks of: an agent's past, the chunks of it, and what was made of them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from vaultmem.nlp.tasks import Summary
from vaultmem.records import Record
from vaultmem.storage import reader
from vaultmem.storage.index import Filter, Index, edited_memories
from vaultmem.storage.plan import Change


@dataclass(frozen=True, slots=True)
class Past:
    """What an agent remembers, in order: memories, short-term summaries, the long-term one.

    *unsound* are the stems of memories that cannot be read now, that are held back from the
    history, or that were edited and nobody accepted: they keep their place, and are not summarized.
    """

    agent: str
    memories: tuple[Record, ...]
    recents: tuple[Record, ...]
    longterm: Record | None
    unsound: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Chunk:
    """Memories that get one short-term summary.

    *redone* is that summary where it is written again; *better* when its sources are as they were,
    and only a better text than the offline one replaces it.
    """

    members: tuple[Record, ...]
    start: int
    end: int
    redone: Record | None = None
    better: bool = False


@dataclass(frozen=True, slots=True)
class Compaction:
    """One chunk summarized: the record of its summary, and what the caller may show."""

    agent: str
    recent: str
    longterm: str | None
    start: int
    end: int
    count: int
    summary: Summary
    waterfall: bool


@dataclass(frozen=True, slots=True)
class Proposal:
    """The changes that carry the compactions out.

    *degraded* says why the long-term summary among them was written offline in a model's place.
    """

    changes: tuple[Change, ...]
    compactions: tuple[Compaction, ...]
    claims: frozenset[str]
    trust: str
    degraded: str = ""


def past(index: Index, agent: str, left_out: Collection[str] = ()) -> Past:
    """Return what *agent* remembers as the index has it, without the memories' texts.

    *left_out* are paths that git has and does not check out: not gone, and not to be read.
    """
    # What was set aside in the inbox is a second version of a file, and its person's.
    ours = Filter(agent=agent, below="agents", identified=True)
    memories = index.records(replace(ours, type="memory"), body=False)
    summaries = index.records(replace(ours, type="summary"))
    folders = (f"agents/{agent}/memories/", f"agents/{agent}/archive/")
    ours_broken = (p for p in index.problems() if p.path.startswith(folders))
    return Past(
        agent,
        tuple(memories),
        # By id, which only ever rises, where a clock may go back.
        tuple(sorted((s for s in summaries if s.tier == "recent"), key=lambda s: s.id)),
        next((s for s in summaries if s.tier == "longterm"), None),
        # Also those that no index ever saw sound: they have no id, and a summary may name them.
        frozenset(PurePosixPath(p.path).stem for p in ours_broken)
        | {m.stem for m in memories if m.held}
        | {PurePosixPath(path).stem for path in edited_memories.paths(index)}
        | {PurePosixPath(path).stem for path in left_out if reader.kind_of(path) == "memory"},
    )
