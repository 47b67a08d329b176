"""Undo whatever was done, in any order, and compare the vault byte for byte with what it must be.

`python -m tests.bench.undoing --rounds 300 --seed 1` works at random on one vault, as its agents
and a person do, and takes operations back between: each as it was made, some long after. What an
undo must leave is said by git alone: the bytes before the operation where nobody touched the file
since, else git's own merge of three versions, in which the moment of the last change stays. An undo
that is refused must leave every byte. At the end all that was done is undone backwards, and each
time the tree must be the commit's parent's, but for the lists in MEMORY.md and TASKS.md, which are
rebuilt, and for boxes that were ticked.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench.syncing import Clock, Machine
from vaultmem import config
from vaultmem.api import create
from vaultmem.errors import Refused, VaultError
from vaultmem.knowledge import tasks
from vaultmem.knowledge.tasks import service as task_service
from vaultmem.maintenance import fsck
from vaultmem.memory import memory_index, pointed_index
from vaultmem.records import LISTS

_REVIEWS = "inbox/dream-"
"""What was ticked stays ticked, or it would be done once more."""
_UNDOES = 0.5
_AT_ONCE = 0.5
_TYPED = 0.3
_CHANGED = re.compile(rb"^updated: .*$", re.MULTILINE)
_WINDOW = (b"window: 64", b"window: 4")

Tree = Mapping[str, bytes]


class Worker(Machine):
    """Who works on the vault: agents, a person, and one who takes back."""

    def correct(self) -> None:
        """Say that something else holds."""
        path = self._any("agents/*/memories/*/*/*.md")
        self.vault.correct(path.relative_to(self.path).as_posix(), self.fact())

    def share(self) -> None:
        """Offer a memory to all."""
        path = self._any("agents/*/memories/*/*/*.md")
        self.vault.share(path.relative_to(self.path).as_posix())

    def dream(self) -> None:
        """Clean up."""
        self.vault.dreams.plan(force=True)
        self.vault.dreams.apply(everything=True, include_protected=True)

    def settings(self) -> None:
        """Change the config, as a person does."""
        self.rewrite(config.PATH)

    def insert(self) -> None:
        """Write a fact above the others, as a person does: other lines than `topic` and `edit`."""
        self.above(self._any("topics/*.md"))

    def above(self, path: Path) -> None:
        """Write a fact at the top of the body of a note."""
        head, mark, body = path.read_text().partition("\n---\n")
        if mark:
            path.write_text(f"{head}{mark}- {self.fact()}\n\n{body}")

    def tree(self) -> dict[str, bytes]:
        """Return every file a person sees, by its path."""
        files = (p for p in self.path.rglob("*") if p.is_file())
        named = {p.relative_to(self.path).as_posix(): p for p in files}
        ours = (".git/", ".vaultmem/")
        return {name: p.read_bytes() for name, p in named.items() if not name.startswith(ours)}

    def settle(self) -> None:
        """Commit all there is, each as what it is."""
        self._rest()
        self.vault.tick()
        self.vault.store.writer.commit_pending()

    def git(self, *args: str) -> str:
        """Ask git, as a person does."""
        done = subprocess.run(["git", *args], cwd=self.path, capture_output=True, check=True)
        return os.fsdecode(done.stdout).strip()

    def commits(self, since: str) -> list[str]:
        """Return the commits after *since*, oldest first."""
        return self.git("rev-list", "--reverse", f"{since}..HEAD").split()


@dataclass(slots=True)
class Tally:
    """What a campaign came to."""

    acts: int = 0
    undone: int = 0
    merged: int = 0
    refused: int = 0
    backwards: int = 0
    did: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


_ACTS = {
    "remember": 8, "correct": 2, "forget": 2, "compact": 2, "card": 3, "topic": 3, "task": 2,
    "work": 2, "share": 2, "dream": 1, "note": 2, "edit": 4, "insert": 4, "delete": 1, "index": 1,
    "fold": 1,
}  # fmt: skip


def campaign(folder: Path, rounds: int, seed: int, *, talk: bool = True) -> Tally:
    """Work on a vault in *folder* for so many *rounds*; return what came of it.

    With *talk* sessions are among it: what was said there is not taken back.
    """
    dice, tally = random.Random(seed), Tally()  # noqa: S311  # no secret
    create.create(folder / "v", (clock := Clock()))
    settings = folder / "v" / config.PATH
    settings.write_bytes(settings.read_bytes().replace(*_WINDOW))
    at = Worker(folder / "v", clock, dice, (f"plum{n:05}" for n in range(100_000)))
    at.settle()
    first = at.git("rev-parse", "HEAD")
    acts = _ACTS | ({"talk": 3} if talk else {})
    try:
        for _ in range(rounds):
            _act(at, acts, tally)
            if dice.random() < _UNDOES:
                _undo_one(at, first, tally)
            if tally.faults:
                break
        if not (talk or tally.faults):
            _backwards(at, first, tally)
    finally:
        at.vault.close()
    return tally


def _act(at: Worker, acts: Mapping[str, int], tally: Tally) -> None:
    """Do something, and perhaps take it back at once, and that, too."""
    what = at.dice.choices([*acts], [*acts.values()])[0]
    at.settle()
    head, before = at.git("rev-parse", "HEAD"), at.tree()
    try:
        getattr(at, what)()
    except VaultError:
        tally.did["refused"] += 1
    at.settle()
    tally.acts += 1
    tally.did[what] += 1
    commits = at.commits(head)
    if len(commits) != 1 or at.dice.random() >= _AT_ONCE:
        return
    after = at.tree()
    for name, must in (("undo", before), ("redo", after)):
        told = _tried(at, at.git("rev-parse", "HEAD"), tally)
        if told is None:
            return
        tally.faults += [f"{name} of {what}: {fault}" for fault in differences(at.tree(), must)]


def _tried(at: Worker, commit: str, tally: Tally) -> str | None:
    """Undo a commit, and settle; None when it was refused, and every byte is as it was."""
    before = at.tree()
    try:
        _, made = at.vault.undo(commit)
    except Refused as e:
        tally.refused += 1
        tally.did[_reason(str(e))] += 1
        tally.faults += [f"refused, and yet: {f}" for f in differences(at.tree(), before)]
        return None
    tally.undone += 1
    return made


def _reason(said: str) -> str:
    for part in ("is already undone", "mentions", "later edits are", "was changed since",
                 "is append-only", "was purged", "created this vault", "say again what was",
                 "would be called forgotten", "would point at", "goes on from"):  # fmt: skip
        if part in said:
            return f"refused: {part}"
    return said


def _undo_one(at: Worker, first: str, tally: Tally) -> None:
    """Undo any commit, while a person is perhaps typing, and see that it did what it must."""
    known = at.commits(first)
    if not known:
        return
    commit = at.dice.choice(known)
    if at.dice.random() < _TYPED and (notes := sorted(at.path.glob("topics/*.md"))):
        at.above(at.dice.choice(notes))
    now = at.tree()
    must, merged = expected(at, commit, now)
    subject = at.git("log", "-1", "--format=%s", commit)
    if _tried(at, commit, tally) is None:
        return
    tally.merged += merged
    seen = at.tree()
    but = {p for p in must if p.startswith(_REVIEWS) and "dream" in subject} | LISTS
    tally.faults += [f"undo of {subject!r}: {f}" for f in differences(seen, must, but)]
    if not subject.startswith("index:"):  # that alone is MEMORY.md as it was, as was asked for
        tally.faults += [f"after the undo of {subject!r}: {fault}" for fault in wrong(at)]
    at.settle()


def expected(at: Worker, commit: str, now: Tree) -> tuple[dict[str, bytes], int]:
    """Return the tree without what *commit* did, and how many files had to be merged."""
    must, merged = dict(now), 0
    for path in at.git("diff", "--name-only", "-z", f"{commit}^", commit).split("\0"):
        if not path or path in LISTS:
            continue
        was, made = (_blob(at, f"{c}:{path}") for c in (f"{commit}^", commit))
        here = now.get(path)
        if here in {was, made}:
            want = was
        elif was is None or made is None or here is None:
            want = here  # refused, then
        else:
            base, theirs = (_changed_as(here, data) for data in (made, was))
            want, merged = _merged(at.path.parent, here, base, theirs), merged + 1
        if want is None:
            must.pop(path, None)
        else:
            must[path] = want
    return must, merged


def _changed_as(here: bytes, data: bytes) -> bytes:
    """Return *data* with the moment of the last change that the file has *here*, which stays."""
    head, mark, body = data.partition(b"\n---\n")
    line = _CHANGED.search(here.partition(b"\n---\n")[0])
    if not (line and mark and data.startswith(b"---\n")):
        return data
    if not _CHANGED.search(head):
        return head + b"\n" + line[0] + mark + body
    return _CHANGED.sub(lambda _: line[0], head) + mark + body


def _blob(at: Worker, name: str) -> bytes | None:
    done = subprocess.run(["git", "show", name], cwd=at.path, capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else None


def _merged(folder: Path, ours: bytes, base: bytes, theirs: bytes) -> bytes:
    names = [folder / name for name in ("ours", "base", "theirs")]
    for name, data in zip(names, (ours, base, theirs), strict=True):
        name.write_bytes(data)
    argv = ["git", "merge-file", "-p", "-q", *map(str, names)]
    return subprocess.run(argv, capture_output=True, check=False).stdout


def differences(seen: Tree, must: Tree, but: Collection[str] = ()) -> Iterator[str]:
    """Yield what is otherwise in a tree than it must be, *but* for some paths."""
    for path in sorted((seen.keys() | must.keys()) - set(but)):
        if seen.get(path) != must.get(path):
            yield f"{path}: {_short(seen.get(path))} and must be {_short(must.get(path))}"


def _short(data: bytes | None) -> str:
    return "not there" if data is None else repr(data[-160:])


def wrong(at: Worker) -> Iterator[str]:
    """Yield what is not as it must be in a vault in which something was undone."""
    at.vault.store.sync()
    if pointed_index.change(at.vault.store, ()) or task_service.board_change(at.vault.store):
        yield "MEMORY.md or TASKS.md is not what it should be"
    for problem in fsck.check(at.vault.store).problems:
        # The next compaction mentions the memory as it is, once a person accepts an edit.
        if problem.code not in {"stale-summary", "edited"}:
            yield f"{problem.code} {problem.path}: {problem.message}"


def _backwards(at: Worker, first: str, tally: Tally) -> None:
    """Undo all there is, newest first: each time the tree is that of the commit before."""
    at.settle()  # a person may have typed before an undo that was refused
    for commit in reversed(at.commits(first)):
        must = at.git("rev-parse", f"{commit}^^{{tree}}")
        if at.git("rev-parse", "HEAD^{tree}") == must:  # an undo and what it took back
            continue
        subject = at.git("log", "-1", "--format=%s", commit)
        if _tried(at, commit, tally) is None:
            # Its review was ticked since, or its list would point at what a person deleted.
            if "dream" in subject or "index: MEMORY.md" in subject:
                continue
            tally.faults.append(f"backwards, {subject!r} is refused")
            return
        tally.backwards += 1
        other = at.git("diff", "--name-only", must, "HEAD").splitlines()
        other = [
            p for p in other if not (p.startswith(_REVIEWS) or _is_same_but_for_lists(at, must, p))
        ]
        if told := other or at.git("status", "-s"):
            tally.faults.append(f"backwards, {subject!r}: {told}")
            return


def _is_same_but_for_lists(at: Worker, tree: str, path: str) -> bool:
    """Tell whether people's part of a note that is rebuilt is as it was."""
    own = {"MEMORY.md": lambda text: memory_index.regenerate(text, ()), "TASKS.md": tasks.own_text}
    then, now = (_blob(at, f"{which}:{path}") for which in (tree, "HEAD"))
    if path not in own or now is None:
        return False
    # Before its first line was made there was no TASKS.md: nothing of a person's is in it.
    return own[path](now.decode()) == own[path]((then or now).decode())


def main() -> int:
    """Run the campaign that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--vaults", type=int, default=1, help="so many, each with the next seed")
    asked, began, bad = parser.parse_args(), time.monotonic(), 0
    for seed in range(asked.seed, asked.seed + asked.vaults):
        with tempfile.TemporaryDirectory(prefix="vaultmem-undoing-") as folder:
            tally = campaign(Path(folder), asked.rounds, seed, talk=bool(seed % 2))
        names = ("acts", "undone", "merged", "refused", "backwards")
        said = ", ".join(f"{name} {getattr(tally, name)}" for name in names)
        sys.stdout.write(f"seed {seed}: {said}\n  {dict(tally.did)}\n")
        sys.stdout.write("".join(f"FAULT {fault}\n" for fault in tally.faults))
        bad += bool(tally.faults)
    sys.stdout.write(f"seconds: {time.monotonic() - began:.1f}\n")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
