"""Invariants: what must be true of a vault whatever struck it, told as a list of what is not."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from tests.crash import operations
from tests.crash.operations import Prepared, Tree
from vaultmem import Vault
from vaultmem.errors import VaultError
from vaultmem.maintenance import edited_memories
from vaultmem.memory import memory_index
from vaultmem.records import Record
from vaultmem.storage import journal
from vaultmem.storage.files import TEMP
from vaultmem.storage.index import Filter

LOST, DUPLICATED, TORN, OTHER = "lost", "duplicated", "torn", "other"
_ID = re.compile(rb"^id: (\S+)$", re.MULTILINE)
_TEMP = re.compile(rf"{re.escape(TEMP)}\S+")
_ORIGIN = re.compile(rb"^origin: (\S+)$", re.MULTILINE)
_NO_WORD = re.compile(r"\W")
_SOURCE = re.compile(rb"\[\[([^\]|#]+)")
_NEWEST = re.compile(rb"^## Newest notes\n(?:- .*\n)*", re.MULTILINE)
_PERSONAL = frozenset({"diary.md", "AGENTS.md", "README.md", "MEMORY.md", ".gitignore"})
_THEIRS = ".theirs.applied.json"
_STAGED = frozenset({"README.md"})


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is not as it must be: of which kind, and what."""

    kind: str
    what: str


@dataclass(frozen=True, slots=True)
class Recovered:
    """A vault after a fault and its recovery: what was wrong, how long it took, at which stage.

    *freed* counts the locks of a killed git that a person had to remove.
    """

    faults: tuple[Fault, ...]
    seconds: float = 0.0
    stage: int = -1
    freed: int = 0


@dataclass(frozen=True, slots=True)
class Case:
    """What is known of the vault that comes out of a fault.

    *promises* were made before it struck, *edited* paths a person touched after it, *looked* says
    that the person's first command was `log`. What could not read all it wanted may have done other
    work than rehearsed: then only the memories are *rehearsed*.
    """

    prepared: Prepared
    path: Path
    promises: int
    edited: frozenset[str] = frozenset()
    looked: bool = False
    rehearsed: bool = True


def recovered(case: Case) -> Recovered:
    """Recover the vault and say what is wrong with it then, after a tick, and after another."""
    faults = list(_torn(case))
    try:
        return _recovered(case, faults)
    except (VaultError, OSError, sqlite3.Error, subprocess.CalledProcessError) as e:
        said = str(e).replace(str(case.path), "").split(";")[0]
        return Recovered((*faults, Fault(OTHER, f"recovery: {type(e).__name__} {said}")))


def _recovered(case: Case, faults: list[Fault]) -> Recovered:
    began = time.perf_counter()
    with operations.come_back(case.path, git=case.prepared.operation.git) as vault:
        if (case.path / ".vaultmem/read-only").exists():
            vault.fsck(repair=True)  # what the error told the person to do
        if case.looked and vault.store.writer.repository:
            vault.log()
        vault.store.sync()
        seconds = time.perf_counter() - began
        reached = operations.tree(case.path)
        at, found = _stage(case, reached)
        faults += found
        faults += _after_a_tick(case, vault, reached)
        if case.edited:
            _next_compaction(vault)  # it absorbs what a person's edit kept out of a summary
    first = operations.tree(case.path)
    with operations.later(case.path) as vault:
        vault.tick()
        faults += _no_litter(vault, with_edits=False)
        faults += _whole(case, vault)
        if operations.tree(case.path) != first:
            faults.append(Fault(OTHER, "a second recovery changed the vault again"))
        faults += [Fault(OTHER, said) for said in case.prepared.operation.after(vault)]
    return Recovered(tuple(faults), seconds, at)


def _next_compaction(vault: Vault) -> None:
    vault.remember("And life went on.", agent=operations.AGENT)
    vault.compact(operations.AGENT, force=True)
    vault.tick()  # a round points at what is new


# --- the bytes --------------------------------------------------------------------------------


def _torn(case: Case) -> Iterator[Fault]:
    """Every file is some stage's bytes even before anybody recovers; one that grows, a part."""
    stages = [_part(case, stage) for stage in case.prepared.stages]
    for path, data in _part(case, operations.tree(case.path)).items():
        known = [s.get(path) for s in stages]
        grows = path.endswith(".jsonl") and _is_growing(data, known)
        if path not in case.edited and data not in known and not grows:
            yield Fault(TORN, f"{path} is neither old nor new right after the fault")


def _is_growing(data: bytes, known: Sequence[bytes | None]) -> bool:
    """Tell whether all of one stage is there, and of what the next adds a part, or its length."""
    return any(
        old and new and data.startswith(old) and len(data) <= len(new)
        and all(a in {b, 0} for a, b in zip(data, new, strict=False))
        for old, new in pairwise(known)
    )  # fmt: skip


