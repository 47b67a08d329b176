"""Commits of ours that HEAD does not reach any more: which of them it has not got otherwise.

An operation is there where another commit names it, as after a rebase, a cherry-pick, a squash or a
purge, or where its files say what it made them say. What is acknowledged of memories is the
ledger's, and what is made anew from other files is nobody's loss.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from vaultmem.errors import Unavailable
from vaultmem.storage import line_changes, reader, transcript_lines
from vaultmem.storage.git import ABSENT, OP, PLAIN, Blob, Repository, Row
from vaultmem.storage.git import Entry as Commit
from vaultmem.storage.ledger import release_notes
from vaultmem.storage.ledger.entries import holds, memory_id
from vaultmem.storage.ledger.missing_cache import Comparison, LeftCommit
from vaultmem.storage.line_changes import LineChange
from vaultmem.storage.tombstone_checks import FOLDER as TOMBSTONES

_OPS = re.compile(rf"^[ \t]*{OP}:[ \t]*([0-9A-Z]+)[ \t]*$", re.MULTILINE)
_LISTS = frozenset({"MEMORY.md", "TASKS.md"})
_DERIVED = frozenset({"summary", "episode"})


def find(
    repository: Repository, known: Comparison | None, head: str, moved: Sequence[Row] | None
) -> tuple[LeftCommit, ...]:
    """Return the commits of ours that left HEAD, now at *head*, the oldest first.

    *known* is what was found last, and *moved* what differs since, None where nobody can tell: only
    that is looked at. Without it, all that HEAD ever stood on here, and the branches, are, as far
    as git still knows. Raises Unavailable.
    """
    if known and known.head == head:
        return known.left
    since = known.head if known and moved is not None else None
    before = {each.commit: each for each in known.left} if known else {}
    fresh = _known_to_have_left(repository, since, head)
    if not (fresh or before):
        return ()
    there = _operations(repository, since, head)
    stay = _still_left(repository, before, head, there)
    changed = None if moved is None else {row.path for row in moved}
    same = [it for it in stay if changed is not None and changed.isdisjoint(it.paths)]
    doubted = {it.commit for it in stay} - {it.commit for it in same}
    again = [*fresh, *repository.left_behind([*doubted], head)]
    asked = {it.commit: it for it in again if it.commit in doubted or it.commit not in before}
    lost = [it for it in reversed(asked.values()) if not {*_named(it)} <= there]
    found = {it.commit: it for it in (*same, *_judged(repository, since, head, lost))}
    order = dict.fromkeys([*before, *found])
    return tuple(found[commit] for commit in order if commit in found)


def _known_to_have_left(repository: Repository, since: str | None, head: str) -> list[Commit]:
    """Return what of our commits HEAD, now at *head*, reached and does not, newest first.

    Not what may lie behind the edge of a shallow clone.
    """
    found = repository.left_behind(_tips(repository) if since is None else [since], head)
    if not (found and head and repository.is_shallow):
        return found
    if since is not None:
        return found if repository.merge_base(since, head) else []
    return [it for it in found if repository.merge_base(it.commit, head)]


def _still_left(
    repository: Repository, before: Mapping[str, LeftCommit], head: str, there: Collection[str]
) -> list[LeftCommit]:
    """Return which of those that had left *before* HEAD does not reach now, by commit or name."""
    if not before:
        return []
    outside = {it.commit for it in repository.left_behind([*before], head)}
    outside |= before.keys() - repository.held(before)  # pruned: nobody brought it back
    return [it for it in before.values() if it.commit in outside and not {*it.ops} <= {*there}]


def _tips(repository: Repository) -> list[str]:
    """Return where HEAD stood in this clone, and the branches."""
    branches = (at for name, at in repository.refs().items() if name.startswith("refs/heads/"))
    return [*dict.fromkeys([*repository.reflog(), *branches])]


def _span(since: str | None, head: str) -> tuple[str, ...]:
    return (f"{since}..{head}",) if since else (head,)


def _operations(repository: Repository, since: str | None, head: str) -> set[str]:
    """Return the operations that commits up to *head* name, or let go; those *since* then."""
    if not head:
        return set()
    commits = repository.commits_mentioning(f"{OP}: ", commits=_span(since, head))
    return {op for it in commits for op in (*_named(it), *release_notes.operations(it.body))}


def _named(commit: Commit) -> Iterator[str]:
    """Yield the operations that the message of *commit* names, wherever: a squash joins several."""
    yield from _OPS.findall(commit.body)
    yield from (value for key, value in commit.trailers if key == OP)


class _Left(NamedTuple):
    """What a commit that left did to a file."""

    commit: str
    row: Row


def _judged(
    repository: Repository, since: str | None, head: str, lost: Sequence[Commit]
) -> Iterator[LeftCommit]:
    """Yield those of *lost*, the oldest first, of which a file does not say what it should."""
    rows = repository.touched([it.commit for it in lost])
    by_path: dict[str, list[_Left]] = defaultdict(list)
    for it in lost:
        for row in rows.get(it.commit, ()):
            if answers(row.path):
                by_path[row.path].append(_Left(it.commit, row))
    now = repository.blobs(head, [*by_path])
    stay = {path: some for path, some in by_path.items()
            if any(not _is_so(now.get(path), it.row) for it in some)}  # fmt: skip
    if not stay:
        return
    came = _came(repository, since, head, stay)
    paths: dict[str, list[str]] = defaultdict(list)
    with repository.reading() as read:
        for path, some in stay.items():
            for commit in _not_there(read, some, now.get(path), came.get(path, frozenset())):
                paths[commit].append(path)
    for it in lost:
        if it.commit in paths:
            ops = tuple(dict.fromkeys(_named(it)))
            yield LeftCommit(it.commit, it.public.subject, ops, tuple(paths[it.commit]))


def answers(path: str) -> bool:
    """Tell whether the file at *path* is to be missed where a commit of ours left.

    Not a memory, nor a tombstone, which have ledgers of their own, nor what is made from others.
    """
    is_noted = holds(path) or path.startswith(f"{TOMBSTONES}/")
    return not (is_noted or path in _LISTS or reader.kind_of(path) in _DERIVED)


def _is_so(now: Blob | None, row: Row) -> bool:
    return now is None if row.new.mode == ABSENT else now is not None and now.id == row.new.id


def _came(
    repository: Repository, since: str | None, head: str, paths: Collection[str]
) -> Mapping[str, Collection[str]]:
    """Return what the files at *paths* were made by commits up to *head*: blobs by path."""
    found: dict[str, set[str]] = defaultdict(set)
    if paths and head:
        commits = repository.log(None, since=since or None, paths=[*paths])
        for some in repository.touched([it.commit for it in commits]).values():
            for row in some:
                found[row.path].add(row.new.id)
    return found


def _not_there(
    read: Callable[[Blob], bytes], some: Sequence[_Left], now: Blob | None, came: Collection[str]
) -> Iterator[str]:
    """Yield which commits did to one file what it does not show, and never did.

    What a later one of them made of it stands for what it was made from: all of it where that is
    there byte for byte, else the lines that it changed.
    """
    settled: set[str] = set()
    since: dict[str, LineChange] = {}
    # As it was before the first of them, it has nothing of any.
    is_before = now is None or now.id == some[0].row.old.id
    text = None if now is None or is_before or now.mode not in PLAIN else read(now)
    for it in reversed(some):
        row = it.row
        if _is_so(now, row) or row.new.id in {*came, *settled}:
            settled.add(row.old.id)
            continue
        if text is None or row.new.mode not in PLAIN:
            yield it.commit
            continue
        old, new = read(row.old) if row.old.mode in PLAIN else b"", read(row.new)
        later = since.get(row.new.id, LineChange())
        if not _has_change(row.path, old, new, text, later):
            yield it.commit
        else:
            since[row.old.id] = line_changes.of(old, new) + later


def _has_change(path: str, old: bytes, new: bytes, text: bytes, since: LineChange) -> bool:
    """Tell whether the *text* of a file shows a change: a person may have amended it.

    But for what was done *since*. Two that have an id each are two files with one name.
    """
    if transcript_lines.is_grown(path):
        lines = [it for it in transcript_lines.added(old, new) if it not in since.went]
        return all(it.is_there for it in transcript_lines.standing(lines, text, old))
    is_another = len({memory_id(new), memory_id(text)} - {""}) > 1
    return not is_another and line_changes.has_change(old, new, text, since)


def placed(
    repository: Repository, refs: Mapping[str, str], head: str, left: Sequence[LeftCommit]
) -> tuple[LeftCommit, ...]:
    """Return *left*, each with the first of *refs* that has it."""
    places: dict[str, str] = {}
    wanted = {it.commit for it in left}
    for name, at in refs.items():
        if not wanted - places.keys():
            break
        for commit in _reached(repository, at, head) & wanted:
            places.setdefault(commit, name)
    return tuple(replace(it, place=places.get(it.commit, "")) for it in left)


def _reached(repository: Repository, at: str, head: str) -> set[str]:
    try:
        return {it.commit for it in repository.left_behind([at], head)}
    except Unavailable:  # a tag of something else than a commit
        return set()


def operations(left: Iterable[LeftCommit]) -> tuple[str, ...]:
    """Return the operations of *left*."""
    return tuple(dict.fromkeys(op for it in left for op in it.ops))
