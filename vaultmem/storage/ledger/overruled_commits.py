"""What a commit of a person's left out of what it stands on: HEAD reaches that and lacks it.

A transcript is only added to, so a commit has every line of each of its parents, and a merge has
every file that one side alone made. How lines are joined that both sides changed is the person's to
say, and so is what becomes of any other file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from vaultmem.documents import frontmatter
from vaultmem.errors import Unavailable
from vaultmem.storage import transcript_lines
from vaultmem.storage.git import ABSENT, OP, PLAIN, Blob, Repository, Row
from vaultmem.storage.git import Entry as Commit
from vaultmem.storage.ledger.commit_records import HUMAN, ids_of
from vaultmem.storage.ledger.entries import memory_id
from vaultmem.storage.ledger.our_commits import OurCommits


class Overruled(NamedTuple):
    """A *commit* of ours, and the files of which another, *by*, left out what that did."""

    commit: Commit
    by: str
    paths: tuple[str, ...]


def gained(repository: Repository, since: str | None, head: str) -> list[str]:
    """Return the commits that HEAD, now at *head*, gained *since* and that may leave something out.

    The oldest first: what took lines of a transcript or an item log away, and merges; of all of the
    past, the first alone. Not those of an operation of ours: a sync has a law of its own, and what
    another takes away is meant.
    """
    span = f"{since}..{head}" if since else head
    others = [*reversed(repository.commits_without(f"{OP}: ", span))]
    cuts = [*_cutting(repository, others)] if others else []
    merges = reversed(repository.joined(span)) if since else ()
    return [*dict.fromkeys([*cuts, *(it.commit for it in merges if not it.ops)])]


def _cutting(repository: Repository, commits: Sequence[Commit]) -> Iterator[str]:
    """Yield which of *commits* took lines away; to delete all of a file by hand is a person's."""
    subjects = {it.commit: it.subject for it in commits}
    rows = [(commit, row) for commit, some in repository.touched([*subjects]).items()
            for row in some if transcript_lines.is_grown(row.path) and row.old.mode in PLAIN
            and (row.new.mode in PLAIN or not subjects[commit].startswith(HUMAN))]  # fmt: skip
    with repository.reading() if rows else nullcontext(_nothing) as read:
        for commit, row in rows:
            with suppress(Unavailable):  # git lost a text, or a partial clone has it elsewhere
                old, new = (read(it) if it.mode in PLAIN else b"" for it in row[:2])
                is_kept = new.startswith(old) or frontmatter.is_pointer(new)  # told of as such
                if not is_kept and transcript_lines.lacks(row.path, new, old):
                    yield commit


def find(ours: OurCommits, commits: Sequence[str], head: str) -> list[Overruled]:
    """Return what *commits* left out of *ours*, and HEAD, now at *head*, has not got otherwise.

    Raises Unavailable.
    """
    found: dict[str, Overruled] = {}
    for by, parents in ours.repository.parents(commits).items():
        places = _Places(ours.repository, (by, head))
        for at, parent in enumerate(parents):
            others = (*parents[:at], *parents[at + 1 :])
            for it in _Side(ours, by, parent, others, head, places).left_out():
                found.setdefault(it.commit.commit, it)
    return [*found.values()]


