"""Open a store with what it asks of those above it, each loaded when it is first asked."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.records import Clock, Record, utc_now
from vaultmem.storage import daemon_lock
from vaultmem.storage.index import file_queries
from vaultmem.storage.store import Running, none_runs, open_store
from vaultmem.storage.ulids import Entropy

if TYPE_CHECKING:
    from vaultmem.storage.commits.rested_edits import Laid
    from vaultmem.storage.hidden_texts import Lines
    from vaultmem.storage.hidden_words import HiddenWords
    from vaultmem.storage.store import Store
    from vaultmem.storage.transcripts import Transcript

_FEW = 2000
"""So many files are looked at sooner than a daemon is asked whether it has."""


def opened(
    path: Path, clock: Clock = utc_now, random: Entropy = os.urandom, running: Running = none_runs
) -> Store:
    """Open the vault whose folder is *path*; raises CannotOpen, BadInput or TooNew.

    *running* tells what is said in sessions that run.
    """
    store = open_store(path, clock, random, running, _unborne, _compared, _told)
    store.index.is_current = lambda: _is_current(store)
    return store


def _unborne(store: Store, hidden: HiddenWords) -> Lines:
    """Return the lines that no source bears out beside the *hidden* words: few vaults have any."""
    from vaultmem.maintenance.provenance import hidden_sources  # noqa: PLC0415  # as said above

    return hidden_sources.unborne(store, hidden)


def _compared(store: Store, laid: Laid) -> Callable[[], None]:
    """Return what marks those of the *laid* files that have a tool's words."""
    from vaultmem.memory import adopt  # noqa: PLC0415  # as said above

    return adopt.compared(store, laid)


def _told(transcript: Transcript, first: int) -> Iterable[Record]:
    """Return the turns of *transcript* that may be told, from number *first* on."""
    from vaultmem.memory.folding import recalled_turns  # noqa: PLC0415  # as said above

    return recalled_turns.records(transcript, first)


def _is_current(store: Store) -> bool:
    """Tell whether a daemon says that the index equals the files now: most vaults have none."""
    has_many = file_queries.has_at_least(store.index, _FEW)
    if not has_many or not daemon_lock.present(store.root.path):
        return False
    from vaultmem.retrieval import daemon_client  # noqa: PLC0415  # as said above

    return daemon_client.is_current(store.root.path, store.index.inode)
