"""Files that lack on disk what waits for its commit: a person's git, or some cleaning, took it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cache, partial
from types import EllipsisType

from vaultmem.errors import DiskRefused, Refused, Unavailable
from vaultmem.records import LISTS
from vaultmem.storage import files, item_logs, journal, task_files, transcript_files
from vaultmem.storage.commits import waiting_tasks, waiting_versions
from vaultmem.storage.commits.rested_edits import stashed
from vaultmem.storage.commits.waiting_versions import Growth, Lack, Version
from vaultmem.storage.files import Addition, Read, Root
from vaultmem.storage.git import Repository
from vaultmem.storage.journal import Intent, Write
from vaultmem.storage.ledger import standing
from vaultmem.storage.ledger.entries import memory_id

Find = Callable[[], Repository | None]
"""Looks for the repository: git is asked only where something is in doubt."""


@dataclass(slots=True)
class _Doubted:
    """The *writes* to one file that wait, oldest first, and the commit on which they began.

    *before* is what a later write was made on that stands, if there is one.
    """

    writes: list[Write] = field(default_factory=list)
    base: str | None = None
    before: bytes | EllipsisType | None = ...


def find(root: Root, repository: Find, only: AbstractSet[str] | None = None) -> tuple[Lack, ...]:
    """Return what the files lack of what waits for its commit, in order.

    Not one that a person has moved, or put into a stash. *only* names the files that are about to
    be written, which are needed where they were: from a stash, too.
    """
    doubted = _doubted(root, only)
    if not doubted:
        return ()
    try:
        return tuple(_lacking(root, doubted, repository(), stash=only is None))
    except Unavailable:  # what ails git is said elsewhere; without it nobody knows what was moved
        found = _lacking(root, doubted, None, stash=False)
        return tuple(it for it in found if isinstance(it.step, Addition))


def put_aside(root: Root, repository: Find) -> dict[str, str]:
    """Return which acknowledged files lie in a stash, and not where they were: its name by path.

    Memories, whatever waits for its commit, and what was committed since.
    """
    waiting = (path for path, it in _doubted(root).items() if it.writes[-1].new is not None)
    known = {*waiting, *(entry.path for entry in standing(root.path))}
    gone = {path for path in known if _is_gone(root, path)}
    with contextlib.suppress(Unavailable):  # what ails git is said elsewhere
        if found := repository():
            gone.update(it.path for it in found.unstaged() if it.kind == "deleted")
            return stashed(found, sorted(gone))
    return {}


def _doubted(root: Root, only: AbstractSet[str] | None = None) -> dict[str, _Doubted]:
    """Return what waits of the files that are not as their newest write left them, by path.

    Nor is it certain that one has what was written to it before, if the next write was made on
    something else. Each intent is read once, the newest first: who commits what made a file and
    what took it is done with the first before the second. Read in the other order, what was taken
    might look lost.
    """
    kept: dict[str, bytes | EllipsisType | None] = {}
    doubted: dict[str, _Doubted] = {}
    waiting = (journal.get(root, it, only) for it in reversed(journal.names(root)))
    with files.reading_many(root) as read:
        for todo in filter(None, waiting):
            for write in reversed(todo.writes):
                if only is not None and write.path not in only:
                    continue
                if write.path not in doubted and _is_kept(root, read, todo, write, kept):
                    kept[write.path] = write.old if write.at is None else ...
                    continue
                it = doubted.setdefault(write.path, _Doubted(before=kept.get(write.path, ...)))
                it.writes.insert(0, write)
                it.base = todo.base
            if only is not None and only <= kept.keys():
                break
    return dict(sorted(doubted.items()))


def _is_kept(
    root: Root, read: Read, todo: Intent, write: Write,
    kept: Mapping[str, bytes | EllipsisType | None],
) -> bool:  # fmt: skip
    """Tell whether *write* is in its file, or in what the next one, which is *kept*, was made on.

    Somebody may be at work on what is not applied.
    """
    if write.path not in kept:
        return not todo.applied or _is_there(root, read, write)
    before = kept[write.path]
    return write.at is not None or before is ... or before == write.new


def _is_there(root: Root, read: Read, write: Write) -> bool:
    with contextlib.suppress(DiskRefused, Refused):  # what cannot be seen is told elsewhere
        return files.is_done(root, write.step, read)
    return True


def _is_gone(root: Root, path: str) -> bool:
    with contextlib.suppress(Refused):
        return files.stamp(root, path) is None
    return False


def _lacking(
    root: Root, doubted: Mapping[str, _Doubted], repository: Repository | None, *, stash: bool
) -> list[Lack]:
    heads = _in_head(repository, doubted)
    free = partial(_free_task, root, repository)
    found: list[Lack] = []
    gone: list[Version] = []
    for path, it in doubted.items():
        waiting = waiting_versions.joined(it.writes)
        with contextlib.suppress(DiskRefused, Refused):
            disk = files.read(root, path)
            before = cache(partial(text_before, repository, it.base, it.writes[0]))
            lack = (
                waiting_versions.lack(waiting, disk, heads.get(path), before, free)
                if it.before is ... or isinstance(waiting, Growth)
                else waiting_versions.left_out(waiting, disk, heads.get(path), it.before)
            )
            if lack is None or (lack.step is None and path in LISTS):
                continue
            if disk is None and isinstance(waiting, Growth) and _is_beside(root, waiting, before):
                continue
            found.append(lack)
            if disk is None and isinstance(waiting, Version):
                gone.append(waiting)
    elsewhere = _elsewhere(root, repository, gone, stash=stash) if repository and gone else ()
    return [it for it in found if it.path not in elsewhere]


def _free_task(root: Root, repository: Repository | None) -> str:
    """Return where a task can go whose number another has."""
    heads = repository.files("HEAD", task_files.FOLDER) if repository and repository.head() else ()
    return task_files.free(waiting_tasks.taken(root, heads))


def _in_head(repository: Repository | None, paths: Collection[str]) -> dict[str, bytes]:
    if repository is None:
        return {}
    blobs = repository.in_head(paths)
    texts = repository.contents(blobs.values())
    return {path: texts[blob.id] for path, blob in blobs.items() if blob.id in texts}


def text_before(repository: Repository | None, base: str | None, first: Write) -> bytes:
    """Return what a file held before the *first* write that waits, made on the commit *base*."""
    with contextlib.suppress(Unavailable):  # that commit is gone: somebody rewrote the history
        if repository and base and first.at:
            return (repository.show(base, first.path) or b"")[: first.at]
    return b""


def _is_beside(root: Root, waiting: Growth, before: Callable[[], bytes]) -> bool:
    """Tell whether the file has another name now: one of its kind holds all that waits.

    A copy that an editor keeps of an earlier version is not it.
    """
    folder = waiting.path.rpartition("/")[0]
    is_one = item_logs.is_path if item_logs.is_path(waiting.path) else transcript_files.holds
    beside = (path for it in files.names(root, folder) if is_one(path := f"{folder}/{it}"))
    found = (files.read(root, path) for path in beside)
    return any(waiting_versions.holds(waiting.added, it.data, before) for it in found if it)


def _elsewhere(
    root: Root, repository: Repository, gone: Sequence[Version], *, stash: bool
) -> AbstractSet[str]:
    """Return the paths of those of *gone* that a person has moved, or put aside."""
    there = [d.path for d in repository.unstaged() if d.kind == "untracked"]
    texts = {data for path in there if (data := _text(root, path)) is not None}
    ids = {memory_id(data) for data in texts} - {""}
    moved = {it.path for it in gone if it.new in texts or memory_id(it.new or b"") in ids}
    return moved | (stashed(repository, [it.path for it in gone]).keys() if stash else set())


def _text(root: Root, path: str) -> bytes | None:
    with contextlib.suppress(Refused, DiskRefused):
        return found.data if path.endswith(".md") and (found := files.read(root, path)) else None
    return None