@dataclass(frozen=True, slots=True)
class _Side:
    """What *parent* brought to a commit, *by*, and its *others* did not; HEAD is now at *head*.

    *places* are those of what both have.
    """

    ours: OurCommits
    by: str
    parent: str
    others: tuple[str, ...]
    head: str
    places: _Places

    @property
    def repository(self) -> Repository:
        """What has all of it."""
        return self.ours.repository

    def left_out(self) -> Iterator[Overruled]:
        """Yield what of it that commit left out, the oldest first."""
        commits = [*reversed(self._commits())]
        lost: dict[str, list[str]] = defaultdict(list)
        with self.repository.reading() if commits else nullcontext(_nothing) as read:
            for file in self._files(commits):
                is_grown = transcript_lines.is_grown(file.path)
                for commit in self._cut(file, read) if is_grown else self._gone(file, read):
                    lost[commit].append(file.path)
        for it in commits:
            if it.commit in lost:
                yield Overruled(it, self.by, tuple(lost[it.commit]))

    def _commits(self) -> list[Commit]:
        """Return what this side brought, newest first: without another one, to files that grow."""
        if self.others:
            first, *more = self.others
            return self.ours.left_behind([self.parent, *(f"^{other}" for other in more)], first)
        rows = self.repository.against(self.parent, self.by)
        grown = [row.path for row in rows if transcript_lines.is_grown(row.path)]
        return self.ours.written(self.parent, grown) if grown else []

    def _files(self, commits: Sequence[Commit]) -> list[_File]:
        """Return the files that *commits* wrote to, and that are not as this side had them."""
        rows: dict[str, list[tuple[str, Row]]] = defaultdict(list)
        for commit, some in self.ours.touched([it.commit for it in commits]).items():
            for row in some:
                rows[row.path].append((commit, row))
        had, *others = (self.repository.blobs(at, [*rows])
                        for at in (self.parent, self.by, self.head))  # fmt: skip
        found = (_File(path, some, had[path], [it[path] for it in others if path in it])
                 for path, some in rows.items() if path in had)  # fmt: skip
        return [it for it in found if it.had.mode in PLAIN and it.had not in it.blobs
                and (self.others or transcript_lines.is_grown(it.path))]  # fmt: skip

    def _cut(self, file: _File, read: Callable[[Blob], bytes]) -> Iterator[str]:
        """Yield which commits added lines to a *file* that are nowhere."""
        if file.blobs or not self.places.has(file, ""):
            yield from file.cut(read)

    def _gone(self, file: _File, read: Callable[[Blob], bytes]) -> Iterator[str]:
        """Yield which commits made a *file* that is another's now, or nobody's, and nowhere."""
        mine = memory_id(read(file.had))
        ids = {memory_id(read(it)) for it in file.blobs if it.mode in PLAIN}
        is_another = bool(mine) and ids.isdisjoint({"", mine})
        if (is_another or not file.blobs) and file.was_made and not self.places.has(file, mine):
            yield from (commit for commit, _ in file.rows)


class _Places:
    """Where files stand in some *commits*, whatever they are called there: each is listed once."""

    def __init__(self, repository: Repository, commits: Iterable[str]) -> None:
        self._repository, self._commits = repository, dict.fromkeys(commits)
        self._memories: dict[str, set[str]] = {}

    def has(self, file: _File, mine: str) -> bool:
        """Tell whether one has the *file*, word for word, or with the id *mine* in its folder."""
        if file.had.id in self._blobs:
            return True
        return bool(mine) and mine in self._ids(f"{file.path.partition('/')[0]}/")

    @cached_property
    def _blobs(self) -> set[str]:
        return {it.id for there in self._files for it in there.values()}

    @cached_property
    def _files(self) -> list[dict[str, Blob]]:
        return [self._repository.files(it) for it in self._commits]

    def _ids(self, folder: str) -> set[str]:
        """Return the ids of the memories in a *folder* there."""
        if folder not in self._memories:
            found = self._memories[folder] = set()
            for there in self._files:
                notes = (it for path, it in there.items() if path.startswith(folder))
                found.update(ids_of(self._repository, notes).values())
        return self._memories[folder]


@dataclass(frozen=True, slots=True)
class _File:
    """A file that a side *had*, the commits that wrote it, and what came of it then and is now."""

    path: str
    rows: Sequence[tuple[str, Row]]
    had: Blob
    blobs: Sequence[Blob]

    @property
    def was_made(self) -> bool:
        """Whether the first of the commits made it: where both sides had it, one may delete it."""
        return self.rows[0][1].old.mode == ABSENT

    def cut(self, read: Callable[[Blob], bytes]) -> Iterator[str]:
        """Yield which commits added lines that the side had, and nobody has."""
        side, texts = read(self.had), [read(it) for it in self.blobs if it.mode in PLAIN]
        for commit, row in self.rows:
            old, new = (read(it) if it.mode in PLAIN else b"" for it in row[:2])
            there = transcript_lines.standing(transcript_lines.added(old, new), side, old)
            lines = [it.by for it in there if it.is_there]
            if lines and not any(_has_all(lines, text, old) for text in texts):
                yield commit


def _has_all(lines: Sequence[bytes], text: bytes, before: bytes) -> bool:
    return all(it.is_there for it in transcript_lines.standing(lines, text, before))


def _nothing(_blob: Blob) -> bytes:
    return b""
