"""How many git processes a write starts, and what it must not save on."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest

from vaultmem import Vault


def _index(vault: Vault, path: str) -> bytes:
    argv = ("git", "ls-files", "--stage", path)
    return subprocess.run(argv, cwd=vault.path, check=True, capture_output=True).stdout


def test_a_write_starts_five(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who commits, what was there, the commit, the index, HEAD."""
    vault.remember("The well is deep.", agent="ada")
    started: list[list[str]] = []

    class Counted(subprocess.Popen[bytes]):
        def __init__(self, args: list[str], **how: Any) -> None:  # noqa: ANN401  # as it comes
            started.append(args)
            super().__init__(args, **how)

    monkeypatch.setattr(subprocess, "Popen", Counted)
    vault.remember("The moon is near.", agent="ada")
    verbs = ("config", "ls-tree", "fast-import", "update-index", "update-ref")
    assert len(started) == len(verbs)
    assert all(verb in args for verb, args in zip(verbs, started, strict=True))


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
