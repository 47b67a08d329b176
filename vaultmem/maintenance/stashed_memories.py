"""Name the acknowledged files that a person's git has put aside: they lie in a stash alone."""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem.maintenance import crowds
from vaultmem.records import Problem
from vaultmem.storage import git_state_files
from vaultmem.storage.store import Store

CODE = "stashed"
_CROWD = "acknowledged files are not on disk: git's stash has them"


def briefly(store: Store) -> Iterator[Problem]:
    """Name them for `status`; a crowd is counted."""
    found = tuple(each(store))
    yield from crowds.briefly(found, _CROWD, found[0].repair if found else "")


def each(store: Store) -> Iterator[Problem]:
    """Name every one of them; git is asked for nothing where there is no stash."""
    if not git_state_files.may_have_stash(store.root.path):  # `status` loads no git
        return
    for path, stash in sorted(store.writer.put_aside().items()):
        message = f"acknowledged, and not on disk: it is in git's stash ({stash})"
        yield Problem(CODE, path, message, _WAY.format(stash=stash))


_WAY = (
    "`git stash pop {stash}` brings it back; as long as the stash has it, it is neither recalled "
    "nor deleted"
)
