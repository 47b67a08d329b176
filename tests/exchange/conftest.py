"""What the tests of exchange share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.claude_session import ClaudeSession


@pytest.fixture
def session(tmp_path: Path) -> ClaudeSession:
    """Return a session of Claude Code that began a moment ago: a page is to be read."""
    made = ClaudeSession(tmp_path / "projects" / "s1.jsonl")
    made.person("Please read the page of the abbey, and tell me what is there.")
    return made
