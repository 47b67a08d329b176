"""The examples that README quotes run as they stand, against real files and the real SDKs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from vaultmem import Vault

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture
def here(folder: Path) -> Path:
    """Return a folder with a vault that is called `memory`, as README makes it."""
    folder.rename(folder.with_name("memory"))
    return folder.parent


def run(name: str, here: Path, *args: str, env: Mapping[str, str] = os.environ) -> str:
    """Run an example as a person does; a warning is an error."""
    done = subprocess.run(
        [sys.executable, "-W", "error", EXAMPLES / name, *args],
        cwd=here, env={**env}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


@pytest.mark.long
def test_quickstart_remembers_corrects_and_forgets(here: Path) -> None:
    lines = run("quickstart.py", here).splitlines()
    assert lines[0].endswith("Mara drinks dark roast, before nine only.")
    assert lines[1] == "['coffee']"
    assert lines[2] == "Mara drinks decaf since November."
    assert "Mara drinks decaf since November. <- " in lines[3]
    assert any(line.startswith("OK ") for line in lines)
    assert lines[-1] == "[]"
    with Vault.open(here / "memory") as vault:
        assert vault.fsck().ok


@pytest.mark.long
def test_an_agents_loop_goes_on_after_a_crash_and_leaves_an_experience(here: Path) -> None:
    said = run("agent_loop.py", here)
    assert "Move the database ['done', 'in_progress', 'pending']" in said
    assert "waiting for the night" in said
    made = said.splitlines()[-1].split()[0]
    told = (here / "memory" / made).read_text()
    assert "tools_used:\n  - pg_dump" in told
    assert "Copy at night: it takes an hour" in told


@pytest.mark.long
def test_conversations_run_side_by_side_in_one_event_loop(here: Path) -> None:
    said = run("async_agent.py", here).splitlines()
    assert said[0].endswith("I am back on Monday.")
    assert said[-1] == "['with-Mara', 'with-Sam']"
    with Vault.open(here / "memory") as vault:
        assert vault.fsck().ok


@pytest.mark.long
def test_a_teams_own_search_stands_beside_the_vault(here: Path) -> None:
    said = run("own_retriever.py", here)
    assert said.splitlines()[:2] == [
        "vault | agent | Mara wants no deploys before the summer.",
        "wiki | untrusted | Deploys go out on Tuesday at four.",
    ]
    section = said.partition("## Knowledge From Outside\n")[2].partition("\n## ")[0]
    assert section.startswith('<memory source="wiki:deploys.md" ')
    assert 'trust="untrusted"' in section


class Claude:
    """A provider that uses a tool once, and then says what *answer* makes of its result."""

    def __init__(self, tool: str, said: Mapping[str, str], answer: Callable[[str], str]) -> None:
        """Use *tool*, with *said* as its input."""
        self.call = {"type": "tool_use", "id": "toolu_1", "name": tool, "input": said}
        self.answer = answer
        self.asked: list[dict[str, Any]] = []

    def __call__(self, request: Request) -> Response:
        """Answer one call of the Messages API."""
        self.asked.append(asked := request.get_json())
        last = asked["messages"][-1]["content"]
        if isinstance(last, str):
            return self._message("tool_use", {"type": "text", "text": "Let me see."}, self.call)
        text = self.answer(json.dumps(last[0]["content"]))
        return self._message("end_turn", {"type": "text", "text": text})

    @staticmethod
    def _message(stop: str, *content: Mapping[str, object]) -> Response:
        body = {
            "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-5-5",
            "content": content, "stop_reason": stop, "stop_sequence": None,
            "usage": {"input_tokens": 9, "output_tokens": 9},
        }  # fmt: skip
        return Response(json.dumps(body), content_type="application/json")


def beside(claude: Claude, server: HTTPServer) -> dict[str, str]:
    """Return the environment in which the SDK asks *claude*."""
    server.expect_request("/v1/messages").respond_with_handler(claude)
    where = {"ANTHROPIC_API_KEY": "test", "ANTHROPIC_BASE_URL": server.url_for("/")}
    return {**os.environ, **where, "NO_PROXY": "localhost,127.0.0.1"}


@pytest.mark.long
def test_claude_in_the_sdks_own_loop_recalls_and_goes_on_in_another_process(
    here: Path, httpserver: HTTPServer
) -> None:
    claude = Claude(
        "recall", {"query": "Mara coffee"},
        lambda heard: "Dark roast." if "dark roast" in heard else "I do not know.",
    )  # fmt: skip
    env = beside(claude, httpserver)
    with Vault.open(here / "memory") as vault:
        vault.remember("Mara drinks dark roast.", agent="ada")
        vault.remember("Mara owes Bob a coffee.", agent="bob")

    assert run("anthropic_loop.py", here, "What does Mara drink?", env=env) == "Dark roast.\n"
    run("anthropic_loop.py", here, "And what did I ask before?", env=env)
    system = claude.asked[2]["system"]
    assert "What does Mara drink?" in system
    assert "And what did I ask before?" not in system
    with Vault.open(here / "memory") as vault:
        turns = vault.session("kitchen", agent="ada").transcript.turns
    assert [turn.role for turn in turns[:4]] == ["user", "assistant", "tool", "assistant"]
    assert "Mara drinks dark roast." in turns[2].content
    assert "owes Bob" not in turns[2].content


@pytest.mark.long
def test_claude_keeps_its_own_notes_by_anthropics_memory_tool(
    here: Path, httpserver: HTTPServer
) -> None:
    note = {
        "command": "create", "path": "/memories/notes/opening.md",
        "file_text": "The shop opens at eleven.\n",
    }  # fmt: skip
    claude = Claude("memory", note, lambda heard: f"Noted: {heard}")
    said = run("memory_tool.py", here, "We open at eleven.", env=beside(claude, httpserver))
    assert "File created successfully at: /memories/notes/opening.md" in said
    with Vault.open(here / "memory") as vault:
        assert vault.recall("When does the shop open?").hits[0].path == "notes/opening.md"
        assert vault.fsck().ok


def test_the_example_for_the_sdk_has_thirty_lines_at_most() -> None:
    assert len((EXAMPLES / "anthropic_loop.py").read_text().splitlines()) <= 30
