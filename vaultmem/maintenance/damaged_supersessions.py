"""Name what says wrongly that a memory holds no longer, and what to do.

Nobody reads them unless something is wrong: a damaged one changes what is recalled in silence.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator
from pathlib import PurePosixPath

from vaultmem.maintenance import crowds
from vaultmem.records import Problem
from vaultmem.storage import files, ulids
from vaultmem.storage.index import supersession
from vaultmem.storage.index.supersession import Statement
from vaultmem.storage.store import Store
from vaultmem.storage.supersessions import TYPE

CODE = "supersession"
_WAY = f"{files.RESTORE} if git has it, or delete it: then both memories hold"
_CIRCLE = "delete the file that is wrong: then the other says what holds"
_BEYOND = "it says that it supersedes {}, which is no memory: an agent's word does not end that"
_OF_BEYOND = "take that out of its `supersedes`, and say in the other file what holds"
_OF_MEMORIES = "take `supersedes` out of the one that is wrong: then the other says what holds"


def briefly(store: Store) -> Iterator[Problem]:
    """Name the files of `supersessions/` for `status`; a crowd is counted."""
    found = tuple(_of_files(supersession.statements(store.index)))
    yield from crowds.briefly(found, "files say wrongly what supersedes what")


def each(store: Store) -> Iterator[Problem]:
    """Name each for `fsck`, and memories that supersede each other, or what they may not."""
    own = supersession.corrections(store.index)
    yield from _of_files(supersession.statements(store.index), own)
    for path, other in supersession.beyond_memories(store.index):
        yield Problem(CODE, path, _BEYOND.format(other), _OF_BEYOND)


def _of_files(said: Collection[Statement], own: Collection[Statement] = ()) -> Iterator[Problem]:
    """Name what is wrong of *said* by files, and what contradicts that, or what memories *own*."""
    wrong = {one.path: why for one in said if (why := fault(one))}
    for path, why in wrong.items():
        yield Problem(CODE, path, why, _WAY.format(path=shlex.quote(path)))
    for one in circular([*(one for one in said if one.path not in wrong), *own]):
        way = _CIRCLE if one.type == TYPE else _OF_MEMORIES
        yield Problem(CODE, one.path, _against(one), way)


def _against(said: Statement) -> str:
    return f"it says that {said.newer} supersedes {said.older}, and others the contrary"


def fault(said: Statement) -> str:
    """Return what is wrong with a statement by itself, "" for nothing."""
    name = PurePosixPath(said.path).stem
    faults = {
        f"it does not say `type: {TYPE}`": said.type != TYPE,
        "`supersedes` does not name a memory": not said.knows_older,
        "`superseded_by` is not the id of a memory": not said.knows_newer,
        "it names one memory twice": said.older == said.newer,
        "`supersedes` is not the id in its name": ulids.is_valid(name) and name != said.older,
    }
    return next((why for why, is_so in faults.items() if is_so), "")


def circular(said: Collection[Statement]) -> list[Statement]:
    """Return the statements by which memories supersede each other in a circle."""
    left = list(said)
    while True:
        olders, newers = {one.older for one in left}, {one.newer for one in left}
        kept = [one for one in left if one.newer in olders and one.older in newers]
        if len(kept) == len(left):
            return kept
        left = kept
