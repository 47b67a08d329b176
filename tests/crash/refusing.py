"""Let the disk refuse: an errno at every call, and see what was said and what is left.

An error must be a VaultError, the vault unchanged or completely written once it is recovered, and
the same operation must succeed when it is tried again.
"""

from __future__ import annotations

import errno
import functools
import logging
import random
import shutil
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from tests.crash import invariants, operations
from tests.crash.faults import Diary, Refuser, in_child
from tests.crash.invariants import OTHER, Case, Fault, Recovered
from tests.crash.operations import Prepared
from vaultmem.errors import Refused, VaultError

NUMBERS = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EMFILE, errno.EROFS)
_LASTING = frozenset({errno.ENOSPC, errno.EACCES, errno.EROFS})
_FOLLOWING_UP = tuple(
    f"vaultmem.{name}"
    for name in ("correcting", "vault.compacting", "vault.conversing", "vault.opened")
)
"""Who tells, of what was kept, that the rest waits."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The *nth* call that may fail with *number* does, and all after it if it is *lasting*."""

    number: int
    nth: int
    lasting: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a refusal: what was said, where, and whether it was done all the same.

    *said* is empty when the operation went through; *typed* is False for an error that is no
    VaultError. *repeated* says that it was reported as refused, done by the recovery, and that
    trying again did it a second time.
    """

    found: Recovered
    said: str = ""
    where: str = ""
    typed: bool = True
    repeated: bool = False


def refusals(prepared: Prepared, folder: Path, most: int, chance: random.Random) -> list[Refusal]:
    """Return at most *most* refusals for the operation, spread over the errors and the calls."""
    every: list[Refusal] = []
    for number in NUMBERS:
        count = _count(prepared, folder, number)
        every += [Refusal(number, n) for n in range(1, count + 1)]
        if number in _LASTING:
            every += [Refusal(number, n, lasting=True) for n in range(1, count + 1)]
    return every if len(every) <= most else chance.sample(every, most)


def _count(prepared: Prepared, folder: Path, number: int) -> int:
    path = operations.copy(
        prepared.start, folder / prepared.start.name, rested=prepared.operation.rested
    )
    diary = Diary(folder / "diary")
    in_child(functools.partial(_counted, prepared, path, diary, number))
    (count,) = diary.read("count")
    shutil.rmtree(folder)
    return int(str(count))


def _counted(prepared: Prepared, path: Path, diary: Diary, number: int) -> None:
    watcher = Refuser(0, number, str(path))
    operations.perform(prepared.operation, path, diary, watcher)
    diary.open()("count", watcher.seen)


def strike(prepared: Prepared, refusal: Refusal, arena: Path) -> Answer:
    """Refuse one call in a fresh copy below *arena*, recover, judge, and try again."""
    path = operations.copy(
        prepared.start, arena / prepared.start.name, rested=prepared.operation.rested
    )
    diary = Diary(arena / "diary")
    watcher = Refuser(refusal.nth, refusal.number, str(path), refusal.lasting)
    code = in_child(functools.partial(_refused, prepared, path, diary, watcher))
    said = list(diary.read("refused")) + list(diary.read("untyped"))
    found = _judged(prepared, path, diary, code)
    name, where = cast("Sequence[str]", said[0]) if said else ("", "")
    typed = not any(diary.read("untyped"))
    repeated = (
        bool(said) and found.stage == len(prepared.stages) - 1 and "remember" in prepared.name
    )
    shutil.rmtree(arena)
    return Answer(found, name, where, typed, repeated)


def _refused(prepared: Prepared, path: Path, diary: Diary, watcher: Refuser) -> None:
    waits = diary.open()
    # What was said is kept all the same; the compaction it made due comes with the next round.
    for name in _FOLLOWING_UP:
        logging.getLogger(name).addFilter(lambda _: waits("waits", 1) is None)
    operations.perform(prepared.operation, path, diary, watcher)
    diary.open()("reads", watcher.reads)


def _judged(prepared: Prepared, path: Path, diary: Diary, code: int) -> Recovered:
    promises = len(list(diary.read("promise")))
    if code:
        return Recovered((Fault(OTHER, f"the operation ended with {code}"),))
    rehearsed = not any(diary.read("reads")) and not any(diary.read("waits"))
    found = invariants.recovered(Case(prepared, path, promises, rehearsed=rehearsed))
    again = _again(prepared, path) if not found.faults else ()
    return Recovered((*found.faults, *again), found.seconds, found.stage)


def _again(prepared: Prepared, path: Path) -> tuple[Fault, ...]:
    """Try once more, without the fault."""
    try:
        for _ in prepared.operation.act(path):
            pass
    except Refused:
        return ()  # it was done already: a vault is a vault, what is undone is undone
    except (VaultError, OSError, sqlite3.Error) as e:
        return (Fault(OTHER, f"trying again: {type(e).__name__}: {e}"),)
    return tuple(invariants.sound(path))
