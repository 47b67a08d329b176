"""What a team puts into its repository: the hook of pre-commit, and the action of a code host."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from vaultmem import Vault

PROJECT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
HOOKS = ".pre-commit-hooks.yaml"


def run(folder: Path, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a program of this environment in *folder*."""
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        args, cwd=folder, env={**os.environ, "PATH": path, **env}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


@pytest.fixture
def bad(vault: Vault) -> Path:
    """Have a link that leads nowhere, staged."""
    note = vault.path / "topics/bad.md"
    note.parent.mkdir(exist_ok=True)
    note.write_text("See [[the-old-machine]].\n")
    run(vault.path, "git", "add", "topics")
    return note


@pytest.mark.long
def test_pre_commit_stops_a_commit_that_brings_a_problem(
    vault: Vault, bad: Path, tmp_path: Path
) -> None:
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    (hooks / HOOKS).write_bytes((PROJECT / HOOKS).read_bytes())
    for line in ("git init -q", "git add .", "git commit -qm hooks"):
        run(hooks, *line.split())
    rev = run(hooks, "git", "rev-parse", "HEAD").stdout.strip()
    # An environment of its own has all dependencies anew; what is to be seen is the hook.
    hook = {"id": "vaultmem-check", "language": "system"}
    config = {"repos": [{"repo": str(hooks), "rev": rev, "hooks": [hook]}]}
    (vault.path / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    home = str(tmp_path / "pre-commit")

    done = run(vault.path, "pre-commit", "run", "--color=never", PRE_COMMIT_HOME=home)
    assert done.returncode == 1, done.stderr
    assert "topics/bad.md:1: broken-link: the-old-machine is not there" in done.stdout

    bad.write_text("See the old machine.\n")
    run(vault.path, "git", "add", "topics")
    done = run(vault.path, "pre-commit", "run", "--color=never", PRE_COMMIT_HOME=home)
    assert done.returncode == 0, done.stdout


@pytest.mark.long
def test_the_action_annotates_and_fails(vault: Vault, bad: Path, tmp_path: Path) -> None:
    action: dict[str, Any] = yaml.safe_load(
        (PROJECT / ".github/actions/check/action.yml").read_text(encoding="utf-8")
    )
    _, check = action["runs"]["steps"]
    (tmp_path / "vaultmem").symlink_to(BIN.parent)
    sarif = tmp_path / "found.sarif"
    given = {"RUNNER_TEMP": str(tmp_path), "VAULT": str(vault.path), "SARIF": str(sarif)}

    done = run(tmp_path, "bash", "-euo", "pipefail", "-c", check["run"], **given)
    assert done.returncode == 1, done.stderr
    assert "::error file=topics/bad.md,line=1,title=broken-link::" in done.stdout
    assert '"ruleId": "broken-link"' in sarif.read_text()

    bad.unlink()
    assert run(tmp_path, "bash", "-c", check["run"], **given).returncode == 0
