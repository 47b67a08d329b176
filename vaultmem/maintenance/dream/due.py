"""How a vault stands: the dreams it had, what came since, and whether it is time for the next."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from vaultmem.maintenance import history
from vaultmem.maintenance.dream import inbox
from vaultmem.maintenance.dream import log as dream_log
from vaultmem.maintenance.dream.gates import Gates, GateState, shut
from vaultmem.maintenance.dream.inbox import Looks
from vaultmem.maintenance.dream.log import Dreamt
from vaultmem.records import iso
from vaultmem.storage import transcripts
from vaultmem.storage.index import session_queries
from vaultmem.storage.store import Store


def too_soon(store: Store, gates: Gates) -> str:
    """Return why it is not time to dream; note that it was looked at."""
    looks, now = inbox.looks(store), store.clock()
    why = shut(gates, _state(store, looks, now))
    if not _throttled(gates, looks, now):
        inbox.note_look(store, replace(looks, looked=iso(now)))
    return why


def dreams(store: Store) -> tuple[Dreamt, ...]:
    """Return the dreams that were applied, newest first; none where nothing tells of them."""
    if store.writer.repository is None:
        return ()
    return dream_log.dreams(history.operations(store, None))


def _throttled(gates: Gates, looks: Looks, now: datetime) -> bool:
    asked = replace(gates, enabled=True, hours=0, sessions=0)
    return bool(shut(asked, GateState(now, None, inbox.at(looks.looked))))


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
    said = session_queries.sessions_since(store.index, since)
    for agent in store.agents():
        for transcript in transcripts.of(store.root, agent):
            if transcript.turns and transcript.turns[-1].at > since:
                said.add((agent, transcript.session))
    return len(said)
