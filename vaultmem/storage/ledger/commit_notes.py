"""What the messages of commits say of operations: whose work it is, and which were let go."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from vaultmem.storage.git import OP, Repository
from vaultmem.storage.git import Entry as Commit
from vaultmem.storage.ledger import release_notes

_OPS = re.compile(rf"^[ \t]*{OP}:[ \t]*([0-9A-Z]+)[ \t]*$", re.MULTILINE)


_TAKING_AWAY = ("undo: ", "sync: ")
"""How the subject begins of what may take away what others wrote; a forgetting leaves its mark."""


class Said(NamedTuple):
    """What the messages of commits say: which name an operation, *by* that, and what is *let_go*.

    An operation that stands *alone* in the last lines of one is what that did: so a rebase, a
    cherry-pick and an amend leave it. One that quotes several says nothing of files.
    """

    by: Mapping[str, Sequence[str]]
    alone: AbstractSet[str]
    let_go: AbstractSet[str]


def is_put_over(commit: Commit) -> bool:
    """Tell whether *commit*, one of ours that takes nothing away, was put over others' by a person.

    Whoever rebases, amends or picks it decides what becomes of what stands there.
    """
    is_ours = commit.names_operation and commit.is_rewritten and len(commit.parents) == 1
    return is_ours and not commit.subject.startswith(_TAKING_AWAY)


def said(repository: Repository, since: str | None, head: str) -> Said:
    """Return what commits up to *head* say, those *since* then."""
    by: dict[str, list[str]] = defaultdict(list)
    alone: set[str] = set()
    let_go: set[str] = set()
    for it in _naming(repository, since, head) if head else ():
        let_go.update(release_notes.operations(it.body))
        names = {*named(it)}
        if len(names) == 1 and names <= _own(it):
            alone |= names
        for op in names:
            by[op].append(it.commit)
    return Said(by, alone, let_go)


def _naming(repository: Repository, since: str | None, head: str) -> list[Commit]:
    """Return the commits whose message names an operation, newest first."""
    if since:
        return [it for it in repository.since(since, head) if it.names_operation]
    return repository.commits_mentioning(f"{OP}: ", commits=(head,))


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
