"""Editors save beside the program, in every way editors save; what was saved is to be kept.

    python -m tests.bench.editing --saves 2000            # beside a running daemon and two agents
    python -m tests.bench.editing --saves 2000 --between  # between the calls of the program itself

Each save adds a word to a file that nobody said before. A word is lost when it stands in no file of
the vault (its inbox holds what was set aside) and in no commit. The first way takes as long as
files take to rest; the second runs one process, in which editors take their next step whenever the
program is about to make a call of the system, so that no gap between a look and a write is missed.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from unittest import mock

from vaultmem import Vault, config
from vaultmem.api import create
from vaultmem.errors import VaultError
from vaultmem.knowledge.cards.types import Patch
from vaultmem.storage.files import name_exchange

_WORD = re.compile(rb"\b(?:plum|pear)\d{5}\b")
_AGO = 120.0
_WINDOWS = (b"window: 64", b"window: 4")
_BEGIN = "<!-- vaultmem:begin -->"
_TOPIC = "---\ntype: topic\ntitle: {0}\ndescription: about {0}\n---\n# {0}\n\n## Facts\n"
_NOTES = ("notes/garden.md", "notes/deep/boat.md", "agents/ada/notes/plan.md", "AGENTS.md")
_TOPICS = ("topics/oven.md", "topics/shop.md")
_SHARED = (*_TOPICS, "notes/garden.md", "agents/ada/notes/plan.md")
"""What agents write into, too."""
_CARD, _ASKING, _INDEX = "cards/family/tom.md", "inbox/questions.md", "MEMORY.md"
_LONGTERM = "agents/ada/summaries/longterm.md"
_EVENTS = frozenset({"open", "os.rename", "os.link", "os.remove", "os.chmod"})
_NAMING, _TO = frozenset({"os.rename", "os.remove", "os.link"}), frozenset({"os.rename", "os.link"})
_TARGETED = 0.5
_SHARES = (0.002, 0.01, 0.03)


# --- how editors save ---------------------------------------------------------------------------

Saving = Iterator[None]
"""A save, step by step: between two of them others may do anything."""


def _in_place(path: Path, data: bytes) -> Saving:
    """Truncate and write, as Obsidian and nano do."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    yield
    os.write(fd, data)
    os.close(fd)


def _slowly(path: Path, data: bytes) -> Saving:
    """Write in pieces, as over a slow line."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    for start in range(0, len(data), max(1, len(data) // 4)):
        yield
        os.write(fd, data[start : start + max(1, len(data) // 4)])
    yield
    os.close(fd)


def _held_open(path: Path, data: bytes) -> Saving:
    """Open, think, and then write over what was there, without making it shorter first."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    yield
    os.pwrite(fd, data, 0)
    yield
    os.ftruncate(fd, len(data))
    os.close(fd)


def _renamed(path: Path, data: bytes) -> Saving:
    """Write a temporary beside it and rename that over it, as VS Code and gedit do."""
    fresh = path.with_name(f".goutputstream-{path.name[:3]}X")
    fresh.write_bytes(data)
    yield
    fresh.replace(path)


def _with_backup(path: Path, data: bytes) -> Saving:
    """Move the old file aside, write a new one, remove the old: vim."""
    swap, old = path.with_name(f".{path.name}.swp"), path.with_name(f"{path.name}~")
    swap.write_bytes(b"b0VIM")
    yield
    if path.exists():
        path.replace(old)
    yield
    path.write_bytes(data)
    yield
    old.unlink(missing_ok=True)
    swap.unlink(missing_ok=True)


def _with_lock(path: Path, data: bytes) -> Saving:
    """Lock by a dangling link, keep a backup, write in place: Emacs."""
    lock = path.with_name(f".#{path.name}")
    if not lock.is_symlink():
        lock.symlink_to("ada@host.4711:1")
    yield
    path.with_name(f"#{path.name}#").write_bytes(data)
    yield
    yield from _in_place(path, data)
    path.with_name(f"#{path.name}#").unlink(missing_ok=True)
    lock.unlink(missing_ok=True)


