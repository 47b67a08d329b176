"""What every vector store of a caller's own keeps to, and what recall is safe from.

A store that is worth more than a scene is a line in STORES.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.wire import bag
from vaultmem import Vault
from vaultmem.api.types import VectorStore
from vaultmem.errors import BadInput

if TYPE_CHECKING:
    from vaultmem.models.embeddings.types import Vector

Open = Callable[[object], Vault]
SAID = ("Ada saw a grey heron at the lake.", "The build fails on Windows.", "Mara bakes bread.")


class Bags:
    """An embedder that counts words."""

    space = "bags-1"

    def documents(self, texts: Sequence[str]) -> list[list[float]]:
        """Return the counts of the words of each."""
        return [bag(text) for text in texts]

    def query(self, text: str) -> list[float]:
        """Return the counts of its words."""
        return bag(text)


class InMemory:
    """A store in a dict, which is false while it is empty, as a dict is."""

    def __init__(self) -> None:
        """Hold nothing."""
        self.held: dict[str, Vector] = {}
        self.updates = 0

    def __len__(self) -> int:
        """Count them."""
        return len(self.held)

    def keys(self) -> Collection[str]:
        """Return the keys that it holds."""
        return self.held.keys()

    def update(self, vectors: Mapping[str, Vector], gone: Collection[str]) -> None:
        """Hold *vectors*, and *gone* no more."""
        self.updates += 1
        self.held |= vectors
        for key in list(gone):
            del self.held[key]

    def nearest(self, vector: Vector, k: int) -> Sequence[str]:
        """Return the keys of the nearest."""
        return sorted(self.held, key=lambda key: -float(self.held[key] @ vector))[:k]


STORES: dict[str, Callable[[], VectorStore]] = {"memory": InMemory}
every_store = pytest.mark.parametrize("make", STORES.values(), ids=STORES)


@pytest.fixture
def opened(folder: Path, clock: Callable[[], datetime]) -> Iterator[Open]:
    """Return what opens the vault with a store, with an embedder that needs no model."""
    vaults: list[Vault] = []

    def open_with(store: object) -> Vault:
        vaults.append(
            Vault.open(folder, clock=clock, embedder=Bags(), vector_store=store)  # type: ignore[arg-type]
        )
        return vaults[-1]

    with Vault.open(folder, clock=clock) as vault:
        for text in SAID:
            vault.remember(text, agent="ada")
    yield open_with
    for each in vaults:
        each.close()


@pytest.mark.long
@every_store
def test_recall_answers_as_it_does_without(opened: Open, make: Callable[[], VectorStore]) -> None:
    """It only proposes: the figures are our own."""
    with_it, without = opened(make()), opened(None)
    for query in ("heron lake", "who bakes", "Windows"):
        mine = with_it.recall(query, k=3, mode="semantic")
        assert mine == without.recall(query, k=3, mode="semantic")
        assert mine.degraded_reason is None
        assert mine.hits
    state = with_it.retriever.state()
    assert state is not None
    assert (state.engine, state.embedded) == ("given", 3)
    assert with_it.status().index.embedder == "given:bags-1"


@every_store
def test_it_holds_what_the_vault_has_and_no_more(
    opened: Open, make: Callable[[], VectorStore]
) -> None:
    """Vectors of length 1 by keys of ours; what is forgotten goes, a stranger's key stays."""
    store = make()
    store.update({"theirs": np.ones(3, np.float32)}, ())
    vault = opened(store)
    vault.recall("heron")
    keys = {*store.keys()} - {"theirs"}
    assert len(keys) == 3
    assert all(key.startswith("vaultmem:") for key in keys)
    vault.forget(vault.recall("heron lake").hits[0].id)
    vault.recall("bread")
    left = {*store.keys()}
    assert left < {*keys, "theirs"}
    assert "theirs" in left


