"""Pair what stands no longer in a note that was edited with what stands there in its place.

Points of a note have no ids: a corrected one comes in as another. What both say in mostly the same
words is one that was corrected, and the new memory supersedes the old one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from vaultmem.exchange.importing import record_versions
from vaultmem.exchange.importing.message_reader import Line
from vaultmem.memory.remember import MemoryInput
from vaultmem.records import Record
from vaultmem.storage.store import Store

GONE = (
    "here from an earlier import, and in no note of its day that was read now: it holds still,"
    " until `vaultmem correct` or `vaultmem forget` ends it"
)
_ALIKE = 0.6
"""The share of words that two versions of one point have in common, at least."""

_MOST = 40_000
"""Pairs of one note that are compared: of a note with more, nothing is paired."""


@dataclass(frozen=True, slots=True)
class Edited:
    """The *lines* of all notes, and what to remark, with where."""

    lines: Sequence[Line]
    remarks: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Point:
    """What the line *number* of those read says now."""

    number: int
    said: MemoryInput


@dataclass(frozen=True, slots=True)
class _Held:
    """A memory that came from a note earlier, and its text."""

    record: Record
    text: str


def compared(store: Store, read: Iterable[Line]) -> Edited:
    """Return what is *read* of whole notes, each line with what it supersedes of its note."""
    lines = list(read)
    notes: dict[tuple[str, str], list[_Point]] = {}
    for n, line in enumerate(lines):
        if line.said:
            named = line.said.agent, line.said.origin.rpartition("/")[0]
            notes.setdefault(named, []).append(_Point(n, line.said))
    remarks: list[tuple[str, str]] = []
    for (agent, key), points in notes.items():
        held = [it for it in store.index.from_origin(key) if it.agent == agent]
        gone = _gone(store, agent, held, points)
        pairs = list(_pairs(gone, list(_fresh(held, gone, points))))
        for old, new in pairs:
            said = replace(new.said, supersedes=(old.record.origin,))
            lines[new.number] = replace(lines[new.number], said=said)
            remarks.append((record_versions.CHANGED, lines[new.number].where))
        paired = {old.record.origin for old, _ in pairs}
        remarks += ((GONE, it.record.path) for it in gone if it.record.origin not in paired)
    return Edited(lines, tuple(remarks))


def _gone(
    store: Store, agent: str, held: Sequence[Record], points: Sequence[_Point]
) -> list[_Held]:
    """Return those of *held* that hold still, and that no point says."""
    there = {it.said.origin for it in points}
    found = {
        it.origin: it
        for it in held
        if record_versions.record(it.origin) not in there
        and not (it.superseded_by or it.valid_to)
    }  # fmt: skip
    texts = {
        origin: text
        for origin, _, text, _ in store.index.versions(agent, found, record_versions.BEHIND)
    }
    return [_Held(it, texts.get(origin, "")) for origin, it in found.items()]


def _fresh(
    held: Sequence[Record], gone: Sequence[_Held], points: Sequence[_Point]
) -> Iterator[_Point]:
    """Yield the points that are new, and those that stand again for what stood for them."""
    ended = {PurePosixPath(it.record.path).stem: it.record for it in gone}
    ended |= {it.record.id: it.record for it in gone}
    before: dict[str, list[Record]] = {}
    for it in held:
        before.setdefault(record_versions.record(it.origin), []).append(it)
    for point in points:
        known = before.get(point.said.origin, [])
        by = next((ended[it.superseded_by] for it in known if it.superseded_by in ended), None)
        if by:
            origin = record_versions.later(point.said.origin, by.origin)
            yield replace(point, said=replace(point.said, origin=origin))
        elif not known:
            yield point


def _pairs(gone: Sequence[_Held], fresh: Sequence[_Point]) -> Iterator[tuple[_Held, _Point]]:
    """Yield those of *gone* and of *fresh* that are most alike, each of them once."""
    if len(gone) * len(fresh) > _MOST:
        return
    olds = [(it, _words(it.text)) for it in gone]
    news = [(it, _words(it.said.text)) for it in fresh]
    shares = ((_alike(was, now), old, new) for old, was in olds for new, now in news)
    taken: set[str] = set()
    for _, old, new in sorted((it for it in shares if it[0] >= _ALIKE), key=lambda it: -it[0]):
        names = {f"old {old.record.origin}", f"new {new.said.origin}"}
        if not names & taken:
            taken |= names
            yield old, new


def _words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.casefold()))


def _alike(one: Counter[str], other: Counter[str]) -> float:
    return 2 * (one & other).total() / max(1, one.total() + other.total())
