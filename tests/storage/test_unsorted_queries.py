"""What is asked of all memories puts none in order: that would hold them all at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from vaultmem import Vault
from vaultmem.storage.index import Filter, Index, count_queries

pytestmark = pytest.mark.without_history

QUESTIONS: dict[str, Callable[[Index], object]] = {
    "each memory": lambda index: next(index.every(Filter(type="memory"))),
    "each note": lambda index: next(index.every()),
    "names": count_queries.same_names,
    "ids": count_queries.same_ids,
    "paths": count_queries.listed_twice,
}
_GROUPING = "USE TEMP B-TREE FOR GROUP BY"
_ORDER = "USE TEMP B-TREE FOR ORDER BY"


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_row_is_kept_to_be_sorted(vault: Vault, question: str) -> None:
    vault.remember("Tea is oolong.", agent="ada")
    vault.store.sync()
    asked: list[str] = []
    db = vault.store.index.db
    db.set_trace_callback(asked.append)
    QUESTIONS[question](vault.store.index)
    db.set_trace_callback(None)
    steps = [step for *_, step in db.execute(f"EXPLAIN QUERY PLAN {asked[0]}")]
    assert not {_GROUPING, _ORDER}.intersection(steps)
