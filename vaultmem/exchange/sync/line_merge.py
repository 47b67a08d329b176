"""Both sides' changes to one text, line by line; a bullet goes with what is nested in it.

What one side alone changed holds, and what both added stays. A line that one side changed and the
other removed stays as changed. A line that both changed, each in its way, is a conflict: ours
stays, and both versions are handed back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest
from typing import Literal

from vaultmem.documents.bodies import bullets
from vaultmem.exchange.sync import frontmatter_merge, line_diff
from vaultmem.exchange.sync.types import Conflict

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_BULLET = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?=\s)")
_HEADING = re.compile(r"#{1,6}(?!\S)")
_AKIN = 0.5
"""The least share of their words that a line and its later wording have in common."""
_MOST_COMPARED = 10_000

Kind = Literal["heading", "bullet", "prose", "blank"]


@dataclass(slots=True)
class Text:
    """What two texts become, and where they disagree."""

    text: str = ""
    conflicts: list[Conflict] = field(default_factory=list)


def merge(base: str, ours: str, theirs: str, heading: str = "") -> Text:
    """Return both sides' changes to *base* in one text; *heading* is what it stands under."""
    if ours == base or theirs in (base, ours):
        return Text(theirs if ours == base else ours)
    before, made = _units(base), _Merge(heading)
    own, other = _Side.of(before, _units(ours)), _Side.of(before, _units(theirs))
    units = [made.unit(*three) for three in zip(before, own.units, other.units, strict=True)]
    told = {_key(unit) for gap in own.gaps for unit in gap if _kind(unit) == "bullet"}
    gaps = [_added(*both, told) for both in zip(own.gaps, other.gaps, strict=True)]
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
        if _kind(was) == "heading":
            self.heading = was.strip("# \t\r\n")
        keys = [None if it is None else _key(it) for it in (was, own, other)]
        if keys[2] in keys[:2]:
            return own
        if own is None or keys[1] == keys[0]:
            return other
        return own if other is None else self._both(was, own, other)

    def _both(self, was: str, own: str, other: str) -> str:
        """Return what a unit says that both changed: its text, its sources, what is nested in it.

        Where the texts disagree it stays ours, with all that hangs on it.
        """
        (base, rest), (mine, below), (theirs, beside) = map(_parts, (was, own, other))
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
    same = line_diff.same([*map(_key, before)], [*map(_key, now)])
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
    left = [new for new in news if _kind(now[new]) != "blank"]
    for old in olds:
        if left and _kind(before[old]) == _kind(now[left[0]]):
            yield old, left.pop(0)


def _likeness(one: str, two: str) -> float:
    """Return the share of the words of both that they have in common; 0 for another kind."""
    mine, yours = {*one.split()}, {*two.split()}
    return len(mine & yours) / len(mine | yours) if _kind(one) == _kind(two) and mine else 0.0


# --- what both added --------------------------------------------------------------------------


def _added(own: Sequence[str], other: Sequence[str], told: AbstractSet[str]) -> list[str]:
    """Return what both added in one place, ours first; what both say is said once.

    What stands under a heading that both added goes under it.
    """
    known = told | {_key(unit) for unit in own}
    made, last = _by_heading(own), ""
    for heading, units in _by_heading(other).items():
        news = [unit for unit in units if not unit.strip() or _key(unit) not in known]
        if any(map(str.strip, news)):
            place = made.setdefault(heading, [])
            at = len(place)
            while last != heading and at and not place[at - 1].strip():
                at -= 1
            place[at:at] = news
        last = heading
    return [unit for units in made.values() for unit in units]


def _by_heading(units: Sequence[str]) -> dict[str, list[str]]:
    """Return *units* by the heading that each stands under, "" before the first."""
    made: dict[str, list[str]] = {"": []}
    heading = ""
    for unit in units:
        heading = _key(unit) if _kind(unit) == "heading" else heading
        made.setdefault(heading, []).append(unit)
    return made


# --- units ------------------------------------------------------------------------------------


def _units(text: str) -> list[str]:
    """Return the lines of *text*; a bullet is one with the lines that are nested in it."""
    made: list[str] = []
    indent = -1  # of the bullet that is open
    for line in _LINE.findall(text):
        deep = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
        if indent >= 0 and line.strip() and deep > indent:
            made[-1] += line
            continue
        made.append(line)
        indent = deep if _BULLET.match(line) else -1
    return made


def _parts(unit: str) -> tuple[str, str]:
    """Return the first line of *unit*, and what is nested in it."""
    first = _LINE.match(unit)
    line = first[0] if first else ""
    return line, unit[len(line) :]


def _key(unit: str) -> str:
    return unit.replace("\r\n", "\n").rstrip("\n")


def _kind(unit: str) -> Kind:
    if not unit.strip():
        return "blank"
    if _BULLET.match(unit):
        return "bullet"
    return "heading" if _HEADING.match(unit) else "prose"
