"""Decide whether it is time to dream unbidden: all gates must be open for how a vault stands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from vaultmem.maintenance import history
from vaultmem.maintenance.dream import inbox
from vaultmem.maintenance.dream import log as dream_log
from vaultmem.maintenance.dream.inbox import Looks
from vaultmem.maintenance.dream.log import Dreamt
from vaultmem.records import iso
from vaultmem.storage import transcripts
from vaultmem.storage.index import session_queries
from vaultmem.storage.store import Store


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


# --- how a vault stands -------------------------------------------------------------------------


def too_soon(store: Store, gates: Gates) -> str:
    """Return why it is not time to dream; note that it was looked at."""
    looks, now = inbox.looks(store), store.clock()
    why = shut(gates, _state(store, looks, now))
    throttle = replace(gates, enabled=True, hours=0, sessions=0)
    if not shut(throttle, GateState(now, None, inbox.at(looks.looked))):
        inbox.note_look(store, replace(looks, looked=iso(now)))
    return why


def dreams(store: Store) -> tuple[Dreamt, ...]:
    """Return the dreams that were applied, newest first; none where nothing tells of them."""
    if store.writer.repository is None:
        return ()
    return dream_log.dreams(history.operations(store, None))


def _state(store: Store, looks: Looks, now: datetime) -> GateState:
    repository = store.writer.repository
    last = next(iter(dreams(store)), None)
    since = max(last.when if last else "", looks.planned)
    return GateState(
        now=now,
        dreamt=inbox.at(since),
        looked=inbox.at(looks.looked),
        blocked=(repository.blocked() or "") if repository else "",
        news=_has_news(store, last, since),
        sessions=_sessions_since(store, since),
    )


def _has_news(store: Store, last: Dreamt | None, since: str) -> bool:
    """Tell whether anything came since the last dream: a memory, or a commit of whoever."""
    if session_queries.has_news(store.index, since):
        return True
    if last is None or store.writer.repository is None:
        return not since
    quiet = ("undo: ", dream_log.SUBJECT, "plan a dream", "review a dream")
    later = store.writer.repository.log(None, since=last.commit)
    return any(not entry.subject.startswith(quiet) for entry in later)


def _sessions_since(store: Store, since: str) -> int:
    """Return how many sessions said something new; what was said outside of one counts by day."""
    sessions = session_queries.sessions_since(store.index, since)
    for agent in store.agents():
        for transcript in transcripts.of(store.root, agent):
            if transcript.turns and transcript.turns[-1].at > since:
                sessions.add((agent, transcript.session))
    return len(sessions)
