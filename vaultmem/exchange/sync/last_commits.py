"""Which commit there had the last word on a file."""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.exchange.sync.types import Lines
from vaultmem.storage.git import Entry, Repository, Row


def below(folder: str, lines: Lines, repository: Repository) -> Mapping[str, tuple[Entry, Row]]:
    """Return the last commit there that touched each file in *folder*, and what it did to it."""
    commits = repository.commits(f"{lines.ours}..{lines.theirs}", (folder,))
    rows = repository.touched([commit.commit for commit in commits])
    last: dict[str, tuple[Entry, Row]] = {}
    for commit in commits:
        for row in rows.get(commit.commit, ()):
            last.setdefault(row.path, (commit, row))
    return last
