"""Tell which commit each link of a chain comes from: of its line where it has one, by `git blame`.

A file as a whole comes from the commit in which it first stood as it stands now: an undo that
brings it back is not where it comes from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vaultmem.errors import Unavailable
from vaultmem.maintenance.provenance.types import Link
from vaultmem.storage.git import Entry, Repository
from vaultmem.storage.store import Store


def entries(store: Store, links: Sequence[Link]) -> list[Entry | None]:
    """Return the commit of each of *links*, None for what git has not got."""
    repository = store.writer.repository
    if repository is None:
        return [None] * len(links)
    try:
        whole = _whole(repository, {link.path for link in links if not link.line})
        lines = _lines(store, repository, {link.path for link in links if link.line})
        named = {c for commits in lines.values() for c in commits if c}
        known = {entry.commit: entry for entry in repository.entries(sorted(named))}
    except Unavailable:  # what ails git is `status`' to say
        return [None] * len(links)
    return [
        known.get(_at(lines[link.path], link.line) or "") if link.line else whole.get(link.path)
        for link in links
    ]


def _lines(store: Store, repository: Repository, paths: set[str]) -> dict[str, list[str | None]]:
    """Return the commit of each line of *paths*, by one process a file."""
    return {path: repository.blame(path, store.read(path) or b"") for path in sorted(paths)}


def _at(commits: Sequence[str | None], line: int) -> str | None:
    return commits[line - 1] if line <= len(commits) else None


def _whole(repository: Repository, paths: set[str]) -> Mapping[str, Entry]:
    """Return the commit in which each of *paths* first was what it is, by two processes."""
    if not paths:
        return {}
    log = repository.log(None, paths=sorted(paths))
    rows = repository.touched([entry.commit for entry in log])
    found: dict[str, Entry] = {}
    stands: dict[str, str] = {}
    for entry in log:
        for row in rows.get(entry.commit, ()):
            if row.path in paths and row.new.id == stands.setdefault(row.path, row.new.id):
                found[row.path] = entry
    return found
