"""What each signal of the ranking is worth: all of them, then each one left out, then changed.

    python tests/bench/ablating.py --conversations FOLDER

A folder as `quality` takes it. With VAULTMEM_MODEL_DIR it measures with MiniLM, too. `fitted
elsewhere` gives each conversation the weights that the other ones fit best: far from `all signals`
would mean that ours know these conversations by heart.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
from numpy.typing import NDArray

# Python looks beside a script; the modules are named from the checkout's root.
sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.bench import AGENT
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.models.embeddings import Embedder
from vaultmem.records import utc_now
from vaultmem.retrieval.search import Likeness, Scope, candidates, reranking, scoring
from vaultmem.retrieval.vectors import Vectors
from vaultmem.storage.index import Index
from vaultmem.storage.index import tokenizer as index_tokenizer

Vector = NDArray[np.float64]
_HITS = 10
_SCOPE = Scope(agent=AGENT, type="memory")
_PLAIN = "unicode61 remove_diacritics 2"


# --- what is measured -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Case:
    """One question: what each signal (row) says of each candidate (column), and who answers it."""

    signals: Vector
    answers: NDArray[np.bool_]
    """Whether a candidate is evidence."""
    sessions: Sequence[str]
    """The session of each candidate."""
    homes: frozenset[str]
    """The sessions that have evidence."""


class Figures(NamedTuple):
    """Means over the conversations of the means over their questions."""

    any_at_10: float
    session_hit_at_1: float
    mrr: float


def _figures(case: Case, weights: Vector) -> Figures:
    scores = weights @ case.signals
    order = np.argsort(-scores, kind="stable")
    answers = case.answers[order]
    mrr = 1 / (1 + int(answers.argmax())) if answers.any() else 0.0
    return Figures(float(answers[:_HITS].any()), float(_likeliest(case, scores) in case.homes), mrr)


def _likeliest(case: Case, scores: Vector) -> str:
    """Return the session that holds most of the likelihood."""
    shares = scoring.shares(dict(enumerate(scores.tolist())), dict(enumerate(case.sessions)))
    return max(shares, key=lambda session: shares[session], default="")


def _mean(cases: Sequence[Sequence[Case]], weights: Iterable[Vector]) -> Figures:
    """Return the figures over all conversations, each one with its weights."""
    pairs = zip(cases, weights, strict=True)
    means = [np.mean([_figures(case, w) for case in group], axis=0) for group, w in pairs]
    return Figures(*map(float, np.mean(means, axis=0)))


# --- weights ----------------------------------------------------------------------------------

_STEPS, _RATE, _SCALE = 300, 0.3, 4.0


def _fitted(cases: Sequence[Sequence[Case]], ours: Vector) -> Vector:
    """Return the weights under which the evidence is likeliest (softmax over the candidates).

    Gradient descent with a step that shrinks; the log-likelihood of one evidence is concave.
    """
    weights = ours * _SCALE
    for step in range(_STEPS):
        slopes = [np.mean([_slope(c, weights) for c in g], axis=0) for g in cases]
        weights += _RATE * 10 / (1 + step / 50) * np.mean(slopes, axis=0)
    return weights


def _slope(case: Case, weights: Vector) -> Vector:
    """Return the gradient of the log-likelihood that the best candidate is evidence."""
    if not case.answers.any():
        return np.zeros_like(weights)
    scores = weights @ case.signals
    likely = np.exp(scores - scores.max())
    right = likely * case.answers
    slope: Vector = case.signals @ (right / right.sum() - likely / likely.sum())
    return slope


def _elsewhere(cases: Sequence[Sequence[Case]], ours: Vector) -> Iterator[Vector]:
    for left_out in range(len(cases)):
        yield _fitted([group for n, group in enumerate(cases) if n != left_out], ours)


def _signals(*, dense: bool) -> Sequence[scoring.Signal]:
    return scoring.WITH_TOKENS if dense else scoring.SIGNALS


def _ours(*, dense: bool) -> Vector:
    return np.array([signal.weight for signal in _signals(dense=dense)])


def _changed(name: str, by: float, *, dense: bool) -> Vector:
    return np.array([s.weight * (by if s.name == name else 1) for s in _signals(dense=dense)])


# --- from a conversation to cases -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Setting:
    """How a conversation is indexed and asked: as it comes, or with one thing left out."""

    stemmed: bool = True
    headed: bool = True
    telling: bool = True

    def prepare(self, index: Index) -> None:
        """Index the words anew where this differs from how they are."""
        if self.stemmed and self.headed:
            return
        rows = index.db.execute("SELECT rowid, title, body FROM words").fetchall()
        tokenizer = f"porter {_PLAIN}" if self.stemmed else _PLAIN
        index.db.execute("DROP TABLE words")
        index.db.execute(
            f'CREATE VIRTUAL TABLE words USING fts5(title, body, tokenize="{tokenizer}")'
        )
        kept = [(row, title if self.headed else "", body) for row, title, body in rows]
        index.db.executemany("INSERT INTO words(rowid, title, body) VALUES(?,?,?)", kept)

    def ask(self, query: str) -> scoring.ParsedQuery:
        """Take *query* apart, with its function words where they are to count."""
        asked = scoring.parse_query(query)
        if self.telling:
            return asked
        return replace(
            asked, terms=tuple(dict.fromkeys(index_tokenizer.plain(w) for w in query.split()))
        )


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation's files: what was said, and what is asked."""

    messages: Path
    questions: Path

    def asked(self) -> Iterator[tuple[str, frozenset[str]]]:
        """Yield each question and the ids of its evidence; the adversarial have none."""
        for line in self.questions.read_text(encoding="utf-8").splitlines():
            question = json.loads(line)
            if question["category"] != "adversarial":
                yield question["question"], frozenset(question["evidence"])


