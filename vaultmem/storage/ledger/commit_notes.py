"""What the messages of commits say of operations: whose work it is, and what a person lets go."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from vaultmem.storage.git import OP, Repository
from vaultmem.storage.git import Entry as Commit

_OPS = re.compile(rf"^[ \t]*{OP}:[ \t]*([0-9A-Z]+)[ \t]*$", re.MULTILINE)
_NOTE = "no longer missed: "
_OPERATION = "operation no longer missed: "


def release_note(memory: str) -> str:
    """Return the note of the operation that lets the memory with the id *memory* go."""
    return f"{_NOTE}{memory}"


def memories(body: str) -> Iterator[str]:
    """Return the memories that the *body* of such a commit notes."""
    return _behind(_NOTE, body)


def operation_note(op: str) -> str:
    """Return the note that nobody misses the operation *op*: it was let go, or brought back."""
    return f"{_OPERATION}{op}"


def operations(body: str) -> Iterator[str]:
    """Return the operations that the *body* of a commit notes so."""
    return _behind(_OPERATION, body)


def _behind(note: str, body: str) -> Iterator[str]:
    lines = body.splitlines()
    return (line.removeprefix(note) for line in lines if line.startswith(note))


class Said(NamedTuple):
    """What the messages of commits say: which name an operation, *by* that, and what is *let_go*.

    An operation that stands *alone* in the last lines of one is what that did: so a rebase, a
    cherry-pick and an amend leave it. One that quotes several says nothing of files.
    """

    by: Mapping[str, Sequence[str]]
    alone: AbstractSet[str]
    let_go: AbstractSet[str]


def said(repository: Repository, since: str | None, head: str) -> Said:
    """Return what commits up to *head* say, those *since* then."""
    by: dict[str, list[str]] = defaultdict(list)
    alone: set[str] = set()
    let_go: set[str] = set()
    commits = (
        repository.commits_mentioning(f"{OP}: ", commits=(f"{since}..{head}" if since else head,))
        if head
        else []
    )
    for it in commits:
        let_go.update(operations(it.body))
        names = {*named(it)}
        if len(names) == 1 and names <= _own(it):
            alone |= names
        for op in names:
            by[op].append(it.commit)
    return Said(by, alone, let_go)


def named(commit: Commit) -> Iterator[str]:
    """Yield the operations that the message of *commit* names, wherever: a squash joins several."""
    yield from _OPS.findall(commit.body)
    yield from commit.ops


def _own(commit: Commit) -> set[str]:
    """Return the operations that the last lines of *commit* name: git may say more behind them."""
    return {*commit.ops, *(value for key, value in _last_lines(commit.body) if key == OP)}


def _last_lines(body: str) -> Iterator[tuple[str, str]]:
    """Yield what the last lines of a message have on both sides of a colon."""
    for line in body.rpartition("\n\n")[2].splitlines():
        key, _, value = line.partition(": ")
        yield key, value.strip()
