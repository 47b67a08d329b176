"""README says what is true: its transcripts run, its Python runs, its tables name every command."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from vaultmem.cli import COMMANDS

_ROOT = Path(__file__).parent.parent
_README = (_ROOT / "README.md").read_text(encoding="utf-8")
_BIN = Path(sys.executable).parent


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", _README, re.MULTILINE | re.DOTALL)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home of its own, where README's commands run."""
    (tmp_path / ".gitconfig").write_text("[user]\nname = Someone\nemail = someone@example.org\n")
    return tmp_path


def _environment(home: Path) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("VAULTMEM", "GIT_", "XDG_"))}
    return kept | {"HOME": str(home), "PATH": f"{_BIN}:{os.environ['PATH']}", "NO_COLOR": "1"}


def _masked(text: str, home: Path) -> str:
    """Blank out what differs from run to run: times, ids, the home folder."""
    text = text.replace(str(home), "~")
    text = re.sub(r"\d{8}-\d{6}-([a-z0-9-]+)-[0-9a-z]{6}\b", r"TIME-\1-ID", text)
    text = re.sub(r"/\d{4}/\d{2}/", "/YEAR/MONTH/", text)
    return re.sub(r"\d{4}-\d{2}-\d{2}", "DATE", text)


def test_the_transcripts_are_what_the_commands_print(home: Path) -> None:
    """Each block is one shell session; `$` lines are typed, the rest is printed."""
    for block in _blocks("console"):
        typed = [line[2:] for line in block.splitlines() if line.startswith("$ ")]
        script = "\n".join(f"echo '$ '{_quoted(line)}; {line}" for line in typed)
        done = subprocess.run(
            ["bash", "-eu", "-c", script], cwd=home, env=_environment(home),
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.stderr == ""
        assert _masked(done.stdout, home) == _masked(block, home)


def _quoted(line: str) -> str:
    return "'" + line.replace("'", "'\\''") + "'"


def test_the_python_runs(home: Path) -> None:
    """It finds what it has just remembered."""
    environment = _environment(home)
    subprocess.run(
        [_BIN / "vaultmem", "init", "memory"], cwd=home, env=environment, check=True,
        capture_output=True,
    )  # fmt: skip
    (code,) = _blocks("python")
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=home, env=environment, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert "Mara drinks dark roast, before nine only." in done.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_in_the_readme(name: str) -> None:
    """A command nobody can read about is not there."""
    assert f"`{name}" in _README


def test_the_two_commands_are_one_block_each() -> None:
    """`.ci/run` runs the second one as it stands."""
    for mark in ("demo", "tests"):
        found = re.findall(rf"<!-- {mark} -->\n```bash\n(.*)\n```", _README)
        assert len(found) == 1
        assert found[0].startswith("python3 -m venv")


def test_every_link_of_readme_leads_somewhere() -> None:
    """Relative links only."""
    for target in re.findall(r"\]\(([^)#:]+)\)", _README):
        assert (_ROOT / target).exists(), target