def test_it_is_fed_once(opened: Open) -> None:
    """And what it lost, by the next process that asks."""
    store = InMemory()
    vault = opened(store)
    vault.recall("heron")
    fed = store.updates
    vault.recall("bread")
    assert store.updates == fed
    vault.remember("Tea is at four.", agent="ada")
    vault.recall("tea")
    assert len(store.held) == 4
    store.held.clear()
    assert opened(store).recall("heron", mode="semantic").hits
    assert len(store.held) == 4


class Broken(InMemory):
    """A store whose methods of some names raise."""

    def __init__(self, *names: str) -> None:
        """Let the methods *names* raise."""
        super().__init__()
        self.names = names

    def __getattribute__(self, name: str) -> object:
        """Return the method, or one that raises."""
        if name not in {"names", "held"} and name in object.__getattribute__(self, "names"):
            raise ConnectionError("no route")
        return object.__getattribute__(self, name)


class Lying(InMemory):
    """A store that returns what it never held."""

    def nearest(self, vector: Vector, k: int) -> Sequence[str]:
        """Return nonsense, and then what it has."""
        return [7, "x", "vaultmem:0:0", *super().nearest(vector, k)]  # type: ignore[list-item]


class Longer(Bags):
    """An embedder whose questions are of another model than its texts."""

    def query(self, text: str) -> list[float]:
        """Return one number more."""
        return [*super().query(text), 1.0]


def test_a_question_that_is_longer_than_the_texts_is_named(
    folder: Path, clock: Callable[[], datetime]
) -> None:
    """Such a vector is near to nothing: words find what there is."""
    with Vault.open(folder, clock=clock, embedder=Longer()) as vault:
        vault.remember(SAID[0], agent="ada")
        vault.queries.embed()
        answer = vault.recall("grey heron")
    assert [hit.snippet for hit in answer.hits] == [SAID[0]]
    assert "vectors of another length are not compared" in (answer.degraded_reason or "")


@pytest.mark.parametrize("name", ["update", "nearest", "keys"])
def test_a_store_that_fails_is_named_and_all_is_compared_here(opened: Open, name: str) -> None:
    store = Broken()
    vault = opened(store)
    store.names = (name,)
    answer = vault.recall("heron lake", mode="semantic")
    assert answer.hits[0].snippet == SAID[0]
    why = "the vector store that was given failed (ConnectionError: no route)"
    assert why in (answer.degraded_reason or "")


def test_what_a_store_makes_up_counts_for_nothing(opened: Open) -> None:
    answer = opened(Lying()).recall("heron lake", mode="semantic")
    assert (answer.hits[0].snippet, answer.degraded_reason) == (SAID[0], None)


def test_the_past_is_asked_of_our_own_vectors(opened: Open) -> None:
    """A store that holds today would be fed with yesterday."""
    store = InMemory()
    vault = opened(store)
    vault.recall("heron")
    held = {*store.held}
    vault.recall("heron", as_of="2026-11-21")
    assert {*store.held} == held


class Away(Bags):
    """An embedder that raises."""

    def query(self, text: str) -> list[float]:
        """Raise."""
        raise ConnectionError(f"no route for {text}")


def test_an_embedder_that_fails_is_named_and_words_go_on(
    folder: Path, clock: Callable[[], datetime]
) -> None:
    with Vault.open(folder, clock=clock, embedder=Away()) as vault:
        vault.remember(SAID[0], agent="ada")
        answer = vault.recall("heron")
    assert answer.hits[0].snippet == SAID[0]
    assert "given:bags-1" in (answer.degraded_reason or "")
    assert "ConnectionError: no route" in (answer.degraded_reason or "")


def test_what_is_no_part_is_refused_when_the_vault_is_opened(folder: Path) -> None:
    """With what it lacks, in a sentence."""
    with pytest.raises(BadInput, match="vector_store takes an object with keys, update, nearest"):
        Vault.open(folder, vector_store=object())  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="embedder takes an object with space, documents, query"):
        Vault.open(folder, embedder=object())  # type: ignore[arg-type]
