"""Whether the files that HEAD has show what commits did to them that it does not reach."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from vaultmem.storage import line_changes, transcript_lines
from vaultmem.storage.git import ABSENT, PLAIN, Blob, Repository, Row
from vaultmem.storage.ledger.entries import memory_id
from vaultmem.storage.line_changes import LineChange


class Made(NamedTuple):
    """What a commit did to a file."""

    commit: str
    row: Row
    is_alone: bool


def missed(
    repository: Repository,
    since: str | None,
    head: str,
    by_path: Mapping[str, Sequence[Made]],
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
    past = came(repository, since, head, stay)
    others = _made_by(repository, naming)
    with repository.reading() as read:
        for path, some in stay.items():
            versions = _Versions(now.get(path), past.get(path, ()), others.get(path, ()))
            for commit in _not_there(read, some, versions):
                found[commit].append(path)
    return found


def _made_by(repository: Repository, commits: Iterable[str]) -> Mapping[str, Sequence[Blob]]:
    """Return what *commits* made of files: by path."""
    found: dict[str, list[Blob]] = defaultdict(list)
    for rows in repository.touched([*commits]).values():
        for row in rows:
            found[row.path].append(row.new)
    return found


def _is_so(now: Blob | None, row: Row) -> bool:
    return now is None if row.new.mode == ABSENT else now is not None and now.id == row.new.id


def came(
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
    read: Callable[[Blob], bytes], some: Sequence[Made], versions: _Versions
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
