"""Both sides' changes to one text, line by line; a bullet goes with what is nested in it.

What one side alone changed holds, and what both added stays. A line that one side changed and the
other removed stays as changed. A line that both changed, each in its way, is a conflict: ours
stays, and both versions are handed back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest

from vaultmem.documents.bodies import bullets
from vaultmem.exchange.sync import added_units, frontmatter_merge, line_diff, text_units
from vaultmem.exchange.sync.text_units import key, kind
from vaultmem.exchange.sync.types import Conflict

_AKIN = 0.5
"""The least share of their words that a line and its later wording have in common."""
_MOST_COMPARED = 10_000


@dataclass(slots=True)
class Text:
    """What two texts become, and where they disagree."""

    text: str = ""
    conflicts: list[Conflict] = field(default_factory=list)


def merge(base: str, ours: str, theirs: str, heading: str = "") -> Text:
    """Return both sides' changes to *base* in one text; *heading* is what it stands under."""
    if ours == base or theirs in (base, ours):
        return Text(theirs if ours == base else ours)
    before, made = text_units.split(base), _Merge(heading)
    own, other = (_Side.of(before, text_units.split(it)) for it in (ours, theirs))
    units = [made.unit(*three) for three in zip(before, own.units, other.units, strict=True)]
    gaps = [added_units.merge(*both) for both in zip(own.gaps, other.gaps, strict=True)]
    lines = [unit for gap, it in zip_longest(gaps, units) for unit in (*gap, it) if unit]
    ended = [line if line.endswith("\n") else f"{line}\n" for line in lines[:-1]]
    return Text("".join((*ended, *lines[-1:])), made.conflicts)


class _Merge:
    """What becomes of unit after unit, and the heading of the base that this has come to."""

    def __init__(self, heading: str) -> None:
        self.heading = heading
        self.conflicts: list[Conflict] = []

    def unit(self, was: str, own: str | None, other: str | None) -> str | None:
        """Return what becomes of one unit; None is one that is gone."""
        if kind(was) == "heading":
            self.heading = was.strip("# \t\r\n")
        keys = [None if it is None else key(it) for it in (was, own, other)]
        if keys[2] in keys[:2]:
            return own
        if own is None or keys[1] == keys[0]:
            return other
        return own if other is None else self._both(was, own, other)

    def _both(self, was: str, own: str, other: str) -> str:
        """Return what a unit says that both changed: its text, its sources, what is nested in it.

        Where the texts disagree it stays ours, with all that hangs on it.
        """
        (base, rest), (mine, below), (theirs, beside) = map(text_units.parts, (was, own, other))
        eol = mine[len(mine.rstrip("\r\n")) :]
        texts, sources = zip(
            *(bullets.unsourced(line.rstrip()) for line in (base, mine, theirs)), strict=True
        )
        if len({*texts}) == len(texts):
            self.conflicts.append(Conflict(self.heading, was, own, other))
            return own
        text = texts[2] if texts[1] == texts[0] else texts[1]
        links = [str(link) for link in frontmatter_merge.listed(*map(list, sources))]
        nested = merge(rest, below, beside, self.heading)
        self.conflicts += nested.conflicts
        return f"{bullets.sourced(text, links) if links else text}{eol}{nested.text}"


@dataclass(slots=True)
class _Side:
    """What one side made of each unit of the base, None of one that went, and what it added.

    *gaps* has what stands before each unit, and behind the last.
    """

    units: list[str | None]
    gaps: list[list[str]]

    @classmethod
    def of(cls, before: Sequence[str], now: Sequence[str]) -> _Side:
        side = cls([None] * len(before), [[] for _ in range(len(before) + 1)])
        kept = {new: old for old, new in _pairs(before, now)}
        gap = 0
        for at, unit in enumerate(now):
            if (old := kept.get(at)) is None:
                side.gaps[gap].append(unit)
            else:
                side.units[old], gap = unit, old + 1
        return side


def _pairs(before: Sequence[str], now: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where each unit of *before* that is not gone stands in *now*, in order."""
    same = line_diff.same([*map(key, before)], [*map(key, now)])
    i = j = 0
    for old, new in (*same, (len(before), len(now))):
        if i < old and j < new:
            pairs = _changed(before[i:old], now[j:new])
            yield from ((i + one, j + two) for one, two in pairs)
        if old < len(before):
            yield old, new
        i, j = old + 1, new + 1


def _changed(before: Sequence[str], now: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the units of *before* that were reworded in *now*: those alike, else the next ones."""
    alike = [(-1, -1), *_alike(before, now), (len(before), len(now))]
    for (old, new), (old_end, new_end) in pairwise(alike):
        yield from _in_order(before, now, range(old + 1, old_end), range(new + 1, new_end))
        if old_end < len(before):
            yield old_end, new_end


def _alike(before: Sequence[str], now: Sequence[str]) -> Iterator[tuple[int, int]]:
    if len(before) * len(now) > _MOST_COMPARED:
        return
    begin = 0
    for old, unit in enumerate(before):
        scores = [(_likeness(unit, now[new]), -new) for new in range(begin, len(now))]
        likeness, new = max(scores, default=(0.0, 0))
        if likeness >= _AKIN:
            yield old, -new
            begin = -new + 1


def _in_order(
    before: Sequence[str], now: Sequence[str], olds: range, news: range
) -> Iterator[tuple[int, int]]:
    left = [new for new in news if kind(now[new]) != "blank"]
    for old in olds:
        if left and kind(before[old]) == kind(now[left[0]]):
            yield old, left.pop(0)


def _likeness(one: str, two: str) -> float:
    """Return the share of the words of both that they have in common; 0 for another kind."""
    mine, yours = {*one.split()}, {*two.split()}
    return len(mine & yours) / len(mine | yours) if kind(one) == kind(two) and mine else 0.0
