"""The campaign: strike every operation in every way, and print what came of it.

    python tests/crash/campaign.py kill --points 2000
    python tests/crash/campaign.py power --states 5000
    python tests/crash/campaign.py errno --points 300 --only dream --only forget
    python tests/crash/campaign.py full --points 300
    python tests/crash/campaign.py all

Exits with 1 when anything was lost, duplicated or torn, or a mutant was not caught.
"""

from __future__ import annotations

import argparse
import errno
import functools
import os
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar
from unittest import mock

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from tests import full_disk
from tests.crash import filling, killing, mutants, operations, power, refusing
from tests.crash.answers import Answer
from tests.crash.invariants import DUPLICATED, LOST, OTHER, TORN, Recovered
from tests.crash.operations import ANSWERED, OPERATIONS, Prepared
from vaultmem.storage.files import Root

_QUIET_ENVIRONMENT = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
_MUTATED = ("compact without git", "remember without git")
_GROWING = "turns without git"
_FAILED_FSYNCS = range(1, 6)
_SHOWN = 12

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table: an operation, at how many points it was struck, and what came of it."""

    name: str
    found: tuple[Recovered, ...]
    note: str = ""

    def count(self, kind: str) -> int:
        """Return at how many points there was a fault of this kind."""
        return sum(any(f.kind == kind for f in r.faults) for r in self.found)

    @property
    def bad(self) -> int:
        """At how many points something was wrong."""
        return sum(bool(r.faults) for r in self.found)

    @property
    def times(self) -> list[float]:
        """Return how long each recovery took, in milliseconds."""
        return [r.seconds * 1000 for r in self.found] or [0.0]


@dataclass(frozen=True, slots=True)
class Bench:
    """Where a campaign works, with how many processes, and the seed of its chance."""

    folder: Path
    jobs: int
    seed: int

    def prepare(self, names: Iterable[str]) -> list[Prepared]:
        """Rehearse the operations, in parallel."""
        return self.map(_rehearsed, list(zip(names, self.arenas("prepared"), strict=False)))

    def chance(self, name: str) -> random.Random:
        """Return the chance of one operation: the same for the same seed."""
        return random.Random(f"{self.seed} {name}")  # noqa: S311  # no secret

    def arenas(self, name: str) -> Iterator[Path]:
        """Yield folders that are not there yet."""
        top = Path(tempfile.mkdtemp(dir=self.folder, prefix=_slug(name)))
        yield from (top / str(n) for n in range(10**9))

    def map(self, work: Callable[[T], R], tasks: Sequence[T]) -> list[R]:
        """Return what *work* makes of each task, in order."""
        with ProcessPoolExecutor(self.jobs, mp_context=get_context("fork")) as pool:
            return list(pool.map(work, tasks, chunksize=max(1, min(8, len(tasks) // 16))))


def _slug(name: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in name)


def _rehearsed(task: tuple[str, Path]) -> Prepared:
    return operations.rehearse(OPERATIONS[task[0]], task[1])


@contextmanager
def bench(seed: int = 0, jobs: int = 0) -> Iterator[Bench]:
    """Yield a place to work in, in memory if the system has such a folder.

    What a kill leaves is the same there, and an fsync costs nothing.
    """
    operations.warm()
    memory = Path("/dev/shm")  # noqa: S108  # a folder of our own is made in it
    where = memory if os.access(memory, os.W_OK) else None
    with (
        tempfile.TemporaryDirectory(dir=where, prefix="vaultmem-crash-") as folder,
        mock.patch.dict(os.environ, _QUIET_ENVIRONMENT),
    ):
        yield Bench(Path(folder), jobs or os.cpu_count() or 1, seed)


def _shares(total: int, wants: Sequence[int]) -> list[int]:
    """Divide *total* so that small wants are met whole and the rest is shared evenly."""
    given = [0] * len(wants)
    left = total
    for place, at in enumerate(sorted(range(len(wants)), key=lambda n: wants[n])):
        given[at] = min(wants[at], left // (len(wants) - place))
        left -= given[at]
    return given


# --- kill -------------------------------------------------------------------------------------


def kill(bench: Bench, points: int, names: Iterable[str] = tuple(OPERATIONS)) -> list[Row]:
    """Kill the operations at so many points in all."""
    prepared = bench.prepare(names)
    plans = [killing.points(p, sys.maxsize, bench.chance(p.name)) for p in prepared]
    shares = _shares(points, [len(plan) for plan in plans])
    return [_kill(bench, p, n) for p, n in zip(prepared, shares, strict=True)]


def _kill(bench: Bench, prepared: Prepared, most: int) -> Row:
    plan = killing.points(prepared, most, bench.chance(prepared.name))
    tasks = list(zip(plan, bench.arenas(prepared.name), strict=False))
    found = bench.map(functools.partial(_kill_one, prepared), tasks)
    whole = "every call" if {p.nth for p in plan} >= set(range(1, len(prepared.calls) + 1)) else ""
    freed = sum(r.freed > 0 for r in found)
    note = "; ".join(filter(None, (whole, f"{freed} git locks freed by hand" if freed else "")))
    return Row(prepared.name, tuple(found), note)


def _kill_one(prepared: Prepared, task: tuple[killing.Point, Path]) -> Recovered:
    return _signed(killing.strike(prepared, *task), str(task[0]))


def _signed(found: Recovered, where: str) -> Recovered:
    """Let every fault say where it was struck."""
    faults = tuple(type(f)(f.kind, f"{f.what}  @ {where}") for f in found.faults)
    return Recovered(faults, found.seconds, found.stage, found.freed)


# --- power ------------------------------------------------------------------------------------


def cut(bench: Bench, states: int, names: Sequence[str] = power.MODELLED) -> list[Row]:
    """Cut the power of the operations, in so many states in all."""
    prepared = bench.prepare(names)
    plans = [_states(bench, p, states) for p in prepared]
    rows = []
    for p, plan, share in zip(
        prepared, plans, _shares(states, [len(x) for x in plans]), strict=True
    ):
        picked = bench.chance(p.name).sample(plan, share)
        whole = "every state" if share == len(plan) < states else f"of {len(plan)} and more"
        rows.append(_cut(bench, p, picked, whole))
    return rows


def _states(
    bench: Bench, prepared: Prepared, most: int, flaw: power.Flaw = power.SOUND
) -> list[power.State]:
    every = power.states(prepared, next(bench.arenas("recording")), flaw, bench.seed)
    chance = bench.chance(prepared.name + flaw.mutant)
    return every if len(every) <= most else chance.sample(every, most)


def _cut(bench: Bench, prepared: Prepared, states: Sequence[power.State], note: str) -> Row:
    tasks = list(zip(states, bench.arenas(prepared.name), strict=False))
    return Row(prepared.name, tuple(bench.map(functools.partial(_cut_one, prepared), tasks)), note)


def _cut_one(prepared: Prepared, task: tuple[power.State, Path]) -> Recovered:
    state, arena = task
    return _signed(power.strike(prepared, state, arena), f"{state.promises} promises")


def failed_fsyncs(bench: Bench, states: int) -> Row:
    """Let each of the first fsyncs fail, and cut the power then: nobody may have promised."""
    rows = [
        _cut(bench, p, _states(bench, p, states, power.Flaw(broken=k)), "")
        for p in bench.prepare((_MUTATED[0], _GROWING))
        for k in _FAILED_FSYNCS
    ]
    return Row("an fsync fails", tuple(r for row in rows for r in row.found), "EIO")


def caught(bench: Bench, states: int, *, once: bool = False) -> dict[str, tuple[int, int]]:
    """Return for each mutant how many states it failed, of how many; *once* is enough for some."""
    *prepared, growing = bench.prepare((*_MUTATED, _GROWING))
    struck = {mutants.UNSYNCED_ADDITION: [growing]}
    result = {
        m: _caught(bench, struck.get(m, prepared), states, m, most=1 if once else states)
        for m in mutants.MUTANTS
    }
    result[mutants.FIXED_NAME] = (_scene(bench, mutants.fixed_name, mutants.two_writers), 1)
    result[mutants.BLIND_EXCHANGE] = (_scene(bench, mutants.blind_exchange, mutants.late_save), 1)
    result[mutants.KNOWN_BY_NUMBER] = (
        _scene(bench, mutants.known_by_number, mutants.number_given_again),
        1,
    )
    result[mutants.KNOWN_BY_OLD_BYTES] = (
        _scene(bench, mutants.known_by_old_bytes, mutants.half_an_exchange),
        1,
    )
    calls = range(1, len(prepared[0].calls) + 1)
    edited = [killing.Point(n, edited=True) for n in calls[:: max(1, len(calls) // states)]]
    result[mutants.BLIND_REPLAY] = _replayed(bench, prepared[0], edited, mutants.blind_replay)
    written = [killing.Point(n) for n, what in enumerate(growing.calls, 1) if what == "unlink"]
    result[mutants.ADDED_AGAIN] = _replayed(bench, growing, written, mutants.added_again)
    for name, mutant in mutants.OF_THE_LEDGER.items():
        result[name] = (_old_index_caught(bench, mutant), 1)
    return result


def _caught(
    bench: Bench, prepared: Sequence[Prepared], states: int, mutant: str, most: int
) -> tuple[int, int]:
    """Strike until *most* states have failed."""
    flaw = power.Flaw(mutant, broken=int("EIO" in mutant))
    bad = total = 0
    for each in prepared:
        plan = _states(bench, each, states, flaw)
        for few in (plan[n : n + most] for n in range(0, len(plan), most)):
            row = _cut(bench, each, few, "")
            bad, total = bad + row.bad, total + len(few)
            if bad >= most:
                return bad, total
    return bad, total


def _scene(
    bench: Bench,
    mutant: Callable[[], AbstractContextManager[None]],
    scene: Callable[[Root], Sequence[str]],
) -> int:
    """Return 1 when the scene finds the mutant, and nothing without it."""
    found = []
    for broken in (nullcontext, mutant):
        root = Root(Path(tempfile.mkdtemp(dir=bench.folder)))
        with closing(root), broken():
            found.append(bool(scene(root)))
    return int(found == [False, True])


def _old_index_caught(bench: Bench, mutant: Callable[[], AbstractContextManager[None]]) -> int:
    with mutant():
        return int(bool(mutants.old_index(Path(tempfile.mkdtemp(dir=bench.folder)) / "vault")))


def _replayed(
    bench: Bench,
    prepared: Prepared,
    plan: Sequence[killing.Point],
    mutant: Callable[[], AbstractContextManager[None]],
) -> tuple[int, int]:
    """Kill an operation where *plan* says, and replay with the mutant."""
    tasks = list(zip(plan, bench.arenas("replayed"), strict=False))
    found = bench.map(functools.partial(_replay_one, prepared, mutant), tasks)
    return sum(r.faults != () for r in found), len(found)


def _replay_one(
    prepared: Prepared,
    mutant: Callable[[], AbstractContextManager[None]],
    task: tuple[killing.Point, Path],
) -> Recovered:
    with mutant():
        return killing.strike(prepared, *task)


# --- errno ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Refusals:
    """What an operation answered when the disk refused, or was full."""

    name: str
    answers: tuple[tuple[refusing.Refusal | filling.Room, Answer], ...]

    @property
    def row(self) -> Row:
        """The vaults that were left."""
        found = tuple(_signed(a.found, str(r)) for r, a in self.answers)
        words = Counter(a.word for _, a in self.answers)
        note = ", ".join(f"{words[w]} {w}" for w in ("done", "refused", "not known"))
        untyped = self.untyped.total()
        return Row(self.name, found, note + (f", {untyped} untyped" if untyped else ""))

    @property
    def untyped(self) -> Counter[str]:
        """Where errors came from that are no VaultError."""
        return Counter(
            f"{_cause(r)} as {a.said} from {a.where}" for r, a in self.answers if not a.typed
        )


def _cause(struck: refusing.Refusal | filling.Room) -> str:
    if isinstance(struck, filling.Room):
        return "a full disk"
    return errno.errorcode[struck.number]


def refuse(bench: Bench, points: int, names: Iterable[str] = ANSWERED) -> list[Refusals]:
    """Let the disk refuse so many calls of the operations in all."""
    prepared = bench.prepare(names)
    share = -(-points // len(prepared))
    return [_refuse(bench, p, share) for p in prepared]


def _refuse(bench: Bench, prepared: Prepared, most: int) -> Refusals:
    folder = next(bench.arenas("counting"))
    plan = refusing.refusals(prepared, folder, most, bench.chance(prepared.name))
    tasks = list(zip(plan, bench.arenas(prepared.name), strict=False))
    answers = bench.map(functools.partial(_refuse_one, prepared), tasks)
    return Refusals(prepared.name, tuple(zip(plan, answers, strict=True)))


def _refuse_one(prepared: Prepared, task: tuple[refusing.Refusal, Path]) -> Answer:
    return refusing.strike(prepared, *task)


# --- full -------------------------------------------------------------------------------------


def fill(bench: Bench, points: int, names: Iterable[str] = ANSWERED) -> list[Refusals]:
    """Do the operations on full disks, with so many different rooms in all."""
    prepared = bench.prepare(names)
    folders = bench.arenas("measuring")
    plans = [filling.rooms(p, next(folders), sys.maxsize, bench.chance(p.name)) for p in prepared]
    shares = _shares(points, [len(plan) for plan in plans])
    return [_fill(bench, p, x, n) for p, x, n in zip(prepared, plans, shares, strict=True)]


def _fill(bench: Bench, prepared: Prepared, every: Sequence[filling.Room], most: int) -> Refusals:
    plan = bench.chance(prepared.name).sample(every, most)
    tasks = list(zip(plan, bench.arenas(prepared.name), strict=False))
    found = bench.map(functools.partial(_fill_one, prepared), tasks)
    return Refusals(prepared.name, tuple(zip(plan, found, strict=True)))


def _fill_one(prepared: Prepared, task: tuple[filling.Room, Path]) -> Answer:
    return filling.strike(prepared, *task)


# --- the report -------------------------------------------------------------------------------


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of a plain table."""
    yield (
        f"{'operation':42} {'points':>7} {'lost':>5} {'dupl.':>5} {'torn':>5} {'other':>5}"
        f" {'recovery ms p50':>15} {'max':>6}  note"
    )
    for row in (*rows, Row("in all", tuple(r for each in rows for r in each.found))):
        numbers = " ".join(f"{row.count(k):>5}" for k in (LOST, DUPLICATED, TORN, OTHER))
        yield (
            f"{row.name:42} {len(row.found):>7} {numbers}"
            f" {statistics.median(row.times):>15.1f} {max(row.times):>6.0f}  {row.note}"
        ).rstrip()


