"""Commits with work of ours that HEAD does not reach any more: which it has not got otherwise.

An operation is there where its files say what it made them say, or where another commit names it
alone, as after a rebase, a cherry-pick, an amend or a purge. What the files say holds for as long
as HEAD has that: else it is judged anew. What is acknowledged of memories is the ledger's, and what
is made anew from other files is nobody's loss.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import NamedTuple

from vaultmem.errors import Unavailable
from vaultmem.storage import line_changes, transcript_lines
from vaultmem.storage.git import ABSENT, OP, PLAIN, Blob, Repository, Row
from vaultmem.storage.git import Entry as Commit
from vaultmem.storage.ledger import merged_away, release_notes
from vaultmem.storage.ledger.entries import memory_id
from vaultmem.storage.ledger.missing_cache import Comparison, LeftCommit
from vaultmem.storage.ledger.our_commits import OurCommits
from vaultmem.storage.line_changes import LineChange

_OPS = re.compile(rf"^[ \t]*{OP}:[ \t]*([0-9A-Z]+)[ \t]*$", re.MULTILINE)


class Found(NamedTuple):
    """The commits of ours that HEAD does not reach: those that *left* it with what they did.

    Those that are *settled* left it, too, but its files say what they did.
    """

    left: tuple[LeftCommit, ...] = ()
    settled: tuple[LeftCommit, ...] = ()


def find(
    ours: OurCommits, known: Comparison | None, head: str, moved: Sequence[Row] | None
) -> Found:
    """Return which of *ours* left HEAD, now at *head*, the oldest first.

    *known* is what was found last, and *moved* what differs since, None where nobody can tell: only
    that is looked at. Without it, all that HEAD ever stood on here, and the branches, are, as far
    as git still knows. What was settled is judged anew where HEAD went back. Raises Unavailable.
    """
    if known and known.head == head:
        return Found(known.left, known.settled)
    since = known.head if known and moved is not None else None
    told, settled = (known.left, known.settled) if known else ((), ())
    repository = ours.repository
    fresh = _known_to_have_left(ours, since, head)
    merges = merged_away.gained(repository, since, head) if since and head else []
    if not (fresh or told or settled or merges):
        return Found()
    left = [it for it in told if not it.merge]
    stays = bool(settled and since) and repository.merge_base(since or "", head) == since
    before = {it.commit: it for it in (left if stays else (*left, *settled))}
    said = _said(repository, since, head)
    outside = _still_left(ours, before, head, said)
    changed = None if moved is None else {row.path for row in moved}
    doubted = {it.commit for it in outside.values() if not _is_as_before(it, changed, said)}
    again = ours.left_behind([*doubted], head)
    is_known = {it.commit for it in (*left, *settled)}
    asked = {it.commit: it for it in fresh if it.commit not in is_known}
    asked |= {it.commit: it for it in again if it.commit in doubted}
    lost = [it for it in reversed(asked.values()) if not {*_named(it)} <= said.let_go]
    # What was settled long ago may have been changed since: all of the past of a file tells.
    found = _judged(ours, None if settled and not stays else since, head, lost, said)
    rest = [it for it in outside.values() if it.commit not in asked]
    were = set() if stays else {it.commit for it in settled}
    pruned = [it for it in rest if it.commit in doubted & were]
    away = _gone_with(repository, since, head, pruned)
    kept = settled if stays else [it for it in rest if it.commit in were - away]
    gone = [it for it in rest if it.commit not in were or it.commit in away]
    merged = _merged_away(ours, head, merges, [it for it in told if it.merge], said)
    return Found(
        _in_order(told, (*merged, *gone, *found.left)),
        _in_order(settled, (*kept, *found.settled)),
    )


def _merged_away(
    ours: OurCommits,
    head: str,
    merges: Sequence[str],
    before: Sequence[LeftCommit],
    said: _Said,
) -> Iterator[LeftCommit]:
    """Yield what *merges* left out, and those of *before* that HEAD, which has the merge, lacks."""
    known = {it.commit for it in before}
    old = dict.fromkeys(it.merge for it in before)
    there = ours.repository
    stays = [it for it in old if there.holds(it) and there.merge_base(it, head) == it]
    for it in merged_away.find(ours, [*stays, *merges], head):
        named = {*_named(it.commit)}
        if not named <= said.let_go and (it.merge in merges or it.commit.commit in known):
            yield replace(_told(it.commit, it.paths), merge=it.merge)


def _is_as_before(it: LeftCommit, changed: AbstractSet[str] | None, said: _Said) -> bool:
    """Tell whether no file of *it* is among what *changed*, and nobody named it since."""
    return (
        changed is not None and changed.isdisjoint(it.paths) and said.by.keys().isdisjoint(it.ops)
    )


def _gone_with(
    repository: Repository, since: str | None, head: str, pruned: Sequence[LeftCommit]
) -> set[str]:
    """Return which of *pruned*, which git has not any more, HEAD lost since it was settled.

    Those of which it never had a file as it was *since* then.
    """
    paths = [*dict.fromkeys(path for it in pruned for path in it.paths)]
    if not paths or since is None:
        return set()
    had, now = (repository.blobs(at, paths) for at in (since, head))
    came = _came(repository, None, head, paths)
    lost = {path for path in paths if path in had and now.get(path) != had[path]
            and had[path].id not in came.get(path, ())}  # fmt: skip
    return {it.commit for it in pruned if not lost.isdisjoint(it.paths)}


def _in_order(before: Iterable[LeftCommit], now: Iterable[LeftCommit]) -> tuple[LeftCommit, ...]:
    """Return what there is *now*, each as it is told last, those that were there *before* first."""
    found = {it.commit: it for it in now}
    order = dict.fromkeys([*(it.commit for it in before), *found])
    return tuple(found[commit] for commit in order if commit in found)


def _known_to_have_left(ours: OurCommits, since: str | None, head: str) -> list[Commit]:
    """Return which of *ours* HEAD, now at *head*, reached and does not, newest first.

    Not what may lie behind the edge of a shallow clone.
    """
    repository = ours.repository
    found = ours.left_behind(_tips(ours) if since is None else [since], head)
    if not (found and head and repository.is_shallow):
        return found
    if since is not None:
        return found if repository.merge_base(since, head) else []
    return [it for it in found if repository.merge_base(it.commit, head)]


def _still_left(
    ours: OurCommits, before: Mapping[str, LeftCommit], head: str, said: _Said
) -> dict[str, LeftCommit]:
    """Return which of those *before* HEAD does not reach now, and nobody let go.

    One that git has thrown away is there only where a commit names it alone.
    """
    if not before:
        return {}
    outside = {it.commit for it in ours.left_behind([*before], head)}
    pruned = before.keys() - ours.repository.held(before)
    either = said.let_go | said.alone
    here = {it.commit for it in before.values()
            if {*it.ops} <= (either if it.commit in pruned else said.let_go)}  # fmt: skip
    return {commit: it for commit, it in before.items() if commit in (outside | pruned) - here}


def _tips(ours: OurCommits) -> list[str]:
    """Return where HEAD stood in this clone, the branches, and what others took."""
    there = ours.repository
    branches = (at for name, at in there.refs().items() if name.startswith("refs/heads/"))
    return [*dict.fromkeys([*there.reflog(), *branches, *ours.taken])]


def _span(since: str | None, head: str) -> tuple[str, ...]:
    return (f"{since}..{head}",) if since else (head,)


class _Said(NamedTuple):
    """What the messages of commits say: which name an operation, *by* that, and what is *let_go*.

    An operation that stands *alone* in the last lines of one is what that did: so a rebase, a
    cherry-pick and an amend leave it. One that quotes several says nothing of files.
    """

    by: Mapping[str, Sequence[str]]
    alone: AbstractSet[str]
    let_go: AbstractSet[str]


def _said(repository: Repository, since: str | None, head: str) -> _Said:
    """Return what commits up to *head* say, those *since* then."""
    by: dict[str, list[str]] = defaultdict(list)
    alone: set[str] = set()
    let_go: set[str] = set()
    commits = repository.commits_mentioning(f"{OP}: ", commits=_span(since, head)) if head else []
    for it in commits:
        let_go.update(release_notes.operations(it.body))
        named = {*_named(it)}
        if len(named) == 1 and named <= _own(it):
            alone |= named
        for op in named:
            by[op].append(it.commit)
    return _Said(by, alone, let_go)


def _named(commit: Commit) -> Iterator[str]:
    """Yield the operations that the message of *commit* names, wherever: a squash joins several."""
    yield from _OPS.findall(commit.body)
    yield from (value for key, value in commit.trailers if key == OP)


def _own(commit: Commit) -> set[str]:
    """Return the operations that the last lines of *commit* name: git may say more behind them."""
    return {value for key, value in (*commit.trailers, *_last_lines(commit.body)) if key == OP}


def _last_lines(body: str) -> Iterator[tuple[str, str]]:
    """Yield what the last lines of a message have on both sides of a colon."""
    for line in body.rpartition("\n\n")[2].splitlines():
        key, _, value = line.partition(": ")
        yield key, value.strip()


class _Left(NamedTuple):
    """What a commit that left did to a file."""

    commit: str
    row: Row
    is_alone: bool


def _judged(
    ours: OurCommits, since: str | None, head: str, lost: Sequence[Commit], said: _Said
) -> Found:
    """Tell of *lost*, the oldest first, whether their files say what they should.

    One that another commit names is that one's to answer for.
    """
    rows = ours.touched([it.commit for it in lost])
    by_path: dict[str, list[_Left]] = defaultdict(list)
    for it in lost:
        # What names the operations of one of others has the rest of their work.
        is_alone = it.commit not in ours.taken and {*_named(it)} <= said.alone
        for row in rows.get(it.commit, ()):
            by_path[row.path].append(_Left(it.commit, row, is_alone))
    naming = (by for it in lost for op in _named(it) for by in said.by.get(op, ()))
    paths = _missed(ours.repository, since, head, by_path, dict.fromkeys(naming))
    made = {it.commit: [row.path for row in rows.get(it.commit, ())]
            for it in lost if said.by.keys().isdisjoint(_named(it))}  # fmt: skip
    return Found(
        tuple(_told(it, paths[it.commit]) for it in lost if it.commit in paths),
        tuple(_told(it, made[it.commit]) for it in lost
              if it.commit not in paths and made.get(it.commit)),
    )  # fmt: skip


def _missed(
    repository: Repository,
    since: str | None,
    head: str,
    by_path: Mapping[str, Sequence[_Left]],
    naming: Iterable[str],
) -> Mapping[str, Sequence[str]]:
    """Return the files that do not say what they should: by the commit that made them say it.

    What the commits that are *naming* its operation made of a file was there, too.
    """
    found: dict[str, list[str]] = defaultdict(list)
    now = repository.blobs(head, [*by_path])
    stay = {path: some for path, some in by_path.items()
            if any(not _is_so(now.get(path), it.row) for it in some)}  # fmt: skip
    if not stay:
        return found
    came = _came(repository, since, head, stay)
    others = _made_by(repository, naming)
    with repository.reading() as read:
        for path, some in stay.items():
            versions = _Versions(now.get(path), came.get(path, ()), others.get(path, ()))
            for commit in _not_there(read, some, versions):
                found[commit].append(path)
    return found


def _told(it: Commit, paths: Sequence[str]) -> LeftCommit:
    return LeftCommit(it.commit, it.public.subject, tuple(dict.fromkeys(_named(it))), (*paths,))


def _made_by(repository: Repository, commits: Iterable[str]) -> Mapping[str, Sequence[Blob]]:
    """Return what *commits* made of files: by path."""
    found: dict[str, list[Blob]] = defaultdict(list)
    for rows in repository.touched([*commits]).values():
        for row in rows:
            found[row.path].append(row.new)
    return found


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


class _Versions(NamedTuple):
    """What HEAD has of a file, the ids of what it *came* to be, and what *others* made of it."""

    now: Blob | None
    came: Collection[str]
    others: Sequence[Blob]

    def texts(self, read: Callable[[Blob], bytes], before: Blob) -> Iterator[bytes]:
        """Yield what may show a change: as the file was *before* any, it has nothing of one."""
        for blob in dict.fromkeys([self.now, *self.others]):
            if blob and blob.id != before.id and blob.mode in PLAIN:
                yield read(blob)


def _not_there(
    read: Callable[[Blob], bytes], some: Sequence[_Left], versions: _Versions
) -> Iterator[str]:
    """Yield which commits did to one file what it does not show, and never did.

    What a later one of them made of it stands for what it was made from: all of it where that is
    there byte for byte, else the lines that it changed. Of one that another commit names alone a
    line is missed that is in no version: a person may have changed the rest on purpose.
    """
    settled: set[str] = set()
    since: dict[str, LineChange] = {}
    texts = [*versions.texts(read, some[0].row.old)]
    for it in reversed(some):
        row = it.row
        if _is_so(versions.now, row) or row.new.id in {*versions.came, *settled}:
            settled.add(row.old.id)
            continue
        if row.new.mode not in PLAIN:
            if not it.is_alone:
                yield it.commit
            continue
        old, new = read(row.old) if row.old.mode in PLAIN else b"", read(row.new)
        later = since.get(row.new.id, LineChange())
        if it.is_alone:
            is_there = _has_lines(row.path, old, new, texts)
        else:
            is_there = any(_has_change(row.path, old, new, text, later) for text in texts)
        if is_there:
            since[row.old.id] = line_changes.of(old, new) + later
        else:
            yield it.commit


def _has_lines(path: str, old: bytes, new: bytes, texts: Sequence[bytes]) -> bool:
    """Tell whether one of *texts* has a line, if in other words, for each that came with *new*."""
    if not transcript_lines.is_grown(path):
        return True
    lines = transcript_lines.added(old, new)
    found = (transcript_lines.standing(lines, text, old) for text in texts)
    return any(all(it.how != "missing" for it in some) for some in found)


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
    ours: OurCommits, refs: Mapping[str, str], head: str, left: Sequence[LeftCommit]
) -> tuple[LeftCommit, ...]:
    """Return *left*, each with the first of *refs* that has it."""
    places: dict[str, str] = {}
    wanted = {it.commit for it in left}
    for name, at in refs.items():
        if not wanted - places.keys():
            break
        for commit in _reached(ours, at, head) & wanted:
            places.setdefault(commit, name)
    return tuple(replace(it, place=places.get(it.commit, "")) for it in left)


def _reached(ours: OurCommits, at: str, head: str) -> set[str]:
    try:
        return {it.commit for it in ours.left_behind([at], head)}
    except Unavailable:  # a tag of something else than a commit
        return set()


def operations(left: Iterable[LeftCommit]) -> tuple[str, ...]:
    """Return the operations of *left*."""
    return tuple(dict.fromkeys(op for it in left for op in it.ops))
