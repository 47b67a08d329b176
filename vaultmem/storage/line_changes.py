"""What a change did to the lines of a file, and whether another text of it has that."""

from __future__ import annotations

from collections import Counter


def has_change(old: bytes, new: bytes, now: bytes) -> bool:
    """Tell whether *now* has the lines that came with *new*, and none of those that went."""
    before, after, there = (Counter(data.splitlines()) for data in (old, new, now))
    return not (after - before) - there and not (before - after) & (there - after)
