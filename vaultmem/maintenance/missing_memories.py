"""Name the acknowledged memories that HEAD has not, where each stands, and the way back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from vaultmem.errors import DiskRefused
from vaultmem.maintenance import crowds, repeated_memories
from vaultmem.records import Problem, Record
from vaultmem.storage import files, git_state_files, ledger, tombstones
from vaultmem.storage.ledger import Missing
from vaultmem.storage.ledger.entries import memory_id
from vaultmem.storage.plan import Change
from vaultmem.storage.store import Store
from vaultmem.storage.tombstones import Tombstone, Tombstones

CODE = "not-in-head"
ON_DISK = "only on disk"
IN_HISTORY = "only in older commits"
NOWHERE = "nowhere in git"
_LET_GO = "`vaultmem fsck --accept-missing`"
_FORGOTTEN = "forgotten"
_AGAIN = "only in older commits, and here again under another id, remembered or imported since"
_PARTLY = "elsewhere in git, and a sentence of it was forgotten"
_WAYS = {
    ON_DISK: "`vaultmem watch --once` commits it again",
    IN_HISTORY: f"`vaultmem fsck --repair` brings it back, {_LET_GO} lets it go",
    _AGAIN: f"{_LET_GO} lets the old one go; no command brings it back beside the other",
    _PARTLY: f"{_LET_GO} lets it go; no command brings it back",
    NOWHERE: f"bring it back from a clone or a backup, or let it go: {_LET_GO}",
}
_UNTOLD = "whether HEAD lacks a memory is not known, and commits wait"
_READABLE = "make it readable, or move it away: it is made anew from what was committed"
_FORGET_THERE = f"forget it there, or let it go: {_LET_GO}"
BRANCH = "go back there, or merge it, or let `vaultmem fsck --repair` bring it here"


def briefly(store: Store) -> Iterator[Problem]:
    """Name what HEAD lacks, for `status`: a crowd that stands at one place is counted."""
    yield from _untold(store)
    if is_nothing_lost(store):
        return
    for place, some in _by_place(store, store.writer.missing()).items():
        crowd = f"acknowledged memories are not in HEAD; they are {place}"
        found = tuple(_problem(one, place) for one in some)
        yield from crowds.briefly(found, crowd, f"{crowds.EACH}; {_way(place)}")


def is_nothing_lost(store: Store) -> bool:
    """Tell whether HEAD is known to have all that was acknowledged, without asking git."""
    vault = store.root.path
    return ledger.is_current(vault) or git_state_files.git_dir(vault) is None


def each(store: Store) -> Iterator[Problem]:
    """Name every memory that HEAD lacks, for `fsck`: all of the ledger is compared."""
    yield from _untold(store)
    for place, some in _by_place(store, store.writer.missing(whole=True)).items():
        yield from (_problem(one, place) for one in some)


def _untold(store: Store) -> Iterator[Problem]:
    """Say so where nobody can tell what was acknowledged."""
    if why := ledger.fault(store.root.path):
        yield Problem("ledger", ledger.ENTRIES, f"{why}: {_UNTOLD}", _READABLE)


def restored(store: Store) -> Iterator[Change]:
    """Yield what brings back those that stand in git alone, where nothing else took their place.

    Not what says something that was forgotten, nothing while a tombstone cannot be read; nor what
    is here again under another id.
    """
    missing = store.writer.missing(whole=True)
    try:
        known = tombstones.load(store) if missing else Tombstones()
    except DiskRefused:
        return
    for memory in missing:
        path = _free(store, memory)
        text = store.writer.commits.text_of(memory) if path else None
        if path is None or text is None:
            continue
        said = _record(store, memory, text)
        if not (_forgotten(store, known, said) or _again(store, memory, said)):
            yield Change(path, None, text, "it was missing from the history")


def _free(store: Store, memory: Missing) -> str | None:
    """Return where *memory* can be brought back: its place, or beside another that took it."""
    there = store.texts.read(memory.path)
    if there is None:
        return memory.path
    other = memory_id(there)
    beside = f"{memory.path.removesuffix('.md')}-{memory.id.lower()}.md"
    is_taken = other not in {"", memory.id} and store.index.known_ids([other])
    return beside if is_taken and store.texts.read(beside) is None else None


def lost_with(store: Store, going: Sequence[Tombstone]) -> Iterator[Problem]:
    """Name what a purge of *going* would take out of git besides.

    That is what older commits alone have, which go, and what elsewhere says a part of it.
    """
    missing = store.writer.missing(whole=True)
    known = Tombstones((*tombstones.readable(store).all, *going)) if missing else Tombstones()
    for memory in missing:
        text = store.writer.commits.text_of(memory)
        if text is None or store.writer.commits.is_here(memory):
            continue
        said = _record(store, memory, text)
        if _forgotten(store, known, said) == _FORGOTTEN:
            continue
        if _forgotten(store, Tombstones((*going,)), said):
            yield Problem(CODE, memory.path, f"says a part of it, {_where(memory)}", _FORGET_THERE)
        elif not memory.place:
            yield _problem(memory, IN_HISTORY)


def _where(memory: Missing) -> str:
    if not memory.place:
        return IN_HISTORY
    return f"on {memory.place}" if " " in memory.place else f"in {memory.place}"


def release_forgotten(store: Store) -> None:
    """Answer no more for what is missing, and was forgotten in a file without its id."""
    places = _by_place(store, store.writer.missing(), with_forgotten=True)
    if gone := [memory.id for memory in places.get(_FORGOTTEN, ())]:
        store.writer.commits.acknowledged.release(gone, "forgotten")


def _by_place(
    store: Store, missing: Sequence[Missing], *, with_forgotten: bool = False
) -> dict[str, list[Missing]]:
    found: dict[str, list[Missing]] = defaultdict(list)
    known = tombstones.readable(store) if missing else Tombstones()
    for memory in missing:
        found[_place(store, memory, known)].append(memory)
    if not with_forgotten:
        found.pop(_FORGOTTEN, None)
    return found


def _place(store: Store, memory: Missing, known: Tombstones) -> str:
    if store.writer.commits.is_here(memory):
        return ON_DISK
    text = None if memory.place and not known.all else store.writer.commits.text_of(memory)
    if text is not None:
        said = _record(store, memory, text)
        if why := _forgotten(store, known, said) or _again(store, memory, said):
            return why
    return _where(memory) if memory.place or text is not None else NOWHERE


def _record(store: Store, memory: Missing, text: bytes) -> Record:
    return store.texts.record(memory.path, files.content(text))


def _forgotten(store: Store, every: Tombstones, said: Record) -> str:
    """Return how much of what a memory *said* was forgotten, "" for nothing."""
    known = every.of_speaker(said.speaker, store.config().owner) if every.all else every
    if known.of(said.body, agent=said.agent, origin=said.origin):
        return _FORGOTTEN
    return _PARTLY if next(tombstones.stretches(said.body, known.all), None) else ""


def _again(store: Store, memory: Missing, said: Record) -> str:
    """Return that what a memory *said* is here again, "" where not; nor of one on a branch."""
    return _AGAIN if not memory.place and repeated_memories.find(store, [said]) else ""


def _problem(memory: Missing, place: str) -> Problem:
    message = f"acknowledged, and not in HEAD: it is {place}"
    return Problem(CODE, memory.path, message, _way(place))


def _way(place: str) -> str:
    return _WAYS.get(place, BRANCH)
