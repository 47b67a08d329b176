"""Which text is accepted of a memory of which two lines of history each accepted another.

The merge of both says it, by the file that it has: so all who stand on that merge accept the same
one, whichever of the two they came to know first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from vaultmem.errors import Unavailable
from vaultmem.storage import accepted_text
from vaultmem.storage.accepted_text import AS_FIRST, UNLESS_KNOWN
from vaultmem.storage.git import PLAIN, Repository
from vaultmem.storage.git import Entry as Commit
from vaultmem.storage.ledger.entries import holds, memory_id
from vaultmem.storage.ledger.types import Entry, Line

Told = Callable[[str], Iterable[Line]]
"""Yields what the commits in a range tell, the oldest first."""

_TWO = 2


def joins(commit: Commit) -> bool:
    """Tell whether *commit* is a merge of two lines of history."""
    return len(commit.parents) == _TWO


def settled(repository: Repository, merge: Commit, told: Told) -> Iterator[Entry]:
    """Yield which text is accepted of the memories that both sides of *merge* accepted anew.

    No other text than one of these is: what a merge made of both waits for a person.
    """
    paths = _changed_twice(repository, merge)
    there = repository.blobs(merge.commit, paths) if paths else {}
    try:
        data = repository.contents(there.values())
    except Unavailable:  # a partial clone has them elsewhere
        return
    if not data:
        return
    base = repository.merge_base(*merge.parents)
    ours, theirs = (_accepted(told(f"{base}..{side}")) for side in merge.parents)
    for path, blob in there.items():
        memory = memory_id(data[blob.id])
        both = ours.get(memory, ""), theirs.get(memory, "")
        text = accepted_text.of(data[blob.id])
        if text and all(both) and both[0] != both[1]:
            said = next((it for it in (text.accepted, text.digest) if it in both), both[0])
            yield Entry(memory, path, "".join(merge.ops[:1]), said)


def _changed_twice(repository: Repository, merge: Commit) -> list[str]:
    """Return the memories that both sides of *merge* have, each with other bytes than before."""
    ours, theirs = merge.parents
    differ = {
        repository.inside(row.path): {row.old.id, row.new.id}
        for row in repository.between(ours, theirs)
        if row.path.startswith(repository.prefix)
        and row.old.mode in PLAIN and row.new.mode in PLAIN
        and holds(repository.inside(row.path))
    }  # fmt: skip
    base = repository.merge_base(ours, theirs) if differ else None
    if base is None:
        return []
    was = repository.blobs(base, [*differ])
    return [path for path, ids in differ.items() if path not in was or was[path].id not in ids]


def _accepted(lines: Iterable[Line]) -> dict[str, str]:
    """Return what *lines* accept last of each memory: the digest of a text, or AS_FIRST."""
    found: dict[str, str] = {}
    for line in lines:
        if isinstance(line, Entry) and line.text and not line.text.startswith(UNLESS_KNOWN):
            known = found.get(line.id, "")
            found[line.id] = accepted_text.known_after(line.text, known, AS_FIRST)
    return found
