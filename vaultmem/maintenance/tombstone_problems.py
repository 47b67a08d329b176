"""Name the tombstones that were here and are not, or not as they were, and bring them back.

Deleted, renamed, altered, or on another branch: without one, what it stands for may be remembered
again.
"""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem.maintenance import crowds
from vaultmem.records import Problem
from vaultmem.storage import gone_tombstones, reader, tombstone_ledger, tombstones
from vaultmem.storage.plan import Change
from vaultmem.storage.store import Store
from vaultmem.storage.tombstone_ledger import Noted

CODE = "tombstone-gone"
_CROWD = "tombstones that were here are gone; `vaultmem fsck` names each"
_HERE = "this tombstone is gone, and what it stood for may be remembered again"
_THERE = "this tombstone is {}, not here; what it stands for is refused here all the same"
_WAY = "`vaultmem fsck --repair` brings it back, `vaultmem fsck --accept-missing` lets it go"
_ALTERED = "a tombstone with another salt or other hashes than it had"
_BACK = "`vaultmem fsck --repair` brings it back; nothing new is taken in until then"


def briefly(store: Store) -> Iterator[Problem]:
    """Name them for `status`; a crowd of those that are gone is counted."""
    known = gone_tombstones.learn_staged(store)
    yield from crowds.briefly(tuple(_gone(store, known)), _CROWD, _WAY)
    yield from _altered(store, known)


def each(store: Store) -> Iterator[Problem]:
    """Name every one, for `fsck`."""
    known = gone_tombstones.learn_once(store)
    yield from _gone(store, known)
    yield from _altered(store, known)


def _gone(store: Store, known: Noted) -> Iterator[Problem]:
    for it in gone_tombstones.find(store, known):
        yield Problem(CODE, it.path, _THERE.format(it.place) if it.place else _HERE, _WAY)


def _altered(store: Store, known: Noted) -> Iterator[Problem]:
    for path in tombstones.altered(store, known):
        yield Problem(reader.TOMBSTONE, path, _ALTERED, _BACK)


def restored(store: Store) -> Iterator[Change]:
    """Yield what brings them back, where nothing else has their place."""
    known = gone_tombstones.learn_once(store)
    for it in gone_tombstones.find(store, known):
        if store.is_gone(it.path):
            yield Change(it.path, None, it.text.encode(), "a tombstone that was here")
    for path in tombstones.altered(store, known):
        whole = known.seen[path].encode()
        yield Change(path, store.read(path), whole, "a tombstone that was altered, as it was")


def let_go(store: Store) -> None:
    """Let go of all that are gone: a person takes back what was forgotten."""
    paths = [it.path for it in gone_tombstones.find(store, gone_tombstones.learn_once(store))]
    tombstone_ledger.let_go(store.root.path, paths)