def _deleted_first(path: Path, data: bytes) -> Saving:
    """Delete the file and make a new one, as some file syncs do."""
    path.unlink(missing_ok=True)
    yield
    path.write_bytes(data)


WAYS: tuple[Callable[[Path, bytes], Saving], ...] = (
    _in_place, _slowly, _held_open, _renamed, _with_backup, _with_lock, _deleted_first,
)  # fmt: skip


# --- who edits ----------------------------------------------------------------------------------


@dataclass
class Editor:
    """Somebody who has one file open at a time, and saves it in the way of one program."""

    vault: Path
    way: Callable[[Path, bytes], Saving]
    paths: Sequence[str]
    words: Iterator[int]
    dice: random.Random
    saved: dict[str, str] = field(default_factory=dict)
    """Where each word was saved."""

    def has(self, name: object) -> bool:
        """Tell whether the editor has a file of that *name* open."""
        return isinstance(name, str) and any(p.endswith(f"/{name}") for p in self.paths)

    def save(self) -> Saving:
        """Save once, with one more word than the file had when it was loaded."""
        name = self.dice.choice(self.paths).format(n=next(self.words))
        path = self.vault / name
        path.parent.mkdir(parents=True, exist_ok=True)
        word = f"plum{next(self.words):05}"
        data = self._with(name, path.read_text("utf-8", "replace") if path.exists() else "", word)
        yield
        yield from self.way(path, data.encode())
        self.saved[word] = name
        if self.dice.random() < 0.5 and path.exists():
            # Copied with its time: the program need not wait until it has rested.
            then = time.time() - _AGO
            os.utime(path, (then, then))

    def _with(self, name: str, text: str, word: str) -> str:
        line = f"- The {self.dice.choice(('price', 'owner', 'colour'))} of {word} is amber.\n"
        if name == _INDEX and _BEGIN in text:
            head, mark, rest = text.partition(_BEGIN)
            return f"{head}{line}{mark}{rest}"
        if name == _ASKING and self.dice.random() < 0.3:
            line = f"@memory-status\n\n{line}"
        text = text or (_TOPIC.format(Path(name).stem) if name in _TOPICS else "")
        return f"{text}{'' if text.endswith(chr(10)) or not text else chr(10)}{line}"


def editors(
    vault: Path, words: Iterator[int], dice: random.Random, ways: Sequence[Callable[..., Saving]]
) -> list[Editor]:
    """Return an editor for each way, each with files of his own: one file has one person."""
    places: list[str] = [
        *_NOTES, *_TOPICS, _CARD, _ASKING, _INDEX, _LONGTERM, "agents/ada/working.md",
        "agents/ada/memories/by-hand-{n}.md",
    ]  # fmt: skip
    dice.shuffle(places)
    share = [places[n :: len(ways)] for n in range(len(ways))]
    return [Editor(vault, way, own, words, dice) for way, own in zip(ways, share, strict=True)]


# --- agents at the same time ----------------------------------------------------------------------