def faults(rows: Iterable[Row]) -> Iterator[str]:
    """Yield what was wrong, the most frequent first, each with one point where it was."""
    seen: Counter[tuple[str, str, str]] = Counter()
    where: dict[tuple[str, str, str], str] = {}
    for row in rows:
        for fault in (f for r in row.found for f in r.faults):
            what, _, point = fault.what.partition("  @ ")
            key = (row.name, fault.kind, what[:160])
            seen[key] += 1
            where.setdefault(key, point)
    for key, count in seen.most_common(_SHOWN):
        yield f"  {count:>5} x {': '.join(key)}  at {where[key]}"


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(line, flush=True)  # noqa: T201  # a command speaks


def _run_kill(bench: Bench, wanted: argparse.Namespace) -> bool:
    rows = kill(bench, wanted.points or 2000, wanted.only or tuple(OPERATIONS))
    _print(("", "killed with SIGKILL", *table(rows), *faults(rows)))
    return not any(row.bad for row in rows)


def _run_power(bench: Bench, wanted: argparse.Namespace) -> bool:
    rows = cut(bench, wanted.states, wanted.only or power.MODELLED)
    if wanted.only:
        _print(("", "power lost", *table(rows), *faults(rows)))
        return not any(row.bad for row in rows)
    rows.append(failed_fsyncs(bench, 60))
    _print(("", "power lost", *table(rows), *faults(rows)))
    result = caught(bench, 120)
    _print(("", f"{'mutant':42} {'caught in':>9} {'of':>6} states", *_mutants(result)))
    return not any(row.bad for row in rows) and all(bad for bad, _ in result.values())


