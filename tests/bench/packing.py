"""How often a context holds what answers a question, beside a plain list of hits of its size.

    python tests/bench/packing.py --conversations FOLDER [--budgets 500,1000,2000] [--json]

A folder as `quality` takes it. Each conversation is imported into a vault of its own and each of
its questions asked by words, the adversarial left out. A context holds an answer when the beginning
of a message that is evidence stands in its text. The list has the 50 best hits of the same
question, each with its whole text and 30 characters for who said it and when, at 4.2 characters a
token; a hit that has no room is passed over. `counted` is the same list, its lines as a context has
them and counted as a context is. `all` is the share of the evidence that stands there, `used` that
of the budget. It fails where any context holds less than the list.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import click

# Python looks beside a script; the modules are named from the checkout's root.
sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.bench import AGENT
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.documents.tokens import estimate
from vaultmem.records import utc_now

_MESSAGES, _QUESTIONS = ".messages.jsonl", ".questions.jsonl"
_HITS = 50
_OPENING = 60
"""Characters that make a message out."""

_BY_WORDS = {"VAULTMEM_EMBEDDER": "none"}
"""A model that happens to be there would find for the context, and not for the list."""

_LABEL, _CHARACTERS_A_TOKEN = 30, 4.2
_DAY = 10


class Asked(NamedTuple):
    """A question, and how each of the messages begins that are its evidence."""

    text: str
    gold: tuple[str, ...]


class Line(NamedTuple):
    """A hit as a list has it: when it was said and by whom, and what."""

    label: str
    text: str


class Held(NamedTuple):
    """What one context held within one budget, from 0 to 1, and what the lists of its size did."""

    context: float
    plain: float
    counted: float
    all: float
    used: float


@dataclass(frozen=True, slots=True)
class Row:
    """The means of a conversation's questions, or of all conversations, at one budget."""

    name: str
    budget: int
    questions: int
    held: Held


def flat(text: str) -> str:
    """Return *text* in one line."""
    return " ".join(text.split())


def asked(messages: Path) -> Iterator[Asked]:
    """Yield the questions about a conversation whose evidence is known."""
    known = {m["id"]: flat(m["content"]) for m in _lines(messages)}
    name = messages.name.removesuffix(_MESSAGES) + _QUESTIONS
    for question in _lines(messages.with_name(name)):
        evidence = question["evidence"]
        # The evidence of the adversarial is what they mislead to.
        if question["category"] != "adversarial" and evidence and known.keys() >= set(evidence):
            gold = tuple(known[message][:_OPENING] for message in evidence)
            yield Asked(question["question"], gold)


def _lines(file: Path) -> Iterator[Mapping[str, str]]:
    return map(json.loads, file.read_text(encoding="utf-8").splitlines())


def by_characters(line: Line) -> float:
    """Return what a *line* costs where characters are counted."""
    return (len(line.text) + _LABEL) / _CHARACTERS_A_TOKEN


def by_estimate(line: Line) -> float:
    """Return what a *line* costs where it is counted as a context is."""
    return estimate(f"{line.label}: {line.text}\n")


def plain_list(lines: Sequence[Line], budget: int, cost: Callable[[Line], float]) -> str:
    """Return the texts of those of *lines*, best first, that have room in *budget* tokens."""
    kept, room = [], float(budget)
    for line in lines:
        if (needed := cost(line)) <= room:
            room -= needed
            kept.append(line.text)
    return "\n".join(kept)


def _line(vault: Vault, path: str) -> Line:
    said = vault.post(path)
    created, speaker = (str(said.metadata.get(key, "")) for key in ("created", "speaker"))
    return Line(f"{created[:_DAY]} {speaker}", flat(said.content))


def measure(folder: Path, messages: Path, budgets: Sequence[int]) -> Iterator[Row]:
    """Yield what contexts of a conversation hold at each of *budgets*, its vault in *folder*."""
    name, questions = messages.name.removesuffix(_MESSAGES), list(asked(messages))
    create.create(folder / name, utc_now, with_git=False)
    found: dict[int, list[Held]] = {budget: [] for budget in budgets}
    with Vault.open(folder / name, env=_BY_WORDS) as vault:
        vault.import_files("jsonl", [messages], agent=AGENT)
        lines: dict[str, Line] = {}
        for question in questions:
            hits = [hit.path for hit in vault.recall(question.text, _HITS, mode="lexical").hits]
            lines |= {path: _line(vault, path) for path in hits if path not in lines}
            for budget, each in found.items():
                each.append(_held(vault, question, budget, [lines[path] for path in hits]))
    for budget, each in found.items():
        yield Row(name, budget, len(questions), _mean(each))


def _held(vault: Vault, question: Asked, budget: int, hits: Sequence[Line]) -> Held:
    made = vault.context(question.text, agent=AGENT, budget=budget)
    text = flat(made.text)
    there = [gold in text for gold in question.gold]
    lists = (plain_list(hits, budget, cost) for cost in (by_characters, by_estimate))
    plain, counted = (any(gold in listed for gold in question.gold) for listed in lists)
    return Held(any(there), plain, counted, fmean(there), made.tokens / budget)


def _mean(held: Sequence[Held]) -> Held:
    return Held(*(fmean(figures) for figures in zip(*held, strict=True)))


def table(rows: Sequence[Row]) -> str:
    """Return the figures in columns."""
    lines = [
        f"{'conversation':<16}{'budget':>8}{'context':>9}{'list':>7}{'counted':>9}{'all':>7}{'used':>7}"
    ]
    for row in rows:
        held = row.held
        lines.append(
            f"{row.name:<16}{row.budget:>8}{held.context:>9.3f}{held.plain:>7.3f}"
            f"{held.counted:>9.3f}{held.all:>7.3f}{held.used:>7.2f}"
        )
    return "\n".join(lines)


@click.command()
@click.option("--conversations", required=True,
              type=click.Path(exists=True, file_okay=False, path_type=Path))  # fmt: skip
@click.option("--budgets", default="500,1000,2000,4000,8000", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of a table.")
def main(conversations: Path, budgets: str, *, as_json: bool) -> None:
    """Ask every question of every conversation for a context of each budget."""
    sizes = tuple(map(int, budgets.split(",")))
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as name:  # noqa: S108
        files = sorted(conversations.glob(f"*{_MESSAGES}"))
        rows = [row for file in files for row in measure(Path(name), file, sizes)]
    for size in sizes:
        each = [row for row in rows if row.budget == size]
        total = sum(row.questions for row in each)
        rows.append(Row("mean", size, total, _mean([row.held for row in each])))
    if as_json:
        plain = [{**row.held._asdict(), "name": row.name, "budget": row.budget} for row in rows]
        click.echo(json.dumps({"rows": plain}))
    else:
        click.echo(table(rows))
    sys.exit(any(row.held.context < row.held.plain for row in rows if row.name != "mean"))


if __name__ == "__main__":
    main()
