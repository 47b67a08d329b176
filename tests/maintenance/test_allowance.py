"""What was forgotten may be said and written again once a person allows it, by one command."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.cli import run
from vaultmem.errors import BadInput, ForgottenText
from vaultmem.storage.files import sha256

TEXT = "The umbrella of Ottokar was left in Graz."
BY_HAND = "agents/ada/memories/2026/11/by-hand.md"


@pytest.fixture
def forgotten(vault: Vault) -> str:
    """Forget a memory; return its id."""
    made = vault.remember(TEXT, agent="ada")
    vault.forget(made.id)
    return made.id


def written_by_hand(vault: Vault) -> Path:
    """Lay the text among the memories, as long ago."""
    file = vault.path / BY_HAND
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{TEXT}\n")
    os.utime(file, (1_700_000_000, 1_700_000_000))
    return file


def commands(text: str) -> list[list[str]]:
    """Return the words of the commands that *text* names to allow something again."""
    found = re.findall(r"`vaultmem ([^`]*--allow-again)`", text)
    return [line.split() for line in found]


def test_what_status_says_of_a_memory_written_by_hand_makes_it_one(
    vault: Vault, forgotten: str
) -> None:
    file = written_by_hand(vault)
    problem = next(p for p in vault.status().problems if p.path == BY_HAND)
    (words,) = commands(problem.repair)
    assert words == ["forget", forgotten, "--allow-again"]

    assert run(["--vault", str(vault.path), *words]) == 0

    assert not [p for p in vault.fsck(repair=True).problems if p.code != "edited"]
    assert "id: " in file.read_text()
    assert [hit.path for hit in vault.recall("umbrella Graz").hits] == [BY_HAND]


def test_an_edit_that_is_refused_says_what_lets_it_in(vault: Vault, forgotten: str) -> None:
    note = vault.path / "notes/graz.md"
    note.parent.mkdir(exist_ok=True)
    note.write_text("Of Graz.\n")
    seen, text = sha256(note.read_bytes()), f"Of Graz.\n\n{TEXT}\n"
    with pytest.raises(ForgottenText) as refused:
        vault.edits.write("notes/graz.md", text, expected_sha256=seen)
    assert commands(str(refused.value)) == [["forget", forgotten, "--allow-again"]]

    vault.forgetting.allow_again([forgotten])

    vault.edits.write("notes/graz.md", text, expected_sha256=seen)
    assert note.read_text() == text


@pytest.mark.long
def test_undo_refuses_it_again(vault: Vault, forgotten: str) -> None:
    done = vault.forgetting.allow_again([f"tombstones/{forgotten}.md"])
    assert done.allowed == (forgotten,)
    vault.undo(done.op)
    with pytest.raises(ForgottenText):
        vault.remember(TEXT)


def test_a_tombstone_of_another_branch_is_let_go_alone(vault: Vault) -> None:
    """What else was forgotten there stays refused here."""
    first = vault.remember("We met Ottokar.", agent="ada").id
    git(vault, "branch", "older")
    second = vault.remember(TEXT, agent="ada").id
    vault.forget(first)
    vault.forget(second)
    git(vault, "checkout", "-q", "older")
    with pytest.raises(ForgottenText, match=f"`vaultmem forget {second} --allow-again`"):
        vault.remember(TEXT)

    done = vault.forgetting.allow_again([second])

    assert (done.allowed, done.op) == ((second,), "")
    assert vault.remember(TEXT).id
    with pytest.raises(ForgottenText):
        vault.remember("We met Ottokar!")


def test_one_that_was_deleted_by_hand_is_missed_no_more(vault: Vault, forgotten: str) -> None:
    (vault.path / f"tombstones/{forgotten}.md").unlink()
    assert "tombstone-gone" in {p.code for p in vault.status().problems}
    vault.forgetting.allow_again([forgotten])
    assert "tombstone-gone" not in {p.code for p in vault.status().problems}


def test_what_is_no_tombstone_is_named(vault: Vault, forgotten: str) -> None:
    made = vault.remember("We met Ottokar.", agent="ada")
    with pytest.raises(BadInput, match=made.id):
        vault.forgetting.allow_again([forgotten, made.id])
    with pytest.raises(ForgottenText):
        vault.remember(TEXT)


def git(vault: Vault, *args: str) -> None:
    """Run git in the vault."""
    subprocess.run(["git", *args], cwd=vault.path, check=True, capture_output=True)
