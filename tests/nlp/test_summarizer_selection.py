"""Who writes: chosen anew at each use, within a budget, and said aloud."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.wire import Answer, Call, Status, Wire
from vaultmem import Vault
from vaultmem.errors import BadInput
from vaultmem.storage.index import Filter

pytestmark = pytest.mark.without_history

SAID = "Ann keeps hens and sells eggs."
EPISODE = {
    "title": "Hens and eggs", "summary": SAID, "decisions": [], "eliminated": [],
    "open_questions": [], "corrections": [], "preferences": [], "tool_results": [],
}  # fmt: skip


def set_line(path: Path, line: str) -> None:
    """Set one option of a frontmatter."""
    key = line.partition(":")[0]
    path.write_text(re.sub(rf"(?m)^{key}:.*$", line, path.read_text()))


def profile(folder: Path, *options: str) -> None:
    """Set options of the profile."""
    for line in options:
        set_line(folder / "config/profiles/summarizer.md", line)


def faithful(_: Call) -> Answer:
    """Answer with an episode that is true to what was said."""
    return json.dumps(EPISODE)


def spoken(vault: Vault, session: str = "farm") -> None:
    """Say and end a short session."""
    vault.say(session, SAID, agent="ada")
    vault.end_session(session, agent="ada")


def models(vault: Vault) -> list[tuple[str, str]]:
    """Return who told ada's episodes, and why not a model, in a word."""
    vault.store.sync()
    found = vault.store.index.records(Filter(type="episode"))
    return [(e.model, e.degraded.partition(":")[0]) for e in found]


def test_a_new_vault_asks_nobody(folder: Path) -> None:
    """Whatever the environment holds."""
    with Wire(faithful) as wire:
        env = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": wire.url, "OLLAMA_HOST": wire.url}
        with Vault.open(folder, env=env) as vault:
            spoken(vault)
            assert models(vault) == [("extractive", "")]
            said = vault.status().summarizer
        assert wire.calls == []
    assert (said.backend, said.why) == ("extractive", "config/profiles/summarizer.md says so")


def test_the_environment_overrides_the_profile(folder: Path) -> None:
    """Backend and model; status says so."""
    with Wire(faithful) as wire, Vault.open(folder, env=wire.environment("anthropic")) as vault:
        said = vault.status().summarizer
        assert (said.backend, said.model) == ("anthropic", "test-model")
        assert said.why == "VAULTMEM_SUMMARIZER says so"
        vault.say("farm", SAID, agent="ada")
        vault.end_session("farm", agent="ada")
        assert wire.calls == []
        vault.fold("ada")
        assert [c.body["model"] for c in wire.calls] == ["test-model"]
        assert models(vault) == [("test-model", "")]


def test_the_profile_is_read_anew_at_each_use(folder: Path) -> None:
    """A person edits it while the daemon runs."""
    with Wire(faithful) as wire:
        env = wire.environment("") | {"VAULTMEM_MODEL": ""}
        with Vault.open(folder, env=env) as vault:
            spoken(vault)
            profile(folder, "backend: anthropic", "model: claude-of-mine")
            spoken(vault, "second")
            vault.tick()
            assert models(vault) == [("extractive", ""), ("claude-of-mine", "")]
            assert vault.status().summarizer.why == "config/profiles/summarizer.md says so"


def test_auto_takes_the_key_then_ollama_then_nobody(folder: Path) -> None:
    """And says which, and why."""
    profile(folder, "backend: auto")
    with Wire(faithful, [{"name": "llama", "model": "llama"}]) as wire:
        for env, backend, why in (
            ({"ANTHROPIC_API_KEY": "k"}, "anthropic", "auto: ANTHROPIC_API_KEY is set"),
            ({"OLLAMA_HOST": wire.url}, "ollama", "auto: Ollama answers at"),
            ({"OLLAMA_HOST": "http://127.0.0.1:9"}, "extractive", "auto: no key is set and"),
        ):
            with Vault.open(folder, env=env) as vault:
                said = vault.status().summarizer
            assert said.backend == backend
            assert said.why.startswith(why)


def test_a_summarizer_that_is_none_is_named(folder: Path) -> None:
    """Whoever wants to write is told which there are; status says it among its problems."""
    with Vault.open(folder, env={"VAULTMEM_SUMMARIZER": "gpt"}) as vault:
        vault.say("farm", SAID, agent="ada", role="user")
        (problem,) = [p for p in vault.status().problems if p.code == "model"]
        assert "one of auto, extractive, anthropic, ollama" in problem.message
        with pytest.raises(BadInput, match="one of auto, extractive, anthropic, ollama"):
            vault.fold("ada", force=True)


