"""Dream over random vaults and see that nothing is lost; dream over a large one and see how long.

`dreaming.py --vaults 1000` makes vaults with planted facts: after a plan and all of it applied each
fact is in the vault or named as lost, a second plan is empty, and undo restores every byte.
`dreaming.py --size` plans over 10 000 memories and 1 000 topics, and says seconds and peak memory.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from vaultmem import Vault
from vaultmem.api import create
from vaultmem.maintenance.dream import recall_gate
from vaultmem.maintenance.dream.service import Dreams
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.storage import ulids

NOW = datetime(2026, 11, 20, 10, 15, tzinfo=UTC)
_UNIT = 1 if sys.platform == "darwin" else 1024
_SECONDS, _PEAK = 20.0, 1_000_000_000
_THINGS = "heron kiln ledger orchard valve lantern harbour loom cellar beacon".split()  # noqa: SIM905
_DOES = "opens closes leaks hums freezes needs-paint was-moved is-rented".split()  # noqa: SIM905
_WHEN = ("yesterday", "last week", "on Tuesday", "in May", "at dusk", "two days ago", "")
_SECTIONS = ("Facts", "Decisions", "Ruled out", "Patterns", "Notes")


@dataclass(frozen=True, slots=True)
class Planted:
    """A word that stands in one fact alone."""

    word: str
    text: str


def facts(random: Random, count: int) -> list[Planted]:
    """Return *count* facts, each with a word of its own."""
    made = []
    for _ in range(count):
        word = "".join(random.choices("bcdfghjklmnpqrstvwxz", k=7))
        thing, does = random.choice(_THINGS), random.choice(_DOES).replace("-", " ")
        when = random.choice(_WHEN)
        number = random.choice(("", f" at {random.randrange(99)} degrees"))
        text = " ".join(x for x in (f"The {word} {thing} {does}{number}", when) if x) + "."
        made.append(Planted(word, text))
    return made


def plant(path: Path, seed: int) -> list[Planted]:
    """Fill the vault at *path* as people and programs leave vaults; return the planted facts."""
    random = Random(seed)  # noqa: S311
    planted = facts(random, random.randint(4, 60))
    told = [*planted, *(p for p in planted if random.random() < 0.4)]
    random.shuffle(told)
    files = [_topic(random, n) for n in range(random.randint(1, 6))]
    index: list[str] = []
    memories: list[str] = []
    for fact in told:
        text = _said(random, fact.text)
        where = random.random()
        if where < 0.15:
            memories.append(text)
        elif where < 0.3:
            index.append(random.choice(("- ", "")) + text)
        else:
            random.choice(files)[1].extend(_lines(random, text))
    for name, lines in files:
        _write(path / name, lines, random)
    for number, text in enumerate(memories):
        _memory(path, number, text, random)
    if index:
        memory = path / "MEMORY.md"
        kept = memory.read_text() if random.random() < 0.5 else "# Memory\n\n"
        memory.write_text(kept + "\n".join([*index, "- [Lost](topics/nowhere.md): gone"]) + "\n")
    return planted


def _said(random: Random, text: str) -> str:
    """Return *text* as it is, or nearly."""
    return random.choice((text, text, text.rstrip(".") + "!", text.rstrip("."), text.upper()))


def _lines(random: Random, text: str) -> list[str]:
    """Return the lines that say *text* in a topic."""
    link = random.choice(("", "", " ([[20260101-080000-memory-00]])", " See [[nowhere-at-all]]."))
    bullet = f"- {text}{link}"
    shapes = (
        [bullet],
        [bullet],
        [bullet, "  - **Why:** it was always so"],
        [f"{text}{link}", ""],
        [f"## {random.choice(_SECTIONS)}", bullet],
        ["```", text, "```"],
        [f"1. {text}"],
    )
    return list(random.choice(shapes))


def _topic(random: Random, number: int) -> tuple[str, list[str]]:
    name = f"{random.choice(_THINGS)}-{number}"
    folder = random.choice(("topics", "topics", "topics", "agents/ada/topics", "notes"))
    made = NOW - timedelta(days=random.randint(0, 900))
    head = ["---", "type: topic" if folder != "notes" else "type: note", f"title: {name}"]
    head += [f"description: what is known of {name}", f"created: {made:%Y-%m-%dT%H:%M:%SZ}"]
    head += random.choice(([], [], [], ["pinned: true"], ["stale_after: 2026-01-01"]))
    return f"{folder}/{name}.md", [*head, "---", f"# {name}", "## Facts"]


def _write(file: Path, lines: Sequence[str], random: Random) -> None:
    eol = random.choice(("\n", "\n", "\n", "\r\n"))
    bom = random.choice(("", "", "", "", "\ufeff"))
    last = random.choice((eol, eol, eol, ""))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes((bom + eol.join(lines) + last).encode())


def _memory(path: Path, number: int, text: str, random: Random) -> None:
    made = NOW - timedelta(days=random.randint(1, 400), minutes=number)
    (ulid,) = ulids.increasing("", made, 1, number.to_bytes(10, "big"))
    name = f"agents/ada/memories/2026/01/20260101-080000-memory-{number:02}.md"
    head = f"type: memory\nid: {ulid}\nagent: ada\ncreated: {made:%Y-%m-%dT%H:%M:%SZ}\n"
    file = path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"---\n{head}source: user\ntrust: user\n---\n{text}\n")


# --- whole dreams -----------------------------------------------------------------------------


class Lost(AssertionError):
    """A dream did what none may."""


def dream(path: Path, planted: Sequence[Planted], now: datetime = NOW) -> int:
    """Plan, apply all, plan again and undo in the vault at *path*; return how many changes it had.

    Raises Lost for a fact that is neither there afterwards nor named, for a second plan that is not
    empty (unless the first left something to it), and for bytes that undo did not bring back.
    """
    with Vault.open(path, clock=lambda: now) as vault:
        vault.tick()  # MEMORY.md points at what was planted
        commit(path, "as found")
        before = tree(path)
        dreams = Dreams(
            vault.store, Extractive, lambda c, lost: recall_gate.judge(vault.store, c, lost)
        )
        found = dreams.plan()
        if not found.proposals:
            return 0
        done = dreams.apply(everything=True)
        _see_that_all_is_kept(path, planted, " ".join(done.losses))
        again = dreams.plan(force=True)
        if again.proposals and not found.left:  # what was over a budget is for the next
            raise Lost(f"a second dream: {[(p.op, p.path, p.reason) for p in again.proposals]}")
        if done.op:
            dreams.undo()
    if changed := {*tree(path)} ^ {*before}:
        raise Lost(f"undo left {sorted(changed)}")
    return len(done.applied)


def _see_that_all_is_kept(path: Path, planted: Sequence[Planted], losses: str) -> None:
    said = "\n".join(file.read_text() for file in _files(path)) + losses
    gone = [fact for fact in planted if fact.word not in said.lower()]
    if gone:
        raise Lost(f"lost: {gone}")


def _files(path: Path) -> Iterator[Path]:
    for file in path.rglob("*.md"):
        if file.relative_to(path).parts[0] not in {".vaultmem", "inbox"}:
            yield file


def commit(path: Path, message: str) -> None:
    """Commit all there is, as a person does."""
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    run(path, "add", "-A")
    run(path, *who, "commit", "-q", "--allow-empty", "-m", message)


def tree(path: Path) -> list[str]:
    """Return what the newest commit holds, but for the inbox."""
    return [x for x in run(path, "ls-tree", "-r", "HEAD").splitlines() if "\tinbox/" not in x]


def run(path: Path, *args: str) -> str:
    """Run git in the vault."""
    done = subprocess.run(["git", *args], cwd=path, capture_output=True, text=True, check=True)
    return done.stdout


def many(count: int, first: int) -> int:
    """Dream over *count* random vaults; return how many went wrong."""
    wrong = changes = 0
    with tempfile.TemporaryDirectory() as folder:
        template = Path(folder, "template")
        create.create(template, lambda: NOW)
        for seed in range(first, first + count):
            path = Path(folder, "vault")
            shutil.copytree(template, path)
            try:
                changes += dream(path, plant(path, seed))
            except Exception as e:  # noqa: BLE001  # whatever goes wrong is counted and told
                wrong += 1
                sys.stderr.write(f"seed {seed}: {type(e).__name__}: {e}\n")
            shutil.rmtree(path)
    said = {"vaults": count, "changes": changes, "wrong": wrong}
    sys.stdout.write(json.dumps(said) + "\n")
    return wrong


# --- a large vault ----------------------------------------------------------------------------


def large(path: Path, memories: int, topics: int) -> None:
    """Fill the vault at *path* with so many memories and topics."""
    random = Random(0)  # noqa: S311
    for number in range(memories):
        said = " ".join(f.text for f in facts(random, 2))
        _numbered_memory(path, number, said)
    for number in range(topics):
        name, lines = f"topics/topic-{number:04}.md", _topic(random, number)[1]
        told = [line for f in facts(random, 12) for line in _lines(random, f.text)]
        _write(path / name, [*lines, *told], random)


def _numbered_memory(path: Path, number: int, text: str) -> None:
    made = NOW - timedelta(minutes=10 * number)
    (ulid,) = ulids.increasing("", made, 1, number.to_bytes(10, "big"))
    stem = f"{made:%Y%m%d-%H%M%S}-memory-{number:05}"
    file = path / f"agents/ada/memories/{made:%Y/%m}/{stem}.md"
    head = f"type: memory\nid: {ulid}\nagent: ada\ncreated: {made:%Y-%m-%dT%H:%M:%SZ}\n"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"---\n{head}source: user\ntrust: user\n---\n{text}\n")


def size(memories: int, topics: int) -> bool:
    """Plan over a large vault and print what it took; return whether that is within bounds."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "vault")
        create.create(path, lambda: NOW)
        large(path, memories, topics)
        commit(path, "as found")
        with Vault.open(path, clock=lambda: NOW) as vault:
            vault.store.sync()
            judge = lambda c, lost: recall_gate.judge(vault.store, c, lost)  # noqa: E731
            started = time.perf_counter()
            found = Dreams(vault.store, Extractive, judge).plan()
            seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT
    said = {"changes": len(found.proposals), "seconds": round(seconds, 2), "peak": peak}
    sys.stdout.write(json.dumps(said | {"left": found.left}) + "\n")
    return seconds < _SECONDS and peak < _PEAK


def main() -> int:
    """Do what the command line says; 1 when something is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vaults", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--size", action="store_true")
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--topics", type=int, default=1_000)
    asked = parser.parse_args()
    os.environ |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    wrong = many(asked.vaults, asked.first) if asked.vaults else 0
    fits = size(asked.memories, asked.topics) if asked.size else True
    return int(bool(wrong) or not fits)


if __name__ == "__main__":
    sys.exit(main())
