"""What commits tell of acknowledged memories: read where nobody wrote it down, or others committed.

Whoever writes by a commit with an operation's trailer has acknowledged what it adds. A memory is
released by an operation that removes memories, by one that lets it go, and by the commit of a
person's own deletion; not by any other commit that lacks it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from vaultmem.errors import Unavailable
from vaultmem.storage import accepted_text
from vaultmem.storage.accepted_text import Text
from vaultmem.storage.git import OP, PLAIN, Blob, Repository, Row
from vaultmem.storage.git import Entry as Commit
from vaultmem.storage.ledger import merged_texts, release_notes
from vaultmem.storage.ledger.entries import holds, memory_id
from vaultmem.storage.ledger.types import LET_GO, RELEASE, Entry, Line, Release

_T = TypeVar("_T")
_WORD = re.compile(r"[a-z]+")
HUMAN, _SYNC = "human: ", "sync"
_SAYS = (f"{OP}: ", HUMAN)
"""What the message of a commit holds that may tell of memories."""
_PERSONS_MERGE = "Merge "
"""How git begins the subject of a merge that is not ours."""
_TWO = 2
_LETS_GO = ("forget", "undo", "dream", "review", "rename", _SYNC, HUMAN)
"""How the subject of a commit begins that may take a memory away; not that of one that adds some:
a person may amend it while their index lacks another."""


def acknowledged(repository: Repository, *commits: str) -> Iterator[Line]:
    """Yield what *commits*, ranges as rev-list knows them, tell, the oldest first."""
    found = repository.commits_mentioning(*_SAYS, _PERSONS_MERGE, commits=commits)
    return _told(repository, [*filter(_tells, found)])


def acknowledged_since(repository: Repository, old: str, new: str) -> Iterator[Line]:
    """Yield what the commits tell that *new* has and *old* has not, the oldest first."""
    found = repository.since(old, new)
    return _told(repository, [*filter(_tells, found)])


def _tells(commit: Commit) -> bool:
    return merged_texts.joins(commit) or any(map(commit.mentions, _SAYS))


def _told(repository: Repository, found: Sequence[Commit]) -> Iterator[Line]:
    rows = repository.touched([commit.commit for commit in found])
    merges = _dropped(repository, [c for c in found if c.subject.startswith(_SYNC)])
    moves = [(commit, [row for row in (rows | merges).get(commit.commit, ()) if holds(row.path)])
             for commit in found]  # fmt: skip
    blobs = [blob for _, some in moves for row in some for blob in row[:2]]
    seen = _read(repository, blobs, lambda data: (memory_id(data), accepted_text.of(data)))
    ids = {oid: memory for oid, (memory, _) in seen.items() if memory}
    texts = {oid: text for oid, (_, text) in seen.items() if text}
    copies = _Copies(ids, {ids.get(row.new.id, "") for commit, some in moves for row in some
                           if commit.subject.startswith(HUMAN)})  # fmt: skip
    for commit, some in reversed(moves):
        lines = _commit_lines(commit, some, ids, texts)
        yield from copies.kept(commit, some, lines)
        if merged_texts.joins(commit):
            told = functools.partial(acknowledged, repository)
            yield from merged_texts.settled(repository, commit, told)


class _Copies:
    """The files in which a person keeps a memory: who deletes one of two deletes no memory."""

    def __init__(self, ids: Mapping[str, str], wanted: Collection[str]) -> None:
        """Follow the memories *wanted*, those that people brought; *ids* are those of all blobs."""
        self._ids, self._wanted = ids, wanted
        self._paths: dict[str, set[str]] = {}
        self._known: dict[str, Entry] = {}

    def kept(self, commit: Commit, rows: Iterable[Row], lines: Iterable[Line]) -> Iterator[Line]:
        """Yield *lines*, what *commit* tells by its *rows*, and whatever a person keeps a copy of.

        Commits are given in their order.
        """
        for row in rows:
            self._paths.get(self._ids.get(row.old.id, ""), set()).discard(row.path)
            if (memory := self._ids.get(row.new.id, "")) in self._wanted:
                self._paths.setdefault(memory, set()).add(row.path)
        for line in lines:
            known, paths = self._known.get(line.id), self._paths.get(line.id)
            if isinstance(line, Entry) and line.id in self._wanted:
                self._known[line.id] = line
            if isinstance(line, Release) and known and paths and commit.subject.startswith(HUMAN):
                yield known._replace(path=min(paths))
            else:
                yield line


def _dropped(repository: Repository, commits: Iterable[Commit]) -> dict[str, tuple[Row, ...]]:
    """Return what each merge among *commits* took away by itself: one side had added it.

    What a side took away of what both had is told by a commit of that side.
    """
    found: dict[str, tuple[Row, ...]] = {}
    for commit, parents in ((it.commit, it.parents) for it in commits):
        if len(parents) == _TWO:
            had = repository.merge_base(*parents)
            gone = [row._replace(path=repository.inside(row.path)) for parent in parents
                    for row in repository.between(parent, commit)
                    if row.new.mode not in PLAIN]  # fmt: skip
            both = repository.blobs(had or "", [row.path for row in gone])
            found[commit] = tuple(row for row in gone if row.path not in both)
    return found


def _commit_lines(
    commit: Commit, rows: Sequence[Row], ids: Mapping[str, str], texts: Mapping[str, Text]
) -> Iterator[Line]:
    ops = commit.ops
    came = {ids[row.new.id]: row for row in rows if ids.get(row.new.id)}
    if not commit.subject.startswith(HUMAN):
        kind = _WORD.match(commit.subject)
        for memory, row in came.items():
            both = (texts.get(row.old.id), texts.get(row.new.id))
            text = accepted_text.by_operation(kind[0] if kind else "", *both)
            yield Entry(memory, row.path, memory if memory in ops else "".join(ops[:1]), text)
    if ops and commit.subject.startswith(RELEASE):
        yield from (Release(it, "", LET_GO) for it in release_notes.memories(commit.body))
    if commit.subject.startswith(_LETS_GO):
        kind_of = _kind(commit.subject)
        moved = {ids.get(row.old.id) for row in rows if row.new.mode not in PLAIN}
        for row in rows:
            memory = ids.get(row.old.id, "")
            is_known = memory or kind_of != HUMAN.strip(" :")  # an id may have been edited away
            if memory in came or not is_known:
                continue
            if row.new.mode not in PLAIN:
                yield Release(memory, row.path, kind_of)
            elif memory and ids.get(row.new.id) in moved:  # which is another, and took its place
                yield Release(memory, "", kind_of)


def _kind(subject: str) -> str:
    """Return what kind of operation that was; the rest of its subject may quote a memory."""
    return next(kind for kind in _LETS_GO if subject.startswith(kind)).strip(" :")


def ids_of(repository: Repository, blobs: Iterable[Blob]) -> dict[str, str]:
    """Return the memory that each of *blobs* is, by blob; those that are none are left out."""
    return _read(repository, blobs, memory_id)


def _read(
    repository: Repository, blobs: Iterable[Blob], look: Callable[[bytes], _T | None]
) -> dict[str, _T]:
    """Return what *look* finds in each of *blobs*, by blob; where it is nothing it is left out."""
    found: dict[str, _T] = {}
    plain = {blob.id: blob for blob in blobs if blob.mode in PLAIN}
    if not plain:
        return found
    with repository.reading() as read:
        for oid, blob in plain.items():
            try:
                seen = look(read(blob))
            except Unavailable:  # a partial clone has it elsewhere
                break
            if seen:
                found[oid] = seen
    return found
