"""Which operations share a commit, and what the message of a commit says."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from vaultmem.documents import public_text, secrets
from vaultmem.records import first_line, visible_line
from vaultmem.storage import git
from vaultmem.storage.journal import Intent

_SUBJECT = 60
_SMALL = frozenset({"items", "remember", "turn", "working"})
"""The kinds of operations so many that those of one agent share a commit, a quiet batch."""


def batches(
    waiting: Iterable[tuple[str, Intent]],
) -> Iterator[list[tuple[str, Intent]]]:
    """Yield what shall be committed together, in order.

    Memories and turns that came in between each other are parted: they have no file in common.
    """
    for small, run in groupby(waiting, key=lambda x: x[1].kind in _SMALL):
        some = list(run)
        if small:
            some.sort(key=lambda x: _together(x[1]))
        for _, batch in groupby(some, key=lambda x: _together(x[1])):
            yield list(batch)


def _together(todo: Intent) -> tuple[str, str]:
    """Return what it shares with its commit's others: an operation, or a quiet batch."""
    return (todo.kind, todo.agent) if todo.kind in _SMALL else ("op", todo.op)


def of_operations(group: Sequence[Intent]) -> str:
    """Return the commit message for intents that are committed together."""
    many = len({i.op for i in group}) > 1
    subject = _batch_subject(group) if many else _subject(group)
    notes = [f"{i.op} {n}" if many else n for i in group for n in i.notes]
    trailers = dict.fromkeys(t for i in group for t in i.trailers)
    body = "\n".join(notes)
    # A session's name may hold anything, but no line of its own.
    tail = "\n".join(f"{key}: {' '.join(value.split())}" for key, value in trailers)
    # Its text was approved; a name that somebody gave beside it may still be a credential. A
    # mark that is not closed must not hide the trailers.
    told = (public_text.shown(subject), public_text.shown(body), secrets.redact(tail))
    return "\n\n".join(filter(None, told)) + "\n"


def _batch_subject(group: Sequence[Intent]) -> str:
    """Return what a quiet batch came to."""
    agent, count = group[0].agent, sum(todo.count for todo in group)
    if group[0].kind == "remember":
        return f"remember({agent}): {count} memories"
    if group[0].kind == "items":
        return f"items({agent}): {count} additions"
    if group[0].kind == "working":
        return f"working({agent}): {count} changes"
    sessions = {dict(todo.trailers).get("Session", "") for todo in group}
    of = first_line(min(sessions), _SUBJECT) if len(sessions) == 1 else f"{len(sessions)} sessions"
    return f"turns({agent}): {count} turns of {of}"


def _subject(group: Sequence[Intent]) -> str:
    """Return what the operation's parts came to: the last of each kind says how many in all."""
    return "; ".join({todo.kind: todo.subject for todo in group}.values())


def of_restored(op: str, changes: Sequence[git.Change]) -> str:
    """Return the message of the operation *op*, which commits again what had left HEAD."""
    many = f"{len(changes)} memories" if len(changes) > 1 else "a memory"
    return _of_return(op, changes, f"{many} that had left the history")


def of_texts(op: str, changes: Sequence[git.Change]) -> str:
    """Return the message of the operation *op*, which commits texts in the place of pointers."""
    many = f"{len(changes)} texts" if len(changes) > 1 else "a text"
    return _of_return(op, changes, f"{many} that git LFS had a pointer for")


def _of_return(op: str, changes: Sequence[git.Change], what: str) -> str:
    paths = "\n".join(visible_line(change.path) for change in changes)
    return f"restore: {what}\n\n{paths}\n\n{git.OP}: {op}\n"


def of_edits(
    changes: Sequence[git.Change], known: Collection[str], moved: Mapping[str, str]
) -> str:
    """Return the message of the commit that holds a person's *changes*.

    *known* are the paths that the commit before has; *moved* has, by its old path, where a file
    went that says what it said.
    """
    paths = [visible_line(public_text.shown(c.path)) for c in changes]  # a name adds no line
    gone = [change.path for change in changes if change.data is None]
    is_replaced = any(path in known for path in moved.values())
    if len(moved) == 1 and len(paths) == 2:  # noqa: PLR2004  # where it was, and where it is
        old, new = (visible_line(public_text.shown(path)) for path in next(iter(moved.items())))
        what = f"replace {new} by {old}" if is_replaced else f"rename {old} to {new}"
        return f"human: {what}\n"
    verb = "edit"
    if len(gone) == len(paths):
        verb = "delete"
    elif 2 * len(moved) == len(paths) and not is_replaced:
        verb = "rename"
    elif not any(change.path in known for change in changes):
        verb = "add"
    if len(paths) == 1:
        return f"human: {verb} {paths[0]}\n"
    count = len(moved) if verb == "rename" else len(paths)
    return f"human: {verb} {count} files\n\n" + "\n".join(paths) + "\n"
