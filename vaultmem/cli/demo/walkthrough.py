"""The steps of the demo, each the command that does the same and what came of it."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from vaultmem.api import create
from vaultmem.api.types import Entropy, Scope
from vaultmem.api.vault import Vault
from vaultmem.api.vault.types import Compacted
from vaultmem.errors import Refused
from vaultmem.records import Clock, first_line, utc_now

AGENT = "ada"
_FACT = "Mara wants the opening speech short: two minutes, and no balloons."
_QUESTIONS = (
    "What is Sarah allergic to?",
    "Which espresso machine did Mara choose in the end, and why?",
)
_SHOWN_HITS = 3
_TASKS = (
    "Ask Mr. Okafor for a break clause after three years",
    "Sign the lease of Harbour Street",
    "Move the oven",
)
"""Each waits for the one before."""
_TREE = (".git", ".obsidian", ".vaultmem")


@dataclass(frozen=True, slots=True)
class Step:
    """One thing the demo does: what it is, the command that does the same, what came of it."""

    title: str
    command: str
    lines: tuple[str, ...]


def run(path: Path, clock: Clock = utc_now, random: Entropy = os.urandom) -> Iterator[Step]:
    """Make a vault at *path* and live through the conversation in it, a Step at a time.

    With a *clock* and a *random* that repeat themselves it leaves the same files. Raises Refused
    when *path* holds something already.
    """
    if path.exists() and any(path.iterdir()):
        raise Refused(f"{path} is not empty: name a new folder for the demo")
    made = create.create(path, clock, random=random)
    commit = f"commit {made.commit[:7]}" if made.commit else "no git"
    first = f"{len(made.files)} files, {commit}"
    yield Step("A vault is a folder", f"vaultmem init {path}", (first, *made.notes))
    with Vault.open(path, clock=clock, random=random) as vault:
        yield from _live(vault)


def _live(vault: Vault) -> Iterator[Step]:
    yield from _remember(vault)
    yield _pointers(vault)
    for question in _QUESTIONS:
        yield _recall(vault, question)
    yield _context(vault)
    yield _tasks(vault)
    yield from _dream(vault)
    yield _tree(vault)
    yield from _history(vault)
    yield _next(vault)


def _remember(vault: Vault) -> Iterator[Step]:
    with as_file(files("vaultmem.cli.demo") / "conversation.jsonl") as conversation:
        brought = vault.import_files("jsonl", [conversation], agent=AGENT)
    compacted = brought.compacted
    turns, compactions = brought.done.imported, len(compacted.compactions)
    yield Step(
        "Nine weeks of a conversation go in",
        f"vaultmem import jsonl conversation.jsonl --agent {AGENT}",
        (f"{turns} turns, each one a file; {compactions} compactions",),
    )
    yield _summary(vault, compacted)
    kept = vault.remember(_FACT, agent=AGENT, source="user", tags=("opening",), importance=0.8)
    yield Step(
        "One fact, by hand",
        f'vaultmem remember "{_FACT}" --tag opening --importance 0.8 --source user',
        tuple((vault.path / kept.path).read_text(encoding="utf-8").splitlines()),
    )


def _summary(vault: Vault, compacted: Compacted) -> Step:
    newest = compacted.compactions[-1]
    lines = (vault.path / newest.recent).read_text(encoding="utf-8").split("---\n")[2].splitlines()
    title = f"Memories {newest.start} to {newest.end}, summarized without a model"
    return Step(title, f"cat {newest.recent}", tuple(lines))


def _pointers(vault: Vault) -> Step:
    text = (vault.path / "MEMORY.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith(("- ", "## "))]
    return Step("MEMORY.md lists what the vault has", "cat MEMORY.md", tuple(lines))


def _recall(vault: Vault, question: str) -> Step:
    answer = vault.recall(question, _SHOWN_HITS, Scope(type="memory"))
    lines = (f"{hit.date[:10]}  {hit.snippet}" for hit in answer.hits)
    return Step("Ask, and see the evidence", f'vaultmem recall "{question}"', tuple(lines))


def _context(vault: Vault) -> Step:
    made = vault.context("the opening of the new shop", agent=AGENT, budget=2000)
    layers = Counter(item.section for item in made.items)
    counts = [f"{number:3}  {layer}" for layer, number in layers.items()]
    total = f"{made.tokens} of {made.budget} tokens"
    return Step(
        "What an agent's prompt gets",
        'vaultmem context "the opening of the new shop" --budget 2000',
        (*counts, total),
    )


def _tasks(vault: Vault) -> Step:
    waits_for: tuple[int, ...] = ()
    for subject in _TASKS:
        waits_for = (vault.tasks.create(subject, owner=AGENT, blocked_by=waits_for).id,)
    vault.tasks.update(1, status="completed")
    ready = {task.id for task in vault.tasks.list(ready=True)}
    states = {t: "ready" if t.id in ready else t.status for t in vault.tasks.list()}
    lines = (f"{t.id}  {state:9}  {t.subject}" for t, state in states.items())
    return Step(
        "What is to be done, and what waits for what; TASKS.md draws it",
        "vaultmem task list",
        tuple(lines),
    )


def _dream(vault: Vault) -> Iterator[Step]:
    planned = vault.dream()
    boxes = (f"[ ] {p.op} {p.path}: {p.reason}" for p in planned.proposals)
    yield Step("It looks for improvements, and asks", "vaultmem dream plan", tuple(boxes))
    if planned.proposals:
        yield from _applied(vault, planned.proposals[0].path)


def _applied(vault: Vault, path: str) -> Iterator[Step]:
    done = vault.dreams.apply(everything=True)
    gate = done.gate
    counts = f"{len(done.applied)} of {len(done.applied) + len(done.skipped)} in one commit"
    judged = f"{gate.probes} probes answered: {gate.before:.0%} before, {gate.after:.0%} after"
    yield Step(
        "What you choose becomes one commit, and recall is checked before and after",
        "vaultmem dream apply --all",
        (counts, judged, "vaultmem dream undo undoes it"),
    )
    chain = (f"{it.kind}  {it.path}  {first_line(it.text, 70)}" for it in vault.why(path).chain)
    yield Step("It can say where a fact comes from", f"vaultmem why {path}", tuple(chain))


def _tree(vault: Vault) -> Step:
    found = (p.relative_to(vault.path) for p in sorted(vault.path.rglob("*")) if p.is_file())
    counts = Counter(str(file.parent) for file in found if file.parts[0] not in _TREE)
    lines = (f"{n:4}  {folder}/" for folder, n in counts.items())
    return Step("All of it is Markdown", "tree", tuple(lines))


def _history(vault: Vault) -> Iterator[Step]:
    if vault.history.has_repository:
        lines = tuple(f"{o.when[:10]}  {o.subject}" for o in vault.log())
        yield Step("And all of it is in git", "vaultmem log", lines)


def _next(vault: Vault) -> Step:
    at = f"vaultmem --vault {shlex.quote(str(vault.path))}"
    return Step(
        "Now you",
        "",
        (
            f'{at} recall "When does the new shop open?"',
            f"{at} status",
            f"{at} diff <operation>      # one from: {at} log",
            f"open {vault.path} in Obsidian, or read AGENTS.md there",
            "vaultmem init ~/memory     # a vault of your own",
        ),
    )