@dataclass
class Agent:
    """An agent that keeps memories and writes into files that people have open."""

    vault: Vault
    words: Iterator[int]
    dice: random.Random
    kept: dict[str, str] = field(default_factory=dict)
    """Where each word went that was acknowledged."""
    did: Counter[str] = field(default_factory=Counter)

    def act(self) -> None:
        """Do one thing; what is refused is not done."""
        does = self.dice.choices([*_ACTS], [*_ACTS.values()])[0]
        word = f"pear{next(self.words):05}"
        try:
            path = getattr(self, does)(word)
            self.did[does] += 1
        except VaultError as e:
            self.did[type(e).__name__] += 1
            return
        if path:
            self.kept[word] = path

    def remember(self, word: str) -> str:
        """Keep a memory."""
        return self.vault.remember(f"The weight of {word} is 12.", agent="ada").path

    def append(self, word: str) -> str:
        """Add a line to a note."""
        path = self.dice.choice(_SHARED)
        return self.vault.reach("ada").append(path, f"- The age of {word} is 7.\n").path

    def replace(self, word: str) -> str:
        """Change a word in a note."""
        path, reach = self.dice.choice(_SHARED), self.vault.reach("ada")
        text = reach.page(path).text
        line = next((x for x in text.splitlines() if x.startswith("- The age of")), "")
        if not line:
            return ""
        reach.str_replace(path, line, f"{line} And of {word} 8.")
        return path

    def card(self, word: str) -> str:
        """Patch the card."""
        patch = Patch({"likes": f"the {word}"}, person="Tom", relationship="friend",
                      backstory="A friend.", source="user")  # fmt: skip
        self.vault.cards.set("family/tom", patch)
        return ""

    def task(self, word: str) -> str:
        """Make a task."""
        return self.vault.tasks.create(f"Buy the {word}.").path

    def compact(self, _: str) -> str:
        """Summarize what waits."""
        self.vault.compact("ada", force=True)
        return ""

    def tick(self, _: str) -> str:
        """Do what a daemon does."""
        self.vault.tick()
        return ""


_ACTS = {"remember": 5, "append": 6, "replace": 4, "card": 2, "task": 1, "compact": 1, "tick": 4}


# --- what came of it ------------------------------------------------------------------------------


@dataclass
class Tally:
    """What a campaign came to."""

    saves: int = 0
    by_way: Counter[str] = field(default_factory=Counter)
    did: Counter[str] = field(default_factory=Counter)
    aside: int = 0
    in_file: int = 0
    in_git: int = 0
    lost: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    seconds: float = 0.0


def _judge(vault: Path, saved: dict[str, str], kept: dict[str, str], tally: Tally) -> None:
    """Look for every word in the files, then in every object of git."""
    texts = {p: p.read_bytes() for p in vault.rglob("*") if _is_told(p, vault)}
    here = {w.decode() for data in texts.values() for w in _WORD.findall(data)}
    argv = ["git", "cat-file", "--batch-all-objects", "--batch"]
    objects = subprocess.run(argv, cwd=vault, capture_output=True, check=True).stdout
    there = {w.decode() for w in _WORD.findall(objects)}
    for word, where in {**saved, **kept}.items():
        if word in here:
            tally.in_file += 1
        elif word in there:
            tally.in_git += 1
        else:
            tally.lost.append(f"{word} in {where}")
    tally.aside = len(list(vault.glob("inbox/conflict-*")))
    with Vault.open(vault) as opened:
        opened.store.sync()
        report = opened.fsck()
    tally.faults += [f"fsck: {p.code} {p.path}: {p.message}" for p in report.problems]


def _is_told(path: Path, vault: Path) -> bool:
    inner = path.relative_to(vault).parts
    return inner[0] not in {".git", ".vaultmem"} and path.is_file() and not path.is_symlink()


def make(vault: Path, clock: Callable[[], datetime] | None = None) -> None:
    """Make a vault with small windows, and the files that are edited."""
    create.create(vault, clock or (lambda: datetime.now(UTC)))
    settings = vault / config.PATH
    settings.write_bytes(settings.read_bytes().replace(*_WINDOWS))
    for path in (*_NOTES[:3], *_TOPICS):
        (vault / path).parent.mkdir(parents=True, exist_ok=True)
        text = _TOPIC.format(Path(path).stem) if path in _TOPICS else f"# {path}\n"
        (vault / path).write_text(text)
    with Vault.open(vault) as opened:
        patch = Patch({"city": "Lyon"}, person="Tom", relationship="friend",
                      backstory="A friend.", source="user")  # fmt: skip
        opened.cards.set("family/tom", patch)
        for n in range(9):
            opened.remember(f"On day {n} it rained {n} hours.", agent="ada")


