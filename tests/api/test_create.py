"""Making a folder a vault."""

from __future__ import annotations

import stat
import subprocess
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.api import create
from vaultmem.errors import BadInput, DiskRefused, Refused
from vaultmem.maintenance import starter_files
from vaultmem.memory import memory_index
from vaultmem.storage import git

Clock = Callable[[], datetime]


def run(folder: Path, *args: str) -> str:
    """Run git as a person does."""
    return subprocess.run(
        ["git", *args], cwd=folder, capture_output=True, text=True, check=True
    ).stdout


def test_a_new_vault_holds_the_listed_files_in_one_commit(tmp_path: Path, clock: Clock) -> None:
    """And the tree is clean."""
    made = create.create(tmp_path / "v", clock)
    files, commit = made.files, made.commit
    assert files == starter_files.FILES
    assert (made.repository, made.shared, made.notes) == (str(tmp_path / "v"), False, ())
    assert run(tmp_path / "v", "log", "--format=%H").split() == [commit]
    assert run(tmp_path / "v", "status", "--porcelain") == ""
    assert sorted(run(tmp_path / "v", "ls-files").split()) == sorted(files)


def test_a_new_vault_is_sound_and_private(tmp_path: Path, clock: Clock) -> None:
    """Mode 0700, nothing for fsck to find, MEMORY.md between its marks empty."""
    create.create(tmp_path / "v", clock)
    assert stat.S_IMODE((tmp_path / "v").stat().st_mode) == 0o700
    text = (tmp_path / "v/MEMORY.md").read_text()
    assert f"{memory_index.BEGIN}\n{memory_index.END}\n" in text
    with Vault.open(tmp_path / "v", clock=clock) as vault:
        assert vault.fsck().ok
        vault.tick()
    assert (tmp_path / "v/MEMORY.md").read_text() == text


def test_a_new_vault_has_an_inbox_to_drop_notes_into_and_so_have_its_clones(
    tmp_path: Path, clock: Clock
) -> None:
    create.create(tmp_path / "v", clock)
    run(tmp_path, "clone", "-q", "v", "w")
    for folder in (tmp_path / "v", tmp_path / "w"):
        (folder / "inbox/ask.md").write_text("@memory-status\n")
        with Vault.open(folder, clock=clock) as vault:
            assert vault.fsck().ok
            assert vault.status().problems == ()


def test_files_that_are_there_stay(tmp_path: Path, clock: Clock) -> None:
    """A folder of notes becomes a vault without losing a byte."""
    (tmp_path / "README.md").write_text("mine\n")
    (tmp_path / "ideas.md").write_text("An idea about zebras.\n")
    files = create.create(tmp_path, clock).files
    assert "README.md" not in files
    assert (tmp_path / "README.md").read_text() == "mine\n"
    with Vault.open(tmp_path, clock=clock) as vault:
        assert vault.recall("zebras").hits
        assert vault.fsck().ok


def test_our_workings_are_ignored_even_by_a_person_s_own_ignore_list(
    tmp_path: Path, clock: Clock
) -> None:
    """A repository from before keeps its .gitignore."""
    git.create(tmp_path)
    (tmp_path / ".gitignore").write_text("*.tmp\n")
    create.create(tmp_path, clock)
    with Vault.open(tmp_path, clock=clock) as vault:
        vault.remember("x", agent="ada")
    assert ".vaultmem" not in run(tmp_path, "status", "--porcelain", "--untracked-files=all")


def test_a_vault_is_not_made_twice(tmp_path: Path, clock: Clock) -> None:
    """The second time says how to look at it."""
    create.create(tmp_path / "v", clock)
    with pytest.raises(Refused, match=rf"is already a vault: `vaultmem --vault {tmp_path}/v stat"):
        create.create(tmp_path / "v", clock)


def test_a_file_is_no_place_for_a_vault(tmp_path: Path, clock: Clock) -> None:
    """Nor is a folder below one."""
    (tmp_path / "f").write_text("x")
    with pytest.raises(BadInput, match="is a file: name a folder"):
        create.create(tmp_path / "f", clock)
    with pytest.raises(DiskRefused, match="Not a directory"):
        create.create(tmp_path / "f/v", clock)


def test_a_vault_without_git_has_no_commit(tmp_path: Path, clock: Clock) -> None:
    """--no-git, or no git to be had."""
    commit = create.create(tmp_path / "v", clock, with_git=False).commit
    assert commit is None
    assert not (tmp_path / "v/.git").exists()


def test_a_machine_without_git_still_makes_vaults(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """History is missing, which is said, nothing else."""
    monkeypatch.setenv("PATH", str(tmp_path))
    made = create.create(tmp_path / "v", clock)
    assert made.commit is None
    assert "git is not installed" in made.notes[-1]
    with Vault.open(tmp_path / "v", clock=clock) as vault:
        assert vault.remember("The well is deep.", agent="ada").commit is None
        assert vault.recall("well").hits
        assert [it.code for it in vault.status().problems] == ["no-git"]


def test_a_history_that_no_git_is_here_to_read_is_not_begun_anew(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    create.create(tmp_path / "v", clock)
    monkeypatch.setenv("PATH", str(tmp_path))
    with Vault.open(tmp_path / "v", clock=clock) as vault:
        (problem,) = vault.status().problems
    assert problem.message.startswith("git is not installed: nothing is committed")
    assert problem.repair == "install git: the next command commits what is on disk"
