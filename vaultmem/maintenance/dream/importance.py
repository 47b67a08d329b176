"""How much a memory or an episode matters, from 0 to 1: what is promoted, and what may go first."""

from __future__ import annotations

import math
import re
from datetime import datetime

from vaultmem.errors import BadInput
from vaultmem.maintenance.dream.types import Used
from vaultmem.records import Record, moment

_DECAY: float = 0.95
"""What a day leaves of what a memory is worth."""

_OFTEN = 10
_INTENSITY = re.compile(
    r"(?i)\b(?:love|hate|afraid|scared|angry|furious|proud|thrilled|excited|worried|sad|cried"
    r"|happ(?:y|iest)|terrible|wonderful|amazing|awful|best|worst|never|always|must|died|death"
    r"|born|married|allerg\w+|emergency|urgent|important)\b|!|[\u7231\u6068\u6015]"
    "|\u96be\u8fc7|\u9ad8\u5174|\u8fc7\u654f|\u91cd\u8981"
)


def importance(record: Record, used: Used | None, now: datetime, uniqueness: float) -> float:
    """Return how much *record* matters: frequency x decay x intensity x uniqueness.

    Frequency is 0.5 + 0.5 ln(1 + uses) / ln(1 + 10), at most 1. Decay is 0.95 to the days since it
    was last found, or else since it was said, but half of it never fades. Intensity is the mean of
    the stated importance and of 0.5 + 0.1 for each word of feeling, necessity or warning, at most
    1. *uniqueness*, 0 to 1, is the share of what it says that nothing else does.
    """
    count = used.count if used else 0
    frequency = min(1.0, 0.5 + 0.5 * math.log1p(count) / math.log1p(_OFTEN))
    fresh = 0.5 + 0.5 * _faded(used.last if used else record.created, now)
    return frequency * fresh * intensity(record) * uniqueness


def worth(record: Record, now: datetime) -> float:
    """Return what an episode is worth keeping: its importance x 0.95 to the days since."""
    return record.importance * _faded(record.created, now)


def _faded(when: str, now: datetime) -> float:
    return math.pow(_DECAY, age(when, now))


def age(when: str, now: datetime) -> float:
    """Return the days from *when* to *now*, 0 for what has no date or lies ahead."""
    try:
        return max(0.0, (now - moment(when)).total_seconds() / 86_400)
    except BadInput:
        return 0.0


def intensity(record: Record) -> float:
    """Return how strongly it is put, 0 to 1; see `importance`."""
    strength = min(1.0, 0.5 + 0.1 * len(_INTENSITY.findall(record.body)))
    return (record.importance + strength) / 2