# --- between the calls of the program -------------------------------------------------------------


class _Between:
    """Lets editors take a step whenever the program is about to make a call; an audit hook."""

    def __init__(self, all_of_them: Sequence[Editor], dice: random.Random, tally: Tally) -> None:
        self.editors, self.dice, self.tally = all_of_them, dice, tally
        self.under_way: dict[int, Saving] = {}
        self.armed = False
        self.share = 0.0

    def heard(self, event: str, args: tuple[object, ...]) -> None:
        if not self.armed or event not in _EVENTS:
            return
        self.armed = False
        # A name is about to be given or taken away: whoever has that file open saves it now.
        name = args[event in _TO] if event in _NAMING else ""
        touched = [n for n, e in enumerate(self.editors) if e.has(name)]
        if touched and self.dice.random() < _TARGETED:
            self.step(touched[0], 9)
        elif self.dice.random() < self.share:
            self.step(self.dice.randrange(len(self.editors)), self.dice.choice((1, 1, 2, 9)))
        self.armed = True

    def step(self, at: int, steps: int) -> None:
        """Let an editor go on with a save, or begin one."""
        saving = self.under_way.setdefault(at, self.editors[at].save())
        for _ in range(steps):
            try:
                next(saving)
            except StopIteration:
                del self.under_way[at]
                self.tally.saves += 1
                self.tally.by_way[self.editors[at].way.__name__.strip("_")] += 1
                return

    def finish(self) -> None:
        """Let every save that was begun end."""
        while self.under_way:
            self.step(min(self.under_way), 9)


def between(folder: Path, saves: int, seed: int, *, blind: bool = False) -> Tally:
    """Let editors save in the middle of what the program does; for a process of its own.

    *blind* takes from the program its way to see what it replaces.
    """
    vault, tally, words = folder / "vault", Tally(), count()
    dice = random.Random(seed)  # noqa: S311  # no secret
    began, ahead = time.monotonic(), count(1)

    def clock() -> datetime:
        return datetime.now(UTC) + timedelta(seconds=next(ahead))

    make(vault, clock)
    people = editors(vault, words, dice, WAYS)
    hook = _Between(people, dice, tally)
    sys.addaudithook(hook.heard)
    real = name_exchange.exchange

    def watched(shelf: int, kept: str, folder: int, name: str) -> bool:
        hook.heard("os.rename", (kept, name))
        return not blind and real(shelf, kept, folder, name)

    with (
        Vault.open(vault, clock=clock) as opened,
        mock.patch.object(name_exchange, "exchange", watched),
    ):
        agent = Agent(opened, words, dice)
        while tally.saves < saves:
            hook.share = dice.choice(_SHARES)
            hook.armed = True
            agent.act()
            hook.armed = False
            hook.step(dice.randrange(len(people)), dice.choice((1, 9)))
        hook.finish()
    _rest(vault)
    with Vault.open(vault, clock=clock) as opened:
        opened.tick()  # who saved an old long-term summary took out what it had absorbed
        opened.store.writer.sweep(quiet=0)
    tally.did = agent.did
    _judge(vault, {w: p for e in people for w, p in e.saved.items()}, agent.kept, tally)
    tally.seconds = time.monotonic() - began
    return tally


def _rest(vault: Path) -> None:
    then = time.time() - _AGO
    for path in vault.rglob("*"):
        if _is_told(path, vault):
            os.utime(path, (then, then))


# --- beside a daemon ------------------------------------------------------------------------------


