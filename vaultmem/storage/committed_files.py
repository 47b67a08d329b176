"""What git has of files, or will have by the next commit of ours, beside what lies on disk.

A person's edit rests before it is committed, and what is held back is not committed at all: until
then what is generated of files, and committed, is made of what git has of them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import TYPE_CHECKING

from vaultmem.documents import frontmatter, public_text
from vaultmem.errors import Unavailable
from vaultmem.storage import files, hidden_texts
from vaultmem.storage.journal import Write
from vaultmem.storage.plan import Change
from vaultmem.storage.store import Store
from vaultmem.storage.three_way_merge import merge

if TYPE_CHECKING:
    from datetime import datetime

    from vaultmem.storage.git import Blob, Repository

_MOST = 1000
"""Notes that were changed since somebody spoke, of which it is asked what they said before."""


def committed(store: Store, paths: Sequence[str]) -> AbstractSet[str]:
    """Return those of *paths* that the last commit has, or the next one of ours will have.

    All of them without a repository, or with one that does not answer. What waits for its commit
    does not come if it is held back.
    """
    if not paths or (repository := store.writer.repository) is None:
        return frozenset(paths)
    coming = store.waiting_writes.coming(frozenset(paths))
    try:
        return coming | repository.in_head(paths).keys()
    except Unavailable:
        return frozenset(paths)


def tips_until(store: Store, when: datetime, head: str = "") -> Sequence[str]:
    """Return the last commits until *when* on every line up to *head*, else the last commit.

    None without a repository, or with one that does not answer.
    """
    if repository := store.writer.repository:
        with contextlib.suppress(Unavailable):
            return repository.tips_until(when, head)
    return ()


def versions(store: Store, commits: Sequence[str], path: str) -> Sequence[bytes]:
    """Return what *commits* have of the file at *path*, each text once."""
    if commits and (repository := store.writer.repository):
        with contextlib.suppress(Unavailable):
            blobs = [it for each in commits for it in repository.files(each, path).values()]
            return [*repository.contents(blobs).values()]
    return ()


def replaced(store: Store, commits: Sequence[str]) -> Mapping[str, Sequence[bytes]]:
    """Return what *commits* had of notes that the last one has otherwise, or not at all, by path.

    Of so many as hands can have changed.
    """
    if not commits or (repository := store.writer.repository) is None:
        return {}
    from vaultmem.storage.git.types import PLAIN  # noqa: PLC0415  # who only reads does not pay for git

    found: dict[str, list[Blob]] = {}
    with contextlib.suppress(Unavailable):
        head = repository.head() or commits[0]
        rows = (row for commit in commits for row in repository.against(commit, head))
        for row in rows:
            if row.old.mode in PLAIN and files.is_note(row.path):
                found.setdefault(row.path, []).append(row.old)
        some = dict(islice(found.items(), _MOST))
        texts = repository.contents(it for blobs in some.values() for it in blobs)
        return {
            path: [texts[it.id] for it in blobs if it.id in texts] for path, blobs in some.items()
        }
    return {}


def written(store: Store, tips: Sequence[str], head: str) -> Mapping[str, bytes | None]:
    """Return what *tips* had of the notes that people committed up to *head* since then, by path.

    People, and no operation of ours: of so many as hands can have changed, the last ones. None of
    what is new since.
    """
    if (repository := store.writer.repository) is None:
        return {}
    theirs = [it.commit for it in repository.above(tips, head) if not it.ops]
    rows = (row for each in repository.touched(theirs).values() for row in each)
    paths = [*islice(dict.fromkeys(row.path for row in rows if files.is_note(row.path)), _MOST)]
    had: dict[str, Blob] = {}
    for tip in reversed(tips) if paths else ():
        had |= repository.files(tip, *paths)
    texts = repository.contents(had.values())
    return {path: texts.get(had[path].id) if path in had else None for path in paths}


def instead(store: Store, texts: Mapping[str, bytes | None]) -> dict[str, bytes | None]:
    """Return what the last commit has at the paths of *texts*, where the next one has not these.

    Where git's tells what is marked as private now, that is the public part of the text. None where
    git has nothing. A file that git has as a pointer alone is taken for what it is on disk, and so
    is each without a repository, or with one that does not answer.
    """
    if (repository := store.writer.repository) is None:
        return {}
    with contextlib.suppress(Unavailable):
        edited = missing(store, repository, texts)
        had = repository.in_head(edited)
        known = repository.contents(had.values())
        found = {p: known.get(had[p].id) if p in had else None for p in edited}
        return {
            p: _told(p, texts[p], data)
            for p, data in found.items()
            if not frontmatter.is_pointer(data or b"")
        }
    return {}


def _told(path: str, now: bytes | None, had: bytes | None) -> bytes | None:
    """Return what of the file at *path*, which is as it is *now*, git *had* and may be told."""
    if now is None or had is None:
        return had
    texts = (data.decode("utf-8", "surrogateescape") for data in (now, had))
    return public_text.public(path, now) if hidden_texts.was_shown(*texts) else had


def after(store: Store, change: Change) -> bytes | None:
    """Return what the commit of *change*, made on a file's own bytes, will have of the file.

    That is HEAD's text plus what is changed, without what a person wrote and git has not yet.
    """
    if public_text.is_withheld(change.path, change.new):
        return instead(store, {change.path: change.new}).get(change.path, change.new)
    had = instead(store, {change.path: change.old})
    if change.new is None or change.path not in had:
        return change.new
    theirs = had[change.path]
    joined = merge(change.new, change.old or b"", theirs) if theirs else None
    return theirs if joined is None else joined


def missing(
    store: Store, repository: Repository, taken: Mapping[str, bytes | None]
) -> dict[str, bytes | None]:
    """Return what of the bytes in *taken*, by path, git neither has nor is about to get."""
    if not (found := differing(repository, taken)):
        return {}
    waiting = [*store.waiting_writes.of(found.keys())]
    before = {path: _before(path, data, waiting) for path, data in found.items()}
    return {path: taken[path] for path in differing(repository, before)}


def differing(repository: Repository, wanted: Mapping[str, bytes | None]) -> dict[str, bytes]:
    """Return what of *wanted*, bytes by path, is not what the last commit has there."""
    there = {path: data for path, data in wanted.items() if data is not None}
    ids: dict[str, str] = {}
    with contextlib.suppress(Unavailable):  # no commit yet, or no answer: then git has nothing
        ids = {path: blob.id for path, blob in repository.in_head(there).items()}
    return {
        path: data for path, data in there.items() if ids.get(path) not in _ids(repository, data)
    }


def _ids(repository: Repository, data: bytes) -> set[str]:
    """Return the names that git may have for *data*."""
    from vaultmem.storage.git.types import blob_ids  # noqa: PLC0415  # who only reads does not pay for git

    return blob_ids(repository.algorithm, data)


def _before(path: str, data: bytes | None, waiting: Sequence[Write]) -> bytes | None:
    """Return what the file at *path* said before what is *waiting* made it *data*."""
    for write in reversed([w for w in waiting if w.path == path]):
        if write.at is None and write.new == data:
            data = write.old
        elif write.at is not None and data is not None and data[write.at :] == write.new:
            data = data[: write.at] or None
        else:
            break
    return data
