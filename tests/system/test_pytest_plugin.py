"""People who test their agents get a vault from pytest."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

TEST = """
def test_an_agent_remembers(vaultmem_vault, tmp_path):
    vaultmem_vault.remember("Sarah is allergic to hazelnuts.", agent="ada")
    assert vaultmem_vault.recall("hazelnuts").hits
    assert vaultmem_vault.path == tmp_path / "vaultmem"
    assert vaultmem_vault.log(1)


def test_the_next_one_begins_anew(vaultmem_vault):
    assert not vaultmem_vault.recall("hazelnuts").hits
"""


@pytest.mark.long
def test_a_test_of_somebodys_gets_a_vault_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "test_agent.py"
    file.write_text(TEST)
    asked = [
        "-q",
        "-p",
        "vaultmem.integrations.pytest_plugin",
        "-p",
        "no:randomly",
        "-c",
        "/dev/null",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *asked, "--basetemp", str(tmp_path / "tmp"), str(file)],
        capture_output=True, text=True, check=False, cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout


def test_pytest_finds_the_plugin_by_itself() -> None:
    (found,) = entry_points(group="pytest11", name="vaultmem")
    assert found.value == "vaultmem.integrations.pytest_plugin"
