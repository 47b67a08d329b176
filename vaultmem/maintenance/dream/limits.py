"""How much a dream may take away: of a file's facts, of how many files, and how many files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

MOST_OF_A_FILE = 0.25
"""The share of a file's facts that it may lose, one in any case; a file that goes loses all."""

MOST_OF_THE_NOTES = 0.1
"""The share of the notes that may lose facts, and one at least; a file that goes is none."""

MOST_REMOVED = 50


@dataclass(frozen=True, slots=True)
class Spent:
    """What was taken away so far: facts lost, by file, and files removed."""

    lost: Mapping[str, int] = field(default_factory=dict)
    removed: frozenset[str] = frozenset()

    def plus(self, lost: Mapping[str, int], removed: frozenset[str]) -> Spent:
        """Return it with more taken away."""
        paths = {**self.lost, **lost}
        total = {path: self.lost.get(path, 0) + lost.get(path, 0) for path in paths}
        return Spent(total, self.removed | removed)


@dataclass(frozen=True, slots=True)
class Budget:
    """What a dream may take from: how many facts each file has, how many notes there are."""

    facts: Mapping[str, int]
    notes: int

    def exceeded(self, spent: Spent) -> str:
        """Return which limit *spent* is over, in a clause; "" when it is within all."""
        less = {path: n for path, n in spent.lost.items() if path not in spent.removed}
        if worst := next((path for path, n in less.items() if n > self._most(path)), ""):
            return f"{worst} would lose more than {MOST_OF_A_FILE:.0%} of its facts"
        if len(less) > max(1, int(MOST_OF_THE_NOTES * self.notes)):
            return f"more than {MOST_OF_THE_NOTES:.0%} of the notes would lose facts"
        if len(spent.removed) > MOST_REMOVED:
            return f"more than {MOST_REMOVED} files would be removed"
        return ""

    def _most(self, path: str) -> int:
        return max(1, int(MOST_OF_A_FILE * self.facts.get(path, 0)))
