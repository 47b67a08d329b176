"""What compaction speaks of: an agent's past, the chunks of it, and what was made of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from vaultmem.records import Record
from vaultmem.storage.index.coverage import Member
from vaultmem.storage.plan import Change

if TYPE_CHECKING:
    from vaultmem.nlp.tasks import Summary


@dataclass(frozen=True, slots=True)
class Past:
    """What an agent remembers, in order: memories, short-term summaries, the long-term one.

    *unsound* are the stems of memories that cannot be read now, that are held back from the
    history, or that were edited and nobody accepted: they keep their place, and are not summarized.
    *broken* are the paths of summaries that cannot be read now: they stay as they are until then.

    Of a page of it the memories are those that the next chunks are made of, and the newest:
    *ordinals* has their places among all, by stem, and *doubted* the paths of the summaries that
    may be stale; *more* tells whether another page is due after it. Of its short-term summaries
    those are left out that the long-term one counts, and nothing is asked of; see `past_queries`.
    """

    agent: str
    memories: tuple[Member, ...]
    recents: tuple[Record, ...]
    longterm: Record | None
    unsound: frozenset[str] = frozenset()
    broken: frozenset[str] = frozenset()
    ordinals: Mapping[str, int] = field(default_factory=dict)
    doubted: frozenset[str] | None = None
    more: bool = False

    @property
    def has_broken_longterm(self) -> bool:
        """Whether the long-term summary cannot be read now."""
        return f"agents/{self.agent}/summaries/longterm.md" in self.broken

    def without(self, gone: Collection[str]) -> Past:
        """Return what is left once the memories at the paths *gone* are."""
        before = sorted(self.ordinals.get(m.stem, 0) for m in self.memories if m.path in gone)
        return replace(
            self,
            memories=tuple(m for m in self.memories if m.path not in gone),
            ordinals={stem: n - bisect_left(before, n) for stem, n in self.ordinals.items()},
        )


@dataclass(frozen=True, slots=True)
class Chunk:
    """Memories that get one short-term summary.

    *redone* is that summary where it is written again; *better* when its sources are as they were,
    and only a better text than the offline one replaces it. *untold* are the stems of those of its
    members that wait to be read or accepted: it names them, and tells nothing of them.
    """

    members: tuple[Member, ...]
    start: int
    end: int
    redone: Record | None = None
    better: bool = False
    untold: frozenset[str] = frozenset()

    @property
    def told(self) -> tuple[Member, ...]:
        """The members that it tells of."""
        return tuple(m for m in self.members if m.stem not in self.untold)


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
