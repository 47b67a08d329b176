"""Which chunks are due, from the files alone: not summarized, outdated, or without the model."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace

from vaultmem.config import Config
from vaultmem.memory.compaction.types import Chunk, Past
from vaultmem.records import Record


def covered(past: Past) -> frozenset[str]:
    """Return the stems that some short-term summary names as a source."""
    return frozenset(s for recent in past.recents for s in recent.sources)


def pending(past: Past, config: Config) -> tuple[Record, ...]:
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
    while len(left) >= size or (force and left):
        chunks.append(_chunk(tuple(left[:size]), ordinal))
        del left[:size]
        size = config.recent_window
    return (*stale(past), *chunks)


def stale(past: Past) -> tuple[Chunk, ...]:
    """Return the short-term summaries whose sources were edited, removed, or summarized before.

    Of two that claim a memory the lower id keeps it, so that every machine decides alike. One with
    an unsound source waits until that can be read again.
    """
    by_stem = {m.stem: m for m in past.memories}
    ordinal = _ordinals(past)
    claimed: set[str] = set()
    found: list[Chunk] = []
    for recent in past.recents:
        members = tuple(by_stem[s] for s in recent.sources if s in by_stem and s not in claimed)
        claimed.update(recent.sources)
        if past.unsound.intersection(recent.sources) or not recent.op:
            continue
        if operation_key("recent", recent.prompt, members) != recent.op:
            found.append(replace(_chunk(members, ordinal), redone=recent))
    return tuple(found)


def unabsorbed(past: Past) -> tuple[Record, ...]:
    """Return the short-term summaries but the newest that the long-term one has not absorbed.

    A person may have put an old copy of it back, or removed it.
    """
    absorbed = set(past.longterm.sources if past.longterm else ())
    return tuple(recent for recent in past.recents[:-1] if target(recent) not in absorbed)


def absorbed_and_gone(past: Past) -> tuple[str, ...]:
    """Return what the long-term summary names as a source and is no summary any more."""
    known = {target(recent) for recent in past.recents}
    absorbed = past.longterm.sources if past.longterm else ()
    return tuple(source for source in absorbed if source not in known)


def is_behind(past: Past, config: Config, *, force: bool = False) -> bool:
    """Tell whether the long-term summary is to catch up with the short-term ones."""
    if config.strategy_of(past.agent) == "off" and not force:
        return False
    return bool(past.recents) and bool(unabsorbed(past) or absorbed_and_gone(past))


def target(summary: Record) -> str:
    """Return what a wikilink to *summary* says."""
    return summary.path.removesuffix(".md")


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
        if not past.unsound.intersection(recent.sources)
        if len(members := tuple(by_stem[s] for s in recent.sources if s in by_stem))
    )


def redoable(summary: Record, *, refused: bool) -> bool:
    """Tell whether *summary* was written in a model's place, and asking again may help."""
    return bool(summary.degraded) and (refused or not summary.degraded.startswith("refused"))


def _ordinals(past: Past) -> dict[str, int]:
    return {m.stem: n for n, m in enumerate(past.memories, 1)}


def _chunk(members: tuple[Record, ...], ordinal: dict[str, int]) -> Chunk:
    places = [ordinal[m.stem] for m in members] or [0]
    return Chunk(members, min(places), max(places))


def operation_key(kind: str, prompt: str, sources: Iterable[Record]) -> str:
    """Return what identifies this work on these bytes: two machines that did it agree on it.

    A source that was corrected since is another one: what mentions it is to be rewritten.
    """
    parts = [kind, prompt, *sorted(map(_as_it_is, sources))]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def _as_it_is(source: Record) -> str:
    return f"{source.id}:{source.sha}" + ":superseded" * bool(source.superseded_by)


def why_nothing_due(past: Past, config: Config) -> str:
    """Say why nothing is due."""
    left, total = len(pending(past, config)), len(past.memories)
    if total <= config.immediate_window:
        window = config.immediate_window
        all_of = "the only memory is" if total == 1 else f"all {total} memories are"
        return f"{all_of} within the immediate window of {window}"
    if not left:
        return "every memory outside the immediate window is summarized already"
    waiting = "1 memory waits" if left == 1 else f"{left} memories wait"
    if config.strategy_of(past.agent) == "off":
        return f"{waiting} outside the immediate window, and the strategy is off"
    size = config.chunk(first=not covered(past))
    return f"{waiting} outside the immediate window, compaction is due at {size}"


def next_at(past: Past, config: Config) -> int:
    """Return how many memories there will be when the next compaction is due."""
    waiting = len(pending(past, config))
    return config.next_compaction(len(past.memories), waiting, first=not covered(past))
