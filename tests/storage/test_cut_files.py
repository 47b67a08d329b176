"""Turns that wait for their commit, and that a person's git takes from disk."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from vaultmem import Vault

TALK = "agents/ada/sessions/talk.jsonl"


@pytest.fixture
def talking(vault: Vault) -> Vault:
    """Return a vault in whose history two turns of a talk are."""
    for text in ("The emu is called Ede.", "It eats clover."):
        vault.say("talk", text, agent="ada")
    vault.tick()
    assert git(vault, "status", "--porcelain") == ""
    return vault


def git(vault: Vault, *args: str) -> str:
    """Run git as a person would."""
    return subprocess.run(
        ["git", *args], cwd=vault.path, check=True, capture_output=True, text=True
    ).stdout


def said(vault: Vault) -> list[tuple[int, str]]:
    """Return the numbers and the words of the turns on disk."""
    lines = (vault.path / TALK).read_text().splitlines()
    return [(turn["turn"], turn["content"]) for turn in map(json.loads, lines)]


def committed(vault: Vault) -> str:
    """Return what the last commit has of the talk."""
    return git(vault, "show", f"HEAD:{TALK}")


@pytest.mark.parametrize("away", [("stash", "-q"), ("reset", "-q", "--hard"), ("checkout", ".")])
def test_turns_that_git_cut_off_before_their_commit_come_back(
    talking: Vault, away: tuple[str, ...]
) -> None:
    for text in ("It hides spoons.", "And forks."):
        talking.say("talk", text, agent="ada")
    git(talking, *away)
    assert len(said(talking)) == 2
    (problem,) = [p for p in talking.fsck().problems if p.code == "gone-before-commit"]
    assert problem.path == TALK
    talking.tick()
    assert [number for number, _ in said(talking)] == [1, 2, 3, 4]
    assert "It hides spoons." in committed(talking)
    assert talking.fsck().ok


def test_a_turn_after_those_that_git_cut_off_is_said_behind_them(talking: Vault) -> None:
    talking.say("talk", "It hides spoons.", agent="ada")
    git(talking, "stash", "-q")
    talking.say("talk", "And forks.", agent="ada")
    assert [text for _, text in said(talking)][2:] == ["It hides spoons.", "And forks."]
    talking.tick()
    git(talking, "stash", "drop", "-q")
    assert [number for number, _ in said(talking)] == [1, 2, 3, 4]
    assert talking.fsck().ok


def test_a_talk_that_a_clean_up_took_before_its_commit_comes_back(vault: Vault) -> None:
    vault.say("talk", "The emu is called Ede.", agent="ada")
    git(vault, "clean", "-fdq")
    vault.say("talk", "It eats clover.", agent="ada")
    assert [number for number, _ in said(vault)] == [1, 2]


def test_a_talk_that_a_person_gave_another_name_before_its_commit_is_not_written_again(
    vault: Vault,
) -> None:
    vault.say("talk", "The emu is called Ede.", agent="ada")
    shutil.move(vault.path / TALK, vault.path / "agents/ada/sessions/emu.jsonl")
    vault.tick()
    assert not (vault.path / TALK).exists()


def test_turns_behind_a_talk_that_was_set_back_are_in_the_history_with_what_it_lacks(
    talking: Vault, tmp_path: Path
) -> None:
    shutil.copy(talking.path / TALK, tmp_path / "old")
    talking.say("talk", "It hides spoons.", agent="ada")
    talking.tick()
    shutil.copy(tmp_path / "old", talking.path / TALK)
    talking.say("talk", "And forks.", agent="ada")
    talking.tick()
    assert "It hides spoons." in committed(talking)
    assert "And forks." in committed(talking)
