"""Clones of a vault that live apart and sync: nothing lost, no marker, one tree in the end.

`python -m tests.bench.syncing --clones 3 --rounds 300 --kills 0.3` is the long proof; `--kills`
breaks syncs off, `--hard` says how many of those by a signal, and `--keep FOLDER` leaves the vaults
there when something was wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from vaultmem import Vault, config
from vaultmem.api import create
from vaultmem.errors import VaultError
from vaultmem.exchange.sync import Sync, Synced
from vaultmem.knowledge.cards.types import Patch
from vaultmem.maintenance import fsck
from vaultmem.memory import pointed_index
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.storage.files import atomic_write, new_file
from vaultmem.storage.git import Lock
from vaultmem.storage.index import Filter
from vaultmem.storage.writer import Writer

_WINDOWS = (b"window: 64", b"window: 3")
_WORD = re.compile(r"plum\d{5}")
_MARKER = re.compile(rb"^(<{7}|>{7}|={7})", re.MULTILINE)
_AGO = 100
_CLASH = 0.25
_HARD = 0.3
_LIVES = (0.3, 1.5)
_WHOLE = 10  # every so many rounds all that fsck proves is proven, too


class Killed(Exception):
    """A process that ends here."""


@dataclass(slots=True)
class Clock:
    """A clock for both machines; each look moves it on."""

    now: datetime = datetime(2026, 11, 20, 10, 15, tzinfo=UTC)

    def __call__(self) -> datetime:
        """Return the time."""
        self.now += timedelta(seconds=7)
        return self.now


@dataclass(slots=True)
class Tally:
    """What a campaign came to."""

    rounds: int = 0
    syncs: int = 0
    merges: int = 0
    conflicts: int = 0
    killed: int = 0
    facts: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    faults: list[str] = field(default_factory=list)
    did: Counter[str] = field(default_factory=Counter)


class Machine:
    """One clone, who works on it, and what was said and taken away there."""

    def __init__(self, path: Path, clock: Clock, dice: random.Random, words: Iterator[str]) -> None:
        """Open the clone at *path*."""
        self.path, self.clock, self.dice, self.words = path, clock, dice, words
        self.said: set[str] = set()
        self.acts: dict[str, str] = {}
        self.doing = "clash"
        self.gone: set[str] = set()
        self.forgotten: set[str] = set()
        self.vault = self.opened()

    def opened(self) -> Vault:
        """Open the vault as a new process does."""
        return Vault.open(self.path, clock=self.clock, summarizer=Extractive())

    def reopen(self) -> None:
        """Go on with a new process."""
        self.vault.close()
        self.vault = self.opened()

    def fact(self) -> str:
        """Return something that nobody said before."""
        word = next(self.words)
        self.said.add(word)
        self.acts[word] = self.doing
        return f"The {self.dice.choice(_THINGS)} of {word} is {self.dice.choice(_KINDS)}."

    def act(self) -> str:
        """Do one thing; return what it was."""
        what = self.dice.choices([*_ACTS], [*_ACTS.values()])[0]
        before = set(self.said)
        self.doing = what
        try:
            getattr(self, what)()
        except VaultError:
            self.said = before  # it was refused
        finally:
            self.doing = "clash"
        return what

    def remember(self) -> None:
        """Say something to an agent."""
        self.vault.remember(self.fact(), agent=self.dice.choice(("ada", "bob")), source="user")

    def compact(self) -> None:
        """Summarize all that waits."""
        self.vault.compact(self.dice.choice(("ada", "bob")), force=True)

    def card(self) -> None:
        """Set a fact of a card."""
        key, name = self.dice.choice(("tea", "city")), self.dice.choice(("tom", "ida"))
        patch = Patch(
            {key: self.fact()}, person=name.title(), relationship="friend", backstory="A friend.",
            source="user",
        )  # fmt: skip
        path = self.path / f"cards/family/{name}.md"
        old = path.read_text() if path.exists() else ""
        self.vault.cards.set(f"family/{name}", patch)
        told = path.read_text()
        self.gone.update(word for word in _WORD.findall(old) if word not in told)

    def task(self) -> None:
        """Make a task, perhaps one that waits."""
        known = self.vault.tasks.list()
        after = [self.dice.choice(known).id] if known else []
        self.vault.tasks.create(self.fact(), blocked_by=after)

    def work(self) -> None:
        """Get on with a task."""
        if not (known := self.vault.tasks.list()):
            raise _Nothing
        task = self.dice.choice(known)
        self.vault.tasks.update(task.id, status=self.dice.choice(("in_progress", "completed")))

    def talk(self) -> None:
        """Go on with a session both machines know, or one of their own."""
        session = self.dice.choice(("kitchen", f"talk-{self.path.name}"))
        for role in ("user", "assistant"):
            self.vault.say(session, self.fact(), role=role, agent="ada")

    def fold(self) -> None:
        """Make episodes of all turns."""
        self.vault.fold("ada", force=True)

    def note(self) -> None:
        """Write a new note, as a person does."""
        name = self.dice.choice(("garden", "boat", next(self.words)))
        self._write(f"notes/{name}.md", f"# {name}\n\n- {self.fact()}\n", new=True)

    def topic(self) -> None:
        """Write into a topic, as a person does: a bullet more, or one that is another."""
        path = self.path / f"topics/{self.dice.choice(('oven', 'shop'))}.md"
        old = path.read_text() if path.exists() else _TOPIC.format(id=self.vault.store.mint())
        self._write(path.relative_to(self.path).as_posix(), f"{old}- {self.fact()}\n")

    def edit(self) -> None:
        """Change a line of something that is there."""
        path = self._any("notes/*.md", "topics/*.md", "agents/*/memories/*/*/*.md")
        self.rewrite(path.relative_to(self.path).as_posix())

    def rewrite(self, path: str) -> None:
        """Let the last line of a file be another."""
        lines = (self.path / path).read_text().splitlines(keepends=True)
        at = max(n for n, line in enumerate(lines) if line.strip())
        self.gone.update(_WORD.findall(lines[at]))
        lines[at] = f"- {self.fact()}\n"
        self._write(path, "".join(lines))

    def delete(self) -> None:
        """Take a file away."""
        path = self._any("notes/*.md", "topics/*.md", "agents/*/memories/*/*/*.md")
        self.gone.update(_WORD.findall(path.read_text()))
        path.unlink()

    def forget(self) -> None:
        """Forget a memory."""
        path = self._any("agents/*/memories/*/*/*.md")
        words = set(_WORD.findall(path.read_text()))
        self.vault.forget(path.relative_to(self.path).as_posix())
        self.gone |= words
        self.forgotten.add(path.relative_to(self.path).as_posix())

    def index(self) -> None:
        """Write into MEMORY.md, above its marks."""
        text = (self.path / "MEMORY.md").read_text()
        head, mark, rest = text.partition("<!-- vaultmem:begin -->")
        self._write("MEMORY.md", f"{head}- {self.fact()}\n{mark}{rest}")

    def sync(self, *, accept_missing: bool = False) -> Synced:
        """Commit what people did, and sync."""
        self._rest()
        runner = Sync(self.vault.store, lambda: self.vault.summarizer)
        return runner.run(accept_missing=accept_missing)

    def _rest(self) -> None:
        """Let what people wrote be old enough to be committed."""
        then = self.clock().timestamp() - _AGO
        for path in self.path.rglob("*"):
            if ".git" not in path.parts and ".vaultmem" not in path.parts:
                os.utime(path, (then, then))

    def _any(self, *patterns: str) -> Path:
        found = sorted(p for pattern in patterns for p in self.path.glob(pattern))
        if not found:
            raise _Nothing
        return self.dice.choice(found)

    def _write(self, path: str, text: str, *, new: bool = False) -> None:
        target = self.path / path
        if new and target.exists():
            self.gone.update(_WORD.findall(target.read_text()))
        target.parent.mkdir(exist_ok=True)
        target.write_text(text)


class _Nothing(VaultError):
    """There is nothing to do that to."""


_THINGS = ("price", "colour", "weight", "age", "owner", "place")
_KINDS = ("amber", "twelve", "near the harbour", "unknown to Mara", "older than the oven")
_TOPIC = (
    "---\nid: {id}\ntype: topic\ntitle: Things\ndescription: things\n---\n## Facts\n"
    "- The shop is in Alder Row\n"
)
_ACTS = {
    "remember": 10, "compact": 2, "card": 2, "task": 2, "work": 1, "talk": 2, "fold": 1, "note": 2,
    "topic": 3, "edit": 3, "delete": 1, "forget": 1, "index": 1,
}  # fmt: skip


def campaign(  # noqa: PLR0913  # what is varied, by name
    folder: Path, rounds: int, seed: int = 1, *, kills: float = 0.0, hard: float = 0.0,
    clones: int = 2, tell: Callable[[Tally], object] = lambda _: None,
) -> Tally:  # fmt: skip
    """Let so many *clones* live apart for so many *rounds*; return what came of it.

    *kills* is the share of syncs that are broken off, *hard* that of these in which the system
    kills a process of its own, at a moment that no seed knows. After every round all must be
    equal and nothing lost; fsck looks every tenth time and at the end. *tell* hears of each round.
    """
    dice, clock, tally = random.Random(seed), Clock(), Tally()  # noqa: S311  # no secret
    words = (f"plum{n:05}" for n in range(100_000))
    everyone = machines(folder, clock, dice, words, clones)
    began = time.monotonic()
    for _ in range(rounds):
        tally.rounds += 1
        for machine in everyone:
            for _ in range(dice.randint(0, 4)):
                tally.did[machine.act()] += 1
        if dice.random() < _CLASH:
            _clash(dice.sample(everyone, 2), dice)
        # Each gives, and then each takes what those gave who came after it.
        turns = dice.sample(everyone, clones)
        for machine in (*turns, *turns[:-1]):
            _break_off(machine, tally, dice, (kills, hard))
            _sync(machine, tally)
        look = faults if tally.rounds % _WHOLE == 0 or tally.rounds == rounds else unequal
        tally.faults += [f"round {tally.rounds}: {fault}" for fault in look(*everyone)]
        if tally.faults:
            break
        tell(tally)
    tally.seconds = time.monotonic() - began
    tally.facts = len(set().union(*(m.said for m in everyone)))
    for machine in everyone:
        machine.vault.close()
    return tally


def _clash(both: Sequence[Machine], dice: random.Random) -> None:
    """Let both change the same line of the same file."""
    names = [{p.relative_to(m.path) for p in m.path.glob("notes/*.md")} for m in both]
    if shared := sorted(names[0] & names[1]):
        path = dice.choice(shared)
        for machine in both:
            machine.rewrite(path.as_posix())


def machines(
    folder: Path, clock: Clock, dice: random.Random, words: Iterator[str], clones: int = 2
) -> list[Machine]:
    """Make as many clones as there shall be, and open them."""
    made = lay_out(folder, clock, clones)
    return [Machine(path, clock, dice, words) for path in made]


def lay_out(folder: Path, clock: Callable[[], datetime], clones: int) -> list[Path]:
    """Make a vault, a bare repository, and as many clones as there shall be with the first."""
    one, bare = folder / "one", folder / "bare.git"
    create.create(one, clock)
    settings = one / config.PATH
    settings.write_bytes(settings.read_bytes().replace(*_WINDOWS))
    _git("init", "-q", "--bare", "-b", "main", str(bare), cwd=folder)
    _git("commit", "-qam", "small windows", cwd=one)
    _git("branch", "-M", "main", cwd=one)
    _git("remote", "add", "origin", str(bare), cwd=one)
    _git("push", "-q", "-u", "origin", "main", cwd=one)
    others = [folder / _name(n) for n in range(2, clones + 1)]
    for other in others:
        _git("clone", "-q", str(bare), str(other), cwd=folder)
    return [one, *others]


def _name(number: int) -> str:
    return {2: "two", 3: "three"}.get(number, f"clone-{number}")


def _break_off(
    machine: Machine, tally: Tally, dice: random.Random, share: tuple[float, float]
) -> None:
    """Perhaps begin a sync that is killed in the middle."""
    kills, hard = share
    if dice.random() >= kills:
        return
    if dice.random() < hard:
        _killed(machine, dice)
    else:
        with contextlib.suppress(Killed), _deadly(dice):
            machine.sync()
    machine.reopen()
    tally.killed += 1


def _sync(machine: Machine, tally: Tally) -> None:
    """Sync, and note how long that took and what came of it."""
    began = time.monotonic()
    done = machine.sync(accept_missing=True)  # a vault that is new has few memories to lose
    tally.slowest = max(tally.slowest, time.monotonic() - began)
    tally.syncs += 1
    tally.merges += done.merged
    tally.conflicts += len(done.conflicts)


def _killed(machine: Machine, dice: random.Random) -> None:
    """Let a process sync, and kill it somewhere on the way."""
    argv = [sys.executable, "-m", "vaultmem", "--vault", str(machine.path), "sync"]
    with subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        time.sleep(dice.uniform(*_LIVES))
        process.kill()


@contextlib.contextmanager
def _deadly(dice: random.Random) -> Iterator[None]:
    """Let the process die at one of the steps that write."""
    owner, name = dice.choice(_STEPS)
    whole: Callable[..., object] = getattr(owner, name)
    left = dice.randint(0, 3)

    def step(*args: object, **named: object) -> object:
        nonlocal left
        left -= 1
        if left < 0:
            raise Killed
        return whole(*args, **named)

    setattr(owner, name, step)
    try:
        yield
    finally:
        setattr(owner, name, whole)


_STEPS: tuple[tuple[object, str], ...] = (
    (new_file, "create"),
    (atomic_write, "_publish"),
    (Writer, "_apply"),
    (Writer, "commit_pending"),
    (Lock, "_shift"),
    (Lock, "_move_head"),
    (Lock, "advance"),
)


def _written_there(machine: Machine) -> set[str]:
    """Return what anybody wrote into what *machine* forgot meanwhile: it is forgotten, too."""
    every = ("log", "--all", "--full-history", "-m", "-p", "--format=", "--")
    if not machine.forgotten:
        return set()
    return set(_WORD.findall(_git(*every, *sorted(machine.forgotten), cwd=machine.path)))


def faults(*machines: Machine, known: Collection[str] = ()) -> Iterator[str]:
    """Yield what is wrong now that all are in step, but problems of a code that is *known*."""
    yield from unequal(*machines)
    for machine in machines:
        for problem in fsck.check(machine.vault.store).problems:
            if problem.code not in {"edited", *known}:  # by hand, and named on every machine
                yield f"{machine.path.name}: {problem.code} {problem.path}: {problem.message}"
        if pointed_index.change(machine.vault.store, ()):
            yield f"{machine.path.name}: MEMORY.md is not what it should be"


def unequal(*machines: Machine) -> Iterator[str]:
    """Yield what is lost, doubled, torn or not the same everywhere now that all are in step."""
    if len({_git("rev-parse", "HEAD^{tree}", cwd=m.path) for m in machines}) > 1:
        yield "the trees differ"
    said = set().union(*(m.said for m in machines))
    gone = set().union(*(m.gone for m in machines), *(_written_there(m) for m in machines))
    how = {
        word: f"{word} ({act} on {m.path.name})" for m in machines for word, act in m.acts.items()
    }
    for machine in machines:
        if dirty := _git("status", "--porcelain", cwd=machine.path):
            yield f"{machine.path.name}: not committed: {dirty}"
        machine.vault.store.sync()
        text = {p: p.read_bytes() for p in machine.path.rglob("*") if _is_told(p)}
        for path, data in text.items():
            if _MARKER.search(data):
                yield f"{path}: a conflict marker"
        here = {word for data in text.values() for word in _WORD.findall(data.decode())}
        if lost := said - gone - here:
            told = _git("log", "--format=%h %s", "--name-only", "-S", min(lost), cwd=machine.path)
            yield f"{machine.path.name}: lost {sorted(how[word] for word in lost)}\n{told}"
        yield from _doubled(machine)


def _doubled(machine: Machine) -> Iterator[str]:
    """Yield the ids that two files of the agents have, and memories that are told of twice."""
    records = machine.vault.store.index.records(Filter(below="agents"), body=False)
    counts = Counter(r.id for r in records if r.id)
    counts += Counter(s for r in records if r.tier == "recent" for s in set(r.sources))
    for what, count in counts.items():
        if count > 1:
            yield f"{machine.path.name}: {what} is there {count} times"


def _is_told(path: Path) -> bool:
    return path.is_file() and not {".git", ".vaultmem"} & set(path.parts)


def _git(*args: str, cwd: Path) -> str:
    done = subprocess.run(
        ["git", *args], cwd=cwd, capture_output=True, check=True, text=True, encoding="utf-8"
    )
    return done.stdout.strip()


def _tell(tally: Tally) -> None:
    """Say on a terminal how far the campaign is, wherever all was proven."""
    if sys.stderr.isatty() and tally.rounds % _WHOLE == 0:
        sys.stderr.write(f"round {tally.rounds}, {tally.merges} merges\n")


def main() -> int:
    """Run the campaign that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--clones", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=float, default=0.0, help="share of syncs broken off")
    parser.add_argument("--hard", type=float, default=_HARD, help="share of those by SIGKILL")
    parser.add_argument("--keep", type=Path, help="where the vaults of a fault are left")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="vaultmem-syncing-") as folder:
        tally = campaign(Path(folder), asked.rounds, asked.seed, kills=asked.kills,
                         hard=asked.hard, clones=asked.clones, tell=_tell)  # fmt: skip
        if tally.faults and asked.keep:
            shutil.copytree(folder, asked.keep, symlinks=True)
    for name in ("rounds", "syncs", "merges", "conflicts", "killed", "facts"):
        sys.stdout.write(f"{name}: {getattr(tally, name)}\n")
    sys.stdout.write(f"seconds: {tally.seconds:.1f}, slowest sync {tally.slowest:.2f}\n")
    sys.stdout.write(f"did: {dict(tally.did)}\n")
    sys.stdout.write("".join(f"FAULT {fault}\n" for fault in tally.faults))
    return bool(tally.faults)


if __name__ == "__main__":
    sys.exit(main())
