"""New memories that wait for their commit and are gone from disk: nobody meant to delete them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

from vaultmem.errors import DiskRefused, Refused, Unavailable
from vaultmem.storage import files, journal
from vaultmem.storage.commits.rested_edits import stashed
from vaultmem.storage.files import Root
from vaultmem.storage.git import Repository
from vaultmem.storage.journal import Write
from vaultmem.storage.ledger.entries import holds, memory_id


def find(root: Root, repository: Callable[[], Repository | None]) -> tuple[Write, ...]:
    """Return the writes of memories that are gone, and that git has not.

    Not of one that an operation of ours took away, or that a person moved or put aside: git is
    asked for its *repository* only where one is gone.
    """
    newest: dict[str, Write] = {}
    made: set[str] = set()
    taken: set[str] = set()
    # The newest first. Who commits what made a file and what took it is done with the first before
    # the second: read in the other order, what was taken might look like what was lost.
    for name in reversed(journal.names(root)):
        for write in reversed(journal.writes(root, name)):
            newest.setdefault(write.path, write)
            if write.new is None:
                taken.add(write.path)
            elif write.old is None and holds(write.path):
                made.add(write.path)
    lost = [newest[path] for path in sorted(made - taken) if _is_gone(root, path)]
    with contextlib.suppress(Unavailable):  # what ails git is said elsewhere
        kept = _kept_elsewhere(root, repository(), lost) if lost else frozenset()
        return tuple(w for w in lost if w.path not in kept)
    return ()


def _is_gone(root: Root, path: str) -> bool:
    with contextlib.suppress(Refused):
        return files.stamp(root, path) is None
    return False


def _kept_elsewhere(
    root: Root, repository: Repository | None, lost: Sequence[Write]
) -> frozenset[str]:
    """Return the paths of those of *lost* that a person has moved, or put aside."""
    if repository is None:
        return frozenset()
    there = [d.path for d in repository.unstaged() if d.kind == "untracked"]
    ids = {_id_at(root, path) for path in there if path.endswith(".md")}
    moved = frozenset(w.path for w in lost if memory_id(w.new or b"") in ids)
    return moved | stashed(repository, [w.path for w in lost])


def _id_at(root: Root, path: str) -> str:
    with contextlib.suppress(Refused, DiskRefused):
        found = files.read(root, path)
        return memory_id(found.data) if found else ""
    return ""
