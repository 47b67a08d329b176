"""A case: conversations, a question about them, and the facts that its answer rests on.

It is lived through in a vault of its own: imported, compacted as usual, asked for its context. A
fact is there when one of its phrases is: that judges what a model is given, not its answer.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean

from vaultmem.api import create
from vaultmem.api.types import Message
from vaultmem.api.vault import Vault
from vaultmem.evaluation.phrase_match import holds, normal
from vaultmem.records import Clock, moment, utc_now

PASS = 0.8
"""The share of its facts that a case must find; published with the cases."""
AGENT = "assistant"


@dataclass(frozen=True, slots=True)
class Fact:
    """What an answer rests on: found where *any* of its phrases stands."""

    name: str
    any: tuple[str, ...]

    def stands_in(self, text: str) -> bool:
        """Tell whether it is in *text*, which is `normal`."""
        return any(holds(text, normal(phrase)) for phrase in self.any)


@dataclass(frozen=True, slots=True)
class Case:
    """Conversations, a question, and its facts (none while its gold is unknown)."""

    name: str
    level: str
    question: str
    messages: tuple[Message, ...]
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """How a case went: the share of its facts in a context of so many *tokens*, and the others."""

    case: str
    level: str
    keyword_recall: float
    passed: bool
    tokens: int
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Level:
    """How the cases of one level went, in the mean."""

    n: int
    pass_rate: float
    keyword_recall: float
    tokens: float


def judge(case: Case, context: str, tokens: int) -> Judged:
    """Judge the *context* that was packed for a case; it must have facts."""
    text = normal(context)
    missing = tuple(fact.name for fact in case.facts if not fact.stands_in(text))
    recall = 1 - len(missing) / len(case.facts)
    return Judged(case.name, case.level, recall, recall >= PASS, tokens, missing)


def live(case: Case, budget: int, env: Mapping[str, str]) -> Judged:
    """Live through *case* in a temporary vault, at the time of its last message, and judge it.

    *env* is what the vault opens with, and the context has *budget* tokens at most. Ids follow from
    the case's name: those drawn by chance break ties, and differ in tokens.
    """
    random = Random(case.name).randbytes  # noqa: S311  # of chance alone
    with tempfile.TemporaryDirectory(prefix="vaultmem-case-") as folder:
        path, clock = Path(folder) / "vault", _clock(case)
        create.create(path, clock, random=random, with_git=False)
        messages = path.with_suffix(".jsonl")
        lines = (message.model_dump_json(exclude_none=True) for message in case.messages)
        messages.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        with Vault.open(path, clock=clock, random=random, env=env) as vault:
            vault.import_files("jsonl", [messages], agent=AGENT, redact=True)
            made = vault.context(case.question, agent=AGENT, budget=budget)
    return judge(case, made.text, made.tokens)


def _clock(case: Case) -> Clock:
    times = [moment(message.at) for message in case.messages if message.at]
    return (lambda: max(times)) if times else utc_now


def level(judged: Sequence[Judged]) -> Level:
    """Return how *judged* cases went in the mean; there must be one."""
    return Level(
        len(judged),
        fmean(j.passed for j in judged),
        fmean(j.keyword_recall for j in judged),
        fmean(j.tokens for j in judged),
    )


def levels(judged: Sequence[Judged]) -> dict[str, Level]:
    """Return how each level went, by name."""
    names = sorted({j.level for j in judged})
    return {name: level([j for j in judged if j.level == name]) for name in names}


def figures(judged: Sequence[Judged]) -> dict[str, float]:
    """Return what a floor may be set for, by name: a level's figures are `layer1.pass_rate`."""
    whole = level(judged)
    each = {
        f"{name}.{figure}": value
        for name, it in levels(judged).items()
        for figure, value in _rates(it).items()
    }
    return {**_rates(whole), **each}


def _rates(it: Level) -> dict[str, float]:
    return {"pass_rate": it.pass_rate, "keyword_recall": it.keyword_recall}
