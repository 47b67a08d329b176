"""What people wrote goes into git, apart, before ours takes its place: an undo brings it back.

Asked by whoever is about to change, move or remove files, once it is planned.
"""

from __future__ import annotations

import contextlib
import re
import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from vaultmem.documents import frontmatter, public_text
from vaultmem.errors import DiskRefused, Refused, Unavailable, Unreadable
from vaultmem.records import LISTS, Problem
from vaultmem.storage import committed_files, hidden_texts
from vaultmem.storage.files import HELD
from vaultmem.storage.plan import Append, Change
from vaultmem.storage.store import Store

if TYPE_CHECKING:
    from vaultmem.storage.commits.rested_edits import Changed, Laid
    from vaultmem.storage.git import Repository

"""What a person wrote there stays there, whatever else is rebuilt."""


_HELD = {
    "private": "a part marked private",
    "secret": "what looks like a credential",
    "private secret": "a part marked private and what looks like a credential",
}
_LET_IN = "take that out"
_ADD_ONLY = (
    "add to it instead, which takes nothing away; or ask the person to edit it, or to move that "
    "part into a file of its own"
)
_BY_HAND = "take that out, or remove the file by hand"
_WORD = re.compile(r"\w+")
_NOTED = frozenset({
    "updated", "source", "trust", "claims", "status", "blocked_by", "blocks", "log", "sources",
    "accepted", "approved", "reviewed", "iteration", "max_iterations", "todo_updated", "todo_turn",
    "tool_lines",
    "model", "prompt", "written", "degraded", "faithfulness", "coverage", "recent_coverage",
    "compression", "covers_from", "covers_to", "earlier_summaries", "earlier_digest",
})  # fmt: skip
"""What the program keeps up to date in the frontmatter: no words of anybody's."""


class Uncommitted(Refused):
    """What is about to go is not in git, and cannot get there now."""

    def __init__(self, path: str, why: str) -> None:
        """Name the *path* of the file, and say *why*, and what to do."""
        self.path = path
        super().__init__(f"git does not have {path} as it is, so this could not be undone: {why}")


def commit(store: Store, paths: Iterable[str]) -> None:
    """Commit what waits, then what people wrote into the files at *paths*, where git allows it."""
    store.writer.commit_pending()
    if only := frozenset(paths):
        store.writer.commit_edits(quiet=0, only=only)


def commit_new(store: Store, changes: Iterable[Change]) -> None:
    """Commit the files that *changes* go on with and that git has in no version, where it may.

    What ours adds to such a file would be in no commit else, which has only what ours begins from.
    """
    there = [change.path for change in changes if change.old is not None]
    commit_those(store, {*there} - committed_files.committed(store, there))


def commit_those(store: Store, paths: Iterable[str]) -> None:
    """Commit what people wrote into the files at *paths*, where settings and git allow it."""
    if store.writer.repository and _may_commit(store):
        commit(store, paths)


def changed(store: Store) -> Changed:
    """Return what of the work tree is not as git has it, for those who ask next for that.

    They look at each file again before they do anything. None where there is nothing to ask, or git
    does not answer: who asks then says so.
    """
    return store.writer.commits.edits.changed() if _may_commit(store) else None


def commit_quiet_edits(store: Store, found: Changed = None) -> str | None:
    """Commit what people wrote and left alone, apart from ours; return the commit, if any.

    *found* is what `changed` found just now.
    """
    if not _may_commit(store):
        return None
    return store.writer.commit_edits(leave=_broken(store), changed=found)


def due(store: Store) -> tuple[str, ...]:
    """Return the paths of what people wrote and left alone, and that is not committed yet."""
    if not _may_commit(store):
        return ()
    return store.writer.commits.edits.due(_broken(store))


def laid(store: Store, quiet: float, found: Changed = None) -> tuple[str, ...]:
    """Return the paths of what people wrote and left alone for *quiet* seconds, sound or not.

    *found* is what `changed` found just now.
    """
    if not _may_commit(store):
        return ()
    return store.writer.commits.edits.due(frozenset(), quiet, changed=found)


def laid_texts(store: Store, quiet: float, found: Changed = None) -> Laid:
    """Return what git has of the notes and transcripts that were written past the program.

    None where it has them in no commit. Git has none as it is, also where it is staged or held
    back, or a person commits all by themselves. Nobody has touched them for *quiet* seconds.
    *found* is as for `laid`.
    """
    if store.index.vanished():
        return {}
    return store.writer.commits.edits.laid_texts(quiet, found if _may_commit(store) else None)


