"""Claude Code's real program, with our hooks in a project, and a scripted model.

`npm install -g @anthropic-ai/claude-code`, or the extra `claude-agent-sdk`, brings the program.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import claude_program
from tests.claude_program import Claude
from tests.wire import Wire
from vaultmem import Vault

pytestmark = [
    pytest.mark.skipif(not claude_program.path(), reason="needs Claude Code"),
    pytest.mark.timeout(900),  # it starts in seconds, each time
]


@pytest.fixture
def claude(folder: Path, tmp_path: Path) -> Iterator[Claude]:
    """Start it in a project that `hook install` was run for, with a vault that knows two things."""
    with Vault.open(folder) as vault:
        vault.remember("We keep the pelican parser: the old one loses commas.", agent="ada")
        vault.remember("Sarah is allergic to hazelnuts.", agent="ada")
    project = _installed(folder, tmp_path / "project")
    with Wire(lambda _: "Noted.") as wire:
        yield Claude(project, tmp_path / "home", wire)


def _installed(vault: Path, project: Path) -> Path:
    """Make *project* one that `hook install` was run for."""
    project.mkdir()
    program = str(Path(sys.executable).with_name("vaultmem"))
    install = [program, "--vault", str(vault), "hook", "install", str(project)]
    subprocess.run(install, check=True, capture_output=True)
    return project


def test_a_session_is_told_what_is_remembered_and_commands_that_its_shell_can_run(
    claude: Claude,
) -> None:
    assert claude.say("Why do we keep the pelican parser?")["result"] == "Noted."
    (prompt,) = claude.prompts
    assert "the old one loses commas" in prompt
    commands = re.findall(r"`([^`\n]*vaultmem[^`\n]*)`", prompt)
    programs = {shlex.split(command)[0] for command in commands}
    assert programs
    assert all(Path(it).is_absolute() and os.access(it, os.X_OK) for it in programs)


def test_after_compact_and_resume_the_talk_so_far_is_in_the_context_without_a_daemon(
    claude: Claude, folder: Path
) -> None:
    """What the model made of it says nothing: it is the hook that tells."""
    claude.say("We paint the shop in petrol blue, because the green peeled off.")
    claude.say("The painter comes on Thursday.")
    claude.say("/compact")
    claude.say("Which colour was it?")
    assert "petrol blue" in claude.prompts[-1]
    assert "Thursday" in claude.prompts[-1]
    (log,) = (folder / "agents").glob("*/sessions/*.jsonl")
    said = [json.loads(line) for line in log.read_text().splitlines()]
    origins = [turn["origin"] for turn in said]
    assert len(origins) == len(set(origins))
    assert not any("/compact" in turn["content"] for turn in said)
    assert not (folder / ".vaultmem/hooks.log").exists()


@pytest.mark.parametrize("name", ["Mara's vault (old)", "Gedächtnis $HOME"])
def test_a_slash_command_runs_for_a_vault_of_any_name(tmp_path: Path, name: str) -> None:
    Vault.init(tmp_path / name).close()
    project = _installed(tmp_path / name, tmp_path / "project")
    with Wire(lambda _: "Noted.") as wire:
        claude = Claude(project, tmp_path / "home", wire)
        assert claude.say("/vaultmem:memory-status")["result"] == "Noted."
        assert "memories" in claude.prompts[-1]


def test_a_prompt_without_a_person_knows_of_no_memory_until_the_folder_is_trusted(
    claude: Claude,
) -> None:
    """As `hook install` says."""
    state = claude.home / "claude/.claude.json"
    trusted = state.read_text()
    state.write_text(json.dumps({"hasCompletedOnboarding": True}))
    claude.say("Why do we keep the pelican parser?")
    assert "loses commas" not in claude.prompts[-1]
    state.write_text(trusted)
    claude.session = ""
    claude.say("Why do we keep the pelican parser?")
    assert "loses commas" in claude.prompts[-1]
