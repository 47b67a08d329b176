"""How many git processes a write starts, and what it must not save on."""

from __future__ import annotations

import os
import subprocess

import pytest

from tests import git_starts
from tests.at_rest import let_rest
from vaultmem import Vault
from vaultmem.storage import staged_cache
from vaultmem.storage.git import config as git_config


def _index(vault: Vault, path: str) -> bytes:
    argv = ("git", "ls-files", "--stage", path)
    return subprocess.run(argv, cwd=vault.path, check=True, capture_output=True).stdout


_WRITE = ["fast-import", "update-index", "update-ref"]
"""The commit and what was there, the index, HEAD."""
_UNSURE = ["config", "fast-import", "config", "update-index", "update-ref"]
"""Who commits, and which filters shall not run, where what git's config says is not known."""


@pytest.fixture(autouse=True)
def _later(monkeypatch: pytest.MonkeyPatch) -> None:
    git_starts.no_config_is_young(monkeypatch)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what git is started for, in order, as it comes."""
    return git_starts.counted(monkeypatch)


def test_a_write_starts_three(vault: Vault, started: list[str]) -> None:
    """What was there is asked of the git that stores the commit; who commits is known."""
    vault.remember("The well is deep.", agent="ada")
    started.clear()
    vault.remember("The moon is near.", agent="ada")
    assert started == _WRITE


def test_the_first_write_to_a_copy_of_a_new_vault_does_not_ask_what_is_staged(
    vault: Vault, started: list[str]
) -> None:
    """Nothing was when its first commit ended, and a copy of the index says no more."""
    vault.remember("The well is deep.", agent="ada")
    assert started == ["rev-parse", "config", *_WRITE]


def test_a_check_does_not_ask_again_what_is_staged(vault: Vault, started: list[str]) -> None:
    """Git's index and HEAD are as they were when that was known."""
    vault.remember("The well is deep.", agent="ada")
    started.clear()
    assert vault.fsck().ok
    assert "ls-files" in started
    assert "diff-index" not in started


def test_an_index_without_its_checksum_is_not_taken_for_its_copy(vault: Vault) -> None:
    index = vault.path / ".git/index"
    index.write_bytes(index.read_bytes()[:-20] + bytes(20))
    before = staged_cache.state(vault.path)
    os.utime(index, (1_760_000_000, 1_760_000_000))
    assert staged_cache.state(vault.path) != before


def test_a_change_of_what_we_committed_starts_no_more(vault: Vault, started: list[str]) -> None:
    """What HEAD has of TASKS.md, and of what MEMORY.md points at, is known from our own commits."""
    vault.tasks.create("Measure the door")
    vault.tasks.create("Order the oven")
    started.clear()
    vault.tasks.create("Paint the wall")
    assert started == _WRITE


def test_an_undo_asks_for_no_parent_that_the_log_told(vault: Vault, started: list[str]) -> None:
    """It reads the log, what the operation did, the texts and pointers; then it writes."""
    done = vault.remember("The well is deep.", agent="ada")
    started.clear()
    vault.undo(done.id)
    assert started == ["rev-list", "diff-tree", "cat-file", "ls-tree", *_WRITE]


def test_a_round_without_news_starts_two(vault: Vault, started: list[str]) -> None:
    """What a person changed, and what is new: one listing has both.

    It is asked for before anything is made of what is new, and before that is committed. The first
    one after a commit reads the trees of that, too.
    """
    vault.remember("The well is deep.", agent="ada")
    vault.tick()
    started.clear()
    vault.tick()
    assert started == ["ls-tree", *["ls-files"] * 2]
    started.clear()
    vault.tick()
    assert started == ["ls-files"] * 2


def test_a_round_beside_files_that_rest_starts_none(vault: Vault, started: list[str]) -> None:
    """Nothing is in doubt then: no name, no stamp, no commit is another."""
    vault.remember("The well is deep.", agent="ada")
    vault.tick()
    let_rest(p for p in vault.path.rglob("*") if not {".git", ".vaultmem"} & {*p.parts})
    vault.tick()
    started.clear()
    vault.tick()
    assert started == []


def test_config_is_asked_for_while_a_config_is_young(
    vault: Vault, started: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may change again within the same tick of the clock: nothing would tell."""
    config = (vault.path / ".git/config").stat()

    class Now:
        @staticmethod
        def time_ns() -> int:
            return config.st_ctime_ns

    monkeypatch.setattr(git_config, "time", Now())
    vault.remember("The well is deep.", agent="ada")
    started.clear()
    vault.remember("The moon is near.", agent="ada")
    assert started == _UNSURE


def test_config_is_asked_for_where_a_config_includes_another(
    vault: Vault, started: list[str]
) -> None:
    """Which files that are, and when, is git's to find out."""
    other = vault.path.parent / "other"
    other.write_text("[user]\n\tname = Eve\n")
    argv = ("git", "config", "include.path", str(other))
    subprocess.run(argv, cwd=vault.path, check=True)
    vault.remember("The well is deep.", agent="ada")
    other.write_text("[user]\n\tname = Bob\n")
    started.clear()
    vault.remember("The moon is near.", agent="ada")
    assert started == _UNSURE


def test_what_a_person_stages_between_two_writes_stays_staged(vault: Vault) -> None:
    """That nothing was staged at the first does not hold at the second."""
    vault.tasks.create("Measure the door")
    board = vault.path / "TASKS.md"
    board.write_text(f"{board.read_text()}\nMine.\n")
    subprocess.run(("git", "add", "TASKS.md"), cwd=vault.path, check=True)
    staged = _index(vault, "TASKS.md")
    vault.tasks.create("Order the oven")
    assert _index(vault, "TASKS.md") == staged
    assert _index(vault, "tasks/task-0002.md")