def _stage(case: Case, reached: Tree) -> tuple[int, list[Fault]]:
    """Tell which stage the vault is at, and what is wrong with that."""
    stages = tuple(_part(case, stage) for stage in case.prepared.stages)
    reached = _part(case, reached)
    at = [n for n, stage in enumerate(stages) if _same(stage, reached, case.edited)]
    if not at:
        return -1, [_nearest(stages, reached, case.edited)]
    least = case.prepared.promised[case.promises - 1] if case.promises else 0
    if max(at) < least:
        return max(at), [Fault(LOST, f"stage {least} was promised, found stage {max(at)}")]
    return max(at), []


def stage(case: Case, reached: Tree) -> int:
    """Return at which stage the vault is, -1 between two."""
    at, _ = _stage(case, reached)
    return at


def alike(case: Case, one: int, other: int) -> bool:
    """Tell whether two stages are one, or have the same files: what was put away and came back."""
    if one == other or min(one, other) < 0:
        return one == other
    first, second = (_part(case, case.prepared.stages[at]) for at in (one, other))
    return _same(first, second, case.edited)


def _part(case: Case, whole: Tree) -> Tree:
    """Return what must be as rehearsed: everything, or the memories alone.

    Everything but MEMORY.md's pointers at a person's newest notes: it has none at a note that the
    fault kept from its commit.
    """
    if not case.rehearsed:
        return {p: d for p, d in whole.items() if "/memories/" in p}
    return {p: _NEWEST.sub(b"", d) if p == memory_index.PATH else d for p, d in whole.items()}


def _same(stage: Tree, reached: Tree, edited: frozenset[str]) -> bool:
    """Compare but for what a person edited, and our versions of it, set aside in the inbox."""
    aside = {p for p in reached if edited and p.startswith("inbox/conflict-")}
    leave = edited | aside
    return {p: d for p, d in stage.items() if p not in leave} == {
        p: d for p, d in reached.items() if p not in leave
    }


def _nearest(stages: tuple[Tree, ...], reached: Tree, edited: frozenset[str]) -> Fault:
    """Name the files that keep the vault from being at the stage it is nearest to."""
    gaps = [
        sorted(p for p in stage.keys() | reached.keys() if stage.get(p) != reached.get(p))
        for stage in stages
    ]
    gap = [p for p in min(gaps, key=len) if p not in edited]
    missing = [p for p in gap if p not in reached]
    kind = LOST if missing else TORN
    return Fault(kind, f"between two stages: {', '.join(gap[:3])} ({len(gap)} files)")


# --- after a tick -----------------------------------------------------------------------------


def _after_a_tick(case: Case, vault: Vault, reached: Tree) -> Iterator[Fault]:
    vault.tick()
    after = operations.tree(case.path)
    yield from _kept(case, reached, after)
    yield from _single(after)
    yield from _covered_once(after)
    yield from _numbered(after, case.edited)
    yield from _no_litter(vault, with_edits=bool(case.edited))
    if vault.store.writer.repository:
        yield from _history(case, vault)
        yield from _staged(case)


def _kept(case: Case, reached: Tree, after: Tree) -> Iterator[Fault]:
    """Nothing but summaries and pointers may change by itself."""
    first, last = case.prepared.stages[0], case.prepared.stages[-1]
    by_itself = case.prepared.operation.by_itself
    due = {p for p in first.keys() | last.keys() if by_itself and first.get(p) != last.get(p)}
    for path, data in reached.items():
        ours = "/summaries/" in path or path == "MEMORY.md" or path in due
        if not ours and after.get(path) != data and not _completed(path, data, after.get(path)):
            yield Fault(LOST, f"{path} changed or went in a tick")
    line = b"a person wrote"
    for path in case.edited | {p for p in reached if line in reached[p]}:
        if line not in after.get(path, b""):
            yield Fault(LOST, f"a person's line in {path}")


def _completed(path: str, data: bytes, now: bytes | None) -> bool:
    """Tell whether a tick did to a file what the operation was about to: nothing of it is gone."""
    due = path == operations.BY_HAND or path.endswith(".jsonl")
    return due and now is not None and data in now


def _single(after: Tree) -> Iterator[Fault]:
    for pattern, what in ((_ID, "id"), (_ORIGIN, "origin")):
        live = (d for p, d in after.items() if p.startswith("agents/"))
        counts = Counter(m[1] for d in live if (m := pattern.search(_head(d))))
        for value, count in counts.items():
            if count > 1:
                yield Fault(DUPLICATED, f"{what} {value.decode()} is in {count} files")


def _head(data: bytes) -> bytes:
    return data.split(b"\n---\n", 1)[0]


