"""Name the transcripts and item logs that lack on disk what git has, or say something else."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from vaultmem.records import Problem
from vaultmem.storage import git_state_files, item_logs, journal, transcript_lines, whole_sessions
from vaultmem.storage.store import Store

_FIRST = "`vaultmem watch --once` commits what was added behind; then "
HIDDEN = "private"
_HIDES = "{kind} of it that are in git are marked as private here: nobody is shown those parts"
_AS_HIDDEN = (
    "leave it so; git has what they said: to take a whole line out of there, too, take its marks "
    "away and `vaultmem forget {path}:LINE --purge`"
)
_UNCUT = "`git checkout -- {path}` brings them back; a {kind} is only added to"


def briefly(store: Store) -> Iterator[Problem]:
    """Name them for `status`, which looks at what changed since it looked last.

    Git is asked where something else than new lines came to a file. As long as anything waits for
    its commit, git may have more of it soon.
    """
    if git_state_files.git_dir(store.root.path) is None:
        return
    whole, doubted, known = whole_sessions.look(store.root)
    changed = store.writer.commits.edits.changed() if doubted else ()
    if changed is None:  # what ails git is said elsewhere
        return
    paths = (it.path for it in changed if it.path in doubted)
    cut = [path for path in paths if store.writer.commits.edits.is_cut(path)]
    left = doubted if journal.due(store.root) else cut
    news = {path: it for path, it in doubted.items() if path not in left}
    whole_sessions.note(store.root.path, {**whole, **news}, known)
    yield from (problem(store, path) for path in cut)


def problem(store: Store, path: str) -> Problem:
    """Return how the file at *path*, which is cut, is told."""
    if _hides(store, path):
        kind = "items" if item_logs.is_path(path) else "turns"
        return Problem(
            HIDDEN, path, _HIDES.format(kind=kind), _AS_HIDDEN.format(path=shlex.quote(path))
        )
    is_log = item_logs.is_path(path)
    code, what = ("cut-log", "items") if is_log else ("cut-transcript", "turns")
    kind = "session's log" if is_log else "transcript"
    message = f"{what} that are in git are gone or changed on disk"
    first = _FIRST if store.writer.waiting() else ""
    return Problem(code, path, message, first + _UNCUT.format(path=shlex.quote(path), kind=kind))


def _hides(store: Store, path: str) -> bool:
    """Tell whether all that the file at *path* lacks of what git has is marked as private there."""
    repository = store.writer.repository
    now, had = (
        store.texts.own_if_allowed(path),
        repository.show("HEAD", path) if repository else None,
    )
    return bool(now and had) and transcript_lines.hides(path, now or b"", had or b"")
