"""What a commit of a person's left out of what it stands on: HEAD reaches that and lacks it.

A transcript is only added to, so a commit has every line of each of its parents, and a merge has
every file that one side alone made. How lines are joined that both sides changed is the person's to
say, and so is what becomes of any other file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

from vaultmem.documents import frontmatter
from vaultmem.errors import Unavailable
from vaultmem.storage import transcript_lines
from vaultmem.storage.git import ABSENT, OP, PLAIN, Blob, Repository, Row
from vaultmem.storage.git import Entry as Commit
from vaultmem.storage.ledger import commit_notes
from vaultmem.storage.ledger.commit_records import HUMAN, ids_of
from vaultmem.storage.ledger.entries import memory_id
from vaultmem.storage.ledger.missing_cache import LeftCommit
from vaultmem.storage.ledger.our_commits import OurCommits, answers


class Overruled(NamedTuple):
    """A *commit* of ours, and the files of which another, *by*, left out what that did."""

    commit: Commit
    by: str
    paths: tuple[str, ...]


def gained(repository: Repository, since: str | None, head: str) -> list[str]:
    """Return the commits that HEAD, now at *head*, gained *since* and that may leave something out.

    The oldest first: what took lines of a transcript or an item log away, and merges; of all of the
    past, the first alone. Not those of an operation of ours: a sync has a law of its own, and what
    another takes away is meant. But one that a rebase made anew may have put its files over what it
    stands on now.
    """
    if not since:
        return _cutting(repository, repository.commits_without(f"{OP}: ", head))
    came = repository.since(since, head)
    cuts = _cutting(
        repository, [it for it in came if not it.names_operation or commit_notes.is_put_over(it)]
    )
    merges = (it.commit for it in reversed(came) if len(it.parents) > 1 and not it.ops)
    return [*dict.fromkeys([*cuts, *merges])]


def _cutting(repository: Repository, commits: Sequence[Commit]) -> list[str]:
    """Return which of *commits*, newest first, took lines away, the oldest first.

    To delete all of a file by hand is a person's.
    """
    return [*dict.fromkeys(_cuts(repository, commits))]


def _cuts(repository: Repository, commits: Sequence[Commit]) -> Iterator[str]:
    known = {it.commit: it for it in reversed(commits)}
    rows = [(commit, row) for commit, some in repository.touched([*known]).items()
            for row in some if row.old.mode in PLAIN and _may_cut(known[commit], row)]  # fmt: skip
    with repository.reading() if rows else nullcontext(_nothing) as read:
        for commit, row in rows:
            with suppress(Unavailable):  # git lost a text, or a partial clone has it elsewhere
                if _takes_away(row, read):
                    yield commit


def _may_cut(commit: Commit, row: Row) -> bool:
    if transcript_lines.is_grown(row.path):
        return row.new.mode in PLAIN or not commit.subject.startswith(HUMAN)
    return row.new.mode in PLAIN and answers(row.path) and commit_notes.is_put_over(commit)


def _takes_away(row: Row, read: Callable[[Blob], bytes]) -> bool:
    """Tell whether what *row* tells of cut lines of a file that grows, or put over another."""
    if not transcript_lines.is_grown(row.path):
        return _is_replaced(row, read)
    old, new = (read(it) if it.mode in PLAIN else b"" for it in row[:2])
    is_kept = new.startswith(old) or frontmatter.is_pointer(new)  # told of as such
    return not is_kept and transcript_lines.lacks(row.path, new, old)


def _is_replaced(row: Row, read: Callable[[Blob], bytes]) -> bool:
    """Tell whether what *row* tells of put another thing in the place of one."""
    old, new = (memory_id(read(it)) for it in row[:2])
    return bool(old and new) and old != new


def find(ours: OurCommits, commits: Sequence[str], head: str) -> list[Overruled]:
    """Return what *commits* left out of *ours*, and HEAD, now at *head*, has not got otherwise.

    Raises Unavailable.
    """
    found: dict[str, Overruled] = {}
    for made in ours.repository.parents(commits).items():
        places = _Places(ours.repository, partial(_listed, ours.repository, made[0], head))
        for it in _left_out(ours, made, head, places):
            found.setdefault(it.commit.commit, it)
    return [*found.values()]


def _listed(repository: Repository, *commits: str) -> list[Mapping[str, Blob]]:
    return [repository.files(it) for it in dict.fromkeys(commits)]


def still(
    ours: OurCommits, told: Sequence[LeftCommit], head: str, moved: Sequence[Row]
) -> Iterator[LeftCommit]:
    """Yield which of *told* HEAD, now at *head*, has not got back by what *moved* since.

    Only what that touched is judged again, however large the vault is: HEAD had nothing of it
    before. Raises Unavailable.
    """
    came = {row.path: row.new for row in moved if row.new.mode in PLAIN and answers(row.path)}
    places = _Places(ours.repository, lambda: [came])
    moved_paths = {row.path for row in moved}
    for by in dict.fromkeys(it.by for it in told):
        some = [it for it in told if it.by == by]
        paths = {path for it in some for path in it.paths}
        touched = paths & moved_paths
        if came or touched:
            parents = ours.repository.parents([by])[by]
            touched |= _came_back(ours.repository, parents, paths, places)
            some = _rest(some, touched, _left_out(ours, (by, parents), head, places, touched))
        yield from some


def _rest(
    told: Iterable[LeftCommit], asked: Collection[str], found: Iterable[Overruled]
) -> list[LeftCommit]:
    """Return *told* without those of the files *asked* for that are not *found* left out now."""
    lost = {(it.commit.commit, path) for it in found for path in it.paths} if asked else set()
    stay = ((it, tuple(p for p in it.paths if p not in asked or (it.commit, p) in lost))
            for it in told)  # fmt: skip
    return [it._replace(paths=paths) for it, paths in stay if paths]


def _came_back(
    repository: Repository, parents: Sequence[str], paths: Collection[str], places: _Places
) -> set[str]:
    """Return which of the files at *paths*, as *parents* of a commit had them, *places* have."""
    had = [repository.blobs(it, [*paths]) for it in parents]
    ids = ids_of(repository, (blob for there in had for blob in there.values()))
    return {path for there in had for path, blob in there.items()
            if places.has(path, blob, ids.get(blob.id, ""))}  # fmt: skip


def _left_out(
    ours: OurCommits,
    made: tuple[str, Sequence[str]],
    head: str,
    places: _Places,
    only: Collection[str] | None = None,
) -> Iterator[Overruled]:
    """Yield what a commit, *made* of parents, left out of each: of *only* these files, if given.

    HEAD is now at *head*, and *places* are those of what both have.
    """
    by, parents = made
    for at, parent in enumerate(parents):
        others = (*parents[:at], *parents[at + 1 :])
        yield from _Side(ours, by, parent, others, head, places, only).left_out()


@dataclass(frozen=True)
class _Side:
    """What *parent* brought to a commit, *by*, and its *others* did not; HEAD is now at *head*.

    *places* are those of what both have; *only* the files that are meant, None for all.
    """

    ours: OurCommits
    by: str
    parent: str
    others: tuple[str, ...]
    head: str
    places: _Places
    only: Collection[str] | None

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
        return self.ours.written(self.parent, [*self._alone]) if self._alone else []

    @cached_property
    def _alone(self) -> frozenset[str]:
        """The files of which the commit, without another side, has to have what stood there."""
        rows = self.repository.against(self.parent, self.by)
        is_anew = any(map(commit_notes.is_put_over, self.repository.since(self.parent, self.by)))
        with self.repository.reading() if is_anew else nullcontext(_nothing) as read:
            both = (row for row in rows if is_anew and {row.old.mode, row.new.mode} <= PLAIN)
            put_over = {row.path for row in both if answers(row.path) and _is_replaced(row, read)}
        grown = (row.path for row in rows if transcript_lines.is_grown(row.path))
        return frozenset(put_over.union(grown))

    def _files(self, commits: Sequence[Commit]) -> list[_File]:
        """Return the files that *commits* wrote to, and that are not as this side had them."""
        rows: dict[str, list[tuple[str, Row]]] = defaultdict(list)
        for commit, some in self.ours.touched([it.commit for it in commits]).items():
            for row in some:
                if self.only is None or row.path in self.only:
                    rows[row.path].append((commit, row))
        had, *others = (self.repository.blobs(at, [*rows])
                        for at in (self.parent, self.by, self.head))  # fmt: skip
        found = (_File(path, some, had[path], [it[path] for it in others if path in it])
                 for path, some in rows.items() if path in had)  # fmt: skip
        return [it for it in found if it.had.mode in PLAIN and it.had not in it.blobs
                and (self.others or it.path in self._alone)]  # fmt: skip

    def _cut(self, file: _File, read: Callable[[Blob], bytes]) -> Iterator[str]:
        """Yield which commits added lines to a *file* that are nowhere."""
        if file.blobs or not self.places.has(file.path, file.had, ""):
            yield from file.cut(read)

    def _gone(self, file: _File, read: Callable[[Blob], bytes]) -> Iterator[str]:
        """Yield which commits made a *file* that is another's now, or nobody's, and nowhere."""
        mine = memory_id(read(file.had))
        ids = {memory_id(read(it)) for it in file.blobs if it.mode in PLAIN}
        is_another = bool(mine) and ids.isdisjoint({"", mine})
        is_elsewhere = file.was_made and self.places.has(file.path, file.had, mine)
        if (is_another or not file.blobs) and file.was_made and not is_elsewhere:
            yield from (commit for commit, _ in file.rows)


class _Places:
    """Where files stand now, whatever they are called: *listed* tells it, and is asked once."""

    def __init__(
        self, repository: Repository, listed: Callable[[], Sequence[Mapping[str, Blob]]]
    ) -> None:
        self._repository, self._listed = repository, listed
        self._memories: dict[str, set[str]] = {}

    def has(self, path: str, had: Blob, mine: str) -> bool:
        """Tell whether what *path* *had* is there word for word, or its id *mine* in its folder."""
        if had.id in self._blobs:
            return True
        return bool(mine) and mine in self._ids(f"{path.partition('/')[0]}/")

    @cached_property
    def _blobs(self) -> set[str]:
        return {it.id for there in self._files for it in there.values()}

    @cached_property
    def _files(self) -> Sequence[Mapping[str, Blob]]:
        return self._listed()

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
