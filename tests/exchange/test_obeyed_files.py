"""What a tool runs by itself is a program; what lies in a vault besides is a note."""

from __future__ import annotations

import pytest

from vaultmem.exchange import obeyed_files


@pytest.mark.parametrize(
    "path",
    [
        "makefile", "notes/makefile", "readme.md", "agents.md", "agents/ada/memories/2026/11/a.md",
        ".obsidian/app.json", ".obsidian/snippets/vaultmem.css", ".gitattributes", ".gitignore",
        "notes/claude.md", "notes/mcp.json", "notes/vscode/tasks.json", "skills/x/skill.md",
        "notes/github/workflows/x.md", ".vscode/notes.md", "scripts/run.sh", "topics/cursor.md",
        ".junie/guidelines.md", "notes/jenkinsfile", "notes/.travis.yml", "topics/crush.md",
    ],
)  # fmt: skip
def test_a_note_is_no_program(path: str) -> None:
    assert obeyed_files.runs(path) == ""


@pytest.mark.parametrize(
    "path",
    [
        "notes/.obsidian/plugins/x/main.js", ".obsidian-mobile/plugins/x/main.js",
        ".config/mise/config.toml", ".woodpecker.yaml", ".woodpecker/build.yml", "a/.mcp.json",
        ".qwen/settings.json", "crush.json", "a/.crush.json", ".amp/settings.json",
        ".aider.conf.yml", ".trae/mcp.json", ".junie/mcp/mcp.json", ".yarnrc.yml", ".envrc.local",
        ".travis.yml", ".drone.yml", "azure-pipelines.yml", "bitbucket-pipelines.yml",
        "jenkinsfile", ".buildkite/pipeline.yml",
    ],
)  # fmt: skip
def test_a_program_is_one_wherever_it_lies(path: str) -> None:
    assert obeyed_files.runs(path)


@pytest.mark.parametrize(
    "path",
    [
        "agents.md", "agents.override.md", "notes/claude.local.md", "claude-code.md", "gemini.md",
        ".cursorrules", ".windsurfrules", ".clinerules", ".clinerules/style.md", ".goosehints",
        ".github/copilot-instructions.md", ".github/instructions/a.instructions.md",
        "conventions.md", "rules/style.mdc", "skills/x/skill.md", "readme.md",
        ".junie/guidelines.md",
    ],
)  # fmt: skip
def test_what_agents_take_for_instructions_is_known_by_its_name(path: str) -> None:
    assert obeyed_files.obeyed(path) == "take for instructions"


@pytest.mark.parametrize(
    "path", ["skills/x/scripts/run", "skills/x/a.py", "skills/x/deploy", "skills/x/y/z.sh"]
)
def test_a_script_of_a_skill_is_run_by_agents(path: str) -> None:
    assert obeyed_files.obeyed(path) == "run with its skill"


@pytest.mark.parametrize(
    "path",
    [
        "agents/ada/memories/2026/11/a.md", "notes/readme.md", "notes/agents of change.md",
        "topics/rules.md", "skills/x/reference.md", "skills/x/logo.png", "scripts/run.sh",
        "notes/claudette.md",
    ],
)  # fmt: skip
def test_a_note_is_obeyed_by_nobody(path: str) -> None:
    assert obeyed_files.obeyed(path) == ""
