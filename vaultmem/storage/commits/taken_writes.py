"""What waited for its commit, and somebody else committed first: a person's `git commit -a`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from vaultmem.documents import public_text
from vaultmem.storage import journal, transcript_lines
from vaultmem.storage.files import Root
from vaultmem.storage.git import PLAIN, Blob, Entry, Repository, Row
from vaultmem.storage.journal import Intent, Write
from vaultmem.storage.ledger.our_commits import answers
from vaultmem.storage.ledger.types import Taken
from vaultmem.storage.line_changes import has_change


class TakenWrites:
    """What others committed of what the operations below *root* did while these waited."""

    def __init__(
        self, root: Root, repository: Repository, since: Callable[[str | None], Sequence[Entry]]
    ) -> None:
        """Look in *repository* at what *since* returns: the commits that came since one."""
        self._root, self._repository, self._since = root, repository, since
        self._head = repository.head()
        self._known: dict[str | None, Mapping[str, Sequence[Row]]] = {}

    def of(self, name: str, todo: Intent) -> Iterator[Taken]:
        """Yield which commits have what *todo*, the intent in the file *name*, did to a file.

        A commit that names an operation is known by that. Raises Unavailable.
        """
        if todo.base == self._head or not (others := self._others(todo.base)):
            return
        writes = [it for it in journal.writes(self._root, name) if _is_public(it)]
        pairs = [(commit, row, it) for commit, rows in others.items() for row in rows
                 for it in writes if it.path == row.path]  # fmt: skip
        if pairs:
            with self._repository.reading() as read:
                yield from (Taken(commit, row.path, (todo.op,)) for commit, row, it in pairs
                            if _took(read, row, it))  # fmt: skip

    def _others(self, base: str | None) -> Mapping[str, Sequence[Row]]:
        """Return what the commits since *base* did to files that are to be missed."""
        if base not in self._known:
            commits = [it.commit for it in self._since(base) if not it.names_operation]
            rows = self._repository.touched(commits)
            there = {it: [row for row in rows.get(it, ()) if answers(row.path)] for it in commits}
            self._known[base] = {commit: some for commit, some in there.items() if some}
        return self._known[base]


def _took(read: Callable[[Blob], bytes], row: Row, write: Write) -> bool:
    """Tell whether a commit made a file have what *write* did, or a part of what that added."""
    if write.new is None or row.new.mode not in PLAIN:
        return write.new is None and row.new.mode not in PLAIN
    old, new = (read(it) if it.mode in PLAIN else b"" for it in row[:2])
    if write.at is not None:
        lines = transcript_lines.lines_of(write.new)
        came = b"\n".join(transcript_lines.added(old, new))
        return any(it.is_there for it in transcript_lines.standing(lines, came))
    had, now = (has_change(write.old or b"", write.new, text) for text in (old, new))
    return now and not had


def _is_public(write: Write) -> bool:
    texts = (write.old, write.new)
    return not any(public_text.is_withheld(write.path, data) for data in texts)
