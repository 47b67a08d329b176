"""Ask the index what an agent remembers: all of it, or so much as a page needs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import PurePosixPath

from vaultmem.config import Config
from vaultmem.memory.compaction.types import Past
from vaultmem.memory.summary_progress import unsound
from vaultmem.records import Record
from vaultmem.storage import reader
from vaultmem.storage.index import (
    Filter,
    Index,
    coverage,
    summary_tally,
)
from vaultmem.storage.index.coverage import Member, Recent

_PAGE = 512
_TOGETHER = 64
"""Short-term summaries that are read at once with the memories that they name."""


def _broken(index: Index, agent: str) -> frozenset[str]:
    """Return the paths of summaries of *agent* of which the index has what they said before."""
    folder = f"agents/{agent}/summaries/"
    return frozenset(p.path for p in index.problems() if p.path.startswith(folder))


def past(index: Index, agent: str, left_out: Collection[str] = ()) -> Past:
    """Return what *agent* remembers as the index has it.

    *left_out* are paths that git has and does not check out: not gone, and not to be read.
    """
    members = tuple(coverage.members(index, agent))
    left = unsound(index, agent)
    whole = Past(agent, members, *_summaries(index, agent), left, _broken(index, agent))
    return hiding(whole, left_out)


def hiding(known: Past, left_out: Collection[str]) -> Past:
    """Return what is *known*, where the memories at the paths *left_out* are not to be read."""
    hidden = {_stem(path) for path in left_out if reader.kind_of(path) == "memory"}
    return replace(known, unsound=known.unsound | hidden)


def pages(index: Index, agent: str) -> Iterator[Past]:
    """Yield the short-term summaries of *agent* with the memories that they name, in pages.

    Those that name a memory which another one names, too, are together on the first, where there
    are any: so each page can be judged by itself.
    """
    rivals = coverage.rivals(index, agent)
    every = summary_tally.recents_before(index, agent, summary_tally.AFTER_ALL)
    others = [path for path in every if path not in rivals]
    some = (others[at : at + _TOGETHER] for at in range(0, len(others), _TOGETHER))
    common = Past(
        agent, (), (), _longterm(index, agent), unsound(index, agent), _broken(index, agent)
    )
    for paths in chain([rivals], some):
        recents = _by_id(index.at(paths))
        stems = {stem for recent in recents for stem in recent.sources}
        members = sorted(coverage.named(index, agent, stems), key=_in_time)
        yield replace(common, memories=tuple(members), recents=recents)


def page(index: Index, agent: str, config: Config, chunks: int, *, force: bool) -> Past:
    """Return so much of what *agent* remembers as the next *chunks* are made of.

    With what is stale, and the newest memories, within whose window nothing is due. *force*: what
    is left of a window is due, too.
    """
    left = unsound(index, agent)
    first = config.chunk(first=not coverage.tells(index, agent))
    size = first + config.recent_window * (chunks - 1)
    rest = coverage.waiting(index, agent, config.immediate_window, left) - size
    oldest = coverage.oldest_uncovered(index, agent, size, left)
    newest = coverage.newest(index, agent, config.immediate_window)
    found = _written_again(index, agent, coverage.stale(index, agent), oldest)
    return replace(
        found,
        memories=tuple(sorted({*found.memories, *newest}, key=_in_time)),
        more=rest >= config.recent_window or (force and rest > 0),
    )


def telling(index: Index, agent: str, stems: Collection[str]) -> Past:
    """Return so much of what *agent* remembers as it takes to write summaries again.

    That is those which name one of *stems*, whose memories are there, too, and those that are
    stale.
    """
    named = coverage.named(index, agent, stems)
    doubted = (*coverage.stale(index, agent), *coverage.tellers(index, agent, stems))
    return _written_again(index, agent, doubted, named)


def _written_again(
    index: Index, agent: str, doubted: Collection[Recent], also: Iterable[Member]
) -> Past:
    """Return what it takes to write the *doubted* summaries again, and the memories *also*."""
    stems = {stem for summary in doubted for stem in summary.sources}
    told = sorted({*also, *coverage.named(index, agent, stems)}, key=_in_time)
    return Past(
        agent,
        tuple(told),
        _by_id(index.at(summary_tally.recents_for(index, agent, stems))),
        _longterm(index, agent),
        unsound(index, agent),
        _broken(index, agent),
        coverage.ordinals(index, agent, told),
        frozenset(summary.path for summary in doubted),
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
