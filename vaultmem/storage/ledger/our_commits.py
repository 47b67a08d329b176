"""The commits that have work of ours: those we made, and those of others that took it first.

What waits for its commit a person may commit themselves. From then on theirs answers for it: the
ledger says for which operations, and which of its files have what these did.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from vaultmem.records import LISTS, SUMMARIES
from vaultmem.storage import reader
from vaultmem.storage.git import OP, Repository, Row
from vaultmem.storage.git import Entry as Commit
from vaultmem.storage.ledger.entries import holds
from vaultmem.storage.ledger.types import Taken
from vaultmem.storage.tombstone_checks import FOLDER as TOMBSTONES


def answers(path: str) -> bool:
    """Tell whether the file at *path* is to be missed where a commit with our work left.

    Not a memory, nor a tombstone, which have ledgers of their own, nor what is made from others.
    """
    is_noted = holds(path) or path.startswith(f"{TOMBSTONES}/")
    return not (is_noted or path in LISTS or reader.kind_of(path) in SUMMARIES)


@dataclass(frozen=True, slots=True)
class OurCommits:
    """Those that *repository* has; *taken* are those of others, by their id."""

    repository: Repository
    taken: Mapping[str, Sequence[Taken]]

    @classmethod
    def of(cls, repository: Repository, taken: Iterable[Taken]) -> OurCommits:
        """Return them, where others *taken* what the ledger says."""
        found: dict[str, list[Taken]] = defaultdict(list)
        for it in taken:
            found[it.commit].append(it)
        return cls(repository, found)

    def left_behind(self, tips: Sequence[str], head: str) -> list[Commit]:
        """Return those that *tips* reach and *head* does not, newest first.

        One of others names the operations that it took, as ours do.
        """
        return self._naming(self.repository.left_behind(tips, head, self.taken.keys()))

    def written(self, tip: str, paths: Sequence[str]) -> list[Commit]:
        """Return those up to *tip* that wrote to the files at *paths*, newest first."""
        found = self.repository.commits(tip, paths)
        return self._naming(it for it in found if it.names_operation or it.commit in self.taken)

    def _naming(self, found: Iterable[Commit]) -> list[Commit]:
        return [it._replace(trailers=(*it.trailers, *self._ops(it.commit))) for it in found]

    def _ops(self, commit: str) -> Iterable[tuple[str, str]]:
        ops = (op for it in self.taken.get(commit, ()) for op in it.ops)
        return ((OP, op) for op in dict.fromkeys(ops))

    def touched(self, commits: Sequence[str]) -> dict[str, tuple[Row, ...]]:
        """Return what each of *commits* did to files that are to be missed.

        Of one of others, what it took: the rest is a person's own.
        """
        theirs = [it for it in commits if it in self.taken]
        found = self.repository.touched([it for it in commits if it not in self.taken])
        found |= self.repository.against_first_parent(theirs)
        return {commit: tuple(self._missed(commit, rows)) for commit, rows in found.items()}

    def _missed(self, commit: str, rows: Iterable[Row]) -> Iterator[Row]:
        paths = {it.path for it in self.taken.get(commit, ())}
        is_ours = commit not in self.taken
        return (row for row in rows if answers(row.path) and (is_ours or row.path in paths))