def _may_commit(store: Store) -> bool:
    return store.config().commit_human_edits and not store.index.vanished()


def _broken(store: Store) -> frozenset[str]:
    return frozenset(p.path for p in store.index.problems())


def keep(store: Store, changes: Iterable[Change | Append]) -> None:
    """See to it that git has what *changes* take away; raises Uncommitted.

    What an operation of ours wrote that waits for its commit will be there. Without a repository
    nothing is kept, and nothing of a file that is held back, as long as it stays where it is.
    """
    owned = (store.texts.owned(change) for change in changes if isinstance(change, Change))
    taken = {c.path: c.old for c in owned if _takes(c)}
    repository = store.writer.repository
    if repository is None or not (missing := committed_files.missing(store, repository, taken)):
        return
    if store.config().commit_human_edits:
        commit(store, missing)
    else:
        store.writer.commit_pending()
    # What was changed since is no more what was planned upon: the write itself finds that.
    same = {path: data for path, data in missing.items() if store.texts.own(path) == data}
    for path, data in committed_files.missing(store, repository, same).items():
        raise Uncommitted(path, _why(store, repository, path, data))


def refuse_unkept(store: Store, change: Change) -> None:
    """Raise Uncommitted where *change* takes words out of a held file, and git has them not.

    Such a file is never committed for a person, so nothing could bring the words back.
    """
    repository = store.writer.repository
    if repository is None or change.old == change.new or not public_text.is_held(change.old):
        return
    if committed_files.missing(store, repository, {change.path: change.old}):
        raise _never_committed(change, change.old)


def refuse_lost_words(store: Store, change: Change) -> None:
    """Raise Uncommitted where *change* takes words out of a held file that git has not there.

    Other words of it, which an agent put there before, may be replaced. *change* was made on what
    `Store.read` returned.
    """
    repository, own = store.writer.repository, store.texts.own(change.path)
    if repository is None or not public_text.is_held(own) or not loses_words(change):
        return
    kept = [w.new for w in store.waiting_writes.of({change.path})]
    with contextlib.suppress(Unavailable):  # no commit yet, or no answer: then git has nothing
        kept.append(repository.show("HEAD", change.path))
    known = {word for data in kept if data for word in _words(data)}
    if {*_words(change.old or b"")} - {*_words(change.new or b"")} - known:
        raise _never_committed(change, own)


def _never_committed(change: Change, held: bytes | None) -> Uncommitted:
    """Return what says why git will not have the words of the file *held*, and what to do."""
    what = _HELD[public_text.of_bytes(held or b"").held]
    instead = _BY_HAND if change.new is None else _ADD_ONLY
    return Uncommitted(change.path, f"it holds {what}, which is not committed: {instead}")


def commit_of(store: Store, op: str, path: str) -> tuple[str | None, str]:
    """Commit what waits; return the commit in which the operation *op* wrote the file at *path*.

    None where git has not got that; a file that it does not get at all is named with what to do.
    """
    commit = store.writer.commit_pending().get(op)
    why = uncommitted(store, path)
    return (None if why else commit), why


def uncommitted(store: Store, path: str) -> str:
    """Say why what was written to the file at *path* is in no commit of ours, and what to do.

    It is written: a disk that does not let it be read again refuses nothing of that.
    """
    try:
        own = store.texts.own(path)
    except DiskRefused as e:
        return f"it is on disk, and whether a commit has it is not known: {path}: {e.why}"
    if own is None or not store.writer.commits.keeps_history() or not public_text.is_held(own):
        return ""
    what = _HELD[public_text.of_bytes(own).held]
    by_hand = f"commit it by hand (`git commit -- {shlex.quote(path)}`) or {_LET_IN}"
    return f"it is on disk, and in no commit: {path} holds {what}, so {by_hand}"


def keep_words(store: Store, changes: Iterable[Change | Append]) -> None:
    """See to it that git has the words that *changes*, made on what `Store.read` returned, take.

    Raises Uncommitted where it cannot, as of a held file. What only adds to a file passes, and so
    does what the program itself notes there.
    """
    losing = [c for c in changes if isinstance(c, Change) and loses_words(c)]
    keep(store, losing)
    for change in losing:
        refuse_unkept(store, store.texts.owned(change))


def loses_words(change: Change) -> bool:
    """Tell whether *change* takes words of somebody's out of a file, or all of the file."""
    if change.old is None or change.new is None:
        return change.old is not None
    return bool(Counter(_words(change.old)) - Counter(_words(change.new)))


