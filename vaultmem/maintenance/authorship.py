"""Tell which lines of a file people wrote, as git's history and the disk have it.

They are those that came otherwise than by the program. A line is known by what it says: one that
reads like a person's is treated as a person's. Of summaries the frontmatter tells it, see
`compaction.human_lines`; what a topic quotes is ours in any commit, see `quoted_lines`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property

from vaultmem.storage import git, journal
from vaultmem.storage.git import Repository, Row
from vaultmem.storage.store import Store

Own = Mapping[str, frozenset[str]]
"""The lines that people wrote, by file."""


def lines(data: bytes | None) -> Counter[str]:
    """Return the lines with text of a file, without their ends."""
    text = (data or b"").decode("utf-8", "surrogateescape")
    return Counter(x.removesuffix("\r") for x in text.split("\n") if x.strip())


def added(old: bytes | None, new: bytes | None) -> frozenset[str]:
    """Return the lines that came from *old* to *new*."""
    return frozenset(lines(new) - lines(old))


def still_there(came: Iterable[str], data: bytes | None) -> frozenset[str]:
    """Return those of the lines that *came* which the file still has."""
    return frozenset(came) & frozenset(lines(data))


class Authorship:
    """What people changed in a vault, looked up once: the log is read for all files together."""

    def __init__(
        self,
        store: Store,
        repository: Repository,
        read: Callable[[str], bytes | None],
        since: str | None = None,
    ) -> None:
        """Ask the *repository* of the vault; *read* gives the files as they are now.

        What counts came after the commit *since*, or ever.
        """
        self._store, self._repository, self._since, self._read = store, repository, since, read
        self._known: dict[str, frozenset[str]] = {}

    def own(self, paths: Collection[str]) -> Own:
        """Return the lines in each of the files at *paths* that people wrote."""
        if new := [path for path in paths if path not in self._known]:
            self._known |= self._look(new)
        return {path: self._known[path] for path in paths}

    def _look(self, paths: Collection[str]) -> dict[str, frozenset[str]]:
        came: dict[str, set[str]] = {path: set() for path in paths}
        rows = [row for path in paths for row in self._rows.get(path, ())]
        blobs = self._repository.contents(blob for row in rows for blob in (row.old, row.new))
        for row in rows:
            came[row.path] |= added(blobs.get(row.old.id), blobs.get(row.new.id))
        for path, lines in self._uncommitted(paths):
            came[path] |= lines
        return {path: still_there(lines, self._read(path)) for path, lines in came.items()}

    @cached_property
    def _rows(self) -> dict[str, list[Row]]:
        """What commits that are not the program's did since, by path."""
        entries = self._repository.log(None, since=self._since)
        theirs = [e.commit for e in entries if git.OP not in dict(e.trailers)]
        found: dict[str, list[Row]] = {}
        for rows in self._repository.touched(theirs).values():
            for row in rows:
                found.setdefault(row.path, []).append(row)
        return found

    def _uncommitted(self, paths: Iterable[str]) -> Iterator[tuple[str, frozenset[str]]]:
        """Yield the lines of files on disk that neither git has nor we are about to commit."""
        wanted = {path: blob for path in paths if (blob := self._committed.get(path))}
        blobs = self._repository.contents(wanted.values())
        for path in paths:
            blob = wanted.get(path)
            came = added(blobs.get(blob.id) if blob else None, self._read(path))
            yield path, came - self._pending.get(path, frozenset())

    @cached_property
    def _committed(self) -> dict[str, git.Blob]:
        head = self._repository.head()
        return self._repository.files(head) if head else {}

    @cached_property
    def _pending(self) -> dict[str, frozenset[str]]:
        """The lines that operations of ours brought which wait for their commit, by path."""
        found: dict[str, frozenset[str]] = {}
        for name in journal.names(self._store.root):
            for write in journal.writes(self._store.root, name):
                ours = added(write.old, write.new)
                found[write.path] = found.get(write.path, frozenset()) | ours
        return found
