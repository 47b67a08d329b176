"""Uses are counted beside the vault, by id, and nothing but a count is lost with the file."""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.api import create
from vaultmem.retrieval import usage

NOW = datetime(2026, 11, 20, 10, 15, tzinfo=UTC)
MORNING, EVENING = "2026-11-20T08:00:00Z", "2026-11-20T20:00:00Z"


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Vault]:
    """Open a vault without history."""
    create.create(tmp_path / "shelf", lambda: NOW, with_git=False)
    with Vault.open(tmp_path / "shelf", clock=lambda: NOW) as opened:
        yield opened


def test_each_use_counts_once_and_the_last_one_is_dated(tmp_path: Path) -> None:
    usage.add(tmp_path, ["a", "b", "a"], EVENING)
    usage.add(tmp_path, ["a"], MORNING)
    assert usage.load(tmp_path) == {"a": usage.Use(2, 0, EVENING), "b": usage.Use(1, 0, EVENING)}


def test_nothing_was_of_use_before_the_first_question(tmp_path: Path) -> None:
    assert usage.load(tmp_path) == {}


def test_a_question_counts_what_it_found(shelf: Vault) -> None:
    tea = shelf.remember("Ada likes tea.", agent="ada")
    shelf.remember("The shop opens on Monday.", agent="ada")
    shelf.recall("tea")
    shelf.recall("tea")
    assert usage.load(shelf.path)[tea.id].count == 2
    assert usage.load(shelf.path)[tea.id].last == "2026-11-20T10:15:00Z"


def test_what_a_context_looks_up_counts_as_the_same_thing_that_is_found(shelf: Vault) -> None:
    """What stands in every context anyway was of no use to this question above others."""
    shelf.remember("Ada sleeps late.", agent="ada")
    (shelf.path / "tea.md").write_text("---\ntype: note\n---\nAda likes tea.\n")
    shelf.store.sync()
    shelf.recall("tea")
    shelf.context("tea", agent="ada")
    assert {ref: use.count for ref, use in usage.load(shelf.path).items()} == {"tea.md": 2}


def test_the_same_question_twice_gives_the_same_answer(shelf: Vault) -> None:
    for text in ("Tea at eight.", "Tea at nine.", "Tea at ten."):
        shelf.remember(text, agent="ada")
    first = shelf.recall("tea", 3)
    for _ in range(5):
        shelf.recall("nine", 1)
    assert shelf.recall("tea", 3) == first


def test_counts_that_cannot_be_kept_cost_no_answer(shelf: Vault) -> None:
    shelf.remember("Ada likes tea.", agent="ada")
    (shelf.path / usage.FILE).write_bytes(b"no database at all" * 100)
    assert shelf.recall("tea").hits
    assert usage.load(shelf.path) == {}


def test_different_questions_are_told_apart_however_they_are_put(tmp_path: Path) -> None:
    for question in ("Does Ada like tea?", "ada: TEA, like", "Where is the shop?", "", "?!"):
        usage.add(tmp_path, ["a"], MORNING, question)
    usage.add(tmp_path, ["b"], MORNING, "Where is the shop?")
    assert usage.load(tmp_path) == {"a": usage.Use(5, 2, MORNING), "b": usage.Use(1, 1, MORNING)}


def test_no_word_of_a_question_is_kept_nor_the_same_digest_elsewhere(tmp_path: Path) -> None:
    digests = []
    for home in (tmp_path / "one", tmp_path / "other"):
        usage.add(home, ["a"], MORNING, "heliotrope umbrella")
        with contextlib.closing(sqlite3.connect(home / usage.FILE)) as db:
            digests += db.execute("SELECT question FROM asked").fetchall()
        kept = b"".join(p.read_bytes() for p in home.rglob("*") if p.is_file())
        assert b"heliotrope" not in kept
        assert b"umbrella" not in kept
    assert len(set(digests)) == 2


def test_what_is_asked_for_in_a_thousand_ways_keeps_few_of_them(tmp_path: Path) -> None:
    for n in range(usage.MOST_QUESTIONS + 5):
        usage.add(tmp_path, ["a"], MORNING, f"question {n}")
    most = usage.MOST_QUESTIONS
    assert usage.load(tmp_path) == {"a": usage.Use(most + 5, most, MORNING)}


def test_counts_of_before_questions_were_told_apart_go_on(tmp_path: Path) -> None:
    (tmp_path / usage.FILE).parent.mkdir(parents=True)
    with contextlib.closing(sqlite3.connect(tmp_path / usage.FILE)) as db, db:
        db.execute("CREATE TABLE uses(ref TEXT PRIMARY KEY, count INT, last TEXT) WITHOUT ROWID")
        db.execute("INSERT INTO uses VALUES('a', 7, ?)", (MORNING,))
    usage.add(tmp_path, ["a"], EVENING, "tea")
    assert usage.load(tmp_path) == {"a": usage.Use(8, 1, EVENING)}


def test_nobody_else_reads_what_was_asked_for(tmp_path: Path) -> None:
    usage.add(tmp_path, ["a"], MORNING)
    assert os.stat(tmp_path / usage.FILE).st_mode & 0o077 == 0  # noqa: PTH116  # the bits are meant


def test_of_what_is_forgotten_no_use_and_no_question_is_left(tmp_path: Path) -> None:
    usage.add(tmp_path, ["forgotten-ref", "kept-ref"], EVENING, "who drinks tea")
    usage.forget(tmp_path, ["forgotten-ref"])
    assert usage.load(tmp_path) == {"kept-ref": usage.Use(1, 1, EVENING)}
    files = (tmp_path / usage.FILE).parent.iterdir()
    assert not [p.name for p in files if b"forgotten-ref" in p.read_bytes()]


def test_counts_of_before_questions_were_told_apart_survive_a_forgetting(tmp_path: Path) -> None:
    usage.add(tmp_path, ["forgotten", "kept"], EVENING)
    with contextlib.closing(sqlite3.connect(tmp_path / usage.FILE)) as db, db:
        db.execute("DROP TABLE asked")
    usage.forget(tmp_path, ["forgotten"])
    assert usage.load(tmp_path) == {"kept": usage.Use(1, 0, EVENING)}


def test_nothing_of_use_is_nothing_to_forget(tmp_path: Path) -> None:
    usage.forget(tmp_path, ["ref"])
    assert not (tmp_path / usage.FILE).exists()