def _words(data: bytes) -> Iterator[str]:
    """Yield the words that somebody put into a file: not what the program notes in it."""
    text = data.decode("utf-8", "surrogateescape")
    try:
        doc = frontmatter.parse(text)
        said = frontmatter.fields(doc)
    except Unreadable:
        yield from _WORD.findall(text)
        return
    for key, value in said.items():
        if key not in _NOTED:
            yield from _WORD.findall(str(value))
    yield from _WORD.findall(doc.body)


def _takes(change: Change) -> bool:
    if change.old in {None, change.new} or change.path in LISTS:
        return False
    return change.new is None or not public_text.is_held(change.old)


def _why(store: Store, repository: Repository, path: str, data: bytes | None) -> str:
    """Return why the file at *path* is not committed, and what to do."""
    if blocked := repository.blocked():
        return f"{blocked}: finish that first"
    if path in repository.staged():
        return "it is staged: commit that first"
    if not store.config().commit_human_edits:
        return "commit it first, `commit_human_edits` leaves that to you"
    if held := public_text.of_bytes(data or b"").held:
        return f"it holds {_HELD[held]}, which is not committed: {_LET_IN}, or move the file away"
    if frontmatter.is_pointer(repository.show("HEAD", path) or b""):
        return "git LFS has it, and git a pointer: take notes out of .gitattributes, and commit it"
    return "commit it first, with `git add --force` where git ignores it, or wait for a busy git"


# --- what is held back ------------------------------------------------------------------------


def held_back(store: Store) -> Iterator[Problem]:
    """Yield the files that are kept out of the history because of what stands in them.

    Not one whose bytes the last commit has, or that git is told to ignore, though it has an earlier
    version: that is a person's doing. What it is that stands there is not told, nor a name that is
    a credential.
    """
    yield from _named_by_secrets(store)
    paths = {*store.index.held(), *(store.texts.own_if_allowed(HELD) or b"").decode().splitlines()}
    if not paths or (repository := store.writer.repository) is None:
        return
    there = ((path, store.texts.own_if_allowed(path)) for path in paths)
    now = {path: data for path, data in there if public_text.is_held(data)}
    waiting = sorted(committed_files.differing(repository, now))
    with contextlib.suppress(Unavailable):  # what ails git is said already
        waiting = sorted({*waiting} - repository.ignored(waiting))
    had = _committed(repository, waiting)
    for path in waiting:
        held = public_text.of_bytes(now[path] or b"").held
        text, name = (now[path] or b"").decode("utf-8", "surrogateescape"), shlex.quote(path)
        is_said = hidden_texts.is_said_elsewhere(store.index, text)
        told = "whose words other files tell all the same" if is_said else "which nobody is shown"
        message = f"not committed: it holds {_HELD[held]}, {told}"
        before = had.get(path, b"").decode("utf-8", "surrogateescape")
        past = _IN_GIT.format(path=name) if hidden_texts.was_shown(text, before) else ""
        yield Problem(held.partition(" ")[0], path, message, _WAY_OUT.format(path=name) + past)


def _committed(repository: Repository, paths: Collection[str]) -> dict[str, bytes]:
    """Return what the last commit has of the files at *paths*, nothing where git does not say."""
    with contextlib.suppress(Unavailable):
        had = repository.in_head(paths)
        known = repository.contents(had.values())
        return {path: known[blob.id] for path, blob in had.items() if blob.id in known}
    return {}


def _named_by_secrets(store: Store) -> Iterator[Problem]:
    """Yield the folders that hold something called by a credential."""
    there = {*store.index.odd, *(store.texts.own_if_allowed(HELD) or b"").decode().splitlines()}
    named = {
        _folder(path) for path in there if public_text.named_secret(path) and _is_here(store, path)
    }
    for folder in sorted(named):
        message = (
            "a file name in it looks like a credential, or has a private part: not committed, and "
            "shown to nobody"
        )
        yield Problem("secret", folder, message, "give the file, or folder, another name")


def _folder(path: str) -> str:
    """Return the folder of what is called by a credential on *path*, a name that may be told."""
    folder = path
    while public_text.named_secret(folder):
        folder = folder.rpartition("/")[0]
    return f"{folder}/"


def _is_here(store: Store, path: str) -> bool:
    return (store.root.path / path).exists()


_WAY_OUT = (
    "leave it so, with its path in .gitignore to hear no more of it; take that part out; or let git"
    " have all of it: `git add {path}` and commit"
)
_IN_GIT = (
    ". Git has it from before it was marked: `vaultmem forget {path} --purge` takes the whole file "
    "out of there"
)
