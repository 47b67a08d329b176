"""What a change did to the lines of a file, and whether another text of it has that."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class LineChange:
    """The lines that *came* and those that *went* with a change, each as often as it did."""

    came: Counter[bytes] = field(default_factory=Counter)
    went: Counter[bytes] = field(default_factory=Counter)

    def __add__(self, other: LineChange) -> LineChange:
        """Return what both did."""
        return LineChange(self.came + other.came, self.went + other.went)


def of(old: bytes, new: bytes) -> LineChange:
    """Return what the change from *old* to *new* did."""
    before, after = Counter(old.splitlines()), Counter(new.splitlines())
    return LineChange(after - before, before - after)


def has_change(old: bytes, new: bytes, now: bytes, since: LineChange | None = None) -> bool:
    """Tell whether *now* has the lines that came with *new*, and none of those that went.

    But for what was done *since*, which is there, too.
    """
    made, later, there = of(old, new), since or LineChange(), Counter(now.splitlines())
    others = there - Counter(new.splitlines()) - later.came
    return not made.came - later.went - there and not made.went & others
