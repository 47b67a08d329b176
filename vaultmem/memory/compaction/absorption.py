"""Which short-term summaries the long-term one has absorbed: the last by name, the others counted.

A file that named thousands would be no page to read, and end at its largest size. So the last ones
stand in its `sources`; those with a lower id than all of these are told by how many they are, and
by a sum of digests of their ids, which proves that they are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from vaultmem.memory.compaction.types import Past
from vaultmem.records import Record
from vaultmem.storage.index.summary_tally import AFTER_ALL, Tally, tally

_NAMED = 64


def target(summary: Record) -> str:
    """Return what a wikilink to *summary* says."""
    return summary.path.removesuffix(".md")


def named_from(longterm: Record | None, recents: Sequence[Record]) -> str:
    """Return the id from which on *longterm* names what it absorbed, "" where it names each."""
    if longterm is None or not longterm.earlier_summaries:
        return ""
    names = set(longterm.sources)
    return min((r.id for r in recents if target(r) in names), default=AFTER_ALL)


def absorbed(past: Past) -> frozenset[str]:
    """Return which of the short-term summaries of *past* the long-term one has absorbed."""
    names = set(past.longterm.sources if past.longterm else ())
    first = named_from(past.longterm, past.recents)
    return frozenset(name for r in past.recents if (name := target(r)) in names or r.id < first)


def absorbed_count(past: Past) -> int:
    """Return how many short-term summaries the long-term one has absorbed."""
    return count(past.longterm) if past.longterm else 0


def count(longterm: Record) -> int:
    """Return how many short-term summaries *longterm* has absorbed."""
    return longterm.earlier_summaries + len(longterm.sources)


def unabsorbed(past: Past) -> tuple[Record, ...]:
    """Return the short-term summaries but the newest that the long-term one has not absorbed.

    A person may have put an old copy of it back, or removed it.
    """
    taken = absorbed(past)
    return tuple(recent for recent in past.recents[:-1] if target(recent) not in taken)


def absorbed_and_gone(past: Past) -> tuple[str, ...]:
    """Return what the long-term summary names as a source and is no summary any more."""
    known = {target(recent) for recent in past.recents}
    names = past.longterm.sources if past.longterm else ()
    return tuple(name for name in names if name not in known)


def are_others(past: Past) -> bool:
    """Tell whether the earlier summaries are not those that the long-term one absorbed.

    One is gone, or came later. A page of a past has not all of them, and is made where they are.
    """
    if past.longterm is None or past.doubted is not None:
        return False
    first = named_from(past.longterm, past.recents)
    return tally(r.id for r in past.recents if r.id < first) != _earlier(past.longterm)


def is_whole(past: Past) -> bool:
    """Tell whether the long-term summary absorbed what it should have, and nothing else."""
    return not (unabsorbed(past) or absorbed_and_gone(past) or are_others(past))


def naming(longterm: Record, names: Sequence[str]) -> Record:
    """Return *longterm* with each summary that it absorbed by name."""
    return replace(longterm, sources=tuple(names), earlier_summaries=0, earlier_digest="")


def counting(longterm: Record, recents: Sequence[Record]) -> Record:
    """Return *longterm* with the last of what it absorbed by name, the others counted."""
    ids = {target(r): r.id for r in recents}
    there = sorted((s for s in longterm.sources if s in ids), key=ids.__getitem__)
    if len(there) <= _NAMED:
        return longterm
    folded = frozenset(there[:-_NAMED])
    return _with(longterm, folded, _earlier(longterm) + tally(ids[name] for name in folded))


def without(longterm: Record, summary: Record) -> Record:
    """Return *longterm*, which absorbed *summary*, without it."""
    if (name := target(summary)) in longterm.sources:
        return _with(longterm, {name}, _earlier(longterm))
    return _with(longterm, frozenset(), _earlier(longterm) - tally([summary.id]))


def _with(longterm: Record, unnamed: AbstractSet[str], earlier: Tally) -> Record:
    sources = tuple(s for s in longterm.sources if s not in unnamed)
    return replace(
        longterm,
        sources=sources,
        earlier_summaries=earlier.summaries,
        earlier_digest=earlier.digest if earlier.summaries else "",
    )


def _earlier(longterm: Record) -> Tally:
    return Tally.told(longterm.earlier_summaries, longterm.earlier_digest)
