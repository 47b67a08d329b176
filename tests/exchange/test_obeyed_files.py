"""What a tool runs by itself is a program; what lies in a vault besides is a note."""

from __future__ import annotations

import pytest

from vaultmem.exchange.sync import obeyed_files


@pytest.mark.parametrize(
    "path",
    [
        "makefile", "notes/makefile", "readme.md", "agents.md", "agents/ada/memories/2026/11/a.md",
        ".obsidian/app.json", ".obsidian/snippets/vaultmem.css", ".gitattributes", ".gitignore",
        "notes/claude.md", "notes/mcp.json", "notes/vscode/tasks.json", "skills/x/skill.md",
        "notes/github/workflows/x.md", ".vscode/notes.md", "scripts/run.sh", "topics/cursor.md",
    ],
)  # fmt: skip
def test_a_note_is_no_program(path: str) -> None:
    assert obeyed_files.runs(path) == ""


@pytest.mark.parametrize(
    "path",
    [
        "notes/.obsidian/plugins/x/main.js", ".obsidian-mobile/plugins/x/main.js",
        ".config/mise/config.toml", ".woodpecker.yaml", ".woodpecker/build.yml", "a/.mcp.json",
    ],
)  # fmt: skip
def test_a_program_is_one_wherever_it_lies(path: str) -> None:
    assert obeyed_files.runs(path)
