"""How many of the hits are worth their room: as many as score like answers, not a fixed number."""

from __future__ import annotations

from collections.abc import Sequence

# On four conversations of LoCoMo, 99 in 100 of the best-placed gold turns score more than this part
# of the best hit, and have no wider gap above them; a third of the first 50 hits score less.
_FLOOR = 0.5
_GAP = 0.3


def worth(scores: Sequence[float]) -> int:
    """Return how many of *scores*, best first, to take: up to the first break, at least one."""
    breaks = (n for n in range(1, len(scores)) if _breaks_off(scores, n))
    return next(breaks, len(scores))


def _breaks_off(scores: Sequence[float], n: int) -> bool:
    best = max(scores[0], 0.0)
    return scores[n] < _FLOOR * best or scores[n - 1] - scores[n] > _GAP * best
