"""Try again what may succeed the next time, and leave alone for a while what was given up on."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from vaultmem.errors import ModelAway
from vaultmem.models.providers import Model, Reply, Request

_T = TypeVar("_T")

_TRIES = 3
_FIRST_GAP = 0.5
_LONGEST_GAP = 10.0
"""The most seconds between two tries, whatever the provider asks for."""
_REST = 60.0


@dataclass(frozen=True, slots=True)
class Pace:
    """Where time and chance come from: the wait, the clock (seconds), a number from 0 to 1."""

    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    chance: Callable[[], float] = random.random


class Patience:
    """Asks up to *tries* times, and whoever was given up on no more for *rest* seconds.

    The rest is for a catch-up of a hundred texts, which must not wait a hundred times. A fault that
    lies in one request brings no rest.
    """

    def __init__(
        self,
        pace: Pace,
        rest: float,
        tries: int = _TRIES,
        tell: Callable[[ModelAway, float], None] = lambda _fault, _seconds: None,
    ) -> None:
        """Wait and tell the time by *pace*; *tell* hears of each fault that is waited out."""
        self._pace, self._rest, self._tries, self._tell = pace, rest, tries, tell
        self._given_up: tuple[float, ModelAway] | None = None

    def ask(self, once: Callable[[], _T]) -> _T:
        """Return what *once* does; raises its ModelAway when it was given up on, or rests."""
        self._check_rest()
        try:
            return self._try(once)
        except ModelAway as e:
            if e.lasting:
                self._given_up = (self._pace.clock() + self._rest, e)
            raise

    def _try(self, once: Callable[[], _T]) -> _T:
        for attempt in range(self._tries - 1):
            try:
                return once()
            except ModelAway as e:
                if not e.retryable:
                    raise
                seconds = gap(attempt, e.after, self._pace.chance())
                self._tell(e, seconds)
                self._pace.sleep(seconds)
        return once()

    def _check_rest(self) -> None:
        if self._given_up is None:
            return
        until, fault = self._given_up
        left = until - self._pace.clock()
        if left <= 0:
            self._given_up = None
            return
        raise ModelAway(fault.name, f"{fault.why}; not asked again for {left:.0f} s")


class RetryingModel:
    """A Model that asks another with patience: three tries, then a minute's rest."""

    def __init__(self, inner: Model, pace: Pace | None = None, rest: float = _REST) -> None:
        """Wrap *inner*."""
        self.name, self.model = inner.name, inner.model
        self._inner, self._patience = inner, Patience(pace or Pace(), rest)

    def complete(self, request: Request) -> Reply:
        """Answer *request*; raises ModelAway when it was given up on, or rests."""
        return self._patience.ask(lambda: self._inner.complete(request))


def gap(attempt: int, after: float | None, chance: float) -> float:
    """Return the seconds to wait after *attempt* (from 0) failed.

    What the provider asked for (*after*), else twice as long each time, less up to half by
    *chance*, so that those who failed together do not come back together.
    """
    if after is not None:
        return min(after, _LONGEST_GAP)
    return min(_FIRST_GAP * (1 << attempt), _LONGEST_GAP) * (1 - chance / 2)
