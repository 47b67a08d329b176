"""The manual's examples of frameworks run as they stand, where the framework is installed."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import vaultmem
from tests import claude_program
from tests.wire import Answer, Call, Calls, Wire
from vaultmem import Vault

ROOT = Path(vaultmem.__file__).parent
MANUAL = (ROOT / "manual/frameworks.md").read_text()
MODULES = {
    "claude-agent-sdk": "claude_agent_sdk",
    "google-adk": "google.adk",
    "langgraph": "langgraph.store.base",
    "openai-agents": "agents",
    "pydantic-ai": "pydantic_ai",
}
"""What each extra brings."""


def installed(extra: str) -> bool:
    """Tell whether what an *extra* brings is there."""
    module = MODULES[extra]
    top = importlib.util.find_spec(module.partition(".")[0])
    return top is not None and importlib.util.find_spec(module) is not None


def example(heading: str) -> str:
    """Return the example below a *heading* of the manual's page."""
    section = MANUAL.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    found = re.search(r"^```python\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    assert found, heading
    return found[1]


def run(extra: str, heading: str, folder: Path, **env: str) -> list[str]:
    """Run the example below *heading* beside a vault that is called `memory`."""
    if not installed(extra):
        pytest.skip(f"the extra `{extra}` is not installed")
    folder.rename(folder.with_name("memory"))
    done = subprocess.run(
        [sys.executable, "-c", example(heading)], cwd=folder.parent, env={**os.environ, **env},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    with Vault.open(folder.with_name("memory")) as vault:
        assert vault.fsck().ok
    return done.stdout.splitlines()


def extras() -> dict[str, list[str]]:
    """Return what each extra of the package requires."""
    pyproject = tomllib.loads((ROOT.parent / "pyproject.toml").read_text())
    found: dict[str, list[str]] = pyproject["project"]["optional-dependencies"]
    return found


def test_every_framework_is_an_extra_and_a_module_that_the_manual_names() -> None:
    assert extras().keys() - {"dev"} == MODULES.keys()
    rows = re.findall(
        r"^\| [^|]+ \| `([a-z-]+)` \| `vaultmem\.integrations\.([a-z_]+)`", MANUAL, re.MULTILINE
    )
    assert dict(rows) == {extra: extra.replace("-", "_") for extra in MODULES}


@pytest.mark.parametrize("extra", ["google-adk", "langgraph", "pydantic-ai"])
def test_what_an_import_lacks_is_named_with_the_way_to_get_it(
    extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"vaultmem.integrations.{extra.replace('-', '_')}"
    for each in [it for it in sys.modules if it.startswith((name, f"{MODULES[extra]}."))]:
        monkeypatch.delitem(sys.modules, each)
    monkeypatch.setitem(sys.modules, MODULES[extra], None)
    with pytest.raises(ModuleNotFoundError) as raised:
        importlib.import_module(name)
    (requirement,) = extras()[extra]
    assert f"`pip install '{requirement}'` brings it" in str(raised.value)
    assert f"in a checkout, `pip install -e '.[{extra}]'`" in str(raised.value)


def test_a_runner_searches_what_its_user_said(folder: Path) -> None:
    said = run("google-adk", "Google ADK", folder)
    assert said == ["Mara: I am allergic to hazelnuts.", "Sam: nothing"]


def test_a_run_goes_on_from_the_session_that_another_left(folder: Path) -> None:
    def answer(call: Call) -> str:
        said = call.prompt
        return "You are allergic to hazelnuts." if "hazelnuts" in said else "Who knows."

    with Wire(answer) as wire:
        base = {"OPENAI_BASE_URL": f"{wire.url}/v1", "OPENAI_API_KEY": "test-key"}
        said = run("openai-agents", "OpenAI Agents SDK", folder, **base)
    assert said[-1] == "You are allergic to hazelnuts."
    transcript = (folder.with_name("memory") / "agents/ada/sessions/with-mara.jsonl").read_text()
    assert [json.loads(line)["role"] for line in transcript.splitlines()] == [
        "user", "assistant", "user", "assistant",
    ]  # fmt: skip


def test_a_session_is_resumed_from_the_vault_alone(folder: Path, tmp_path: Path) -> None:
    def answer(call: Call) -> str:
        asked = "What am I" in call.prompt and "allergic to hazelnuts" in call.prompt
        return "Hazelnuts." if asked else "Noted."

    with Wire(answer) as wire:
        env = claude_program.environment(tmp_path / "home", wire.url)
        said = run("claude-agent-sdk", "Claude Agent SDK", folder, **env)
    assert said == ["Noted.", "Hazelnuts."]
    (log,) = (folder.with_name("memory") / "agents/ada/sessions").glob("*.jsonl")
    assert "I am allergic to hazelnuts." in log.read_text()


def test_an_agent_remembers_by_itself_and_another_run_is_shown_it(folder: Path) -> None:
    pytest.importorskip("openai", reason="the example's model speaks through OpenAI's client")

    def answer(call: Call) -> Answer:
        said = call.prompt
        if "What do I" in said:
            return "Decaf." if "Mara drinks decaf" in said else "Who knows."
        if "kept at agents/ada/memories" in said:
            return "I will think of it."
        return Calls([("memory_remember", {"text": "Mara drinks decaf since May."})])

    with Wire(answer) as wire:
        base = {"OPENAI_BASE_URL": f"{wire.url}/v1", "OPENAI_API_KEY": "test-key"}
        said = run("pydantic-ai", "Pydantic AI", folder, **base)
    assert said == ["I will think of it.", "Decaf."]


def test_a_graph_keeps_what_lasts_in_a_vault(folder: Path) -> None:
    assert run("langgraph", "LangGraph", folder) == ["[]", "['I drink decaf since May.']"]
