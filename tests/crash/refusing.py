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
from dataclasses import dataclass
from pathlib import Path

from tests.crash import answers, operations
from tests.crash.answers import Answer
from tests.crash.faults import Diary, Refuser, in_child
from tests.crash.operations import Prepared

NUMBERS = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EMFILE, errno.EROFS)
_LASTING = frozenset({errno.ENOSPC, errno.EACCES, errno.EROFS})
_FOLLOWING_UP = (
    "vaultmem.knowledge.corrections",
    "vaultmem.api.vault.runtime",
    "vaultmem.api.vault.compactions",
    "vaultmem.api.vault.sessions",
    "vaultmem.exchange.importing.pointers",
)
"""Who tells, of what was kept, that the rest waits."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The *nth* call that may fail with *number* does, and all after it if it is *lasting*."""

    number: int
    nth: int
    lasting: bool = False


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
    answer = answers.judged(prepared, path, diary, code)
    shutil.rmtree(arena)
    return answer


def note_what_waits(diary: Diary) -> None:
    """Note each time that what was said is kept, and the compaction it made due comes later."""
    waits = diary.open()
    for name in _FOLLOWING_UP:
        logging.getLogger(name).addFilter(lambda _: waits("waits", 1) is None)


def _refused(prepared: Prepared, path: Path, diary: Diary, watcher: Refuser) -> None:
    note_what_waits(diary)
    operations.perform(prepared.operation, path, diary, watcher)
    diary.open()("reads", watcher.reads)
