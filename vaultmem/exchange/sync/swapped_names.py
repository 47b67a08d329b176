"""Files that swapped their names on one side: an edit of the other side goes with its file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from vaultmem.exchange.sync.forgotten import id_of
from vaultmem.exchange.sync.types import Sides, Versions

_SIDES = ("ours", "theirs")


def swapped(sides: Sides) -> dict[str, str]:
    """Return the names that files have, which others had before, by those they had themselves.

    Of what both sides still have, and what not both of them renamed each in its way.
    """
    here, there = (dict(_rings(sides, side)) for side in _SIDES)
    is_one_way = all(here[old] == there[old] for old in here.keys() & there.keys())
    names = {**here, **there} if is_one_way else {}
    both = taken_back(sides, names).values()
    return names if all(it.ours and it.theirs for it in both) else {}


def taken_back(sides: Sides, names: Mapping[str, str]) -> dict[str, Versions]:
    """Return the versions of the files in *names* as if all had their old ones."""
    return {old: _wherever(sides, old, new) for old, new in names.items()}


def _wherever(sides: Sides, old: str, new: str) -> Versions:
    """Return the versions of the file that was at *old*, from where each side has it."""
    was = sides[old].base
    ours, theirs = (
        next((data for data in found if id_of(data) == id_of(was)), None)
        for found in ((getattr(sides[path], side) for path in (old, new)) for side in _SIDES)
    )
    return Versions(was, ours, theirs)


def _rings(sides: Sides, side: str) -> Iterator[tuple[str, str]]:
    """Yield the old and the new name of all that gave its own away on *side*, and has another's."""
    whole = {path: it for path, it in sides.items() if it.base and it.ours and it.theirs}
    stood = {known: path for path, it in whole.items() if (known := id_of(it.base))}
    now = {path: stood.get(id_of(getattr(it, side))) for path, it in whole.items()}
    moved = {old: new for new, old in now.items() if old is not None and old != new}
    while out := moved.keys() ^ {*moved.values()}:
        moved = {old: new for old, new in moved.items() if out.isdisjoint((old, new))}
    yield from moved.items()
