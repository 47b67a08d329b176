"""How often a question finds what answers it, on conversations whose evidence is known.

A folder of LoCoMo's shape: `<name>.messages.jsonl` (a line is what `import` takes) and
`<name>.questions.jsonl` (`question`, `category`, `evidence`: ids of messages).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from tests.bench import baselines
from tests.bench.bench import AGENT, Bench
from tests.bench.table import Row
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.records import Record, utc_now
from vaultmem.retrieval.search import Scope
from vaultmem.storage.index import Filter

_HITS = 10
_MESSAGES, _QUESTIONS = ".messages.jsonl", ".questions.jsonl"
Search = Callable[[str], Sequence[str]]
"""Names the messages that answer a question best, best first."""


@dataclass(frozen=True, slots=True)
class _Question:
    """A question, and the messages any of which answers it."""

    text: str
    evidence: frozenset[str]


def measure(bench: Bench) -> Iterator[Row]:
    """Ask every question of every conversation in three ways; nothing without conversations."""
    if bench.conversations is None:
        return
    ranks: dict[str, list[int | None]] = {}
    for messages in sorted(bench.conversations.glob(f"*{_MESSAGES}")):
        for name, found in _ranks(bench.folder, messages).items():
            ranks.setdefault(name, []).extend(found)
    yield from _rows("recall_any@10", ranks, lambda _: 1.0)
    yield from _rows("MRR@10", ranks, lambda rank: 1 / rank)


def _rows(
    figure: str, ranks: Mapping[str, Sequence[int | None]], worth: Callable[[int], float]
) -> Iterator[Row]:
    """Yield the mean worth of each way's ranks; an answer that was not found is worth nothing."""
    ours = fmean(worth(r) if r else 0.0 for r in ranks["vaultmem"])
    for name, places in ranks.items():
        score = fmean(worth(r) if r else 0.0 for r in places)
        beside = ", beside vaultmem" if name != "vaultmem" else f", {len(places)} questions"
        yield Row(f"{figure}, {name}{beside}", score, "", ours)


def _ranks(folder: Path, messages: Path) -> dict[str, list[int | None]]:
    name = messages.name.removesuffix(_MESSAGES)
    asked = list(_questions(messages.with_name(name + _QUESTIONS)))
    path = folder / f"conversation-{name}"
    create.create(path, utc_now, with_git=False)
    with Vault.open(path) as vault:
        vault.import_files("jsonl", [messages], agent=AGENT)
        said = vault.store.index.records(Filter(type="memory"))
        texts = [f"{record.speaker}: {record.body}" for record in said]
        with closing(baselines.plain_index(":memory:", texts)) as db:
            searches = _searches(vault, said, db_best=lambda q: baselines.best(db, q, _HITS))
            return {n: [_rank(find, q) for q in asked] for n, find in searches.items()}


def _questions(file: Path) -> Iterator[_Question]:
    for line in file.read_text(encoding="utf-8").splitlines():
        asked = json.loads(line)
        # Their evidence is what they mislead to.
        if asked["category"] != "adversarial":
            yield _Question(asked["question"], frozenset(asked["evidence"]))


def _searches(
    vault: Vault, said: Sequence[Record], db_best: Callable[[str], Sequence[int]]
) -> dict[str, Search]:
    names = [record.origin.rpartition("/")[2] for record in said]
    by_id = {record.id: name for record, name in zip(said, names, strict=True)}
    texts = {
        name: f"{record.speaker}: {record.body}".lower()
        for record, name in zip(said, names, strict=True)
    }
    scope = Scope(type="memory")
    return {
        "vaultmem": lambda q: [by_id[hit.id] for hit in vault.recall(q, _HITS, scope).hits],
        "grep by words held": lambda q: baselines.most_words(texts, q, _HITS),
        "plain FTS5": lambda q: [names[number - 1] for number in db_best(q)],
    }


def _rank(find: Search, asked: _Question) -> int | None:
    """Return the place of the first answer, None when it is not among the hits."""
    places = (n for n, name in enumerate(find(asked.text), 1) if name in asked.evidence)
    return next(places, None)
