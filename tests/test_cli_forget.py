"""`forget` as people and scripts call it: exit codes, previews, receipts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.test_forgetting import NEEDLE
from vaultmem import Vault
from vaultmem.cli import run


@pytest.fixture
def memory(vault: Vault) -> str:
    """Keep the needle and return its id."""
    return vault.remember(NEEDLE, agent="ada").id


def called(capsys: pytest.CaptureFixture[str], folder: Path, *args: str) -> tuple[int, str, str]:
    """Run the command line; return its exit code and what it prints."""
    capsys.readouterr()
    code = run(["--vault", str(folder), *args])
    out, err = capsys.readouterr()
    return code, out, err


def test_words_show_what_would_go_and_yes_forgets_it(
    folder: Path, memory: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = called(capsys, folder, "forget", "umbrella", "Graz", "--json")
    assert code == 3
    assert [f["id"] for f in json.loads(out)["would_forget"]] == [memory]
    assert "--yes" in err

    code, out, _ = called(capsys, folder, "forget", "umbrella", "Graz", "--yes", "--json")
    assert code == 0
    assert json.loads(out)["forgotten"] == [memory]


def test_a_purge_prints_a_receipt_that_names_what_is_out_of_reach(
    folder: Path, memory: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = called(capsys, folder, "forget", memory, "--purge", "--verify")
    assert code == 0
    assert "out of reach:" in out
    assert "no backup was written; `--backup FILE` writes one first" in out
    assert "verified by its words: nothing in" in out

    code, out, _ = called(capsys, folder, "forget", memory, "--verify", "--json")
    assert code == 0
    assert json.loads(out)["by"] == "hash"


def test_verify_alone_forgets_nothing_and_fails_while_git_has_it(
    folder: Path, memory: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert called(capsys, folder, "forget", memory, "--verify")[0] == 2
    called(capsys, folder, "forget", memory)
    code, out, _ = called(capsys, folder, "forget", memory, "--verify", "--json")
    assert code == 1
    assert json.loads(out)["verified"] is False