def _conversations(folder: Path) -> Iterator[Conversation]:
    for messages in sorted(folder.glob("*.messages.jsonl")):
        name = messages.name.removesuffix(".messages.jsonl")
        yield Conversation(messages, folder / f"{name}.questions.jsonl")


def _cases(
    vault: Vault, told: Conversation, setting: Setting, embedder: Embedder | None
) -> list[Case]:
    index = vault.store.index
    setting.prepare(index)
    asked = [(setting.ask(query), evidence) for query, evidence in told.asked()]
    if embedder is None:
        return [_case(index, question, evidence, None) for question, evidence in asked]
    with contextlib.closing(Vectors(vault.path, index, embedder)) as vectors:
        vectors.catch_up()
        return [
            _case(index, question, evidence, vectors.ask(question.query))
            for question, evidence in asked
        ]


def _case(
    index: Index, asked: scoring.ParsedQuery, evidence: frozenset[str], near: Likeness | None
) -> Case:
    found = candidates.find(index, asked, _SCOPE, near)
    if near:
        scores = scoring.rank(asked, found)
        asked = reranking.compared(asked, found, scores, near) or asked
    docs = sorted(found, key=lambda doc: found[doc].path)
    rows = index.db.execute("SELECT doc, session, origin FROM docs WHERE type = 'memory'")
    gold = {d: s for d, s, origin in rows if origin.rpartition("/")[2] in evidence}
    told = [signal.of(asked, found) for signal in _signals(dense=near is not None)]
    return Case(
        signals=np.array([[by.get(doc, 0.0) for doc in docs] for by in told]),
        answers=np.array([doc in gold for doc in docs]),
        sessions=[found[doc].session for doc in docs],
        homes=frozenset(gold.values()),
    )


# --- the table --------------------------------------------------------------------------------

_HEADER = f"{'':34} any@10   hit@1     MRR"


def _line(name: str, figures: Figures, beside: Figures) -> str:
    shown = (f"{f:.3f} {100 * (f - b):+4.1f}" for f, b in zip(figures, beside, strict=True))
    return f"{name:30} " + "  ".join(shown)


def _lines(cases: Sequence[Sequence[Case]], *, dense: bool) -> Iterator[str]:
    """Yield what all signals give, then what each change of them does, in points."""
    weights = _ours(dense=dense)
    ours = _mean(cases, [weights] * len(cases))
    yield _line("all signals", ours, ours)
    yield _line("fitted elsewhere", _mean(cases, _elsewhere(cases, weights)), ours)
    for text, by in (("without", 0.0), ("half", 0.5), ("twice", 2.0)):
        for name in _names(dense=dense):
            changed = _mean(cases, [_changed(name, by, dense=dense)] * len(cases))
            yield _line(f"{text} {name}", changed, ours)


def _names(*, dense: bool) -> list[str]:
    """Return the signals that these conversations can tell of: nothing in them is outdated."""
    silent = {"validity"} if dense else {"validity", "meaning"}
    return [signal.name for signal in _signals(dense=dense) if signal.name not in silent]


_SETTINGS = {
    "without stemming": Setting(stemmed=False),
    "without date and speaker": Setting(headed=False),
    "with function words": Setting(telling=False),
}


def _gathered(
    folder: Path, told: Sequence[Conversation], setting: Setting, embedder: Embedder | None = None
) -> list[list[Case]]:
    gathered = []
    for conversation in told:
        with tempfile.TemporaryDirectory(dir=folder) as name:
            create.create(Path(name) / "vault", utc_now, with_git=False)
            with Vault.open(Path(name) / "vault") as vault:
                vault.import_files("jsonl", [conversation.messages], agent=AGENT)
                gathered.append(_cases(vault, conversation, setting, embedder))
    return gathered


def _embedder() -> Embedder | None:
    folder = os.environ.get("VAULTMEM_MODEL_DIR")
    if not folder:
        return None
    from vaultmem.models.embeddings.minilm import MiniLM  # noqa: PLC0415  # numpy's models load when asked for

    return MiniLM(Path(folder), None)


@click.command()
@click.option("--conversations", "folder", required=True,
              type=click.Path(exists=True, file_okay=False, path_type=Path),
              help="Conversations with questions.")  # fmt: skip
def main(folder: Path) -> None:
    """Print what each signal is worth, by words alone and with MiniLM."""
    told = list(_conversations(folder))
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as name:  # noqa: S108
        work = Path(name)
        cases = _gathered(work, told, Setting())
        click.echo(f"words alone, {sum(map(len, cases))} questions\n{_HEADER}")
        for line in _lines(cases, dense=False):
            click.echo(line)
        ours = _mean(cases, [_ours(dense=False)] * len(cases))
        for text, setting in _SETTINGS.items():
            changed = _gathered(work, told, setting)
            click.echo(_line(text, _mean(changed, [_ours(dense=False)] * len(changed)), ours))
        if embedder := _embedder():
            click.echo(f"\nwith MiniLM\n{_HEADER}")
            for line in _lines(_gathered(work, told, Setting(), embedder), dense=True):
                click.echo(line)


if __name__ == "__main__":
    main()
