"""Kill an operation before its first changing call, then before its second, until it survives.

Also while git runs (alone, or with it), at a moment the clock chooses, and again during the
recovery; and with a person who edits, or looks at the log, before anything was recovered.
"""

from __future__ import annotations

import functools
import random
import shutil
from dataclasses import dataclass
from pathlib import Path

from tests.crash import invariants, operations
from tests.crash.faults import Diary, Killer, arm, in_child
from tests.crash.invariants import Case, Recovered
from tests.crash.operations import Prepared

_LONGEST_GIT = 0.008
_RECOVERY_CALLS = 60


@dataclass(frozen=True, slots=True)
class Point:
    """Where to kill: at call *nth* (or after *moment* seconds), *how*, and what comes then.

    *again* is the call at which the recovery is killed, too; 0 lets it live.
    """

    nth: int
    how: str = "before"
    delay: float = 0.0
    again: int = 0
    edited: bool = False
    looked: bool = False


def points(prepared: Prepared, most: int, chance: random.Random) -> list[Point]:
    """Return at most *most* places to kill the operation: every call when there is room."""
    total = len(prepared.calls)
    every = [_vary(Point(n), chance) for n in range(1, total + 1)]
    every += [Point(n, "torn") for n, what in enumerate(prepared.calls, 1) if what == "write"]
    every += [_vary(Point(n, "orphan"), chance) for n in prepared.spawns]
    every += [Point(n, "both", chance.uniform(0, _LONGEST_GIT)) for n in prepared.spawns]
    moments = range(max(1, total // 10))
    every += [Point(0, "moment", chance.uniform(0.002, prepared.seconds)) for _ in moments]
    picked = every if len(every) <= most else chance.sample(every, most)
    return sorted(picked, key=lambda p: (p.nth, p.how))


def _vary(point: Point, chance: random.Random) -> Point:
    """Let every other point have a second act."""
    act = chance.randrange(6)
    if act == 0:
        return Point(point.nth, point.how, edited=True)
    if act == 1:
        return Point(point.nth, point.how, looked=True)
    if act == 2:
        return Point(point.nth, point.how, again=chance.randint(1, _RECOVERY_CALLS))
    return point


def strike(prepared: Prepared, point: Point, arena: Path) -> Recovered:
    """Kill the operation at *point* in a fresh copy below *arena*, recover, and judge."""
    path = arena / prepared.start.name
    operations.copy(prepared.start, path, rested=prepared.operation.rested)
    diary = Diary(arena / "diary")
    work = functools.partial(operations.perform, prepared.operation, path, diary)
    if point.how == "moment":
        in_child(functools.partial(work, None), point.delay)
    else:
        in_child(functools.partial(work, Killer(point.nth, point.how, point.delay)))
    edited = _edit(prepared, path) if point.edited else frozenset()
    if point.again:
        again = functools.partial(_recover, path, prepared, point.again)
        in_child(again)
    promises = len(list(diary.read("promise")))
    freed = _free_git(path) if point.how != "before" else 0
    found = invariants.recovered(Case(prepared, path, promises, edited, point.looked))
    shutil.rmtree(arena)
    return found if not freed else Recovered(found.faults, found.seconds, found.stage, freed)


def _recover(path: Path, prepared: Prepared, nth: int) -> None:
    arm(Killer(nth))
    with operations.come_back(path, git=prepared.operation.git) as vault:
        vault.store.sync()
        vault.store.writer.commit_pending()
        vault.store.writer.sweep()


def _edit(prepared: Prepared, path: Path) -> frozenset[str]:
    """Let a person write into every file that the operation changes and that is there now."""
    first, last = prepared.stages[0], prepared.stages[-1]
    changed = {p for p in last if p in first and first[p] != last[p]}
    for name in changed:
        operations.write_a_line(path / name)
    return frozenset(changed)


def _free_git(path: Path) -> int:
    """Remove locks that a killed git left, as a person must; return how many there were."""
    stale = [p for p in (path / ".git").rglob("*.lock") if p.name != "index.lock"]
    for lock in stale:
        lock.unlink(missing_ok=True)  # a git that lives on may be done with it
    return len(stale)
