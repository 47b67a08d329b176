"""What compaction speaks of: an agent's past, the chunks of it, and what was made of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from vaultmem.config import Config
from vaultmem.nlp.tasks import Summary
from vaultmem.records import Record
from vaultmem.storage import reader
from vaultmem.storage.index import (
    Filter,
    Index,
    count_queries,
    coverage,
    edited_memories,
    summary_tally,
)
from vaultmem.storage.index.coverage import Member
from vaultmem.storage.plan import Change

_PAGE = 512


@dataclass(frozen=True, slots=True)
class Past:
    """What an agent remembers, in order: memories, short-term summaries, the long-term one.

    *unsound* are the stems of memories that cannot be read now, that are held back from the
    history, or that were edited and nobody accepted: they keep their place, and are not summarized.
    *broken* are the paths of summaries that cannot be read now: they stay as they are until then.

    Of a page of it the memories are those that the next chunks are made of, and the newest:
    *ordinals* has their places among all, by stem, and *doubted* the paths of the summaries that
    may be stale; *more* tells whether another page is due after it. Of its short-term summaries
    those are left out that the long-term one counts, and nothing is asked of; see `earlier`.
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


@dataclass(frozen=True, slots=True)
class Standing:
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


def standing(index: Index, agent: str, config: Config) -> Standing:
    """Return how far the memories of *agent* are summarized, as the index has counted them."""
    left = unsound(index, agent)
    memories = coverage.memories(index, agent)
    return Standing(
        agent,
        memories,
        covered=memories - coverage.uncovered(index, agent),
        pending=coverage.waiting(index, agent, config.immediate_window, left),
        begun=coverage.tells(index, agent),
        stale=any(left.isdisjoint(r.own) for r in coverage.stale(index, agent)),
        behind=summary_tally.lags(index, agent),
    )


def unsound(index: Index, agent: str) -> frozenset[str]:
    """Return the stems of memories of *agent* that are not to be summarized now, see `Past`."""
    # Also those that no index ever saw sound: they have no id, and a summary may name them.
    folders = (f"agents/{agent}/memories/", f"agents/{agent}/archive/")
    broken = (p.path for p in index.problems() if p.path.startswith(folders))
    paths = (*broken, *edited_memories.paths(index))
    held = count_queries.held_memories(index, agent)
    return frozenset({*map(_stem, paths), *held})


def _broken(index: Index, agent: str) -> frozenset[str]:
    """Return the paths of summaries of *agent* of which the index has what they said before."""
    folder = f"agents/{agent}/summaries/"
    return frozenset(p.path for p in index.problems() if p.path.startswith(folder))


def past(index: Index, agent: str, left_out: Collection[str] = ()) -> Past:
    """Return what *agent* remembers as the index has it.

    *left_out* are paths that git has and does not check out: not gone, and not to be read.
    """
    hidden = {_stem(path) for path in left_out if reader.kind_of(path) == "memory"}
    members = tuple(coverage.members(index, agent))
    left = unsound(index, agent) | hidden
    return Past(agent, members, *_summaries(index, agent), left, _broken(index, agent))


def page(index: Index, agent: str, config: Config, chunks: int, *, force: bool) -> Past:
    """Return so much of what *agent* remembers as the next *chunks* are made of.

    With what is stale, and the newest memories, within whose window nothing is due. *force*: what
    is left of a window is due, too.
    """
    left = unsound(index, agent)
    first = config.chunk(first=not coverage.tells(index, agent))
    size = first + config.recent_window * (chunks - 1)
    rest = coverage.waiting(index, agent, config.immediate_window, left) - size
    doubted = coverage.stale(index, agent)
    stems = {stem for summary in doubted for stem in summary.sources}
    told = {
        *coverage.oldest_uncovered(index, agent, size, left),
        *coverage.named(index, agent, stems),
    }
    in_order = sorted(told, key=_in_time)
    newest = coverage.newest(index, agent, config.immediate_window)
    return Past(
        agent,
        tuple(sorted({*told, *newest}, key=_in_time)),
        _by_id(index.at(summary_tally.recents_for(index, agent, stems))),
        _longterm(index, agent),
        left,
        _broken(index, agent),
        coverage.ordinals(index, agent, in_order),
        frozenset(summary.path for summary in doubted),
        more=rest >= config.recent_window or (force and rest > 0),
    )


def earlier(index: Index, agent: str, before: str) -> Iterator[Record]:
    """Yield the short-term summaries of *agent* with an id *before* that, few of them at once."""
    paths = summary_tally.recents_before(index, agent, before)
    for at in range(0, len(paths), _PAGE):
        for recent in _by_id(index.at(paths[at : at + _PAGE])):
            yield recent if recent.covers_from else _dated(index, recent)


def _dated(index: Index, recent: Record) -> Record:
    """Return *recent*, which does not say of which time it tells, with that of its memories."""
    times = sorted(m.created for m in coverage.named(index, recent.agent, recent.sources))
    return replace(recent, covers_from=times[0], covers_to=times[-1]) if times else recent


def _in_time(member: Member) -> tuple[str, str, str]:
    return member.created, member.id, member.path


def _summaries(index: Index, agent: str) -> tuple[tuple[Record, ...], Record | None]:
    """Return the short-term summaries of *agent*, and the long-term one."""
    recents = index.records(replace(_SUMMARIES, agent=agent, tier="recent"))
    return _by_id(recents), _longterm(index, agent)


def _longterm(index: Index, agent: str) -> Record | None:
    return next(iter(index.records(replace(_SUMMARIES, agent=agent, tier="longterm"))), None)


# What was set aside in the inbox is a second version of a file, and its person's.
_SUMMARIES = Filter(type="summary", below="agents", identified=True)


def _by_id(recents: Iterable[Record]) -> tuple[Record, ...]:
    """Return *recents* by id, which only ever rises, where a clock may go back."""
    return tuple(sorted(recents, key=lambda recent: recent.id))


def _stem(path: str) -> str:
    return PurePosixPath(path).stem
