"""A shell is offered what an argument may be, and nothing where nothing is known."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands import Commands, commands
from vaultmem import Vault


@pytest.fixture(scope="module")
def running() -> Iterator[Commands]:
    """Start what is asked one line after another."""
    with commands() as started:
        yield started


def asking(line: str, folder: Path) -> dict[str, str]:
    """Return the environment in which bash asks for the last word of *line*, which may be empty."""
    return {
        "_VAULTMEM_COMPLETE": "bash_complete", "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split(" ")) - 1), "VAULTMEM_VAULT": str(folder),
    }  # fmt: skip


def offered(done: subprocess.CompletedProcess[str]) -> list[str]:
    """Return what bash is offered by what it ran."""
    assert done.stderr == ""
    return [item.partition(",")[2] for item in done.stdout.split()]


@pytest.mark.parametrize(
    ("line", "some"),
    [
        ("vaultmem import mem", ["mem0"]),
        ("vaultmem export f", ["folded"]),
        ("vaultmem help comp", ["compaction"]),
        ("vaultmem task list --status p", ["pending"]),
        ("vaultmem recall tea --type to", ["topic"]),
        ("vaultmem recall tea --agent a", ["ada"]),
        ("vaultmem edit topics/", ["topics/tea"]),
        ("vaultmem archive --agent a", ["ada"]),
        ("vaultmem why top", ["topics/tea"]),
        ("vaultmem remember --source we", ["web"]),
    ],
)
def test_what_is_known_is_offered_and_what_is_not_is_no_error(
    vault: Vault, running: Commands, monkeypatch: pytest.MonkeyPatch, line: str, some: list[str]
) -> None:
    elsewhere = vault.path.parent
    monkeypatch.chdir(elsewhere)
    vault.remember("Two minutes for tea.", agent="ada")
    (vault.path / "topics").mkdir(exist_ok=True)
    (vault.path / "topics/tea.md").write_text("# Tea\n")
    vault.store.sync()

    for name, value in asking(line, vault.path).items():
        monkeypatch.setenv(name, value)
    assert offered(running()) == some

    monkeypatch.setenv("VAULTMEM_VAULT", str(elsewhere / "none"))
    without = {"ada": [], "topics/tea": [line.rpartition(" ")[2]]}  # a path may be the shell's
    assert offered(running()) == without.get(some[0], some)


@pytest.mark.parametrize(
    ("line", "some"),
    [
        ("vaultmem --vault mem", ["mem"]),
        ("vaultmem hook install mem", ["mem"]),
        ("vaultmem show topics/", ["topics/"]),
        ("vaultmem forget ./top", ["./top"]),
        ("vaultmem correct no-such", ["no-such"]),
    ],
)
def test_the_shell_is_left_to_complete_paths_where_a_command_takes_one(
    vault: Vault, line: str, some: list[str]
) -> None:
    (vault.path / "topics").mkdir(exist_ok=True)
    (vault.path / "topics/tea.md").write_text("# Tea\n")
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-m", "vaultmem"], env=os.environ | path | asking(line, vault.path),
        cwd=vault.path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert offered(done) == some
