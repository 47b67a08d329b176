"""What is lost unless we bring it back: before its commit, or, a memory, out of HEAD after it.

Nobody meant to delete them: a person's git, or some cleaning, took them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence

from vaultmem.documents import public_text
from vaultmem.errors import DiskRefused, Refused, Unavailable
from vaultmem.storage import files, git, journal
from vaultmem.storage.commits.cut_files import Growing
from vaultmem.storage.commits.rested_edits import stashed
from vaultmem.storage.files import Root
from vaultmem.storage.git import Repository
from vaultmem.storage.journal import Write
from vaultmem.storage.ledger import Missing, standing
from vaultmem.storage.ledger.entries import holds, memory_id


def cleaned_away(root: Root, repository: Callable[[], Repository | None]) -> tuple[Write, ...]:
    """Return the writes of memories that are gone, and that git has not; and of ends cut off.

    Not of a memory that an operation of ours took away, or that a person moved or put aside: git is
    asked for its *repository* only where one is gone.
    """
    growing = Growing(root)
    lost = _gone(root, growing)
    cut = tuple(growing.cut_off())
    with contextlib.suppress(Unavailable):  # what ails git is said elsewhere
        kept = _kept_elsewhere(root, repository(), lost) if lost else frozenset()
        return (*(w for w in lost if w.path not in kept), *cut)
    return cut


def put_aside(root: Root, repository: Callable[[], Repository | None]) -> dict[str, str]:
    """Return which acknowledged memories lie in a stash, and not where they were: its name by path.

    Whether their commit still waits or not; git is asked only where one is not on disk.
    """
    gone = [entry.path for entry in standing(root.path) if _is_gone(root, entry.path)]
    paths = [*gone, *(write.path for write in _gone(root))]
    with contextlib.suppress(Unavailable):  # what ails git is said elsewhere
        if paths and (found := repository()):
            return stashed(found, paths)
    return {}


def _gone(root: Root, growing: Growing | None = None) -> list[Write]:
    """Return the writes of new memories that wait for their commit and are not on disk.

    What is added to files that grow is noted in *growing*: each intent is read once.
    """
    newest: dict[str, str] = {}  # by the name of its intent: a million writes are not held at once
    made: set[str] = set()
    taken: set[str] = set()
    # The newest first. Who commits what made a file and what took it is done with the first before
    # the second: read in the other order, what was taken might look like what was lost.
    for name in reversed(journal.names(root)):
        for write in reversed(journal.writes(root, name)):
            if growing and journal.is_applied(name):
                growing.note(name, write)
            newest.setdefault(write.path, name)
            if write.new is None:
                taken.add(write.path)
            elif write.old is None and holds(write.path):
                made.add(write.path)
    gone = [path for path in sorted(made - taken) if _is_gone(root, path)]
    return _writes(root, {path: newest[path] for path in gone})


def _writes(root: Root, wanted: Mapping[str, str]) -> list[Write]:
    """Return the last write of each path that is *wanted*, from the intent that it stands in."""
    found = {
        write.path: write
        for name in sorted({*wanted.values()})
        for write in journal.writes(root, name)
        if wanted.get(write.path) == name
    }
    return [found[path] for path in sorted(found)]


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
    return moved | stashed(repository, [w.path for w in lost]).keys()


def _id_at(root: Root, path: str) -> str:
    with contextlib.suppress(Refused, DiskRefused):
        found = files.read(root, path)
        return memory_id(found.data) if found else ""
    return ""


# --- out of HEAD ------------------------------------------------------------------------------


def on_disk(root: Root, memory: Missing) -> bytes | None:
    """Return the bytes of *memory* where it was, None when it does not lie there."""
    with contextlib.suppress(Refused, Unavailable):
        found = files.read(root, memory.path)
        return found.data if found and memory_id(found.data) == memory.id else None
    return None


def in_git(repository: Repository, memory: Missing) -> bytes | None:
    """Return the text of *memory* from wherever git has it."""
    with contextlib.suppress(Unavailable):
        blob = memory.blob or repository.last_blob(memory.path)
        found = repository.contents([git.Blob("100644", blob)]) if blob else {}
        return next((d for d in found.values() if memory_id(d) == memory.id), None)
    return None


def as_it_was(root: Root, repository: Repository, memory: Missing) -> git.Change | None:
    """Return what commits *memory* again that lies on disk; None for one that is held back."""
    lies = on_disk(root, memory)
    if lies is None:
        return None
    data = in_git(repository, memory) or lies
    return None if public_text.is_held(data) else git.Change(memory.path, data)
