"""What a team puts into its repository: the hook of pre-commit, and the action of a code host."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml

from vaultmem import Vault

PROJECT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent


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


@pytest.fixture
def offline(tmp_path: Path) -> dict[str, str]:
    """Let pip install this project and nothing else: what it needs is there, as in an index.

    Skipped where it is no clone, or what builds it is not there.
    """
    backend = pytest.importorskip("hatchling", reason="what builds the package is not here")
    if not (PROJECT / ".git").exists():
        pytest.skip("hooks are installed from a clone")
    there = (sysconfig.get_path("purelib"), str(Path(backend.__file__).parents[1]))
    # As pip reads them: no dependencies, and no environment of its own to build in.
    pip = {"PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_NO_INDEX": "1"}
    home = str(tmp_path / "home")  # what pip asks for its version writes there
    return {"PYTHONPATH": os.pathsep.join(dict.fromkeys(there)), "HOME": home, **pip}


def commit_of_project() -> str:
    return run(PROJECT, "git", "rev-parse", "HEAD").stdout.strip()


@pytest.mark.long
def test_pre_commit_installs_a_clone_and_stops_a_commit_that_brings_a_problem(
    vault: Vault, bad: Path, tmp_path: Path, offline: dict[str, str]
) -> None:
    clone, rev = tmp_path / "clone", commit_of_project()
    run(tmp_path, "git", "clone", "--quiet", str(PROJECT), str(clone))
    run(clone, "git", "checkout", "--quiet", rev)
    config = {"repos": [{"repo": str(clone), "rev": rev, "hooks": [{"id": "vaultmem-check"}]}]}
    (vault.path / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    home = tmp_path / "pre-commit"
    hook = partial(
        run, vault.path, "pre-commit", "run", "--color=never", PRE_COMMIT_HOME=str(home), **offline
    )

    done = hook()
    assert done.returncode == 1, done.stderr
    assert "topics/bad.md:1: broken-link: the-old-machine is not there" in done.stdout
    (installed,) = home.glob("repo*/py_env-*/lib/python*/site-packages/vaultmem/commit.txt")
    assert installed.read_text() == f"{rev}\n"

    bad.write_text("See the old machine.\n")
    run(vault.path, "git", "add", "topics")
    done = hook()
    assert done.returncode == 0, done.stdout


@pytest.mark.long
def test_the_hook_stops_what_is_deleted_and_what_is_no_markdown(
    vault: Vault, tmp_path: Path
) -> None:
    """Of a commit that only deletes, pre-commit gives a hook no files; Claude names any text."""
    (hook,) = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text())
    config = {"repos": [{"repo": "local", "hooks": [hook | {"language": "system"}]}]}
    (vault.path / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    (vault.path / "notes").mkdir()
    (vault.path / "notes/a.md").write_text("See [the plan](plan.md).\n")
    (plan := vault.path / "notes/plan.md").write_text("Sow peas.\n")
    here = partial(run, vault.path, PRE_COMMIT_HOME=str(tmp_path / "pre-commit"))
    git = partial(here, "git")
    git("add", "notes", ".pre-commit-config.yaml")
    git("commit", "-m", "plan")
    here("pre-commit", "install")

    git("rm", "notes/plan.md")
    done = git("commit", "-m", "no plan")
    assert done.returncode == 1
    assert "notes/a.md:1: broken-link" in done.stdout + done.stderr

    plan.write_text("Sow peas.\n")
    (text := vault.path / "agents/ada/files/progress.txt").parent.mkdir(parents=True)
    text.write_text("token ghp_w8Kq2Zr5Lm9Xv3Bn7Tc1Yd4Fg6Hj0Ps8Qe2R\n")
    git("add", "notes", "agents")
    done = git("commit", "-m", "token")
    assert done.returncode == 1
    assert "progress.txt:1: secret" in done.stdout + done.stderr


@pytest.mark.long
def test_the_action_installs_annotates_and_fails(
    vault: Vault, bad: Path, tmp_path: Path, offline: dict[str, str]
) -> None:
    action: dict[str, Any] = yaml.safe_load(
        (PROJECT / ".github/actions/check/action.yml").read_text(encoding="utf-8")
    )
    install, check = action["runs"]["steps"]
    sarif = tmp_path / "found.sarif"
    place = PROJECT / ".github/actions/check"
    there = {"RUNNER_TEMP": str(tmp_path), "GITHUB_ACTION_PATH": str(place), **offline}
    given = {**there, "VAULT": str(vault.path), "SARIF": str(sarif)}
    step = partial(run, tmp_path, "bash", "-euo", "pipefail", "-c")
    done = step(install["run"], **there)
    assert done.returncode == 0, done.stderr

    done = step(check["run"], **given)
    assert done.returncode == 1, done.stderr
    assert "::error file=topics/bad.md,line=1,title=broken-link::" in done.stdout
    assert '"ruleId": "broken-link"' in sarif.read_text()

    bad.unlink()
    assert step(check["run"], **given).returncode == 0
