"""A reranker that is named orders the best hits; without one, or when it is away, nothing moves."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import pytest

from tests.wire import Answer, Call, Status, Wire
from vaultmem import Vault
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
