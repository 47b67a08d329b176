"""Tell in which commit each file came to be as it is, by two processes of git for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vaultmem.errors import Unavailable
from vaultmem.git import Entry, Repository


def newest(repository: Repository | None, paths: Iterable[str]) -> Mapping[str, Entry]:
    """Return the newest commit of each of *paths*; those that git has not got are left out."""
    wanted = set(paths)
    if repository is None or not wanted:
        return {}
    try:
        entries = repository.log(None, paths=sorted(wanted))
        rows = repository.touched([e.commit for e in entries])
    except Unavailable:  # what ails git is `status`' to say
        return {}
    found: dict[str, Entry] = {}
    for entry in entries:
        for row in rows.get(entry.commit, ()):
            if row.path in wanted:
                found.setdefault(row.path, entry)
    return found
