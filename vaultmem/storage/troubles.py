"""What the last look at a vault's files found wrong, as a person is told of it."""

from __future__ import annotations

import contextlib
import re
import shlex
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from typing import TYPE_CHECKING

from vaultmem.documents import public_text
from vaultmem.errors import RESTORES_GONE, Unavailable
from vaultmem.records import LISTS, Problem
from vaultmem.storage import files, git_state_files
from vaultmem.storage.files import private_file

if TYPE_CHECKING:
    from vaultmem.storage.store import Store

_MOVE = "move it out of the vault; if git has a file there, `git checkout -- {path}` brings it back"
_NO_NAME = "a name that vaultmem cannot read"
_RENAME = "give it a name in UTF-8, or move it out of the vault"
_ANEW = "move it out of the vault; the next round (`vaultmem watch --once`) writes the file anew"
_HIDDEN = "what is in it is not read, and does not count as gone"
_NO_EDITS = "no edit made by hand is committed while it is there"
_OPEN = "make it readable, or move it out of the vault"
OWN_FOLDERS = (
    "agents/", "cards/", "inbox/", "knowledge/", "skills/", "supersessions/", "tasks/",
    "tombstones/", "topics/",
)  # fmt: skip
"""The folders of a vault in whose place nothing else may stand."""

_OF_AN_AGENT = ("archive", "episodes", "memories", "sessions", "summaries", "topics")
_BRING_BACK = (
    f"`{RESTORES_GONE}` (or the branch that has them, or `git sparse-checkout disable`) brings "
    "them back, `vaultmem fsck --accept-missing` lets them go"
)
_ANY_NOTE = "topics/note.md"
_OWN_ATTRIBUTES = ".git/info/attributes"
_CONVERSION = re.compile(r"filter=|working-tree-encoding=|ident$")
_FILTERED = "lets git store something else of notes than their text, so the history lacks that"
_ELSEWHERE = "an attribute that git reads outside of the vault (`core.attributesFile`, say)"
_UNFILTER_ELSEWHERE = (
    f"`git check-attr --all {_ANY_NOTE}` shows it: take notes out of it, or set the opposite in "
    ".gitattributes; what people write in them is neither committed nor undone"
)
_UNFILTER = "remove notes from it: what people write in them is neither committed nor undone"


def found(store: Store) -> Iterator[Problem]:
    """Yield what the last scan found wrong: broken files, links, a crowd that is gone."""
    odd = {*store.index.odd}
    yield from (problem for problem in store.index.problems() if problem.path not in odd)
    yield from _misplaced(store)
    for folder, why in sorted(store.index.shut.items()):
        if why not in files.KINDS:  # those were told of
            yield Problem("unreadable", folder, f"{why}: {_HIDDEN}", _OPEN)
    yield from _filtered(store)
    if gone := store.index.vanished():
        message = f"{len(gone)} files are gone since the last scan; writes wait"
        yield Problem("vanished", gone[0], message, _BRING_BACK)


def not_checked_out(store: Store) -> Iterator[Problem]:
    """Say so where git leaves files out of the checkout, and what waits for them."""
    if count := len(store.not_checked_out()):
        yield Problem("sparse", "", f"{_are_left_out(count)}: {_PARTLY}", _WHOLE)


def _are_left_out(count: int) -> str:
    files_are = "1 file is" if count == 1 else f"{count} files are"
    return f"{files_are} left out by a sparse checkout"


_PARTLY = "not searched, and what lists them (MEMORY.md, TASKS.md) stays as it is meanwhile"
_WHOLE = "`git sparse-checkout disable` checks out all of them"


def _misplaced(store: Store) -> Iterator[Problem]:
    """Name what stands where a file or a folder should be, and is neither."""
    behind = {folder for folder, why in store.index.shut.items() if why in files.KINDS}
    for path in sorted({*store.index.odd, *(f[:-1] for f in behind), *_no_folders(store)}):
        if public_text.named_secret(path):
            continue  # told of with what is held back
        kind = files.kind_of(store.root, path)
        what = f"{kind or _NO_NAME}, which is neither read through nor written"
        if f"{path}/" in behind:
            what += f": {_HIDDEN}"
        if path.rpartition("/")[2] in files.GIT_PATTERNS:
            what += f", and git would wait at it for ever: {_NO_EDITS}"
        yield Problem("link", path, what, _way_out(path) if kind else _RENAME)


