"""Name the acknowledged memories that HEAD has not, where each stands, and the way back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from vaultmem.records import Problem
from vaultmem.storage import ledger
from vaultmem.storage.ledger import Missing
from vaultmem.storage.plan import Change
from vaultmem.storage.store import Store

CODE = "not-in-head"
_NAMED = 10
_ON_DISK = "only on disk"
_IN_HISTORY = "only in older commits"
_NOWHERE = "nowhere in git"
_WAYS = {
    _ON_DISK: "`vaultmem watch --once` commits it again",
    _IN_HISTORY: "`vaultmem fsck --repair` brings it back, `--accept-missing` lets it go",
    _NOWHERE: "bring it back from a clone or a backup, or let it go: `fsck --accept-missing`",
}
_BRANCH = "go back there, or merge it, or let `vaultmem fsck --repair` bring it here"


def briefly(store: Store) -> Iterator[Problem]:
    """Name what HEAD lacks, for `status`: a crowd that stands at one place is counted."""
    folders = (store.root.path, *store.root.path.parents)
    # Whether there is nothing to tell is known without git.
    if ledger.is_current(store.root.path) or not any((f / ".git").exists() for f in folders):
        return
    for place, some in _by_place(store, store.writer.missing()).items():
        if len(some) <= _NAMED:
            yield from (_problem(each, place) for each in some)
        else:
            message = f"{len(some)} acknowledged memories are not in HEAD; they are {place}"
            yield Problem(CODE, some[0].path, message, f"`vaultmem fsck` names each; {_way(place)}")


def each(store: Store) -> Iterator[Problem]:
    """Name every memory that HEAD lacks, for `fsck`: all of the ledger is compared."""
    for place, some in _by_place(store, store.writer.missing(whole=True)).items():
        yield from (_problem(one, place) for one in some)


def restored(store: Store) -> Iterator[Change]:
    """Yield what brings back those that stand in git alone, where nothing else took their place."""
    for memory in store.writer.missing(whole=True):
        there = store.read(memory.path) is not None
        text = None if there else store.writer.commits.text_of(memory)
        if text is not None:
            yield Change(memory.path, None, text, "it was missing from the history")


def _by_place(store: Store, missing: Sequence[Missing]) -> dict[str, list[Missing]]:
    found: dict[str, list[Missing]] = defaultdict(list)
    for memory in missing:
        found[_place(store, memory)].append(memory)
    return found


def _place(store: Store, memory: Missing) -> str:
    if store.writer.commits.is_here(memory):
        return _ON_DISK
    if memory.place:
        return f"on {memory.place}" if " " in memory.place else f"in {memory.place}"
    return _IN_HISTORY if store.writer.commits.text_of(memory) is not None else _NOWHERE


def _problem(memory: Missing, place: str) -> Problem:
    message = f"acknowledged, and not in HEAD: it is {place}"
    return Problem(CODE, memory.path, message, _way(place))


def _way(place: str) -> str:
    return _WAYS.get(place, _BRANCH)
