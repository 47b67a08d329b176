"""What people wrote that waits for a commit, and why: they staged it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from vaultmem.documents import public_text
from vaultmem.records import Problem
from vaultmem.storage.store import Store

STAGED = "staged"
_NAMED = 3


def problems(store: Store) -> Iterator[Problem]:
    """Name what people wrote that waits for a commit, and why.

    Nothing where the settings leave all commits to the person.
    """
    if store.config().commit_human_edits:
        yield from _staged(store)


def _staged(store: Store) -> Iterator[Problem]:
    """Name what a person has staged, which is theirs to commit: ours leave it alone."""
    if not (paths := sorted(store.writer.commits.staged())):
        return
    first = public_text.shown(paths[0]) if len(paths) == 1 else ""
    them = "it" if first else "them"
    message = "staged in git, which vaultmem leaves to you"
    if not first:
        message = f"{len(paths)} files are {message} ({_told(paths)})"
    repair = _WAY_OUT.format(them=them, path=_argument(first))
    if why := store.writer.commits.half_done():  # what a merge staged must stay so
        repair = f"{why}: finish that with git"
    yield Problem(STAGED, first, message, repair)


_WAY_OUT = (
    "commit {them} with git, or `git restore --staged {path}`, and the next round commits {them}"
)


def _argument(path: str) -> str:
    return shlex.quote(path) if path else "."


def _told(paths: Sequence[str]) -> str:
    """Return the first few of *paths* as they may be shown, and how many more there are."""
    named = ", ".join(public_text.shown(path) for path in paths[:_NAMED])
    more = len(paths) - _NAMED
    return f"{named} and {more} more" if more > 0 else named
