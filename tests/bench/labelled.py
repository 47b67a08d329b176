"""Conversations with questions, as what the ranking sees: signals of candidates, and who answers.

A folder of LoCoMo's shape, as `quality` takes it. The adversarial questions have no evidence, and
are left out.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.bench.bench import AGENT
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.models.embeddings import Embedder
from vaultmem.records import utc_now
from vaultmem.retrieval.search import Likeness, Scope, candidates, reranking, scoring
from vaultmem.retrieval.search.parsed_query import ParsedQuery, parse_query
from vaultmem.retrieval.vectors import Vectors
from vaultmem.storage.index import Index

Vector = NDArray[np.float64]
SCOPE = Scope(agent=AGENT, type="memory")
NAMES = tuple(scoring.ALL)
"""The signals, in the order of the rows of a case."""


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


class Setting:
    """How a conversation is indexed and asked: as it comes."""

    def prepare(self, index: Index) -> None:
        """Index the words anew where this differs from how they are."""

    def ask(self, query: str) -> ParsedQuery:
        """Take *query* apart."""
        return parse_query(query)


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation's files: what was said, and what is asked."""

    messages: Path
    questions: Path

    def asked(self) -> Iterator[tuple[str, frozenset[str]]]:
        """Yield each question and the ids of its evidence."""
        for line in self.questions.read_text(encoding="utf-8").splitlines():
            question = json.loads(line)
            if question["category"] != "adversarial":
                yield question["question"], frozenset(question["evidence"])


def conversations(folder: Path) -> list[Conversation]:
    """Return the conversations in *folder*, by name."""
    names = sorted(m.name.removesuffix(".messages.jsonl") for m in folder.glob("*.messages.jsonl"))
    return [
        Conversation(folder / f"{name}.messages.jsonl", folder / f"{name}.questions.jsonl")
        for name in names
    ]


def embedder() -> Embedder | None:
    """Return MiniLM if VAULTMEM_MODEL_DIR says where it is."""
    folder = os.environ.get("VAULTMEM_MODEL_DIR")
    if not folder:
        return None
    from vaultmem.models.embeddings.minilm.embedder import MiniLM  # noqa: PLC0415  # numpy's models load when asked for

    return MiniLM(Path(folder), None)


@contextlib.contextmanager
def vault_of(told: Conversation) -> Iterator[Vault]:
    """Yield a vault that holds a conversation, for as long as it is looked at."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as name:  # noqa: S108
        create.create(Path(name) / "vault", utc_now, with_git=False)
        with Vault.open(Path(name) / "vault") as vault:
            vault.import_files("jsonl", [told.messages], agent=AGENT)
            yield vault


@contextlib.contextmanager
def vectors_of(vault: Vault, embedded_by: Embedder | None) -> Iterator[Vectors | None]:
    """Yield the vectors of *vault*, None where nobody embeds."""
    if embedded_by is None:
        yield None
        return
    with contextlib.closing(Vectors(vault.path, vault.store.index, embedded_by)) as vectors:
        vectors.catch_up()
        yield vectors


def gathered(
    told: Sequence[Conversation],
    embedded_by: Embedder | None = None,
    setting: Setting | None = None,
) -> list[list[Case]]:
    """Return the cases of each conversation."""
    how = setting or Setting()
    groups = []
    for conversation in told:
        with vault_of(conversation) as vault, vectors_of(vault, embedded_by) as vectors:
            index = vault.store.index
            how.prepare(index)
            asked = [(how.ask(query), evidence) for query, evidence in conversation.asked()]
            groups.append(
                [
                    _case(index, it, evidence, vectors.ask(it.query) if vectors else None)
                    for it, evidence in asked
                ]
            )
    return groups


def _case(
    index: Index, asked: ParsedQuery, evidence: frozenset[str], near: Likeness | None
) -> Case:
    found = candidates.find(index, asked, SCOPE, near)
    if near:
        scores = scoring.rank(asked, found, scoring.WITH_VECTORS)
        asked = reranking.compared(asked, found, scores, near) or asked
    docs = sorted(found, key=lambda doc: found[doc].path)
    gold = answering(index, evidence)
    told = [of(asked, found) for of in scoring.ALL.values()]
    return Case(
        signals=np.array([[by.get(doc, 0.0) for doc in docs] for by in told]),
        answers=np.array([doc in gold for doc in docs]),
        sessions=[found[doc].session for doc in docs],
        homes=frozenset(gold.values()),
    )


def answering(index: Index, evidence: frozenset[str]) -> Mapping[int, str]:
    """Return the docs that are *evidence*, and their sessions."""
    rows = index.db.execute("SELECT doc, session, origin FROM docs WHERE type = 'memory'")
    return {doc: home for doc, home, origin in rows if origin.rpartition("/")[2] in evidence}
