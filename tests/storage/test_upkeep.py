"""Many small commits are packed, and nothing that git has goes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.api import housekeeping
from vaultmem.storage.git import upkeep


def git(folder: Path, *args: str) -> str:
    """Run git as a person does."""
    done = subprocess.run(["git", *args], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def loose(folder: Path) -> int:
    """Return how many objects lie one by one."""
    return int(git(folder, "count-objects").partition(" ")[0])


@pytest.fixture
def forgotten(vault: Vault, folder: Path) -> str:
    """Remember something, and return a commit that no branch and no reflog leads to any more."""
    vault.remember("The oven is a Marzocco.", agent="ada", source="user")
    lost = git(folder, "commit-tree", "HEAD^{tree}", "-m", "nobody names this")
    (folder / "notes.md").write_text("Staged, and not committed.\n")
    git(folder, "add", "notes.md")
    return lost


def test_what_is_much_is_packed_and_all_of_it_stays(
    vault: Vault, folder: Path, forgotten: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also what nothing leads to, what is staged, and a person's settings."""
    monkeypatch.setattr(upkeep, "MANY", 1)
    every = git(folder, "cat-file", "--batch-all-objects", "--batch-check")
    settings = (folder / ".git/config").read_bytes()
    for _ in range(2):  # what is in a pack goes from its own file the next time
        housekeeping.pack(vault.store)
    assert loose(folder) == 0
    assert git(folder, "cat-file", "--batch-all-objects", "--batch-check") == every
    assert git(folder, "cat-file", "-t", forgotten) == "commit"
    assert git(folder, "diff", "--cached", "--name-only") == "notes.md"
    assert (folder / ".git/config").read_bytes() == settings


@pytest.mark.usefixtures("forgotten")
def test_what_is_little_stays_as_it_is(vault: Vault, folder: Path) -> None:
    before = loose(folder)
    housekeeping.pack(vault.store)
    assert loose(folder) == before > 0


def test_a_repository_that_holds_other_things_is_not_ours_to_pack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "MANY", 1)
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    with Vault.init(outer / "vault", in_repo=True) as shared:
        before = loose(outer)
        housekeeping.pack(shared.store)
        assert loose(outer) == before > 0
