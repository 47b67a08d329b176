"""A shell is offered what an argument may be, and nothing where nothing is known."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from vaultmem import Vault


def offered(line: str, folder: Path, cwd: Path) -> list[str]:
    """Return what bash is offered for the last word of *line*, which may be empty."""
    words = line.split(" ")
    asked = {
        "_VAULTMEM_COMPLETE": "bash_complete", "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1), "VAULTMEM_VAULT": str(folder),
    }  # fmt: skip
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-m", "vaultmem"], env=os.environ | path | asked, cwd=cwd,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
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
    vault: Vault, tmp_path: Path, line: str, some: list[str]
) -> None:
    vault.remember("Two minutes for tea.", agent="ada")
    (vault.path / "topics").mkdir(exist_ok=True)
    (vault.path / "topics/tea.md").write_text("# Tea\n")
    vault.store.sync()

    assert offered(line, vault.path, tmp_path) == some

    without = {"ada": [], "topics/tea": [line.rpartition(" ")[2]]}  # a path may be the shell's
    assert offered(line, tmp_path / "none", tmp_path) == without.get(some[0], some)


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
    assert offered(line, vault.path, vault.path) == some
