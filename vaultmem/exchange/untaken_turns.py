"""The newest turns of a transcript that is too long to be taken in while somebody waits.

They are read from its end, to be shown and not to be kept: they come in once and in order, with
all that was said before them, when `spool.drain` takes the transcript in.
"""

from __future__ import annotations

from pathlib import Path

from vaultmem.exchange import spool
from vaultmem.exchange.formats import claude_code_tail
from vaultmem.exchange.importing import turns
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Turn

_BYTES = (256 << 10, 4 << 20)
"""How far from the end they are looked for, and how far where tools said nearly all of that."""

_ENOUGH = 10
"""Turns that people and the agent spoke."""


def newest(store: Store, transcript: Path, agent: str) -> tuple[Turn, ...]:
    """Return the newest turns of the *transcript*, as they would become *agent*'s.

    Raises BadInput for what is no readable file.
    """
    settings = spool.taking_in(store, agent)
    found: tuple[Turn, ...] = ()
    for most in _BYTES:
        reader = claude_code_tail.newest_of(most)
        found = turns.told(store, transcript, settings, reader)
        if sum(turn.role != "tool" for turn in found) >= _ENOUGH:
            break
    return found
