"""What models may cost: calls an hour and tokens a day, counted across processes and threads.

Counted before the call, put right after it. The ledger `spent.json` holds calls and tokens by the
minute; the windows slide. Time in it never lies ahead: what was spent in a future that a clock
took back was spent just now, so that a clock can neither open a budget nor lock it for long.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from vaultmem.errors import DiskRefused, ModelAway, OverBudget, disk_errors
from vaultmem.models.providers import Model, Reply, Request
from vaultmem.records import Clock
from vaultmem.storage import file_lock
from vaultmem.storage.files import private_file

FILE = "spent.json"
_LOCK = "spent.lock"
_HOUR, _DAY = 60, 24 * 60
_MOST_BYTES = 1 << 20
_FAR_OFF = 10

Minutes = dict[int, tuple[int, int]]
"""Calls and tokens by the minute, counted from 1970."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How many calls any hour and how many tokens any day may see; 0 is none at all."""

    calls_per_hour: int
    tokens_per_day: int


@dataclass(frozen=True, slots=True)
class Spent:
    """The calls of the last hour and the tokens of the last day."""

    calls: int
    tokens: int


def spent(path: Path, now: datetime) -> Spent:
    """Return what the ledger at *path* says is spent by *now*; a torn one says nothing is."""
    return _sum(_load(path, _minute(now)), _minute(now))


def cost(request: Request) -> int:
    """Return the most tokens that *request* is estimated to cost."""
    from vaultmem.documents import tokens  # noqa: PLC0415  # `status` only reads the ledger

    shown = request.system + request.prompt + request.schema
    return tokens.estimate(shown) + request.most_tokens


def believed(count: int, most: int) -> int:
    """Return how many tokens are believed of a provider who says *count*, *most* being expected.

    An estimate may be far off; one slip of a provider must not spend the budget of a day.
    """
    return max(0, min(count, _FAR_OFF * most))


class Budgeted:
    """A Model that asks another within *limits*; *folder* is the vault's `.vaultmem`."""

    def __init__(self, inner: Model, folder: Path, clock: Clock, limits: Limits) -> None:
        """Wrap *inner*."""
        self.name, self.model = inner.name, inner.model
        self._inner, self._folder, self._clock, self._limits = inner, folder, clock, limits

    def complete(self, request: Request) -> Reply:
        """Answer *request*; raises OverBudget before a call that is not allowed.

        A call that fails counts as a call. So does one that is killed, with all it might have cost.
        """
        most = cost(request)
        at = self._reserve(most)
        try:
            reply = self._inner.complete(request)
        except ModelAway:
            self._record_usage(at, -most)
            raise
        self._record_usage(at, believed(reply.input_tokens + reply.output_tokens, most) - most)
        return reply

    def _reserve(self, most: int) -> int:
        with self._ledger() as (minutes, now):
            _check(_sum(minutes, now), most, self._limits)
            _add(minutes, now, 1, most)
        return now

    def _record_usage(self, at: int, more: int) -> None:
        # A reply is there and was paid for: when this cannot be noted, what was put aside stays so.
        with contextlib.suppress(DiskRefused), self._ledger() as (minutes, now):
            _add(minutes, min(at, now), 0, more)

    @contextlib.contextmanager
    def _ledger(self) -> Iterator[tuple[Minutes, int]]:
        """Yield the ledger to be changed, alone with it; what cannot be counted is not spent."""
        path = self._folder / FILE
        with contextlib.ExitStack() as stack:
            stack.enter_context(disk_errors(path, below=True))
            # A file of its own: the ledger is replaced, its lock never.
            lock = private_file.folder(self._folder) / _LOCK
            stack.enter_context(file_lock.locked(lock))
            now = _minute(self._clock())
            minutes = _load(path, now)
            try:
                yield minutes, now
            finally:
                # Also when nothing was spent: what lay ahead is dated now, once.
                kept = {str(at): both for at, both in sorted(minutes.items())}
                private_file.write(path, json.dumps({"minutes": kept}).encode())


def _check(so_far: Spent, most: int, limits: Limits) -> None:
    if so_far.calls + 1 > limits.calls_per_hour:
        raise OverBudget("max_llm_calls_per_hour", so_far.calls, limits.calls_per_hour)
    if so_far.tokens + most > limits.tokens_per_day:
        raise OverBudget("max_tokens_per_day", so_far.tokens, limits.tokens_per_day)


def _minute(now: datetime) -> int:
    return int(now.timestamp()) // 60


def _sum(minutes: Minutes, now: int) -> Spent:
    calls = sum(c for at, (c, _) in minutes.items() if at >= now - _HOUR)
    return Spent(calls, sum(t for _, t in minutes.values()))


def _add(minutes: Minutes, at: int, calls: int, more: int) -> None:
    before = minutes.get(at, (0, 0))
    minutes[at] = (before[0] + calls, max(before[1] + more, 0))


def _load(path: Path, now: int) -> Minutes:
    """Return the last day of the ledger, as of minute *now*; nothing when it is torn."""
    found: Minutes = {}
    for at, calls, count in _entries(private_file.read(path)):
        if at >= now - _DAY:
            when = min(at, now)
            before = found.get(when, (0, 0))
            found[when] = (before[0] + calls, before[1] + count)
    return found


def _entries(data: bytes) -> list[tuple[int, int, int]]:
    try:
        raw = json.loads(data[:_MOST_BYTES])
        return [(int(at), _count(c), _count(t)) for at, (c, t) in raw["minutes"].items()]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return []


def _count(raw: object) -> int:
    if not isinstance(raw, int) or raw < 0:
        raise ValueError("no count")
    return raw
