"""A clone of the project is a marketplace of Claude Code's."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
from pathlib import Path

import pytest

from tests import claude_program

_ROOT = Path(__file__).parents[2]
_MARKET = ".claude-plugin/marketplace.json"


def test_the_plugin_in_the_checkout_is_the_one_that_the_program_installs() -> None:
    """`python .github/marketplace.py` writes it again."""
    written = runpy.run_path(str(_ROOT / ".github/marketplace.py"))["written"]()
    for path, text in written.items():
        assert (_ROOT / path).read_text(encoding="utf-8") == text
    there = (p for p in (_ROOT / ".claude-plugin").rglob("*") if p.is_file())
    assert {str(p.relative_to(_ROOT)) for p in there} == written.keys()


def test_the_marketplace_leads_to_a_plugin_of_that_name() -> None:
    market = json.loads((_ROOT / _MARKET).read_text())
    (listed,) = market["plugins"]
    manifest = json.loads((_ROOT / listed["source"] / ".claude-plugin/plugin.json").read_text())
    assert market["owner"]["name"]
    assert (manifest["name"], manifest["author"]) == (listed["name"], market["owner"])


@pytest.mark.skipif(not claude_program.path(), reason="needs Claude Code")
def test_claude_code_finds_nothing_wrong_with_either(tmp_path: Path) -> None:
    env = {**os.environ, **claude_program.environment(tmp_path)}
    for place in (_ROOT, _ROOT / ".claude-plugin/claude-code"):
        asked = [claude_program.path(), "plugin", "validate", "--strict", str(place)]
        done = subprocess.run(asked, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
