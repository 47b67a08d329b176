"""What the index asks of a new file: of each memory of a vault, whenever the index is made anew."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.at_rest import let_rest
from vaultmem import Vault
from vaultmem.documents import public_text
from vaultmem.documents.public_text import PublicText
from vaultmem.storage.index import Filter, word_queries
from vaultmem.storage.index.cache_database import Connection

pytestmark = pytest.mark.without_history

_STATEMENTS_OF_A_MEMORY = 15


def asked_anew(path: Path) -> list[str]:
    """Return the statements by which the index of the vault at *path* is made anew."""
    shutil.rmtree(path / ".vaultmem/index")
    let_rest([path, *path.glob("**/")])  # what was just written is noted otherwise
    asked: list[str] = []
    with Vault.open(path) as vault:
        vault.store.index.db.set_trace_callback(asked.append)
        vault.store.sync()
    return [statement for statement in asked if not statement.startswith("--")]  # of FTS5 itself


def test_a_memory_more_costs_few_statements(vault: Vault) -> None:
    """That it is in the index takes most of the time that this takes."""
    vault.remember("Tea is oolong.", agent="ada")
    few = len(asked_anew(vault.path))
    for drink in ("Coffee", "Milk", "Juice"):
        vault.remember(f"{drink} is for guests.", agent="ada")
    more = len(asked_anew(vault.path))
    assert (more - few) / 3 <= _STATEMENTS_OF_A_MEMORY


def test_no_table_is_made_to_ask_what_supersedes_a_file(vault: Vault) -> None:
    """Of a list of names SQLite makes one, for each file, which took longer than the answer."""
    vault.remember("Tea is oolong.", agent="ada")
    asked = asked_anew(vault.path)
    with Vault.open(vault.path) as again:
        db: Connection = again.store.index.db
        looks = [it for it in asked if it.startswith("SELECT") and "superseding" in it]
        steps = {step for it in looks for _, step, *_ in db.execute(f"EXPLAIN {it}")}
    assert looks
    assert "OpenEphemeral" not in steps


def test_what_was_made_on_a_day_is_found_without_a_look_at_all_files(vault: Vault) -> None:
    """A question that names a day was the slowest of a large vault."""
    asked: list[str] = []
    db = vault.store.index.db
    db.set_trace_callback(asked.append)
    word_queries.said_on(vault.store.index, ["2026-11-20"], Filter(recallable=True), 10)
    db.set_trace_callback(None)
    steps = [step for *_, step in db.execute(f"EXPLAIN QUERY PLAN {asked[0]}")]
    assert not any(step.startswith("SCAN") for step in steps)


def test_the_public_text_of_a_file_is_made_once(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To look for what is private and for credentials takes a third of reading a memory."""
    vault.remember("Tea is oolong.", agent="ada")
    made: list[bytes] = []

    def counting(data: bytes) -> PublicText:
        made.append(data)
        return of_bytes(data)

    of_bytes = public_text.of_bytes
    monkeypatch.setattr(public_text, "of_bytes", counting)
    asked_anew(vault.path)
    assert sum(b"oolong" in data for data in made) == 1


def test_a_step_is_done_for_many_files_before_the_next_step(vault: Vault) -> None:
    """Where each file goes through all of them by itself it takes half as long again."""
    for drink in ("Tea", "Coffee", "Milk", "Juice"):
        vault.remember(f"{drink} is for guests.", agent="ada")
    assert steps(asked_anew(vault.path), "/memories/") == "see see see see note note note note"


@pytest.mark.long
def test_few_large_files_are_held_at_once(vault: Vault) -> None:
    """What is read before any of it is noted is little, however large the files of a folder are."""
    (vault.path / "topics").mkdir()
    for name in ("coffee", "juice", "milk", "tea"):
        (vault.path / f"topics/{name}.md").write_text("Tea.\n" * 150_000, "utf-8")
    assert steps(asked_anew(vault.path), "topics/") == "see see note note see see note note"


def steps(asked: list[str], folder: str) -> str:
    """Return in which order the files of *folder* are seen, and what they say is noted."""
    inserts = {"INSERT OR FAIL INTO seen": "see", "INSERT INTO docs": "note"}
    told = dict.fromkeys(it for it in asked if folder in it)  # a trigger tells of its statement
    return " ".join(step for it in told for sql, step in inserts.items() if it.startswith(sql))
