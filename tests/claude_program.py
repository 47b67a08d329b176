"""Claude Code's own program, where it is: npm's, or the one that the Claude Agent SDK brings.

It gets a home of its own and a provider on this machine, and asks nobody else.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.wire import Wire

_LONGEST = 300


def path() -> str:
    """Return where the program lies, "" where it is not."""
    sdk = importlib.util.find_spec("claude_agent_sdk")
    bundled = Path(sdk.origin or "").parent / "_bundled/claude" if sdk else None
    if bundled and bundled.is_file():
        return str(bundled)
    return shutil.which("claude") or ""


def environment(home: Path, url: str = "http://127.0.0.1:9") -> dict[str, str]:
    """Return the variables with which it lives at *home* and asks the provider at *url* alone."""
    return {
        "HOME": str(home), "CLAUDE_CONFIG_DIR": str(home / "claude"),
        "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "test-key",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1",
        "IS_SANDBOX": "1",
    }  # fmt: skip


@dataclass
class Claude:
    """The program in a *project* that it trusts; *prompts* are what the model was shown so far."""

    project: Path
    home: Path
    wire: Wire
    session: str = ""
    prompts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Be past the questions of a first start."""
        (self.home / "claude").mkdir(parents=True)
        trusted = {str(self.project): {"hasTrustDialogAccepted": True}}
        told = {"hasCompletedOnboarding": True, "projects": trusted}
        (self.home / "claude/.claude.json").write_text(json.dumps(told))

    def say(self, prompt: str) -> dict[str, Any]:
        """Say *prompt*, in the session of before if there is one; return what came of it."""
        resume = ["--resume", self.session] if self.session else []
        before = len(self.wire.calls)
        done = subprocess.run(
            [path(), "-p", prompt, "--output-format", "json", *resume],
            cwd=self.project, env={**os.environ, **environment(self.home, self.wire.url)},
            capture_output=True, text=True, check=False, timeout=_LONGEST,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        self.prompts += [call.prompt for call in self.wire.calls[before:]]
        said: dict[str, Any] = json.loads(done.stdout)
        self.session = said["session_id"]
        return said
