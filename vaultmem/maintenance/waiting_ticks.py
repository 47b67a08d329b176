"""What people ticked in the inbox and no round can do yet: named, and in nothing else's way."""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem.knowledge.cards import Cards
from vaultmem.knowledge.review import Reviews
from vaultmem.records import Problem
from vaultmem.storage.store import Store


def problems(store: Store) -> Iterator[Problem]:
    """Name the notes with a ticked box that waits, and why."""
    yield from Cards(store).ticks_that_wait()
    yield from Reviews(store).ticks_that_wait()
