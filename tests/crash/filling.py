"""Fill a real disk but for a little room, and see what is answered and what stands.

What strikes here no injected error can: SQLite's pages and its log, the objects and the index of
git, whatever is opened for writing. Questions must be answered all the while.
"""

from __future__ import annotations

import functools
import random
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tests import full_disk
from tests.crash import answers, operations, refusing
from tests.crash.answers import Answer
from tests.crash.faults import Diary, in_child, origin
from tests.crash.invariants import OTHER, Fault
from tests.crash.operations import Prepared
from tests.full_disk import Disk
from vaultmem import Vault
from vaultmem.errors import CannotOpen, VaultError

_MARGIN = 24
_MANY = 1 << 16
_LOOKS: Mapping[str, Callable[[Vault], object]] = {
    "status": lambda vault: vault.status(),
    "recall": lambda vault: vault.recall("day"),
    "context": lambda vault: vault.store.agents() and vault.context("day", agent=operations.AGENT),
    "fsck": lambda vault: vault.fsck(),
}


@dataclass(frozen=True, slots=True)
class Room:
    """What a disk still takes: so many pages, so many files."""

    pages: int = _MANY
    files: int = _MANY


def rooms(prepared: Prepared, folder: Path, most: int, chance: random.Random) -> list[Room]:
    """Return at most *most* rooms: from none to a bit more than the operation needs."""
    with full_disk.mounted(folder) as disk:
        path = _copied(prepared, disk)
        pages, files = disk.used()
        in_child(functools.partial(operations.perform, prepared.operation, path, _nowhere(), None))
        more, others = disk.used()
    every = [Room(pages=n) for n in range(more - pages + _MARGIN)]
    every += [Room(files=n) for n in range(others - files + _MARGIN)]
    return every if len(every) <= most else chance.sample(every, most)


def _nowhere() -> Diary:
    return Diary(Path("/dev/null"))


def _copied(prepared: Prepared, disk: Disk) -> Path:
    """Copy the starting point, and what is imported, which lies beside it."""
    for file in prepared.done.parent.glob("*.jsonl"):
        shutil.copyfile(file, disk.path / file.name)
    start = prepared.start
    return operations.copy(start, disk.path / start.name, rested=prepared.operation.rested)


def strike(prepared: Prepared, room: Room, arena: Path) -> Answer:
    """Do the operation where there is no more than *room*; ask, make room, recover, ask again."""
    arena.mkdir(parents=True)
    diary = Diary(arena / "diary")
    with full_disk.mounted(arena / "disk") as disk:
        path = _copied(prepared, disk)
        disk.leave(room.pages, room.files)
        code = in_child(functools.partial(_done, prepared, path, diary))
        disk.make_room()
        answer = answers.judged(prepared, path, diary, code)
    looks = tuple(Fault(OTHER, str(said)) for said in diary.read("look"))
    shutil.rmtree(arena)
    found = replace(answer.found, faults=(*looks, *answer.found.faults))
    return replace(answer, found=found)


def _done(prepared: Prepared, path: Path, diary: Diary) -> None:
    refusing.note_what_waits(diary)
    operations.perform(prepared.operation, path, diary, None)
    tell = diary.open()
    for name, look in _LOOKS.items():
        try:
            with operations.later(path) as vault:
                look(vault)
        except CannotOpen:  # it is no vault yet
            return
        except (VaultError, OSError, sqlite3.Error) as e:
            tell("look", f"{name} on a full disk: {type(e).__name__} from {origin(e)}: {e}"[:200])
