"""Writers beside a person's git: each acknowledged memory ends in HEAD, or is named with its place.

    python tests/bench/beside_git.py --memories 2000 --writers 8 --seed 1

Processes remember while a person commits, amends, stashes, changes branches, rebases, merges, looks
at old commits and collects garbage, and while an editor writes back an index that it read before.
Exits with 1 when a memory is neither in HEAD nor named, or is not in HEAD after a repair.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import NamedTuple

import click

# Python looks beside a script; the modules are named from the checkout's root.
sys.path.insert(0, str(Path(__file__).parents[2]))

from vaultmem import Vault
from vaultmem.api import create
from vaultmem.errors import MassVanish, VaultError
from vaultmem.maintenance.missing_memories import CODE
from vaultmem.records import utc_now

_MAIN = "main"
_MOST_AT_ONCE = 4
_BREATH = 0.05
_PATIENCE = 30.0
_LOCKED = b".lock'"
_ASKS = 40
"""Refusals in a row after which a crowd that is gone has not gone for a moment: someone asks."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a campaign: how many were acknowledged, and where they stood in the end.

    *lost* are those that were neither in HEAD nor named, *left* those that no repair brought back.
    """

    acknowledged: int
    in_head: int
    named: Mapping[str, int]
    lost: tuple[str, ...]
    left: tuple[str, ...]
    acts: Mapping[str, int]
    refused: int
    seconds: float


def campaign(folder: Path, memories: int, writers: int, seed: int) -> Outcome:
    """Let *writers* processes keep so many *memories* in a new vault below *folder*."""
    began, path = time.monotonic(), folder / "vault"
    folder.mkdir(parents=True, exist_ok=True)
    create.create(path, utc_now)
    person = Person(path, random.Random(seed))  # noqa: S311  # no secret
    person.git("branch", "-M", _MAIN)
    context = multiprocessing.get_context("spawn")
    done, asked = context.Event(), context.Event()
    shares = [memories // writers + (n < memories % writers) for n in range(writers)]
    crew = [
        context.Process(
            target=_write, args=(path, folder / f"{n}.jsonl", Share(n, share, seed), asked)
        )
        for n, share in enumerate(shares)
    ]
    at_work = context.Process(
        target=_be_a_person, args=(path, folder / "acts.json", seed, done, asked)
    )
    for process in (*crew, at_work):
        process.start()
    for process in crew:
        process.join()
    done.set()
    at_work.join()
    person.come_home()
    acts = json.loads((folder / "acts.json").read_text())
    return _counted(folder, path, writers, acts, time.monotonic() - began)


def _counted(
    folder: Path, path: Path, writers: int, acts: Mapping[str, int], seconds: float
) -> Outcome:
    lines = [json.loads(line) for n in range(writers)
             for line in (folder / f"{n}.jsonl").read_text().splitlines()]  # fmt: skip
    kept = {line["id"]: line["path"] for line in lines if "id" in line}
    with Vault.open(path) as vault:
        vault.store.sync()
        vault.store.index.accept_missing()
        vault.tick()
        there = _in_head(path)
        places = {p.path: p.message.rpartition("stands ")[2] for p in vault.fsck().problems
                  if p.code == CODE}  # fmt: skip
        vault.fsck(repair=True)
        after = _in_head(path)
    away = {memory: where for memory, where in kept.items() if where not in there}
    return Outcome(
        len(kept), len(kept) - len(away),
        Counter(places[where] for where in away.values() if where in places),
        tuple(where for where in away.values() if where not in places),
        tuple(where for where in kept.values() if where not in after),
        acts, sum("refused" in line for line in lines), seconds,
    )  # fmt: skip


def _in_head(path: Path) -> frozenset[str]:
    argv = ["git", "ls-tree", "-r", "-z", "--name-only", "HEAD"]
    done = subprocess.run(argv, cwd=path, capture_output=True, check=True)
    return frozenset(done.stdout.decode().split("\0"))


# --- writers --------------------------------------------------------------------------------------


class Share(NamedTuple):
    """Whose memories they are, how many, and what seeds their words."""

    number: int
    memories: int
    seed: int


def _write(path: Path, told: Path, share: Share, asked: Event) -> None:
    """Keep a share of memories, a few each time it opens the vault; note what was acknowledged.

    Where a crowd stays away with a branch, the person is *asked* to bring it back.
    """
    dice = random.Random(f"{share.seed} {share.number}")  # noqa: S311  # no secret
    kept = refused = 0
    with told.open("w", buffering=1) as notes:
        while kept < share.memories:
            try:
                with Vault.open(path) as vault:
                    for _ in range(min(share.memories - kept, dice.randint(1, _MOST_AT_ONCE))):
                        text = f"Fact {kept} of writer {share.number}: {dice.getrandbits(40):x}."
                        made = vault.remember(text, agent=f"writer{share.number}")
                        notes.write(json.dumps({"id": made.id, "path": made.path}) + "\n")
                        kept, refused = kept + 1, 0
            except VaultError as e:  # a crowd is away with a branch; somebody is at work
                refused += isinstance(e, MassVanish)
                if refused >= _ASKS:
                    asked.set()
                notes.write(json.dumps({"refused": type(e).__name__}) + "\n")
                time.sleep(_BREATH)


# --- a person -------------------------------------------------------------------------------------


class Person:
    """Somebody who uses git on the vault, as if they were alone."""

    def __init__(self, path: Path, dice: random.Random) -> None:
        """Work in the vault at *path*."""
        self.path, self.dice, self.number = path, dice, 0
        self.acts: dict[str, Callable[[], None]] = {
            "commit": self.commit, "commit all": self.commit_all, "amend": self.amend,
            "stash": self.stash, "stash -u": self.stash_all, "branch": self.branch,
            "merge": self.merge, "rebase": self.rebase, "detach": self.detach, "gc": self.collect,
            "old index": self.write_back,
        }  # fmt: skip

    def git(self, *args: str) -> bool:
        """Run git; tell whether it went well."""
        return self._run(*args).returncode == 0

    def insists(self, *args: str) -> None:
        """Run git again while another one holds its lock; what it refuses otherwise stays so."""
        until = time.monotonic() + _PATIENCE
        while _LOCKED in self._run(*args).stderr and time.monotonic() < until:
            time.sleep(_BREATH)

    def _run(self, *args: str) -> subprocess.CompletedProcess[bytes]:
        argv = ["git", "-c", "user.name=P", "-c", "user.email=p@example.org", "-c", "gc.auto=0"]
        env = os.environ | {"LC_ALL": "C"}
        return subprocess.run(
            [*argv, *args], cwd=self.path, env=env, capture_output=True, check=False
        )

    def pause(self) -> None:
        """Look at the screen for a moment."""
        time.sleep(self.dice.uniform(0, 4 * _BREATH))

    def edit(self) -> None:
        """Write a line into a file of their own."""
        self.number += 1
        note = self.path / "own.md"
        note.write_text(f"Line {self.number}\n" + (note.read_text() if note.exists() else ""))

    def commit(self) -> None:
        """Commit a file of their own."""
        self.edit()
        self.git("add", "own.md")
        self.pause()
        self.git("commit", "-qm", "own")

    def commit_all(self) -> None:
        """Commit all there is."""
        self.edit()
        self.git("add", "-A")
        self.pause()
        self.git("commit", "-qm", "all")

    def amend(self) -> None:
        """Add to the last commit, whoever made it."""
        self.edit()
        self.git("add", "own.md")
        self.git("commit", "-q", "--amend", "--no-edit")

    def stash(self) -> None:
        """Put what they wrote aside and take it up again."""
        self.edit()
        self.git("add", "own.md")
        if self.git("stash", "-q"):
            self.pause()
            self.insists("stash", "pop", "-q")

    def stash_all(self) -> None:
        """Put everything aside that no commit has, and take it up again."""
        self.edit()
        if self.git("stash", "-qu"):
            self.pause()
            self.insists("stash", "pop", "-q")

    def branch(self) -> None:
        """Be on another branch for a moment."""
        self.number += 1
        if self.git("checkout", "-qb", f"aside-{self.number}"):
            self.pause()
            self.commit()
            self.insists("checkout", "-q", _MAIN)

    def merge(self) -> None:
        """Bring in one of the branches."""
        self.git("merge", "-q", "--no-edit", f"aside-{self.dice.randint(1, self.number + 1)}")
        self.git("merge", "--abort")

    def rebase(self) -> None:
        """Write the last commits anew."""
        self.git("rebase", "-q", "--autostash", "--force-rebase", "HEAD~3")
        self.end_rebase()

    def end_rebase(self) -> None:
        """End a rebase that is half done, or that git left before it began."""
        if not self.git("rebase", "--abort"):
            self.git("rebase", "--quit")

    def detach(self) -> None:
        """Look at what was."""
        if self.git("checkout", "-q", "HEAD~2"):
            self.pause()
            self.insists("checkout", "-q", _MAIN)

    def collect(self) -> None:
        """Tidy up."""
        self.git("gc", "-q")

    def write_back(self) -> None:
        """Do as an editor that read the index, thought, and writes it back."""
        index = self.path / ".git/index"
        before = index.read_bytes()
        self.pause()
        if not (self.path / ".git/index.lock").exists():
            index.write_bytes(before)
        self.commit()

    def come_home(self) -> None:
        """End whatever is half done, and be on the main branch."""
        self.end_rebase()
        self.git("merge", "--abort")
        if not self.git("checkout", "-q", _MAIN):
            self.git("commit", "-qam", "before going home")
            self.insists("checkout", "-q", _MAIN)

    def bring_back(self) -> None:
        """Do as `status` says where acknowledged memories are on branches alone."""
        self.come_home()
        with contextlib.suppress(VaultError), Vault.open(self.path) as vault:
            vault.fsck(repair=True)


def _be_a_person(path: Path, told: Path, seed: int, done: Event, asked: Event) -> None:
    person, counts = Person(path, random.Random(seed)), Counter[str]()  # noqa: S311  # no secret
    while not done.is_set():
        act = person.dice.choice([*person.acts])
        person.acts[act]()
        counts[act] += 1
        if asked.is_set():
            asked.clear()
            person.bring_back()
            counts["repair"] += 1
        person.pause()
    told.write_text(json.dumps(counts))


@click.command()
@click.option("--memories", default=2000, show_default=True, help="How many are remembered.")
@click.option("--writers", default=8, show_default=True, help="By how many processes.")
@click.option("--seed", default=1, show_default=True, help="What the person does, and when.")
@click.option("--keep", is_flag=True, help="Leave the vault where it is.")
def main(memories: int, writers: int, seed: int, *, keep: bool) -> None:
    """Let writers remember beside a person's git, and tell where it all stands."""
    folder = Path(tempfile.mkdtemp(prefix="beside-git-"))
    found = campaign(folder, memories, writers, seed)
    did = ", ".join(f"{count} {what}" for what, count in sorted(found.acts.items()))
    click.echo(f"a person did: {did}")
    click.echo(
        f"{found.acknowledged} acknowledged by {writers} writers in {found.seconds:.0f} s, "
        f"{found.refused} refused (seed {seed})"
    )
    click.echo(f"{found.in_head} in HEAD after one round; named elsewhere: {dict(found.named)}")
    click.echo(f"{len(found.lost)} lost, {len(found.left)} not in HEAD after a repair")
    for path in (*found.lost, *found.left):
        click.echo(f"  {path}")
    if keep or found.lost or found.left:
        click.echo(f"the vault is in {folder}")
    else:
        shutil.rmtree(folder)
    sys.exit(bool(found.lost or found.left))


if __name__ == "__main__":
    main()