def test_a_missing_key_is_said_and_the_offline_summarizer_writes(folder: Path) -> None:
    """Nothing is lost for want of a key."""
    with Vault.open(folder, env={"VAULTMEM_SUMMARIZER": "anthropic"}) as vault:
        vault.say("farm", SAID, agent="ada")
        vault.end_session("farm", agent="ada")
        vault.fold("ada")
        assert models(vault) == [("extractive", "away")]
        health = vault.status()
    assert health.summarizer.missing == "ANTHROPIC_API_KEY is not set"
    assert {p.code for p in health.problems} == {"model", "fallback"}


def test_a_budget_of_nothing_writes_offline_and_says_so(folder: Path) -> None:
    """No call is made; with a budget again, what was written so is told again."""
    set_line(folder / "config/memory_compaction.md", "max_llm_calls_per_hour: 0")
    with Wire(faithful) as wire, Vault.open(folder, env=wire.environment("anthropic")) as vault:
        vault.say("farm", SAID, agent="ada")
        vault.fold("ada", force=True)
        assert wire.calls == []
        assert models(vault) == [("extractive", "budget")]
        fallback = next(p for p in vault.status().problems if p.code == "fallback")
        assert "fold --redo-degraded" in fallback.repair
        set_line(folder / "config/memory_compaction.md", "max_llm_calls_per_hour: 9")
        vault.fold("ada", redo_degraded=True)
        assert models(vault) == [("test-model", "")]
        assert vault.status().problems == ()


def test_a_daemon_asks_again_when_a_model_was_away(folder: Path) -> None:
    """Overloaded in the morning, there in the afternoon."""
    here: list[Answer] = [Status(400)]
    with (
        Wire(lambda _: here[0]) as wire,
        Vault.open(folder, env=wire.environment("anthropic")) as vault,
    ):
        vault.say("farm", SAID, agent="ada")
        vault.fold("ada", force=True)
        assert models(vault) == [("extractive", "away")]
        here[0] = json.dumps(EPISODE)
    with Wire(faithful) as wire, Vault.open(folder, env=wire.environment("anthropic")) as vault:
        vault.tick()
        assert models(vault) == [("test-model", "")]


@pytest.mark.long
def test_who_was_killed_behind_the_answer_asks_nothing_twice(folder: Path) -> None:
    """The reply is on disk before the episode is."""
    killed = "import os; os.kill(os.getpid(), 9)"
    code = (
        "import os, sys; from vaultmem import Vault\n"
        "from vaultmem.storage.store import Store\n"
        "v = Vault.open(sys.argv[1]); v.say('farm', sys.argv[2], agent='ada')\n"
        f"Store.apply = lambda *a, **k: exec({killed!r})\n"
        "v.fold('ada', force=True)"
    )
    with Wire(faithful) as wire:
        env = wire.environment("anthropic")
        argv = [sys.executable, "-c", code, str(folder), SAID]
        ended = subprocess.run(argv, env={**os.environ, **env}, check=False).returncode
        assert ended == -9
        assert len(wire.calls) == 1
        with Vault.open(folder, env=env) as vault:
            vault.fold("ada", force=True)
            assert models(vault) == [("test-model", "")]
        assert len(wire.calls) == 1
        assert list((folder / ".vaultmem/answers").glob("*.json")) == []


def test_nobody_waits_for_a_model_when_a_turn_is_said(folder: Path) -> None:
    """Not even when folding is due."""

    def never(call: Call) -> Answer:
        raise AssertionError(call)

    set_line(folder / "config/memory_compaction.md", "session_strategy: fold")
    with Wire(never) as wire, Vault.open(folder, env=wire.environment("anthropic")) as vault:
        for _ in range(22):
            vault.say("farm", SAID, agent="ada")
        assert wire.calls == []


@pytest.mark.parametrize("broken", ["", "not json", '{"title": 3}', "{}", '{"summary": []}'])
def test_a_broken_answer_is_asked_for_once_more_and_then_replaced(
    folder: Path, broken: str
) -> None:
    """Two calls, an offline episode that says so, and no third call by itself."""
    with (
        Wire(lambda _: broken) as wire,
        Vault.open(folder, env=wire.environment("anthropic")) as vault,
    ):
        vault.say("farm", SAID, agent="ada")
        vault.fold("ada", force=True)
        assert models(vault) == [("extractive", "refused")]
        asked = len(wire.calls)
        assert asked <= 2
        vault.tick()
        assert len(wire.calls) == asked
