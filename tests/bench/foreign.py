"""What the floor of relevance keeps out of questions about other vaults, and what it loses.

    python tests/bench/foreign.py --conversations FOLDER

A folder as `quality` takes it. Each conversation is a vault, which is asked its own questions and
those of all others; VAULTMEM_MODEL_DIR names MiniLM's, without which words alone are tried.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

# Python looks beside a script; the modules are named from the checkout's root.
sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench import labelled
from tests.bench.labelled import SCOPE, Conversation, Vector
from vaultmem.models.embeddings import Embedder
from vaultmem.retrieval.search import candidates, relevance, reranking
from vaultmem.retrieval.search.parsed_query import parse_query
from vaultmem.retrieval.search.relevance import Floor
from vaultmem.retrieval.vectors import Vectors
from vaultmem.storage.index import Index

_HITS = 10
_EVERY = 2
"""Of the questions about other vaults one in so many is asked."""
_BESIDE = (0.5, 0.75, 1.0, 1.25, 1.5)
"""Floors that are tried, as parts of ours."""


@dataclass(frozen=True, slots=True)
class Asked:
    """How relevant the candidates of one question are, best first, and which are its evidence."""

    is_foreign: bool
    relevance: Vector
    answers: NDArray[np.bool_]

    def kept(self, floor: Floor) -> NDArray[np.bool_]:
        """Return which candidates stand above *floor*."""
        if max(self.relevance, default=0.0) < floor.best:
            return np.zeros(len(self.relevance), bool)
        above: NDArray[np.bool_] = self.relevance >= floor.each
        return above


def _asked(
    told: Sequence[Conversation], about: Conversation, embedder: Embedder | None
) -> Iterator[Asked]:
    """Yield what the vault of the conversation *about* holds of each question."""
    with labelled.vault_of(about) as vault, labelled.vectors_of(vault, embedder) as vectors:
        for conversation in told:
            is_foreign = conversation != about
            for query, evidence in list(conversation.asked())[:: _EVERY if is_foreign else 1]:
                gold = frozenset[str]() if is_foreign else evidence
                yield _judged(vault.store.index, vectors, query, gold)


def _judged(index: Index, vectors: Vectors | None, query: str, gold: frozenset[str]) -> Asked:
    question, near = parse_query(query), vectors.ask(query) if vectors else None
    found = candidates.find(index, question, SCOPE, near)
    scores = reranking.rank(question, found, near).scores
    usual = candidates.usual_cosine(index, SCOPE, near) if near else None
    relevant = relevance.of(question, found, usual)
    best = sorted(found, key=lambda doc: (-scores[doc], found[doc].path))
    answers = labelled.answering(index, gold)
    return Asked(
        not gold,
        np.array([relevant[doc] for doc in best]),
        np.array([doc in answers for doc in best], bool),
    )


def _lines(asked: Sequence[Asked], ours: Floor) -> Iterator[str]:
    """Yield what each floor keeps out and loses."""
    own = [it for it in asked if not it.is_foreign]
    foreign = [it for it in asked if it.is_foreign]
    yield f"{len(own)} questions, {len(foreign)} about other vaults"
    yield "floor        nothing for others'   their hits   recall_any@10   nothing for its own"
    for part in (0.0, *_BESIDE):
        floor = Floor(ours.best * part, ours.each * part) if part else Floor(-np.inf, -np.inf)
        kept, others = [it.kept(floor) for it in own], [it.kept(floor) for it in foreign]
        found = [it.answers[k][:_HITS].any() for it, k in zip(own, kept, strict=True)]
        yield (
            f"{floor.best:4.2f} / {floor.each:4.2f}  {_share(not k.any() for k in others):19.3f}"
            f"  {np.mean([min(k.sum(), _HITS) for k in others]):11.1f}  {np.mean(found):14.3f}"
            f"  {_share(not k.any() for k in kept):20.3f}"
        )


def _share(those: Iterator[bool]) -> float:
    return float(np.mean(list(those)))


@click.command()
@click.option("--conversations", "folder", required=True,
              type=click.Path(exists=True, file_okay=False, path_type=Path),
              help="Conversations with questions.")  # fmt: skip
def main(folder: Path) -> None:
    """Print the curve of the floor, by words alone and with MiniLM."""
    told = labelled.conversations(folder)
    ways: list[tuple[str, Embedder | None, Floor]] = [("words alone", None, relevance.BY_WORDS)]
    if embedder := labelled.embedder():
        ways.append(("with MiniLM", embedder, relevance.WITH_VECTORS))
    for name, embedded_by, floor in ways:
        asked = [it for about in told for it in _asked(told, about, embedded_by)]
        click.echo("\n".join([f"{name}:", *_lines(asked, floor), ""]))


if __name__ == "__main__":
    main()
