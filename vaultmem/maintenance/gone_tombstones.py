"""Name the tombstones that were here and are not, and bring them back.

Deleted, renamed, or on another branch: without one, what it stands for may be remembered again.
"""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem.records import Problem
from vaultmem.storage import gone_tombstones, tombstone_ledger
from vaultmem.storage.gone_tombstones import GoneTombstone
from vaultmem.storage.plan import Change
from vaultmem.storage.store import Store

CODE = "tombstone-gone"
_NAMED = 10
_HERE = "this tombstone is gone, and what it stood for may be remembered again"
_THERE = "this tombstone is {}, not here; what it stands for is refused here all the same"
_WAY = "`vaultmem fsck --repair` brings it back, `--accept-missing` lets it go"


def briefly(store: Store) -> Iterator[Problem]:
    """Name them for `status`; a crowd is counted."""
    gone_tombstones.learn_staged(store)
    found = gone_tombstones.find(store)
    if len(found) <= _NAMED:
        yield from map(_problem, found)
    else:
        message = f"{len(found)} tombstones that were here are gone; `vaultmem fsck` names each"
        yield Problem(CODE, found[0].path, message, _WAY)


def each(store: Store) -> Iterator[Problem]:
    """Name every one, for `fsck`."""
    yield from map(_problem, gone_tombstones.find(store))


def _problem(it: GoneTombstone) -> Problem:
    return Problem(CODE, it.path, _THERE.format(it.place) if it.place else _HERE, _WAY)


def restored(store: Store) -> Iterator[Change]:
    """Yield what brings them back, where nothing else has their place."""
    for it in gone_tombstones.find(store):
        if store.is_gone(it.path):
            yield Change(it.path, None, it.text.encode(), "a tombstone that was here")


def let_go(store: Store) -> None:
    """Let go of all that are gone: a person takes back what was forgotten."""
    paths = [it.path for it in gone_tombstones.find(store)]
    tombstone_ledger.let_go(store.root.path, paths)
