"""Whether what was answered is true, and whether asking again does it once.

An answer is one of three: done; refused, and then nothing changed and nothing will; or not known.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from tests.crash import invariants, operations
from tests.crash.faults import Diary
from tests.crash.invariants import DUPLICATED, LOST, OTHER, Case, Fault, Recovered
from tests.crash.operations import Prepared, Tree
from vaultmem.errors import Refused, Unconfirmed, VaultError

_IN_PARTS = ("import", "compact", "tick", "init", "sync", "purge")
"""What is made of several writes, each of which stands when a later one is refused."""
_ONE_MORE = ("undo", "forget")
"""What another time takes the next in turn."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a fault: what was said, where, and how the vault was found.

    *said* is empty when the operation went through; *typed* is False for an error that is no
    VaultError.
    """

    found: Recovered
    said: str = ""
    where: str = ""
    typed: bool = True

    @property
    def word(self) -> str:
        """The answer in a word."""
        return {"": "done", Unconfirmed.__name__: "not known"}.get(self.said, "refused")


def judged(prepared: Prepared, path: Path, diary: Diary, code: int) -> Answer:
    """Recover the vault at *path*, judge it and what the *diary* says was answered, ask again."""
    said = [*diary.read("refused"), *diary.read("untyped")]
    name, where = cast("Sequence[str]", said[0]) if said else ("", "")
    typed = not any(diary.read("untyped"))
    if code:
        return Answer(Recovered((Fault(OTHER, f"the operation ended with {code}"),)), name, where)
    promises = len(list(diary.read("promise")))
    rehearsed = not any(diary.read("reads")) and not any(diary.read("waits"))
    case = Case(prepared, path, promises, rehearsed=rehearsed)
    before = operations.tree(path)
    found = invariants.recovered(case)
    answer = Answer(found, name, where, typed)
    faults = list(found.faults)
    if answer.word == "refused" and not faults:
        untrue = _refused(case, before, operations.tree(path), found.stage)
        faults += [Fault(f.kind, f"{f.what}: {name} from {where}") for f in untrue]
    if not faults:
        faults += _again(case, answer)
    return Answer(Recovered(tuple(faults), found.seconds, found.stage), name, where, typed)


def _refused(case: Case, before: Tree, after: Tree, stage: int) -> Iterator[Fault]:
    """Yield what is untrue of "nothing was changed", and nothing will be."""
    prepared = case.prepared
    if not prepared.name.startswith("init"):  # no vault: it was rebuilt
        at = invariants.stage(case, before)
        yield from _same("carried out all the same", case, (before, at), (after, stage))
    if not prepared.name.startswith(_IN_PARTS):
        at = prepared.promised[case.promises - 1] if case.promises else 0
        yield from _same("done in part", case, (prepared.stages[at], at), (after, stage))


def _same(what: str, case: Case, meant: tuple[Tree, int], now: tuple[Tree, int]) -> Iterator[Fault]:
    if Counter(_said(meant[0])) != Counter(_said(now[0])):
        yield Fault(OTHER, f"refused, and {what}")
    elif case.rehearsed and not invariants.alike(case, meant[1], now[1]):
        yield Fault(OTHER, f"refused, and {what}, to stage {now[1]} from {meant[1]}")


def _again(case: Case, answer: Answer) -> Iterator[Fault]:
    """Ask once more for what was not promised, without the fault."""
    prepared = case.prepared
    try:
        for _ in prepared.operation.again(case.path, case.promises if answer.said else 0):
            pass
    except Refused:
        return  # it was done already: a vault is a vault, what is undone is undone
    except (VaultError, OSError, sqlite3.Error) as e:
        yield Fault(OTHER, f"asking again: {type(e).__name__}: {e}")
        return
    yield from invariants.sound(case.path)
    if answer.said and not prepared.name.startswith(_ONE_MORE):
        yield from _once(prepared.stages[-1], operations.tree(case.path))


def _once(meant: Tree, now: Tree) -> Iterator[Fault]:
    """Yield what is not there as often as it was asked for."""
    wanted, there = Counter(_said(meant)), Counter(_said(now))
    for text in (wanted - there) | (there - wanted):
        kind = LOST if there[text] < wanted[text] else DUPLICATED
        times = f"{there[text]} times for {wanted[text]}"
        yield Fault(kind, f"asked again, {text[:40]!r} is there {times}")


def _said(tree: Tree) -> Iterator[str]:
    """Yield the text of each memory, turn and task."""
    for path, data in tree.items():
        text = data.decode("utf-8", "replace")
        if path.endswith(".jsonl") and "/sessions/" in path:
            yield from (json.loads(line)["content"] for line in text.splitlines())
        elif "/memories/" in path or path.startswith("tasks/"):
            yield text.partition("\n---\n")[2]