def _no_folders(store: Store) -> Iterator[str]:
    """Yield what stands in the place of a folder of ours, and is none."""
    own = (f"agents/{it}/{name}/" for it in store.index.agents() for name in _OF_AN_AGENT)
    for folder in (*OWN_FOLDERS, *own):
        if files.kind_of(store.root, folder[:-1]) not in {"", files.FOLDER}:
            yield folder[:-1]


def _filtered(store: Store) -> Iterator[Problem]:
    """Say so where git is told to keep something else of a note than its text."""
    git_dir = git_state_files.git_dir(store.root.path)
    told = [(".gitattributes", store.texts.read_if_allowed(".gitattributes") or b"")]
    if git_dir is not None:
        told.append((_OWN_ATTRIBUTES, private_file.read(git_dir / "info/attributes")))
    for path, attributes in told:
        for line in attributes.decode("utf-8", "replace").splitlines():
            pattern, *named = line.split() or [""]
            if any(map(_CONVERSION.match, named)) and fnmatch(_ANY_NOTE, pattern):
                yield Problem("filtered", path, f"`{line.strip()}` {_FILTERED}", _UNFILTER)


def filtered_elsewhere(store: Store) -> Iterator[Problem]:
    """Say so where git is told that outside of the vault: git itself knows, and is asked."""
    if any(_filtered(store)):
        return
    with contextlib.suppress(Unavailable):  # what ails git is said already
        if store.writer.repository and store.writer.repository.converted([_ANY_NOTE]):
            yield Problem("filtered", "", f"{_ELSEWHERE} {_FILTERED}", _UNFILTER_ELSEWHERE)


def unread(store: Store) -> list[str]:
    """Return what of the vault cannot be read, files and folders, as the last scan found it.

    Not a folder in which nothing of the vault ever lay: a file system has some of its own.
    """
    shut = tuple(store.index.shut)
    known = [path for path in store.index.seen() if path.startswith(shut)] if shut else []
    folders = (
        folder
        for folder in store.index.shut
        if folder.startswith(OWN_FOLDERS) or any(path.startswith(folder) for path in known)
    )
    files_ = (p.path for p in store.index.problems() if p.code == "unreadable")
    return sorted({*folders, *files_})


def refuse_unread(store: Store, consequence: str, *, recalled: bool = False) -> None:
    """Raise Unavailable, which tells the *consequence*, when some of the vault is unread.

    *recalled*: what is never recalled, as MEMORY.md, may be unread.
    """
    shut = unread(store)
    beside = {r.path for r in store.index.at(shut) if recalled and not r.recallable}
    if paths := [path for path in shut if path not in beside]:
        raise Unavailable(
            f"{', '.join(paths)} cannot be read: {consequence}; make that readable (`vaultmem "
            "status` says what is wrong with it), or move it out of the vault"
        )


def refuse_left_out(store: Store, consequence: str) -> None:
    """Raise Unavailable, which tells the *consequence*, where a checkout leaves files out."""
    left = store.left_out() if git_state_files.is_sparse(store.root.path) else ()
    if left:
        raise Unavailable(f"{_are_left_out(len(left))}: {consequence}; {_WHOLE}")


def refuse_of_left_out(store: Store, paths: Iterable[str], consequence: str) -> None:
    """Do so where one of *paths* is a note that a checkout leaves out."""
    if left := store.not_checked_out().intersection(paths):
        raise Unavailable(f"{min(left)} is left out by a sparse checkout: {consequence}; {_WHOLE}")


def _way_out(path: str) -> str:
    """Return what to do about what stands at *path*, where a file or a folder should be."""
    return _ANEW if path in LISTS else _MOVE.format(path=shlex.quote(path))