def beside(folder: Path, saves: int, seed: int, pace: float = 0.15) -> Tally:
    """Let editors save, *pace* seconds from one to the next, beside a daemon and two agents."""
    vault, tally, words = folder / "vault", Tally(), count()
    dice = random.Random(seed)  # noqa: S311  # no secret
    make(vault)
    began, over = time.monotonic(), threading.Event()
    people = editors(vault, words, dice, WAYS)
    told = folder / "daemon.log"
    argv = [sys.executable, "-m", "vaultmem", "--vault", str(vault), "watch"]
    kept: dict[str, str] = {}
    with told.open("wb") as log, subprocess.Popen(argv, stderr=log, stdout=log) as daemon:
        with ThreadPoolExecutor(2 + len(people)) as pool:
            agents = [
                pool.submit(_agent, vault, words, f"{seed} {n}", over, kept, tally)
                for n in range(2)
            ]
            saving = [pool.submit(_edit, e, saves // len(people), pace, tally) for e in people]
            wait(saving)
            over.set()
        tally.faults += _ended_badly("an agent", agents) + _ended_badly("an editor", saving)
        time.sleep(40)  # what was saved last has rested by then
        if daemon.poll() is not None:
            tally.faults.append(f"the daemon ended with {daemon.returncode}")
        daemon.terminate()
        if daemon.wait(30):
            tally.faults.append(f"the daemon ended with {daemon.returncode}")
    said = told.read_text("utf-8", "replace")
    tally.faults += [x for x in said.splitlines() if "Traceback" in x or "fault of" in x]
    with Vault.open(vault) as opened:
        opened.tick()
    _judge(vault, {w: p for e in people for w, p in e.saved.items()}, kept, tally)
    tally.seconds = time.monotonic() - began
    return tally


def _ended_badly(who: str, futures: Iterable[Future[None]]) -> list[str]:
    """Return a line for each of *futures* that an exception ended, with where it came from."""
    died = [found for future in futures if (found := future.exception())]
    return [f"{who} died: {''.join(traceback.format_exception(e)[-2:]).strip()}" for e in died]


def _edit(editor: Editor, saves: int, pace: float, tally: Tally) -> None:
    """Save so often, now and then in a burst, now and then after a rest."""
    dice = random.Random(editor.way.__name__)  # noqa: S311  # no secret
    for _ in range(saves):
        for _ in editor.save():
            time.sleep(dice.choice((0.0, 0.001, 0.02, 0.2)))
        tally.saves += 1
        tally.by_way[editor.way.__name__.strip("_")] += 1
        time.sleep(dice.expovariate(1 / (pace * len(WAYS))))


def _agent(  # noqa: PLR0913, PLR0917  # a thread's arguments
    vault: Path, words: Iterator[int], seed: str, over: threading.Event, kept: dict[str, str],
    tally: Tally,
) -> None:  # fmt: skip
    dice = random.Random(seed)  # noqa: S311  # no secret
    with Vault.open(vault) as opened:
        agent = Agent(opened, words, dice)
        while not over.wait(dice.uniform(0.05, 0.8)):
            agent.act()
    kept.update(agent.kept)
    tally.did += agent.did


def main() -> int:
    """Run the campaign that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--saves", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--between", action="store_true", help="between the program's own calls")
    parser.add_argument("--blind", action="store_true", help="replace unseen: is that found?")
    parser.add_argument("--pace", type=float, default=0.15, help="seconds between two saves")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="vaultmem-editing-") as name:
        folder = Path(name)
        if asked.between:
            tally = between(folder, asked.saves, asked.seed, blind=asked.blind)
        else:
            tally = beside(folder, asked.saves, asked.seed, asked.pace)
    print(  # noqa: T201
        f"{tally.saves} saves in {tally.seconds:.0f} s ({dict(tally.by_way)}), agents: "
        f"{dict(tally.did)}\n{tally.in_file} words in files, {tally.in_git} in git alone, "
        f"{tally.aside} files set aside, {len(tally.lost)} lost, {len(tally.faults)} faults"
    )
    for line in (*tally.lost[:20], *tally.faults[:20]):
        print(f"  {line}")  # noqa: T201
    return bool(tally.lost or tally.faults)


if __name__ == "__main__":
    sys.exit(main())
