"""What looks at everything reads records in pages, however many there are."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from tests.at_rest import let_rest
from tests.conftest import Prepared
from vaultmem import Vault
from vaultmem.memory.compaction import past_queries
from vaultmem.records import Record
from vaultmem.storage.index import Index, coverage, file_queries, record_queries
from vaultmem.storage.index.coverage import Member
from vaultmem.storage.index.filters import Condition
from vaultmem.storage.index.record_queries import RecordQueries

pytestmark = pytest.mark.without_history

PAGE, MEMORIES = 24, 110


def fill(vault: Vault) -> None:
    """Summarize memories, many pages of them, and forget one."""
    config = vault.path / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("_window: 64", "_window: 5"))
    talk = vault.path.with_name("talk.jsonl")
    said = (f"Lantern {n} hangs in garden number {n}, says Ann." for n in range(MEMORIES))
    lines = (json.dumps({"id": n, "session": "s", "content": it}) for n, it in enumerate(said))
    talk.write_text("\n".join(lines) + "\n")
    vault.import_files("jsonl", [talk], agent="ada")
    vault.forget(vault.remember("The heliotrope is under the mat.", agent="ada").id)


@pytest.fixture
def full(prepared: Prepared) -> Vault:
    """Return a vault of summarized memories, many pages of them, one of which was forgotten."""
    return prepared(fill)


@pytest.fixture
def most(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Make pages small, and note how many records and members are read at once."""
    for room in (record_queries, file_queries, past_queries):
        monkeypatch.setattr(room, "_PAGE", PAGE)
    monkeypatch.setattr(past_queries, "_TOGETHER", PAGE)
    read: list[int] = []
    select, members = RecordQueries._select, coverage.members

    def noting(self: RecordQueries, where: Condition, *, body: bool = True) -> list[Record]:
        found = select(self, where, body=body)
        read.append(len(found))
        return found

    def noting_all(index: Index, agent: str) -> list[Member]:
        read.append(len(found := members(index, agent)))
        return found

    monkeypatch.setattr(RecordQueries, "_select", noting)
    monkeypatch.setattr(coverage, "members", noting_all)
    return read


@pytest.mark.long
def test_a_forgetting_reads_memories_in_pages(full: Vault, most: list[int]) -> None:
    full.forget(full.recall("lantern 7 garden").hits[0].id)
    assert sum(most) > MEMORIES
    assert max(most) <= PAGE


def test_fsck_asks_the_index_nothing_a_memory(full: Vault) -> None:
    let_rest(full.path.glob("agents/**/*.md"))  # one as young as these is read by every look
    full.store.sync()
    asked = Counter[str]()
    full.store.index.db.set_trace_callback(lambda sql: asked.update([sql.partition(" WHERE ")[0]]))
    assert full.fsck().ok
    assert max(asked.values()) < MEMORIES


def test_fsck_reads_memories_in_pages(full: Vault, most: list[int]) -> None:
    assert full.fsck().ok
    assert sum(most) > MEMORIES
    assert max(most) <= PAGE
