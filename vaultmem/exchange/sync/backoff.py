"""How long to wait before the next try: longer after each failure, on no two machines alike.

Who lost a race waits a random share of a time that doubles ("full jitter", Marc Brooker,
"Exponential Backoff And Jitter", AWS Architecture Blog, 2015): machines that began together
would else meet again at every try. Time and chance are arguments.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

LONGEST_RACE = 30.0
"""Seconds that one sync waits at most between two of its rounds."""
_FIRST, _LONGEST = 30.0, 600.0


@dataclass(frozen=True, slots=True)
class Pace:
    """The time and the chance of whoever tries again; *chance* is a number from 0 to 1."""

    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random


def after_race(lost: int, took: float, chance: float) -> float:
    """Return the seconds to wait for who lost *lost* races, of which the last *took* so many.

    A race is what lies between asking what a remote has and giving ours; as many machines as race
    fit into a time that is as many races long.
    """
    return chance * min(took * 2.0**lost, LONGEST_RACE)


def after_failure(failures: int, chance: float) -> float:
    """Return the seconds until the next sync after so many *failures* in a row, half by chance."""
    return min(_FIRST * 2.0 ** (failures - 1), _LONGEST) * (1 + chance) / 2
