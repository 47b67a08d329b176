"""What was said lately in the sessions of an agent, to be compared with what it says now."""

from __future__ import annotations

from vaultmem.storage import transcripts
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Turn

_SESSIONS = 3
"""So many sessions, those that were written last, are looked through."""

_BYTES = 256 * 1024
"""What of the end of each is, so that nothing costs more the longer its agent lives."""


def of(store: Store, agent: str, *, but: str = "") -> list[Turn]:
    """Return the last turns of *agent*, of any where it is empty, without the transcript *but*."""
    return transcripts.newest(store.root, agent, sessions=_SESSIONS, most=_BYTES, but=but)
