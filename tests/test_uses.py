"""Uses are counted beside the vault, by id, and nothing but a count is lost with the file."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from vaultmem import Vault, skeleton, uses

NOW = datetime(2026, 11, 20, 10, 15, tzinfo=UTC)
MORNING, EVENING = "2026-11-20T08:00:00Z", "2026-11-20T20:00:00Z"


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Vault]:
    """Open a vault without history."""
    skeleton.create(tmp_path / "shelf", lambda: NOW, with_git=False)
    with Vault.open(tmp_path / "shelf", clock=lambda: NOW) as opened:
        yield opened


def test_each_use_counts_once_and_the_last_one_is_dated(tmp_path: Path) -> None:
    uses.add(tmp_path, ["a", "b", "a"], EVENING)
    uses.add(tmp_path, ["a"], MORNING)
    assert uses.load(tmp_path) == {"a": uses.Use(2, EVENING), "b": uses.Use(1, EVENING)}


def test_nothing_was_of_use_before_the_first_question(tmp_path: Path) -> None:
    assert uses.load(tmp_path) == {}


def test_a_question_counts_what_it_found(shelf: Vault) -> None:
    tea = shelf.remember("Ada likes tea.", agent="ada")
    shelf.remember("The shop opens on Monday.", agent="ada")
    shelf.recall("tea")
    shelf.recall("tea")
    assert uses.load(shelf.path)[tea.id] == uses.Use(2, "2026-11-20T10:15:00Z")


def test_what_stands_in_a_context_counts_as_the_same_thing_that_is_found(shelf: Vault) -> None:
    tea = shelf.remember("Ada likes tea.", agent="ada")
    shelf.recall("tea")
    shelf.context("tea", agent="ada")
    assert uses.load(shelf.path) == {tea.id: uses.Use(2, "2026-11-20T10:15:00Z")}


def test_the_same_question_twice_gives_the_same_answer(shelf: Vault) -> None:
    for text in ("Tea at eight.", "Tea at nine.", "Tea at ten."):
        shelf.remember(text, agent="ada")
    first = shelf.recall("tea", 3)
    for _ in range(5):
        shelf.recall("nine", 1)
    assert shelf.recall("tea", 3) == first


def test_counts_that_cannot_be_kept_cost_no_answer(shelf: Vault) -> None:
    shelf.remember("Ada likes tea.", agent="ada")
    (shelf.path / uses.FILE).write_bytes(b"no database at all" * 100)
    assert shelf.recall("tea").hits
    assert uses.load(shelf.path) == {}


def test_nobody_else_reads_what_was_asked_for(tmp_path: Path) -> None:
    uses.add(tmp_path, ["a"], MORNING)
    assert os.stat(tmp_path / uses.FILE).st_mode & 0o077 == 0  # noqa: PTH116  # the bits are meant
