"""What both sides added in one place of a text, in one: ours first, and once what both say.

A line says what it says where it stands: a bullet in its list, below its heading and the line that
leads to it, and prose behind the prose before it. Only there is the line of one side the other's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from vaultmem.documents.markdown import fences
from vaultmem.exchange.sync import text_units
from vaultmem.exchange.sync.text_units import key, kind

_PROSE = 7
"""Prose leads to what stands behind it as a heading does, below all of these."""

_Place = tuple[int, str, str, int]
"""What a section stands behind or below, its first unit, the bullet that this is part of, and of
several such ones which."""


@dataclass(slots=True)
class _Section:
    """A heading or a line of prose, none at the beginning, and the bullets and blanks behind it.

    *apart* is the blank that parts it from what stands before it, if any.
    """

    place: int
    level: int = 0
    first: str = ""
    apart: str = ""
    rest: list[str] = field(default_factory=list)

    @property
    def last(self) -> str:
        """The unit that it ends with."""
        return self.rest[-1] if self.rest else self.first


def merge(own: Sequence[str], other: Sequence[str]) -> list[str]:
    """Return the units that both sides added, in the order of each but for equal bullets."""
    if not own or not other:
        return [*own, *other]
    places: dict[_Place, int] = {}
    made = {it.place: it for it in _sections(own, places)}
    after = dict(pairwise(made))
    last = made[0]
    for section in _sections(other, places):
        if known := made.get(section.place):
            last, known.rest = known, _together(known.rest, section.rest)
            continue
        while (at := after.get(last.place)) and made[at].level >= section.level:
            last = made[at]
        if section.apart and (last.last.strip() or not last.last):
            last.rest.append(section.apart)
        after |= {section.place: at} if at else {}
        after[last.place] = section.place
        last = made[section.place] = section
    return [*_units(made, after)]


def _units(made: Mapping[int, _Section], after: Mapping[int, int]) -> Iterator[str]:
    at: int | None = 0
    while at is not None:
        yield from filter(None, (made[at].first, *made[at].rest))
        at = after.get(at)


def _sections(units: Sequence[str], places: dict[_Place, int]) -> list[_Section]:
    """Return *units* by what leads to them; *places* has the number of each place so far."""
    made, seen = [_Section(0)], Counter[tuple[int, str, str]]()
    open_ = [made[0]]  # the headings, each below the one before, that the next unit stands under
    for unit in _with_whole_code(units):
        last, what = made[-1], kind(unit)
        if what not in {"heading", "prose"}:
            last.rest.append(unit)
            continue
        level = _PROSE if what == "prose" else text_units.level(unit)
        while open_[-1].level >= level:
            open_.pop()
        above = last if what == "prose" else open_[-1]
        bullet = key(last.last) if what == "prose" and kind(last.last) == "bullet" else ""
        named = (above.place, key(unit), bullet)
        seen[named] += 1
        place = places.setdefault((*named, seen[named]), len(places) + 1)
        apart = last.last if kind(last.last) == "blank" else ""
        made.append(_Section(place, level, unit, apart))
        open_ += [made[-1]] if what == "heading" else []
    return made


def _together(own: Sequence[str], other: Sequence[str]) -> list[str]:
    """Return the bullets of both, ours first, and no more of equal ones than either has."""
    known, news = Counter(map(key, own)), list[str]()
    for unit in other:
        is_known = bool(unit.strip()) and known[key(unit)] > 0
        known[key(unit)] -= is_known
        news += [] if is_known else [unit]
    if not any(map(str.strip, news)):
        return [*own]
    at = len(own)
    while at and not own[at - 1].strip():
        at -= 1
    return [*own[:at], *news, *own[at:]]


def _with_whole_code(units: Sequence[str]) -> Iterator[str]:
    """Yield *units*, fenced code as one."""
    code, fence = "", ""
    for unit in units:
        mark = fences.MARK.match(unit)
        code += unit if fence else ""
        if fence and fences.closes(unit.rstrip("\n"), fence):
            yield code
            code, fence = "", ""
        elif not fence and mark:
            code, fence = unit, mark[1]
        elif not fence:
            yield unit
    if code:
        yield code
