"""Say why commits wait, and what became of a history that git does not open, or that is gone."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.errors import Unavailable
from vaultmem.records import Problem
from vaultmem.storage import journal, ledger
from vaultmem.storage.git_state_files import git_dir
from vaultmem.storage.store import Store
from vaultmem.storage.ulids import minted_at

if TYPE_CHECKING:
    from vaultmem.storage.git import Repository

CODE = "uncommitted"
_AT_WORK = timedelta(seconds=30)
"""How long a git may be at work on the index: whoever removed its lock then would do harm."""
_FOREIGN = "if no git is running there, remove it; the next command commits"
_BACK = "`vaultmem watch --once` brings it back; change or delete it once it is committed"
_AGAIN = "`vaultmem watch --once` takes it away again; bring it back once that is committed"
_NUMBERED = "`vaultmem watch --once` brings it back under a number that is free"
_BEHIND = "`vaultmem watch --once` takes it into the history, and then the version on disk"
_FINISH = (
    "`vaultmem fsck --repair` finishes it, or says what is in the way; no write goes on before"
)
_MEND = (
    "so the last try ended: fix that, if it is not mended yet; the next command that writes "
    "commits, or `vaultmem watch --once`"
)
_RESTORE = "fix it, or put .git back from a clone or a backup; what is written meanwhile waits"
_NO_GIT = Problem(
    "no-git",
    "",
    "git is not installed: there is no history, no undo and no sync",
    "install git, and run `git init` in the vault",
)
_UNREAD = Problem(
    _NO_GIT.code,
    "",
    "git is not installed: nothing is committed, and there is no history, no undo and no sync",
    "install git: the next command commits what is on disk",
)
_GONE = (
    "put .git back from a clone or a backup; or `git init` begins a new one, and the next command "
    "commits what is on disk; or go on without: `vaultmem fsck --accept-missing`"
)


def problems(store: Store, *, whole: bool = False) -> Iterator[Problem]:
    """Say what keeps operations from their commit; asking git costs, so only when some wait.

    Or when HEAD is not where we left it, or *whole*.
    """
    waits, vault = bool(journal.due(store.root)), store.root.path
    if not waits and shutil.which("git") is None:  # what is git's own loads when it is asked
        yield _UNREAD if git_dir(vault) else _NO_GIT
        return
    if not (waits or whole) and (ledger.size(vault) <= 0 or ledger.is_current(vault)):
        return
    repository = store.writer.repository
    if repository is None:
        yield from _without(store, waits=waits)
    elif waits:
        yield from _delayed(store, repository)


def unreadable(store: Store) -> Iterator[Problem]:
    """Name the intents that cannot be read, which wait for ever."""
    for name in journal.names(store.root):
        if journal.get(store.root, name) is None:
            where, message = f"{journal.FOLDER}/{name}", "a journal entry that cannot be read"
            yield Problem("intent", where, message, "look at it, then remove it")


def half_done(store: Store, rested: timedelta = timedelta()) -> Iterator[Problem]:
    """Name the intents that were begun and not carried out, and that have *rested* so long.

    Those that nobody can be at, as the write lock is free, need not have rested. Opening a vault
    finishes them; where the system does not let it, every write waits for that.
    """
    begun = journal.begun(store.root)
    if begun and not store.writer.is_anyone_writing():
        rested = timedelta()
    for name in begun:
        todo = journal.get(store.root, name)
        until = (store.clock() - rested).timestamp()
        if todo and (not rested or minted_at(todo.id) <= until):
            where = f"{journal.FOLDER}/{name}"
            yield Problem("intent", where, "a write was interrupted", _FINISH)


def vanished(store: Store) -> Iterator[Problem]:
    """Name the files that lack what waits for its commit; the journal has it."""
    for it in store.writer.lacking() if journal.names(store.root) else ():
        message, repair = f"{it.why} before its commit", _BACK
        if it.moves:
            message, repair = it.why, _NUMBERED
        elif it.step is None:
            message, repair = f"{message}: another version is there", _BEHIND
        elif it.step.data is None:
            repair = _AGAIN
        yield Problem("gone-before-commit", it.path, message, repair)


def left_lock(*, was_there: bool) -> Iterator[Problem]:
    """Tell of a lock that a dead process of ours had left, which whoever comes next clears."""
    if was_there:
        message = "a process of vaultmem that was killed had left git locked; it was cleared"
        repair = "nothing to do: the next command commits what it had written"
        yield Problem("left-lock", ".git/index.lock", message, repair)


def way_to_open(vault: Path, why: str) -> str:
    """Return what to do about a repository that git does not open because of *why*."""
    if "another user" in why:
        return f"`git config --global --add safe.directory {vault}` if you trust it"
    return _RESTORE


def _without(store: Store, *, waits: bool) -> Iterator[Problem]:
    from vaultmem.storage import git  # noqa: PLC0415  # only while something is wrong

    vault = store.root.path
    if not git.available():
        if waits:
            yield Problem(CODE, "", "commits wait: there is no git", "install git")
    elif why := git.unopened(vault):
        message = f"commits wait: git cannot open the history: {why}"
        yield Problem(CODE, "", message, way_to_open(vault, why))
    elif store.writer.commits.has_lost_history():
        with contextlib.suppress(Unavailable):  # the disk is told of elsewhere
            held = ledger.count(vault)
            message = f"the history is gone: no .git, and it held {held} acknowledged memories"
            yield Problem("history-gone", ".git", message, _GONE)


def _delayed(store: Store, repository: Repository) -> Iterator[Problem]:
    from vaultmem.storage import git  # noqa: PLC0415  # likewise

    try:
        if why := repository.blocked():
            yield Problem(CODE, "", f"commits wait: {why}", "finish it; the next command commits")
            return
    except Unavailable as e:
        yield Problem(CODE, "", f"commits wait: {e}", _RESTORE)
        return
    if store.is_git_locked():
        yield from _held(store, repository.index_lock, _AT_WORK)
    elif lock := git.left_lock(repository):
        yield from _held(store, lock)
    elif why := store.writer.commits.why_delayed():
        yield Problem(CODE, "", f"commits wait: {why}", _MEND)


def _held(store: Store, lock: Path, rested: timedelta = timedelta()) -> Iterator[Problem]:
    """Tell of a *lock* that has *rested* so long that no git seems to be at work behind it."""
    vault = store.root.path
    try:
        made = (vault / lock).lstat().st_mtime
    except OSError:  # it is gone by now
        return
    age = timedelta(seconds=int(store.clock().timestamp() - made))
    if abs(age) < rested:
        return
    with contextlib.suppress(ValueError):
        lock = lock.relative_to(vault)
    old = max(age, timedelta())  # a clock may have been put back
    message = f"commits wait: {lock} belongs to another git process, {old} old"
    yield Problem(CODE, "", message, _FOREIGN)
