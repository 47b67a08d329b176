"""How well recall and a context find what was said, imported as turns beside the same as memories.

    python tests/bench/as_turns.py --conversations FOLDER [--budget 2000] [--json]

A folder as `quality` takes it. Each conversation is imported twice, into a vault of its own each
time, and each of its questions asked by words, the adversarial left out. `any` is how often one of
the first ten hits is evidence, `all` how much of the evidence is among them, `context` how often
the beginning of a message that is evidence stands in a context of the budget.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import click

# Python looks beside a script; the modules are named from the checkout's root.
sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.bench import AGENT
from tests.bench.labelled import Conversation, conversations
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.records import utc_now
from vaultmem.retrieval.search import Hit
from vaultmem.storage import transcripts

MANNERS = ("memories", "turns")
_K = 10
_OPENING = 60
"""Characters that make a message out."""

_BY_WORDS = {"VAULTMEM_EMBEDDER": "none"}


class Found(NamedTuple):
    """What one question found, from 0 to 1."""

    any: float
    all: float
    context: float


@click.command()
@click.option(
    "--conversations", "folder", type=click.Path(exists=True, path_type=Path), required=True
)
@click.option("--budget", default=2000, show_default=True)
@click.option("--json", "as_json", is_flag=True)
def main(folder: Path, budget: int, *, as_json: bool) -> None:
    """Compare both manners of importing."""
    told = conversations(folder)
    means = {manner: _mean([*_questions(told, manner, budget)]) for manner in MANNERS}
    if as_json:
        click.echo(json.dumps({manner: it._asdict() for manner, it in means.items()}))
        return
    for manner, it in means.items():
        click.echo(f"{manner:9} any@10 {it.any:.4f}  all@10 {it.all:.4f}  context {it.context:.4f}")


def _questions(told: list[Conversation], manner: str, budget: int) -> Iterator[Found]:
    for each in told:
        lines = each.messages.read_text(encoding="utf-8").splitlines()
        said = {it["id"]: it["content"] for it in map(json.loads, lines)}
        place = os.environ.get("TMPDIR", "/var/tmp")  # noqa: S108
        with tempfile.TemporaryDirectory(dir=place) as name:
            create.create(Path(name) / "vault", utc_now, with_git=False)
            with Vault.open(Path(name) / "vault", env=_BY_WORDS) as vault:
                vault.import_files("jsonl", [each.messages], agent=AGENT, manner=manner)
                for query, evidence in each.asked():
                    yield _found(
                        vault, query, frozenset(said[it].strip("\n") for it in evidence), budget
                    )


def _found(vault: Vault, query: str, gold: frozenset[str], budget: int) -> Found:
    texts = {_text(vault, hit) for hit in vault.recall(query, _K, agent=AGENT).hits}
    held = gold & texts
    context = vault.context(query, agent=AGENT, budget=budget).text
    stands = any(text[:_OPENING].split("\n")[0] in context for text in gold)
    return Found(float(bool(held)), len(held) / len(gold), float(stands))


def _text(vault: Vault, hit: Hit) -> str:
    """Return the whole text of what was found."""
    if hit.type != "turn":
        return (vault.store.index.body(hit.path) or "").strip("\n")
    talk = transcripts.load(vault.store.root, hit.path)
    return talk.turns[hit.lines[0] - 1].content.strip("\n") if talk else ""


def _mean(found: list[Found]) -> Found:
    return Found(*(fmean(each) for each in zip(*found, strict=True)))


if __name__ == "__main__":
    main()
