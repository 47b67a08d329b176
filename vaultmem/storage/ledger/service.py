"""Keep the ledger of a vault: what is acknowledged is written down, and held against HEAD."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from vaultmem.storage import accepted_text
from vaultmem.storage.git import Change, Repository
from vaultmem.storage.journal import Intent, Write
from vaultmem.storage.ledger import comparison, missing_cache
from vaultmem.storage.ledger.commit_records import ids_of
from vaultmem.storage.ledger.entries import Ledger, holds, memory_id
from vaultmem.storage.ledger.missing_cache import Comparison
from vaultmem.storage.ledger.types import Entry, Line, Record, Release

Places = Callable[[Collection[str]], Iterable[str]]
"""Tells which files are said to have one of some ids, without reading the vault."""

_DELETED = "human: delete"


def ledger_lines(write: Write, todo: Intent) -> Iterator[Line]:
    """Yield what it means for the ledger that *write*, a part of *todo*, is committed."""
    if write.at is not None or not holds(write.path):
        return
    if memory := memory_id(write.new or b""):
        was, now = (None if it is None else accepted_text.of(it) for it in (write.old, write.new))
        text = accepted_text.by_operation(todo.kind, was, now)
        yield Entry(memory, write.path, todo.op, text)
    elif write.new is None:
        yield Release(memory_id(write.old or b""), write.path, todo.kind)


class Acknowledged:
    """What was acknowledged of the vault at *vault*, whose history *repository* keeps."""

    def __init__(self, vault: Path, repository: Repository, places: Places) -> None:
        """Nothing is read before it is asked for; *places* tells where memories may lie, too."""
        self._vault, self._repository, self._places = vault, repository, places
        self._grown: list[tuple[int, int]] = []

    def compare(self, *, whole: bool = False) -> Comparison:
        """Return how it stands to HEAD; *whole* trusts no earlier look. Raises Unavailable."""
        self._grown.clear()
        with Ledger.of(self._vault) as ledger:
            return comparison.compare(ledger, self._repository, whole=whole)

    def accept_thrown(self) -> None:
        """Ask no more for what HEAD was seen on and git has not; raises Unavailable."""
        with Ledger.of(self._vault) as ledger:
            if (known := ledger.last_comparison) and known.thrown:
                ledger.stands(known._replace(thrown=()))

    def leave_pointers(self, state: str) -> None:
        """Look at no pointer again in this *state*, of `pointer_state`; raises Unavailable."""
        with Ledger.of(self._vault) as ledger:
            if known := ledger.last_comparison:
                ledger.stands(known._replace(stay=state))

    def add(self, lines: Iterable[Record]) -> None:
        """Write *lines* down, of what is committed; raises Unavailable."""
        if some := list(lines):
            with Ledger.of(self._vault) as ledger:
                comparison.complete(ledger, self._repository)
                before = ledger.size
                ledger.add(some)
                self._grown.append((before, ledger.size))

    def advance(self, commits: Sequence[tuple[str, str]]) -> None:
        """Note that HEAD has moved by *commits* of ours alone, which hold all that was added.

        Each stands behind its parent, "" where it has two. Where anybody else moved HEAD or added
        something, or these may hold what had left HEAD, both are compared: what is not written
        down here could leave HEAD unseen. Raises Unavailable.
        """
        with Ledger.of(self._vault) as ledger:
            known, grown = ledger.last_comparison, self._grown
            ends = [(0, known.size if known else -1), *grown, (ledger.size, ledger.size)]
            alone = all(one[1] == other[0] for one, other in pairwise(ends))
            heads = [known.head if known else "", *(commit for _, commit in commits)]
            in_line = heads[:-1] == [parent for parent, _ in commits]
            if known and not (known.left or known.pointers) and alone and in_line:
                taken = comparison.taken(ledger, known)
                ledger.stands(known._replace(head=heads[-1], size=ledger.size, taken=taken))
            else:
                comparison.compare(ledger, self._repository)
        grown.clear()

    def release(self, ids: Collection[str], why: str) -> None:
        """Record that the memories with *ids* are no longer acknowledged; raises Unavailable."""
        self.add(Release(memory, "", why) for memory in ids)

    def edited(self, changes: Sequence[Change]) -> list[Line]:
        """Return what it means that *changes*, a person's, are committed; ask before they are.

        A memory that they deleted is released, and so is one that they moved another onto, not
        copied: by that it is missing. One that they moved is known by its new path: in this commit,
        or in one of their own before. So is one of which they kept a copy.
        """
        now = {change.path: change.data for change in changes if holds(change.path)}
        had = self._repository.in_head([*now])
        ids = ids_of(self._repository, had.values())
        here = {path: memory_id(now[path] or b"") for path in had}
        had = {path: blob for path, blob in had.items()
               if now[path] is None or here[path] not in {"", ids.get(blob.id)}}  # fmt: skip
        if not had:
            return []
        came = {memory_id(c.data): c.path for c in changes if c.data is not None}
        with Ledger.of(self._vault) as ledger:
            entries = ledger.entries({*ids.values(), *here.values()})
        # By an id that nobody acknowledged it was edited, and is named for that.
        moved_onto = entries.keys() & {ids.get(blob.id) for blob in had.values()}
        gone = {path: blob for path, blob in had.items()
                if now[path] is None or here[path] in moved_onto}  # fmt: skip
        # A memory has its id in its bytes: no other file has the same.
        others = self._repository.files("HEAD").items() if entries.keys() - came.keys() else ()
        moved = {blob.id: path for path, blob in others if path not in gone}
        copies = self._copies(entries.keys() - came.keys(), gone)
        lines: list[Line] = []
        for path, blob in gone.items():
            memory = ids.get(blob.id, "")
            there = came.get(memory) or moved.get(blob.id) or copies.get(memory)
            if there and memory in entries:
                lines.append(entries[memory]._replace(path=there))
            elif memory:
                lines.append(Release(memory, "" if here[path] else path, _DELETED))
        return lines

    def _copies(self, memories: Collection[str], gone: Collection[str]) -> dict[str, str]:
        """Return which other file HEAD has with the id of each of *memories*, but those *gone*.

        A person may have changed it: two files with one id stand until they delete one.
        """
        places = self._places(memories) if memories else ()
        there = self._repository.in_head([path for path in places if path not in gone])
        ids = ids_of(self._repository, there.values())
        named = {ids.get(blob.id, ""): path for path, blob in there.items()}
        return {memory: path for memory, path in named.items() if memory in memories}


def purge(vault: Path, refs: Collection[str], commits: Mapping[str, str]) -> None:
    """Take every word of what has *refs*, ids or paths, out of the ledger.

    *commits* have other ids since, by which they are answered for.
    """
    if missing_cache.size(vault) >= 0:
        with Ledger.of(vault) as ledger:
            ledger.cut(refs, commits)
