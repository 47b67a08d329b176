"""What people wrote that waits for a commit, and why: they staged it, or git could not take it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from vaultmem.documents import public_text
from vaultmem.records import Problem
from vaultmem.storage import delay_notes, files, git_state_files, human_edits, staged_cache
from vaultmem.storage.store import Store

STAGED = "staged"
REFUSED = "edit-waits"
UNRESTED = "edit-is-young"
_MOST_NAMED = 3
_SAFE = "the files are safe, only history waits"


def problems(store: Store) -> Iterator[Problem]:
    """Name what people wrote that waits for a commit, and why.

    Nothing where the settings leave all commits to the person.
    """
    if store.config().commit_human_edits:
        yield from _staged(store)
        yield from _refused(store)


def _staged(store: Store) -> Iterator[Problem]:
    """Name what a person has staged, which is theirs to commit: ours leave it alone."""
    if not (paths := sorted(_staged_paths(store))):
        return
    first = public_text.shown(paths[0]) if len(paths) == 1 else ""
    them = "it" if first else "them"
    message = "staged in git, which vaultmem leaves to you"
    if not first:
        message = f"{len(paths)} files are {message} ({_named(paths)})"
    repair = _WAY_OUT.format(them=them, path=shlex.quote(first) if first else ".")
    if why := store.writer.commits.half_done():  # what a merge staged must stay so
        repair = f"{why}: finish that with git"
    yield Problem(STAGED, first, message, repair)


def _staged_paths(store: Store) -> frozenset[str]:
    """Return what is staged; git, and what only writers load, is needed where it has moved."""
    vault = store.root.path
    if git_state_files.git_dir(vault) is None:
        return frozenset()
    known = staged_cache.load(vault, staged_cache.state(vault))
    return (store.writer.commits.staged() or frozenset()) if known is None else known


_WAY_OUT = (
    "commit {them} with git, or `git restore --staged {path}`, and the next round commits {them}"
)


def _refused(store: Store) -> Iterator[Problem]:
    """Name the edits that have rested, and that git, or the disk, did not take."""
    full = files.why_full(store.root.path)
    why = full or delay_notes.read(store.root.path, delay_notes.EDITS)
    if not why or not (paths := human_edits.due(store)):
        return
    first = public_text.shown(paths[0]) if len(paths) == 1 else ""
    waits = "an edit made by hand waits for its commit"
    if not first:
        waits = f"{len(paths)} edits made by hand wait for their commit ({_named(paths)})"
    reason = f"{full}; {_SAFE}" if full else why
    repair = f"{'make room' if full else 'fix that'}, and the next round commits what waits"
    yield Problem(REFUSED, first, f"{waits}: {reason}", repair)


def unrested(store: Store) -> Iterator[Problem]:
    """Name the edits that somebody may still be at, which are committed once they rest."""
    from vaultmem.storage.commits import QUIET  # noqa: PLC0415  # who only looks does not pay for git

    found = human_edits.changed(store) or ()
    rested = {*human_edits.laid(store, QUIET, found)}
    paths = [path for path in human_edits.laid(store, 0, found) if path not in rested]
    if not paths:
        return
    first = public_text.shown(paths[0]) if len(paths) == 1 else ""
    message = f"edited less than {QUIET:.0f} seconds ago, and not committed yet"
    if not first:
        message = f"{len(paths)} files were {message} ({_named(paths)})"
    yield Problem(UNRESTED, first, message, "the next sync takes it along, or commit it with git")


def _named(paths: Sequence[str]) -> str:
    """Return the first few of *paths* as they may be shown, and how many more there are."""
    names = ", ".join(public_text.shown(path) for path in paths[:_MOST_NAMED])
    more = len(paths) - _MOST_NAMED
    return f"{names} and {more} more" if more > 0 else names