def _covered_once(after: Tree) -> Iterator[Fault]:
    recents = (d for p, d in after.items() if "/summaries/recent-" in p)
    counts = Counter(s for d in recents for s in set(_SOURCE.findall(_head(d))))
    for stem, count in counts.items():
        if count > 1:
            yield Fault(DUPLICATED, f"{stem.decode()} is summarized {count} times")


def _numbered(after: Tree, edited: frozenset[str] = frozenset()) -> Iterator[Fault]:
    """Every line of a session is whole, and its turns are numbered 1, 2, 3."""
    for path, data in after.items():
        if not path.endswith(".jsonl") or path in edited:
            continue
        *lines, rest = data.split(b"\n")
        with suppress(ValueError):
            numbers = [json.loads(line)["turn"] for line in lines]
            if not rest and numbers == [*range(1, len(lines) + 1)]:
                continue
        yield Fault(TORN, f"{path} holds half a line, or a turn twice, or not")


def _no_litter(vault: Vault, *, with_edits: bool) -> Iterator[Fault]:
    """Nothing of ours is left over, but what a person's edit, not yet at rest, has taken up."""
    for name in journal.names(vault.store.root):
        if not (with_edits and name.endswith(_THEIRS)):
            yield Fault(OTHER, f"the intent {name} is still there after a tick")
    for temp in vault.path.rglob(f"{TEMP}*"):
        where = temp.parent.relative_to(vault.path)
        yield Fault(OTHER, f"a temporary file is still there after a tick: {where}/{TEMP}…")


def sound(path: Path) -> Iterator[Fault]:
    """Yield what is wrong with a vault of which nothing is known but that nothing struck it."""
    now = operations.tree(path)
    yield from _single(now)
    yield from _covered_once(now)
    yield from _numbered(now)


# --- git --------------------------------------------------------------------------------------


def _history(case: Case, vault: Vault) -> Iterator[Fault]:
    """Everything of ours is committed, once, by an operation."""
    status = git(case.path, "status", "--porcelain", "-z", "--untracked-files=all")
    ours = [
        _TEMP.sub(f"{TEMP}…", line)
        for line in status.split("\0")
        if line and not _personal(case, line[3:])
    ]
    if ours:
        yield Fault(OTHER, f"not committed: {', '.join(ours[:3])} ({len(ours)} files)")
    operations_made = Counter(op for o in vault.log(None) for op in o.ops)
    for op, count in operations_made.items():
        if count > 1 and not _has_parts(vault, op):
            yield Fault(DUPLICATED, f"{op} was committed {count} times")


def _personal(case: Case, path: str) -> bool:
    return path in _PERSONAL | case.edited or path.startswith("inbox/")


def _has_parts(vault: Vault, op: str) -> bool:
    """Tell whether *op* is of several parts in history, and none of them is there twice.

    A correction and what it tells again are two; a crash may part an import anywhere.
    """
    kinds = [_NO_WORD.split(o.subject)[0] for o in vault.log(None) if op in o.ops]
    return "import" in kinds or len(set(kinds)) == len(kinds)


def _staged(case: Case) -> Iterator[Fault]:
    """Check that what a person had staged is staged still, with the same bytes."""
    before, after = _index(case.prepared.start), _index(case.path)
    for path in _STAGED & before.keys():
        if before[path] != after.get(path):
            yield Fault(OTHER, f"what a person staged of {path} changed")


def _index(path: Path) -> Mapping[str, str]:
    """Return the entries of git's index by path."""
    if not (path / ".git").exists():
        return {}
    lines = git(path, "ls-files", "-s").splitlines()
    return dict(line.split("\t")[::-1] for line in lines)


def git(path: Path, *args: str) -> str:
    """Run git as a person would."""
    argv = ["git", "--no-optional-locks", *args]
    return subprocess.run(argv, cwd=path, check=True, capture_output=True, text=True).stdout


# --- the program's own check ------------------------------------------------------------------


def _whole(case: Case, vault: Vault) -> Iterator[Fault]:
    """Check that `fsck` finds nothing, and that every live memory is one of its records."""
    report = vault.fsck(repair=True)
    for problem in report.problems:
        by_hand = problem.code == edited_memories.CODE or problem.path.endswith(".jsonl")
        if problem.path in case.edited and by_hand:
            continue  # a person wrote a line into a session, or changed a memory: it is named
        yield Fault(OTHER, f"fsck: {problem.code} {problem.path}: {problem.message}")
    known: set[str] = {r.path for r in _records(vault)}
    for path in operations.people(vault.path):
        if "/memories/" in path and path not in known:
            yield Fault(LOST, f"{path} is not in the index")


def _records(vault: Vault) -> list[Record]:
    return vault.store.index.records(Filter(type="memory"), body=False)
