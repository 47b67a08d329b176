"""Which chunks are due, from the files alone: not summarized, outdated, or without the model."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace

from vaultmem.config import Config
from vaultmem.memory.compaction import absorption
from vaultmem.memory.compaction.types import Chunk, Past
from vaultmem.memory.summary_progress import SummaryProgress
from vaultmem.records import Record
from vaultmem.storage.index.coverage import Member
from vaultmem.storage.operation_keys import operation_key


def covered(past: Past) -> frozenset[str]:
    """Return the stems that some short-term summary names as a source."""
    return frozenset(s for recent in past.recents for s in recent.sources)


def pending(past: Past, config: Config) -> tuple[Member, ...]:
    """Return the memories outside the immediate window that no short-term summary covers."""
    known = covered(past) | past.unsound
    outside = past.memories[: -config.immediate_window]
    return tuple(m for m in outside if m.stem not in known)


def due(past: Past, config: Config, *, force: bool = False) -> tuple[Chunk, ...]:
    """Return the chunks that are due, oldest first; *force* adds what is left of a window.

    The first chunk of all has one memory more, so that compaction comes at immediate + recent + 1
    memories and then every window, and memory 1 is in it.
    """
    if config.strategy_of(past.agent) == "off" and not force:
        return ()
    left = list(pending(past, config))
    chunks: list[Chunk] = []
    size = config.chunk(first=not covered(past))
    ordinal = _ordinals(past)
    while len(left) >= size or (force and left and not past.more):
        chunks.append(_chunk(tuple(left[:size]), ordinal))
        del left[:size]
        size = config.recent_window
    return (*stale(past), *chunks)


def stale(
    past: Past, forgotten: AbstractSet[str] = frozenset(), *, merged: bool = False
) -> tuple[Chunk, ...]:
    """Return the short-term summaries whose sources were edited, removed, or summarized before.

    Of two that claim a memory the lower id keeps it, so that every machine decides alike. One with
    an unsound source that it keeps waits until that can be read again; but one that names what is
    *forgotten*, by its stem, is told at once, of the others alone.

    Once two histories are *merged*, one that waits keeps all that it names, whatever its id: it
    cannot be told without a memory that another claims, and that one can.
    """
    by_stem = {m.stem: m for m in past.memories}
    ordinal = _ordinals(past)
    claimed: set[str] = set()
    found: list[Chunk] = []
    for recent in _waiting_first(past) if merged else past.recents:
        own = [s for s in recent.sources if s not in claimed]
        claimed.update(own)
        if past.doubted is not None and recent.path not in past.doubted:
            continue
        if recent.path in past.broken:
            continue
        members = tuple(by_stem[s] for s in own if s in by_stem)
        waiting = past.unsound.intersection(own)
        if (waiting and forgotten.isdisjoint(recent.sources)) or not recent.op:
            continue
        if operation_key("recent", recent.prompt, members) != recent.op:
            found.append(replace(_chunk(members, ordinal), redone=recent, untold=waiting))
    return tuple(found)


def _waiting_first(past: Past) -> list[Record]:
    return sorted(past.recents, key=lambda recent: past.unsound.isdisjoint(recent.sources))


def is_behind(past: Past, config: Config, *, force: bool = False) -> bool:
    """Tell whether the long-term summary is to catch up; not while a summary cannot be read."""
    if past.broken:
        return False
    if config.strategy_of(past.agent) == "off" and not force:
        return False
    return bool(past.recents) and not absorption.is_whole(past)


def degraded(past: Past, *, refused: bool) -> tuple[Chunk, ...]:
    """Return the short-term summaries that the offline summarizer wrote in a model's place.

    *refused*: also where the model answered, and badly; it would probably do so again.
    """
    redone = {c.redone for c in stale(past)}
    by_stem = {m.stem: m for m in past.memories}
    ordinal = _ordinals(past)
    return tuple(
        replace(_chunk(members, ordinal), redone=recent, better=True)
        for recent in past.recents
        if redoable(recent, refused=refused) and recent not in redone
        if recent.path not in past.broken
        if not past.unsound.intersection(recent.sources)
        if len(members := tuple(by_stem[s] for s in recent.sources if s in by_stem))
    )


def redoable(summary: Record, *, refused: bool) -> bool:
    """Tell whether *summary* was written in a model's place, and asking again may help."""
    return bool(summary.degraded) and (refused or not summary.degraded.startswith("refused"))


def _ordinals(past: Past) -> Mapping[str, int]:
    return past.ordinals or {m.stem: n for n, m in enumerate(past.memories, 1)}


def _chunk(members: tuple[Member, ...], ordinal: Mapping[str, int]) -> Chunk:
    places = [ordinal[m.stem] for m in members] or [0]
    return Chunk(members, min(places), max(places))


def is_due(now: SummaryProgress, config: Config) -> bool:
    """Tell whether chunks are due, or the long-term summary is to catch up."""
    if config.strategy_of(now.agent) == "off":
        return False
    return now.pending >= config.chunk(first=not now.begun) or now.stale or now.behind


def why_nothing_due(now: SummaryProgress, config: Config) -> str:
    """Say why nothing is due."""
    if now.memories <= config.immediate_window:
        window = config.immediate_window
        all_of = "the only memory is" if now.memories == 1 else f"all {now.memories} memories are"
        return f"{all_of} within the immediate window of {window}"
    if not now.pending:
        return "every memory outside the immediate window is summarized already"
    waiting = "1 memory waits" if now.pending == 1 else f"{now.pending} memories wait"
    if config.strategy_of(now.agent) == "off":
        return f"{waiting} outside the immediate window, and the strategy is off"
    size = config.chunk(first=not now.begun)
    return f"{waiting} outside the immediate window, compaction is due at {size}"
