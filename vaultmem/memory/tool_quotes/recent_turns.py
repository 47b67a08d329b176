"""What was said lately in the sessions of an agent, to be compared with what it says now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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


def newest(turns: Sequence[Turn]) -> list[Turn]:
    """Return the last of *turns*, as much as is looked through of a session."""
    kept, room = list[Turn](), _BYTES
    for turn in reversed(turns):
        if room <= 0:
            break
        kept.append(replace(turn, content=turn.content[:room]))
        room -= len(turn.content)
    return kept[::-1]
