"""What waited for its commit, and somebody else committed first: a person's `git commit -a`."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from vaultmem.documents import public_text
from vaultmem.errors import Unavailable
from vaultmem.storage import journal, transcript_lines
from vaultmem.storage.files import Root
from vaultmem.storage.git import PLAIN, Blob, Entry, Repository, Row
from vaultmem.storage.journal import Intent, Write
from vaultmem.storage.ledger.our_commits import answers
from vaultmem.storage.ledger.types import Taken
from vaultmem.storage.line_changes import has_change

_Rows = Mapping[str, Sequence[tuple[Row, ...]]]
"""What commits did to files: a merge against each of its parents."""


class TakenWrites:
    """What others committed of what the operations below *root* did while these waited."""

    def __init__(
        self, root: Root, repository: Repository, since: Callable[[str | None], Sequence[Entry]]
    ) -> None:
        """Look in *repository* at what *since* returns: the commits that came since one."""
        self._root, self._repository, self._since = root, repository, since
        self._head = repository.head()
        self._known: dict[str | None, _Rows] = {}

    def of(self, name: str, todo: Intent) -> list[Taken]:
        """Return which commits have what *todo*, the intent in the file *name*, did to a file.

        A commit that names an operation is known by that. None where git cannot tell: a text that
        it lost in one of them holds up no commit of ours.
        """
        with contextlib.suppress(Unavailable):
            return [*self._found(name, todo)] if todo.base != self._head else []
        return []

    def _found(self, name: str, todo: Intent) -> Iterator[Taken]:
        if not (others := self._others(todo.base)):
            return
        paths = {rows[0].path for some in others.values() for rows in some}
        writes: dict[str, list[Write]] = defaultdict(list)
        for it in journal.writes(self._root, name):
            if it.path in paths and _is_public(it):
                writes[it.path].append(it)
        pairs = [(commit, rows, it) for commit, some in others.items() for rows in some
                 for it in writes.get(rows[0].path, ())]  # fmt: skip
        if pairs:
            with self._repository.reading() as read:
                yield from (Taken(commit, it.path, (todo.op,)) for commit, rows, it in pairs
                            if all(_took(read, row, it) for row in rows))  # fmt: skip

    def _others(self, base: str | None) -> _Rows:
        if base not in self._known:
            there = ((commit, [it for it in rows if answers(it[0].path)])
                     for commit, rows in self._changes(base))  # fmt: skip
            self._known[base] = {commit: rows for commit, rows in there if rows}
        return self._known[base]

    def _changes(self, base: str | None) -> Iterator[tuple[str, Sequence[tuple[Row, ...]]]]:
        """Yield what each of others' commits since *base* did to files, against each parent."""
        commits = [it.commit for it in self._since(base) if not it.names_operation]
        found = self._repository.touched(commits)
        yield from ((commit, [(row,) for row in rows]) for commit, rows in found.items())
        if rest := {*commits} - found.keys():
            span = f"{base}..HEAD" if base else "HEAD"
            merges = [it.commit for it in self._repository.joined(span) if it.commit in rest]
            for merge, parents in (self._repository.parents(merges) if merges else {}).items():
                sides = [self._repository.against(parent, merge) for parent in parents]
                yield merge, _by_none(sides)


def _by_none(sides: Sequence[Sequence[Row]]) -> list[tuple[Row, ...]]:
    """Return what a merge made of files that it has as none of its parents."""
    first, *others = ({row.path: row for row in rows} for rows in sides)
    return [(row, *(it[path] for it in others)) for path, row in first.items()
            if all(path in it for it in others)]  # fmt: skip


def _took(read: Callable[[Blob], bytes], row: Row, write: Write) -> bool:
    """Tell whether a commit made a file have what *write* did, or a part of what that added."""
    if write.new is None or row.new.mode not in PLAIN:
        return write.new is None and row.new.mode not in PLAIN
    old, new = (read(it) if it.mode in PLAIN else b"" for it in row[:2])
    if write.at is not None:
        lines = transcript_lines.lines_of(write.new)
        return any(it.is_there for it in transcript_lines.standing(lines, new, old))
    had, now = (has_change(write.old or b"", write.new, text) for text in (old, new))
    return now and not had


def _is_public(write: Write) -> bool:
    texts = (write.old, write.new)
    return not any(public_text.is_withheld(write.path, data) for data in texts)
