"""Name what is wrong with an agent's summaries, and with what the index has counted of them.

They are read in pages, each with the memories that it names. Of those that were read nothing is
kept but their names, by which the long-term summary is proved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from vaultmem.memory import compaction
from vaultmem.memory.compaction import Past, SummaryProgress
from vaultmem.memory.compaction import runner as compaction_runner
from vaultmem.records import Problem, Record
from vaultmem.storage.index import coverage, summary_tally
from vaultmem.storage.store import Store

MEND = "`vaultmem fsck --repair` reads it again"
_SOON = "the next compaction redoes it: `vaultmem compact`"


@dataclass(frozen=True, slots=True)
class Checked:
    """What an agent remembers, in numbers, and what is wrong with its summaries."""

    memories: int
    covered: int
    pending: int
    summaries: int
    problems: tuple[Problem, ...]


def of_agent(store: Store, agent: str, *, sound: bool) -> Checked:
    """Check the summaries of *agent*; what is counted of a *sound* index follows from its files."""
    problems: list[Problem] = []
    recents: list[Record] = []
    page = Past(agent, (), (), None)
    covered, begun, stale = 0, False, False
    for page in compaction_runner.pages(store, agent):  # the last one is asked below
        doubted = compaction.stale(page)
        problems += _coverage(page, [chunk.redone for chunk in doubted if chunk.redone])
        covered += len(page.memories)
        begun = begun or any(recent.sources for recent in page.recents)
        stale = stale or bool(doubted)
        recents += map(_bare, page.recents)
    whole = replace(page, memories=(), recents=tuple(sorted(recents, key=attrgetter("id"))))
    noted = compaction.progress(store.index, agent, store.config())
    memories = coverage.count_memories(store.index, agent)
    found = noted._replace(memories=memories, covered=covered, begun=begun, stale=stale)
    problems += _absorbed(whole)
    problems += _counts(store, found, noted, whole) if sound else ()
    summaries = len(whole.recents) + (whole.longterm is not None)
    return Checked(memories, covered, noted.pending, summaries, tuple(problems))


def _bare(recent: Record) -> Record:
    """Return *recent* without what it says and names, of which there may be much."""
    return replace(recent, sources=(), body="", written="")


def _coverage(past: Past, redone: Sequence[Record]) -> Iterator[Problem]:
    """Check what the summaries of a page name, and name those that are to be *redone*."""
    counts = Counter(s for recent in past.recents for s in recent.sources)
    twice = {s for s, n in counts.items() if n > 1}
    for recent in past.recents:
        for stem in (s for s in recent.sources if s in twice):
            yield Problem("covered-twice", recent.path, f"{stem} is summarized twice", _SOON)
    known = {m.stem for m in past.memories}
    for recent in redone:
        if not twice & set(recent.sources):
            gone = [s for s in recent.sources if s not in known]
            why = f"{gone[0]} is gone" if gone else "a source was edited"
            yield Problem("stale-summary", recent.path, f"{why} since it was written", _SOON)


def _absorbed(past: Past) -> Iterator[Problem]:
    """Check that the long-term summary has absorbed each short-term one but the newest."""
    where = f"agents/{past.agent}/summaries/longterm.md"
    for left in sorted(r.path.removesuffix(".md") for r in compaction.unabsorbed(past)):
        yield Problem("not-absorbed", where, f"it has not absorbed {left}", _SOON)
    if compaction.are_others(past):
        count = compaction.absorbed_count(past)
        message = f"of the {count} summaries that it absorbed the earlier ones are not these"
        yield Problem("dangling-source", where, message, _SOON)
    for gone in sorted(set(compaction.absorbed_and_gone(past))):
        yield Problem("dangling-source", where, f"it names {gone}, which is gone", _SOON)


def _counts(
    store: Store, found: SummaryProgress, noted: SummaryProgress, past: Past
) -> Iterator[Problem]:
    """Check what the index has counted, on which whoever asks what is due relies."""
    recents = summary_tally.tally(recent.id for recent in past.recents)
    if summary_tally.all_of(store.index, found.agent) != recents:
        message = "the index has counted other short-term summaries than there are"
        yield Problem("index", f"agents/{found.agent}", message, MEND)
    is_counted = (noted.memories, noted.covered, noted.begun) == (
        found.memories,
        found.covered,
        found.begun,
    )
    if not is_counted or (found.stale and not noted.stale):
        message = f"the index has counted {noted.memories} memories and {noted.covered} summarized"
        yield Problem("index", f"agents/{found.agent}", message, MEND)
