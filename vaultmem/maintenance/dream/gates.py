"""Decide whether it is time to dream unbidden: all gates must be open."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class Gates:
    """When a vault dreams by itself: so long, and so many sessions, after it dreamt last."""

    enabled: bool = True
    hours: int = 24
    sessions: int = 5
    throttle_minutes: int = 10


@dataclass(frozen=True, slots=True)
class GateState:
    """How a vault stands: when it dreamt and was looked at last, None for never, and what is new.

    *blocked* says why git would let a commit wait, "" when it would not.
    """

    now: datetime
    dreamt: datetime | None
    looked: datetime | None
    blocked: str = ""
    news: bool = True
    sessions: int = 0


def shut(gates: Gates, stands: GateState) -> str:
    """Return which gate is shut and why, in a clause; "" when it is time."""
    throttle = timedelta(minutes=gates.throttle_minutes)
    closed = {
        "dreams are switched off in the config": not gates.enabled,
        f"git is busy: {stands.blocked}": bool(stands.blocked),
        f"it was checked within the last {gates.throttle_minutes} minutes": _within(
            stands.looked, stands.now, throttle
        ),
        "nothing is new since the last dream": not stands.news,
        f"the last dream was less than {gates.hours} hours ago": _within(
            stands.dreamt, stands.now, timedelta(hours=gates.hours)
        ),
        f"{stands.sessions} of {gates.sessions} sessions are new since the last dream": (
            stands.sessions < gates.sessions
        ),
    }
    return next((why for why, is_shut in closed.items() if is_shut), "")


def _within(when: datetime | None, now: datetime, span: timedelta) -> bool:
    # A time that lies ahead was written by a clock that was put back: it keeps nobody waiting.
    return when is not None and timedelta(0) <= now - when < span
