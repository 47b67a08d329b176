"""What a session holds that no episode tells of yet, as the index knows it."""

from __future__ import annotations

from vaultmem.memory.folding import due
from vaultmem.storage.index import session_queries
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Transcript


def is_due(store: Store, transcript: Transcript) -> bool:
    """Tell whether turns of a session that is spoken in now, or just ended, are to be folded."""
    return bool(due.stretches(of(store, transcript, newest=transcript.path), store.config()))


def of(store: Store, transcript: Transcript, *, newest: str, force: bool = False) -> due.Held:
    """Return what a session of the agent holds whose newest one lies at the path *newest*.

    With *force* it is as if it were over.
    """
    episodes = session_queries.episodes(
        store.index, transcript.agent, transcript.session, body=False
    )
    is_newest = transcript.path == newest
    over = force or due.over(transcript.turns, newest=is_newest, now=store.clock())
    parts = tuple(due.Folded(e.turn_start, e.turn_end) for e in episodes)
    return due.Held(transcript.session, transcript.turns, parts, over)
