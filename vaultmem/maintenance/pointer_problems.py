"""Name the files that HEAD has as pointers of git LFS, and bring back the texts that git had."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from vaultmem.documents import public_text
from vaultmem.errors import Unavailable
from vaultmem.maintenance import crowds
from vaultmem.records import Problem
from vaultmem.storage.commits import QUIET
from vaultmem.storage.commits.pointer_texts import PointerFile
from vaultmem.storage.plan import Change
from vaultmem.storage.store import Store

CODE = "lfs"
_MESSAGE = "git LFS has its text, and HEAD a pointer to that: a clone lacks it"
_CROWD = "files are pointers in HEAD, and git LFS has their texts: a clone lacks them"
_AGAIN = "`vaultmem watch --once` commits its text again"
_REPAIR = "`vaultmem fsck --repair` brings back what an older commit has of it"
_PULL = "`git lfs pull` brings it"
_UNCOMMITTED = (
    f"commit it by hand, or let `vaultmem watch --once`, {QUIET:.0f} s after its last edit"
)
_FILTERED = (
    "take notes out of LFS in .gitattributes, and commit that: then the next command commits it"
)


def briefly(store: Store) -> Iterator[Problem]:
    """Name them for `status`: a crowd is counted."""
    yield from crowds.briefly([*each(store)], _CROWD)


def each(store: Store) -> Iterator[Problem]:
    """Name every one; not a note that is a pointer on disk, too, which the index names."""
    found = store.writer.commits.replaced()
    filtered = _filtered(store, found)
    for it in found:
        if it.is_here or it.disk is None or not it.path.endswith(".md"):
            yield Problem(CODE, it.path, _MESSAGE, _way(it, filtered))


def _filtered(store: Store, found: Sequence[PointerFile]) -> set[str]:
    repository = store.writer.repository
    with contextlib.suppress(Unavailable):  # what ails git is said elsewhere
        return repository.converted([it.path for it in found]) if repository and found else set()
    return set()


def _way(it: PointerFile, filtered: set[str]) -> str:
    if it.is_here and it.path in filtered:
        return _FILTERED
    if it.is_here:
        return _AGAIN if it.text is not None else _UNCOMMITTED
    return _PULL if it.text is None else _REPAIR


def restored(store: Store) -> Iterator[Change]:
    """Yield what puts texts that git had in the place of the pointers that lie on disk."""
    named = [problem.path for problem in store.index.problems() if problem.code == CODE]
    for it in store.writer.commits.replaced(named):
        is_pointer = it.disk is not None and not it.is_here
        if is_pointer and it.text is not None and not public_text.is_held(it.text):
            yield Change(it.path, it.disk, it.text, "restored from a commit that has its text")
