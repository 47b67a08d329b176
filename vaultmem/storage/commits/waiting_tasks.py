"""Give a task that waits for its commit another number where another task has that one by now.

It was made while git had the other away, as at the stop of a rebase. The intents are what brings it
back: they say the new number before its file does, so that a crash in between leaves a file that
is missing, as any other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from vaultmem.storage import files, journal, task_files
from vaultmem.storage.files import Root, Step
from vaultmem.storage.journal import Intent, Write
from vaultmem.storage.ledger.entries import memory_id


def renumber(root: Root, path: str, new: str, token: str) -> str:
    """Let the task that waits at *path* and is not there have another; return where.

    At *new*, or where a part of it has come already. Under the write lock, with the name *token*.
    """
    there = files.read(root, path)
    waiting = [(name, todo) for name in journal.names(root) if (todo := journal.get(root, name))]
    ours = _id(path, there.data if there else b"", waiting)
    every = (write for _, todo in waiting for write in todo.writes)
    where = next((w.path for w in every if w.path != path and _is_of(w, ours)), new)
    made = [(name, todo) for name, todo in waiting
            if any(w.path == path and _is_of(w, ours) for w in todo.writes)]  # fmt: skip
    bases = {todo.base for _, todo in made}
    since = [it for it in waiting if it[0] >= made[0][0]] if made else []
    along = [it for it in since if it[1].base in bases]
    first = _first([todo for _, todo in along])
    for name, todo in reversed(since):
        moved = (_moved(it, path, where, ours) for it in todo.writes)
        writes = tuple(_relinked(it, first, path, where) if (name, todo) in along else it
                       for it in moved)  # fmt: skip
        if writes == todo.writes:
            continue
        if any(it.path == where for it in writes):
            said = f"{path} is {where} now: another task has that number"
            todo = replace(todo, notes=(*todo.notes, said))  # noqa: PLW2901  # as it is kept
        journal.rewrite(root, replace(todo, writes=writes))
        for was, now in zip(todo.writes, writes, strict=True):
            _follow(root, was, now, token)
    return where


def _id(path: str, now: bytes, waiting: Sequence[tuple[str, Intent]]) -> str:
    """Return the id of the task that waits at *path*, which is not what the file says *now*."""
    said = (w.new for _, todo in waiting for w in todo.writes if w.path == path and w.new)
    return next((memory_id(new) for new in said if task_files.is_another(path, new, now)), "")


def _is_of(write: Write, ours: str) -> bool:
    is_task = task_files.number_of(write.path) is not None
    return is_task and bool(ours) and memory_id(write.new or write.old or b"") == ours


def _moved(write: Write, path: str, where: str, ours: str) -> Write:
    """Return *write* at its new place where it is one of the task, which was made there."""
    if write.path != path or not _is_of(write, ours):
        return write
    old = write.old if memory_id(write.old or b"") == ours else None
    return _rewritten(write, where, old, write.new)


def _first(made: Sequence[Intent]) -> dict[str, bytes]:
    """Return what the files held before the first of what was *made*."""
    return {write.path: write.old or b"" for todo in reversed(made) for write in todo.writes}


def _relinked(write: Write, first: Mapping[str, bytes], path: str, where: str) -> Write:
    """Return *write* with the links that lead to the task at *path*, which is *where* now."""
    if write.at is not None or not write.path.endswith(".md"):
        return write
    before = first.get(write.path, b"")
    texts = (it and task_files.relinked(it, before, path, where) for it in (write.old, write.new))
    return _rewritten(write, write.path, *texts)


def _rewritten(write: Write, path: str, old: bytes | None, new: bytes | None) -> Write:
    pre = write.pre if old == write.old else None if old is None else files.sha256(old)
    return write._replace(path=path, old=old, new=new, pre=pre)


def _follow(root: Root, was: Write, now: Write, token: str) -> None:
    """Let a file that says what *was* written say what is written *now*."""
    if (
        was.path == now.path
        and was.new != now.new
        and files.is_done(root, was.step, partial(files.read, root))
    ):
        pre = files.sha256(was.new or b"")
        files.write(root, [Step(now.path, pre, now.new)], token, unsure=True)


def taken(root: Root, heads: Collection[str]) -> Iterator[str]:
    """Yield the paths that no other task may have: on disk, in what *heads* names, or waiting."""
    yield from heads
    yield from (f"{task_files.FOLDER}/{name}" for name in files.names(root, task_files.FOLDER))
    for name in journal.names(root):
        yield from (write.path for write in journal.writes(root, name))
