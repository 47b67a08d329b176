"""Cut the power at every moment of an operation, in every way the disk model knows, and recover.

Of a vault with a repository the git folder is opaque: it is as before the operation until the first
intent is forgotten, and as after it from then on, which is what `core.fsync=all` promises.
"""

from __future__ import annotations

import functools
import random
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from tests.crash import disk, invariants, mutants, operations
from tests.crash.faults import Call, Diary, Recorder, in_child, noted
from tests.crash.invariants import Case, Recovered
from tests.crash.operations import Prepared

MODELLED = (
    "init without git",
    "remember without git",
    "import without git",
    "compact without git",
    "compact in a copy without .vaultmem",
    "create, update, delete without git",
    "turns without git",
    "turns",
    "remember beside a person's edits",
    "compact --force",
    "undo a compaction",
    "adopt without git",
    "hook and intake without git",
    "working memory",
    "share",
    "review",
    "files by path",
    "fold",
)
_MADE_UP = 6
_HALF = 0.5
_DONE = ".applied.json"


@dataclass(frozen=True, slots=True)
class State:
    """One way the disk may stand after a power loss; *promises* had been made by then."""

    tree: disk.Tree
    promises: int
    committed: bool
    indexed: bool


@dataclass(frozen=True, slots=True)
class Flaw:
    """What is wrong while an operation is recorded: a *mutant*'s name, the fsync that fails."""

    mutant: str = ""
    broken: int = 0


SOUND = Flaw()


def states(prepared: Prepared, folder: Path, flaw: Flaw, seed: int) -> list[State]:
    """Record the operation below *folder* and return the different states it may leave."""
    path = folder / prepared.start.name
    operations.copy(prepared.start, path, rested=prepared.operation.rested)
    diary = Diary(folder / "diary")
    in_child(functools.partial(_record, prepared, path, diary, flaw))
    chance = random.Random(seed)  # noqa: S311  # no secret
    found = {(_mark(s.tree), s.promises): s for s in _states(prepared, path, diary, chance)}
    shutil.rmtree(folder)
    return list(found.values())


def _record(prepared: Prepared, path: Path, diary: Diary, flaw: Flaw) -> None:
    watcher = Recorder(str(path), diary.open(), flaw.broken)
    with _broken_by(flaw.mutant):
        operations.perform(prepared.operation, path, diary, watcher)


def _broken_by(mutant: str) -> AbstractContextManager[None]:
    return mutants.MUTANTS[mutant]() if mutant else nullcontext()


def _mark(tree: disk.Tree) -> int:
    return hash(frozenset(tree.items()))


def _states(prepared: Prepared, path: Path, diary: Diary, chance: random.Random) -> Iterator[State]:
    pages = [(w, noted(cast("dict[str, object]", v)) if w == "call" else v)
             for w, v in diary.pages()]  # fmt: skip
    forgotten, last = 0, sum(_forgets(page) for _, page in pages)
    model, promises = disk.Disk(prepared.start), 0
    for what, page in pages:
        promises += what == "promise"
        forgotten += _forgets(page)
        if isinstance(page, Call):
            model.play(page, str(path))
        # Between two commits of one operation the opaque git would be neither before nor after.
        if forgotten in {0, last}:
            for loss in model.losses(chance, _MADE_UP):
                yield State(
                    model.left(loss), promises, last == forgotten > 0, chance.random() < _HALF
                )


def _forgets(page: object) -> bool:
    return isinstance(page, Call) and page.what == "unlink" and page.path.endswith(_DONE)


def strike(prepared: Prepared, state: State, arena: Path) -> Recovered:
    """Stand the vault up below *arena* as the power loss left it, recover, and judge."""
    path = arena / prepared.start.name
    disk.build(state.tree, path)
    source = prepared.start if not state.committed else prepared.done
    _bring(source / ".git", path / ".git")
    if state.indexed and (path / ".vaultmem").is_dir():
        _bring(prepared.start / ".vaultmem/index", path / ".vaultmem/index")
    found = invariants.recovered(Case(prepared, path, state.promises))
    shutil.rmtree(arena)
    return found


def _bring(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target)
