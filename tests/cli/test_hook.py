"""`hook` on the command line: what Claude Code calls, and what a person types once."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.cli import hook, run
from vaultmem.exchange import spool
from vaultmem.integrations.claude_code.events import EVENTS, unanswered

HEAVY = ["anthropic", "chromadb", "ollama", "mcp", "rich", "pydantic", "watchdog", "numpy"]


class Stdin:
    """Standard input that holds bytes, and is no terminal."""

    def __init__(self, said: bytes) -> None:
        """Hold what was *said*."""
        self.buffer = io.BytesIO(said)

    def isatty(self) -> bool:
        """Say that nobody types."""
        return False


class Hooks:
    """The command line, called as Claude Code calls it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        """Call it in a scene."""
        self.monkeypatch, self.capsys = monkeypatch, capsys

    def call(self, *args: str, said: bytes = b"{}") -> tuple[int, str, str]:
        """Return exit code, stdout and stderr."""
        with self.monkeypatch.context() as scene:
            scene.setattr(sys, "stdin", Stdin(said))
            scene.setenv(hook._GUARD, "")
            code = run([*args])
        told = self.capsys.readouterr()
        return code, told.out, told.err


@pytest.fixture
def hooks(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Hooks:
    """Return what calls the hooks."""
    return Hooks(monkeypatch, capsys)


def test_a_start_prints_what_claude_code_reads(folder: Path, hooks: Hooks) -> None:
    """One JSON object, wherever the vault is named."""
    for args in (["--vault", str(folder), "hook", "SessionStart"],
                 ["hook", "SessionStart", "--vault", str(folder), "--agent", "ada"]):  # fmt: skip
        code, out, err = hooks.call(*args, said=b'{"source": "startup"}')
        assert (code, err) == (0, "")
        told = json.loads(out)["hookSpecificOutput"]
        assert told["hookEventName"] == "SessionStart"
        assert str(folder) in told["additionalContext"]


@pytest.mark.parametrize("event", [*EVENTS, "PostCompact"])
@pytest.mark.parametrize("said", [b"", b"not json", b"\xff", b"{}"])
def test_no_event_ever_fails(tmp_path: Path, hooks: Hooks, event: str, said: bytes) -> None:
    """Without a vault, with options of another version, with anything on stdin."""
    code, out, err = hooks.call(
        "hook", event, "--vault", str(tmp_path), "--agent", "", "--new-option", "x", said=said
    )
    assert (code, out) == (0, "")
    assert err == ("" if event in EVENTS else f"! {unanswered(event)}\n")


def test_the_environment_names_the_vault_too(
    folder: Path, tmp_path: Path, hooks: Hooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the folder that the session works in."""
    path = tmp_path / "talk.jsonl"
    path.write_text("{}\n")
    monkeypatch.setenv("VAULTMEM_VAULT", str(folder))
    said = {"transcript_path": str(path), "session_id": "abc", "cwd": str(tmp_path)}
    assert hooks.call("hook", "SessionEnd", said=json.dumps(said).encode())[0] == 0
    with Vault.open(folder) as vault:
        assert spool.waiting(vault.store.root)


def test_what_a_hook_starts_has_no_hooks(folder: Path) -> None:
    """An agent that an agent's memory calls would call it again, and so on."""
    done = subprocess.run(
        [sys.executable, "-m", "vaultmem", "--vault", str(folder), "hook", "SessionStart"],
        env={**os.environ, hook._GUARD: "1"}, input="{}", capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert done.stdout == ""


def test_the_list_of_commands_names_every_program_that_is_served(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    [about] = (line for line in lines if line.split()[:1] == ["hook"])
    for program in hook._PROGRAMS:
        assert program.replace("-", "") in about.casefold().replace(" ", "")


def test_a_name_that_is_no_event_is_a_mistake(hooks: Hooks) -> None:
    """Else a misspelt `install` would wait for input."""
    code, _, err = hooks.call("hook", "instal", "x")
    assert code == 2
    assert "instal" in err


def test_install_lists_what_it_wrote_and_is_quiet_the_second_time(
    folder: Path, tmp_path: Path, hooks: Hooks
) -> None:
    """JSON for programs, a line a file for people."""
    project = tmp_path / "project"
    code, out, _ = hooks.call("--vault", str(folder), "hook", "install", str(project), "--json")
    made = json.loads(out)
    assert code == 0
    assert made["written"] == made["files"]
    assert made["made"] is True
    assert all((project / path).is_file() for path in made["files"])
    assert any(path.endswith("hooks.json") for path in made["files"])
    code, out, _ = hooks.call("--vault", str(folder), "hook", "install", str(project))
    assert out.endswith("nothing was written\n")
    told = (project / ".claude/skills/vaultmem/hooks/hooks.json").read_text()
    assert f"--vault {folder}" in told
    code, out, _ = hooks.call("hook", "uninstall", str(project))
    assert code == 0
    assert "removed our part" in out
    assert list(project.iterdir()) == []


def test_install_without_a_vault_says_how_to_get_one(tmp_path: Path, hooks: Hooks) -> None:
    """And writes nothing."""
    code, _, err = hooks.call(
        "hook", "install", str(tmp_path / "p"), "--vault", str(tmp_path / "none")
    )
    assert code == 2
    assert "vaultmem init" in err
    assert not (tmp_path / "p").exists()


def loaded(*args: str, said: str = "{}") -> set[str]:
    """Return the modules that a command has loaded when it ends."""
    code = (
        "import sys; from vaultmem.cli import run; code = run(sys.argv[1:]);"
        "print(*sys.modules, file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *args], input=said, capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


def test_the_end_of_a_session_loads_next_to_nothing(folder: Path, tmp_path: Path) -> None:
    """It has a second and a half, at the worst moment."""
    path = tmp_path / "talk.jsonl"
    path.write_text("{}\n")
    said = json.dumps({"transcript_path": str(path), "session_id": "abc"})
    there = loaded("--vault", str(folder), "hook", "SessionEnd", said=said)
    assert there.isdisjoint(
        [*HEAVY, "yaml", "vaultmem.api.vault", "vaultmem.storage.index", "vaultmem.storage.git"]
    )
    assert list((folder / spool.FOLDER).iterdir())


@pytest.mark.long
def test_a_start_and_a_prompt_load_nothing_heavy(folder: Path) -> None:
    """People wait for both."""
    for event in ("SessionStart", "UserPromptSubmit"):
        said = json.dumps({"source": "startup", "prompt": "the pelican parser"})
        assert loaded("--vault", str(folder), "hook", event, said=said).isdisjoint(HEAVY)


def test_install_says_when_it_made_the_project_s_folder(
    folder: Path, tmp_path: Path, hooks: Hooks
) -> None:
    """Its name may be mistyped."""
    project = tmp_path / "nosuch"
    said = hooks.call("--vault", str(folder), "hook", "install", str(project))[1]
    assert f"made the folder {project}: there was none" in said
    hooks.call("--vault", str(folder), "hook", "uninstall", str(project))
    assert (
        "made the folder"
        not in hooks.call("--vault", str(folder), "hook", "install", str(project))[1]
    )


def test_the_program_that_is_installed_is_named_without_a_way_back(
    folder: Path, hooks: Hooks, tmp_path: Path
) -> None:
    """The last link of a venv stays, for by it the venv is known."""
    there = tmp_path / "venv" / "bin"
    (tmp_path / "x").mkdir()
    there.mkdir(parents=True)
    (there / "vaultmem").symlink_to(sys.executable)
    hooks.monkeypatch.setattr(sys, "argv", [f"{tmp_path}/x/../venv/bin/vaultmem"])

    hooks.call("--vault", str(folder), "hook", "install", str(tmp_path / "project"))

    servers = json.loads((tmp_path / "project/.claude/skills/vaultmem/.mcp.json").read_text())
    assert servers["mcpServers"]["vaultmem"]["command"] == str(there / "vaultmem")


def test_behind_a_linked_folder_a_way_back_leads_where_the_system_says(tmp_path: Path) -> None:
    """There the dots cannot be taken off by their text alone."""
    (tmp_path / "real/deep").mkdir(parents=True)
    (tmp_path / "real/vaultmem").touch()
    (tmp_path / "link").symlink_to(tmp_path / "real/deep")
    assert hook._plain(tmp_path / "link/../vaultmem") == tmp_path / "real/vaultmem"
