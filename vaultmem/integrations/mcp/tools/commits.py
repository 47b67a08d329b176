"""The history as the server's agent may know of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vaultmem.errors import Unavailable
from vaultmem.integrations.mcp.vault_session import ServerSession
from vaultmem.storage import git

_COMMITS = 50
"""Commits that git is asked about at once."""


def commits(
    server: ServerSession, path: str = "", most: int | None = None
) -> Iterator[tuple[git.Entry, frozenset[str]]]:
    """Yield what was done, to all or to one file, newest first, and which files it touched.

    What the server's agent may not know of is left out. Raises Unavailable without git.
    """
    kept = repository(server)
    found = kept.log(most, paths=[path] if path else [])
    for start in range(0, len(found), _COMMITS):
        part = found[start : start + _COMMITS]
        rows = kept.touched([entry.commit for entry in part])
        for entry in part:
            touched = frozenset(row.path for row in rows.get(entry.commit, ()))
            if is_open(server, entry, touched):
                yield entry, touched


def is_open(server: ServerSession, entry: git.Entry, touched: Iterable[str]) -> bool:
    """Tell whether the server's agent may know of a commit that *touched* these files."""
    return server.did(entry.trailers) and all(map(server.knows_of, touched))


def repository(server: ServerSession) -> git.Repository:
    """Return what keeps the history, with all in it that waited; raises Unavailable without."""
    writer = server.vault.store.writer
    writer.settle()
    if writer.repository is None:
        raise Unavailable("this vault has no git history: `git init` in its folder starts one")
    return writer.repository