def _mutants(result: Mapping[str, tuple[int, int]]) -> Iterator[str]:
    for name, (bad, total) in result.items():
        yield f"{name:42} {bad:>9} {total:>6}{'' if bad else '  NOT CAUGHT'}"
    yield f"{sum(bad > 0 for bad, _ in result.values())} of {len(result)} mutants caught"


def _run_errno(bench: Bench, wanted: argparse.Namespace) -> bool:
    answers = refuse(bench, wanted.points or 340, wanted.only or ANSWERED)
    return _are_true("the disk refused", answers)


def _run_full(bench: Bench, wanted: argparse.Namespace) -> bool:
    if not full_disk.is_possible(bench.folder):
        _print(("", "the disk was full: skipped, for no tmpfs can be mounted here (be root)"))
        return True
    answers = fill(bench, wanted.points or 340, wanted.only or ANSWERED)
    return _are_true("the disk was full", answers)


def _are_true(title: str, answers: Sequence[Refusals]) -> bool:
    rows = [a.row for a in answers]
    _print(("", title, *table(rows), *faults(rows)))
    untyped = sum((a.untyped for a in answers), Counter[str]())
    _print(f"  untyped {n:>3} x {where}" for where, n in untyped.most_common(_SHOWN))
    return not untyped and not any(row.bad for row in rows)


_PARTS = {"kill": _run_kill, "power": _run_power, "errno": _run_errno, "full": _run_full}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the parts that were asked for; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("part", choices=[*_PARTS, "all"])
    parser.add_argument("--points", type=int, default=0)
    parser.add_argument("--states", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("--only", action="append", choices=[*OPERATIONS], metavar="OPERATION")
    wanted = parser.parse_args(argv)
    good = True
    for name in _PARTS if wanted.part == "all" else (wanted.part,):
        began = time.monotonic()
        with bench(wanted.seed, wanted.jobs) as place:
            good &= _PARTS[name](place, wanted)
        _print((f"{name}: {time.monotonic() - began:.0f} s",))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
