"""Clones of one remote that sync at the same time until all are equal: how many rounds it takes.

    python -m tests.bench.converging 2 4 8 16

Each clone is a process with an agent of its own, which remembers and then syncs whenever all are
told to at once; between two syncs nobody waits for anybody. A round is one sync of each; a try is
one merge and push within it, of which who is overtaken needs several.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from vaultmem import Vault
from vaultmem.api import create
from vaultmem.errors import VaultError
from vaultmem.exchange.sync import Sync
from vaultmem.exchange.sync.backoff import Pace
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.records import utc_now

MOST_ROUNDS = 10
_WORD = re.compile(r"plum-[a-z]+\d+-\d+")


@dataclass(frozen=True, slots=True)
class Turn:
    """One sync of one clone: how often it tried, how long it took, where it stands, what failed."""

    tries: int
    seconds: float
    head: str
    error: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What so many clones came to; *rounds* is 0 where they were never equal."""

    clones: int
    rounds: int
    tries: Sequence[int]
    seconds: float
    lost: int
    doubled: int
    faults: Sequence[str]

    def row(self) -> str:
        """Return a row of a table in Markdown."""
        tries = f"{sum(self.tries) / len(self.tries):.1f} (at most {max(self.tries)})"
        return (
            f"| {self.clones} | {self.rounds} | {tries} | {self.seconds:.1f} s"
            f" | {self.lost} | {self.doubled} |"
        )


HEAD = "| clones | rounds | tries of a sync | until equal | lost | doubled |\n" + "|---" * 6 + "|"


def lay_out(folder: Path, clones: int) -> list[Path]:
    """Make a vault, a bare repository, and as many clones of it as there shall be."""
    first, bare = folder / "clone-1", folder / "bare.git"
    create.create(first, utc_now)
    _git("init", "-q", "--bare", "-b", "main", str(bare), cwd=folder)
    _git("branch", "-M", "main", cwd=first)
    _git("remote", "add", "origin", str(bare), cwd=first)
    _git("push", "-q", "-u", "origin", "main", cwd=first)
    others = [folder / f"clone-{number}" for number in range(2, clones + 1)]
    for other in others:
        _git("clone", "-q", str(bare), str(other), cwd=folder)
    return [first, *others]


class Clone:
    """A clone in a process of its own, which does what it is told by line."""

    def __init__(self, path: Path, number: int, memories: int, seed: int) -> None:
        """Start the process."""
        self.path = path
        words = (str(path), str(number), str(memories), str(seed))
        argv = [sys.executable, "-m", "tests.bench.converging", "--clone", *words]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(argv, stdin=pipe, stdout=pipe, text=True)

    def tell(self, what: str) -> None:
        """Say what to do; the answer is there when it is done."""
        assert self._process.stdin
        self._process.stdin.write(f"{what}\n")
        self._process.stdin.flush()

    def answer(self) -> str:
        """Wait until it is done; return what it says."""
        assert self._process.stdout
        return self._process.stdout.readline()

    def end(self) -> None:
        """Let the process end."""
        self._process.communicate()


def converge(folder: Path, clones: int, memories: int, seed: int = 1) -> Outcome:
    """Let so many *clones* remember, and sync at the same time until all are equal."""
    paths = lay_out(folder, clones)
    running = [Clone(path, number, memories, seed) for number, path in enumerate(paths)]
    for clone in running:
        clone.tell("remember")
    for clone in running:
        clone.answer()
    began, turns, rounds = time.perf_counter(), list[Turn](), 0
    for number in range(1, MOST_ROUNDS + 1):
        latest = _round(running)
        turns += latest
        if len({it.head for it in latest}) == 1:
            rounds = number
            break
    seconds = time.perf_counter() - began
    for clone in running:
        clone.end()
    said = {_word(number, n) for number in range(clones) for n in range(memories)}
    found = [Counter(_words(path)) for path in paths]
    return Outcome(
        clones, rounds, [it.tries for it in turns], seconds,
        sum(len(said - words.keys()) for words in found),
        sum(count > 1 for words in found for count in words.values()),
        (*(it.error for it in turns if it.error), *_faults(paths)),
    )  # fmt: skip


def _round(running: Sequence[Clone]) -> list[Turn]:
    for clone in running:
        clone.tell("sync")
    return [Turn(**json.loads(clone.answer())) for clone in running]


def _words(path: Path) -> Iterator[str]:
    for file in path.glob("agents/*/memories/**/*.md"):
        yield from _WORD.findall(file.read_text("utf-8").partition("\n---\n")[2])


def _faults(paths: Sequence[Path]) -> Iterator[str]:
    for path in paths:
        if dirty := _git("status", "--porcelain", cwd=path):
            yield f"{path.name}: not committed: {dirty}"
    with Vault.open(paths[-1]) as vault:
        yield from (f"{it.code} {it.path}: {it.message}" for it in vault.fsck().problems)


def _word(number: int, n: int) -> str:
    return f"plum-agent{number}-{n}"


# --- in the process of a clone ----------------------------------------------------------------


def serve(path: Path, number: int, memories: int, seed: int) -> None:
    """Do what standard input says, line by line, and answer each."""
    chance = random.Random(f"{seed}-{number}")  # noqa: S311  # no secret
    with Vault.open(path, summarizer=Extractive()) as vault:
        for line in sys.stdin:
            if line.strip() == "sync":
                answer = json.dumps(asdict(_synced(vault, path, chance)))
            else:
                for n in range(memories):
                    said = f"The number of {_word(number, n)} is {number * memories + n}."
                    vault.remember(said, agent=f"agent{number}", source="user")
                answer = "done"
            sys.stdout.write(f"{answer}\n")
            sys.stdout.flush()


def _synced(vault: Vault, path: Path, chance: random.Random) -> Turn:
    tries, began = 1, time.perf_counter()

    def wait(seconds: float) -> None:
        nonlocal tries
        tries += 1
        time.sleep(seconds)

    error = ""
    try:
        Sync(vault.store, Extractive, Pace(time.monotonic, wait, chance.random)).run()
    except VaultError as e:
        error = f"{path.name}: {e}"
    return Turn(tries, time.perf_counter() - began, _git("rev-parse", "HEAD", cwd=path), error)


def _git(*args: str, cwd: Path) -> str:
    done = subprocess.run(["git", *args], cwd=cwd, capture_output=True, check=True, text=True)
    return done.stdout.strip()


def main() -> int:
    """Measure what the command line asks for, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("clones", nargs="*", type=int, default=[2, 4, 8, 16])
    parser.add_argument("--memories", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clone", nargs=4, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.clone:
        path, *numbers = asked.clone
        serve(Path(path), *map(int, numbers))
        return 0
    sys.stdout.write(f"{HEAD}\n")
    bad = False
    for clones in asked.clones:
        with tempfile.TemporaryDirectory(prefix="vaultmem-converging-") as folder:
            done = converge(Path(folder), clones, asked.memories, asked.seed)
        sys.stdout.write(f"{done.row()}\n" + "".join(f"FAULT {it}\n" for it in done.faults))
        sys.stdout.flush()
        bad |= bool(done.faults or done.lost or done.doubled or not done.rounds)
    return bad


if __name__ == "__main__":
    sys.exit(main())
