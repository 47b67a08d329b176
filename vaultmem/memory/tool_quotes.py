"""Whether what an agent wants to keep is its own word, or that of a tool which it has just used.

Asked of whatever an agent brings: its sessions hold what its tools answered.
"""

from __future__ import annotations

from vaultmem.documents import public_text
from vaultmem.memory.folding import quotes
from vaultmem.storage import transcripts
from vaultmem.storage.store import Store

_SESSIONS = 3
"""So many sessions, those that were written last, are looked through."""

_BYTES = 256 * 1024
"""What of the end of each is, so that no memory costs more the longer its agent lives."""


def tool_of(store: Store, agent: str, *texts: str) -> str:
    """Return the tool that *agent* used lately and one of *texts* quotes, "" where none does."""
    turns = transcripts.newest(store.root, agent, sessions=_SESSIONS, most=_BYTES)
    if not any(turn.role == "tool" for turn in turns):
        return ""
    found = (quotes.quoted(turns, text) for text in texts)
    return public_text.shown(next(filter(None, found), ""))
