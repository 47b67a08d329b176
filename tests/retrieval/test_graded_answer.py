"""A reranker that is named orders the best hits; without one, or when it is away, nothing moves."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from tests.wire import Answer, Call, Status, Wire
from vaultmem import Memory, Vault
from vaultmem.api.types import Reranker
from vaultmem.errors import BadInput
from vaultmem.retrieval.search.types import Mode

pytestmark = pytest.mark.without_history

TEXTS = ("The key of the shed is a key.", "Look for the key in the hall.", "Rain is expected.")


def halls_first(call: Call) -> Answer:
    """Grade what names the hall 10, all else 0."""
    passages = json.loads(call.body["messages"][-1]["content"])["passages"]
    return json.dumps({"grades": [10 * ("hall" in text) for text in passages]})


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[Wire]:
    """Serve a model that grades, to whoever reranks."""
    with Wire(halls_first) as served:
        monkeypatch.setenv("OLLAMA_HOST", served.url)
        monkeypatch.setenv("VAULTMEM_RERANK_MODEL", "small")
        yield served


@pytest.fixture
def told(vault: Vault) -> Vault:
    """Open a vault that holds the texts."""
    for text in TEXTS:
        vault.remember(text, agent="ada")
    return vault


def found(vault: Vault, mode: Mode = "auto") -> Sequence[str]:
    return [hit.snippet for hit in vault.recall("key", k=2, mode=mode).hits]


def test_nobody_is_asked_unless_one_is_named(told: Vault, wire: Wire) -> None:
    assert (found(told), wire.calls) == ([TEXTS[0], TEXTS[1]], [])


def test_the_reranker_orders_the_hits_and_the_scores_fall_still(
    told: Vault, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULTMEM_RERANKER", "ollama")
    hits = told.recall("key", k=2).hits
    assert [hit.snippet for hit in hits] == [TEXTS[1], TEXTS[0]]
    assert hits[0].score >= hits[1].score
    assert len(wire.calls) == 1


def test_the_reranker_gets_what_may_leave_of_a_question(
    told: Vault, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULTMEM_RERANKER", "ollama")
    told.recall("key <private>of the safe</private>")
    (call,) = wire.calls
    assert json.loads(call.body["messages"][-1]["content"])["question"].split() == ["key"]
    answer = told.recall("<private>key</private>", k=2)
    assert [hit.snippet for hit in answer.hits] == [TEXTS[0], TEXTS[1]]
    assert "is not asked" in str(answer.degraded_reason)
    assert len(wire.calls) == 1


def test_a_question_by_words_alone_is_not_reranked(
    told: Vault, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULTMEM_RERANKER", "ollama")
    assert (found(told, "lexical"), wire.calls) == ([TEXTS[0], TEXTS[1]], [])


def test_while_the_reranker_is_away_the_order_stays_and_is_explained(
    told: Vault, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULTMEM_RERANKER", "ollama")
    wire.answer = lambda _: Status(404, "no such model")
    answer = told.recall("key", k=2)
    assert [hit.snippet for hit in answer.hits] == [TEXTS[0], TEXTS[1]]
    assert "not reranked" in str(answer.degraded_reason)


def test_a_reranker_without_a_model_is_a_mistake_to_mend(
    told: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULTMEM_RERANKER", "ollama")
    with pytest.raises(BadInput, match="VAULTMEM_RERANK_MODEL"):
        told.recall("key")


class RareFirst:
    """A reranker of a caller's own, on a scale of its own: the rarer a word, the higher."""

    name = "acme-cross-3"

    def __init__(self) -> None:
        """Note what is asked."""
        self.asked: list[tuple[str, list[str]]] = []

    def grades(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return what is below nought for all."""
        self.asked.append((question, list(texts)))
        return [-3.5 * text.count(question.split(maxsplit=1)[0]) for text in texts]


class Says:
    """What returns the same whatever is asked, or raises it."""

    name = "acme-cross-3"

    def __init__(self, said: object) -> None:
        """Return *said*, raise it if it is an exception."""
        self.said = said

    def grades(self, _question: str, _texts: Sequence[str]) -> Any:  # noqa: ANN401
        """Return it."""
        if isinstance(self.said, Exception):
            raise self.said
        return self.said


def test_a_reranker_of_the_callers_own_orders_the_hits(told: Vault) -> None:
    own = RareFirst()
    assert isinstance(own, Reranker)
    with Vault.open(told.path, env={}, reranker=own) as vault:
        hits = vault.recall("key <private>of the safe</private>", k=2).hits
        assert [hit.snippet for hit in hits] == [TEXTS[1], TEXTS[0]]
        assert hits[0].score >= hits[1].score
        assert [(q.strip(), sorted(texts)) for q, texts in own.asked] == [
            ("key", sorted(TEXTS[:2]))
        ]
        assert found(vault, "lexical") == [TEXTS[0], TEXTS[1]]
        assert len(own.asked) == 1


def test_a_memory_of_an_agent_takes_a_reranker_too(told: Vault) -> None:
    with Memory.open(told.path, agent="ada", env={}, reranker=RareFirst()) as memory:
        assert [hit.snippet for hit in memory.recall("key", k=2).hits] == [TEXTS[1], TEXTS[0]]


def test_grades_may_be_a_numpy_array(told: Vault) -> None:
    with Vault.open(told.path, env={}, reranker=Says(np.array([1, 2], dtype="float32"))) as vault:
        assert found(vault) == [TEXTS[1], TEXTS[0]]


@pytest.mark.parametrize(
    ("said", "why"),
    [([1.0], "graded 1 of 2 texts"), (RuntimeError("no GPU"), "failed (RuntimeError: no GPU)"),
     ([1.0, float("nan")], "returned nan, which is no finite number"),
     ([True, False], "returned True, which is no finite number"), (None, "failed (TypeError")],
)  # fmt: skip
def test_what_an_own_reranker_does_amiss_is_named_and_the_order_stays(
    told: Vault, said: object, why: str
) -> None:
    with Vault.open(told.path, env={}, reranker=Says(said)) as vault:
        answer = vault.recall("key", k=2)
    assert [hit.snippet for hit in answer.hits] == [TEXTS[0], TEXTS[1]]
    assert f"acme-cross-3: {why}" in str(answer.degraded_reason)
    assert "not reranked" in str(answer.degraded_reason)


def test_what_grades_nothing_is_no_reranker(told: Vault) -> None:
    with pytest.raises(BadInput, match="reranker takes an object with name, grades"):
        Vault.open(told.path, reranker=object())  # type: ignore[arg-type]
