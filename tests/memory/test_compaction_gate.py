"""A compaction by a model loses nothing that the summaries answered, or the offline one is kept."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.wire import Answer, Call, Wire
from vaultmem import Vault
from vaultmem.cli import run

pytestmark = pytest.mark.without_history

WHO = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fritz", "Greta", "Hugo")
WHAT = ("tractor", "violin", "kettle", "ladder", "compass", "lantern", "saddle", "anvil")
WHERE = ("barn", "attic", "cellar", "harbour", "orchard", "mill", "chapel", "quarry")
FACTS = [
    f"{WHO[n % 8]} keeps the {WHAT[(n + n // 8) % 8]} in the {WHERE[(n + 5 * (n // 8)) % 8]}."
    for n in range(20)
]


def quoted(call: Call) -> list[str]:
    """Return the sentences that a model is shown, in their order."""
    lines = re.findall(r"(?m)^\[.*?\] (?:\S+: )?(.*)$", call.prompt)
    return [said for line in lines for said in re.findall(r"[A-Z][a-z]+ keeps [^.]*\.", line)]


def is_longterm(call: Call) -> bool:
    return "further and further" in call.prompt


def faithful(call: Call) -> Answer:
    """Tell of what is shown: three sentences of memories, all of summaries."""
    return " ".join(quoted(call)[: 12 if is_longterm(call) else 3])


def forgetful(call: Call) -> Answer:
    """Tell truly of the newest alone once there is something to forget."""
    return quoted(call)[-1] if is_longterm(call) else faithful(call)


@pytest.fixture
def due(folder: Path) -> Path:
    """Return a vault with four chunks of four memories that nobody summarized."""
    talk = folder.parent / "talk.jsonl"
    lines = (json.dumps({"id": n, "content": x}) for n, x in enumerate(FACTS))
    talk.write_text("\n".join(lines) + "\n")
    with Vault.open(folder) as vault:
        vault.import_files("jsonl", [talk], agent="ada")
    config = folder / "config/memory_compaction.md"
    text = re.sub(r"(?m)^(immediate_window|recent_window):.*$", r"\1: 4", config.read_text())
    config.write_text(text)
    return folder


def test_a_summary_that_loses_what_was_known_is_refused_and_the_offline_one_kept(
    due: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Asked twice, told why the second time; the file, the command and `status` say so."""
    with Wire(forgetful) as wire, Vault.open(due, env=wire.environment("ollama")) as vault:
        done = vault.compact("ada")
        (said,) = [p.message for p in vault.status().problems]
    assert {c.summary.degraded for c in done.compactions} == {""}
    head = vault_text(due)
    assert "model: extractive\n" in head
    why = re.search(r"refused: recall: it answers (\d+) of (\d+) probes, the offline", head)
    assert why is not None
    assert int(why[1]) * 2 < int(why[2])
    assert "refused: recall: it answers" in said
    asked = [call.prompt for call in wire.calls if is_longterm(call)]
    assert sum("An attempt before this one was no good: recall: it" in x for x in asked) >= 1
    for fact in FACTS[:3]:
        assert fact.removesuffix(".") in head
    assert run(["--vault", str(due), "status"]) == 0
    assert "recall: it answers" in capsys.readouterr().out


def test_a_summary_that_tells_what_was_known_is_kept(due: Path) -> None:
    with Wire(faithful) as wire, Vault.open(due, env=wire.environment("ollama")) as vault:
        vault.compact("ada")
        assert vault.status().problems == ()
    assert "model: test-model\n" in vault_text(due)


def test_a_short_term_summary_of_nothing_but_small_talk_is_refused_and_printed_so(
    due: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def chat(call: Call) -> Answer:
        one, two = (said.split()[0] for said in quoted(call)[:2])
        return f"{one} greets {two}. {two} keeps {one} company."

    with Wire(chat) as wire:
        for name, value in wire.environment("ollama").items():
            monkeypatch.setenv(name, value)
        assert run(["--vault", str(due), "compact", "--agent", "ada"]) == 0
    shown = capsys.readouterr()
    assert "; refused: recall: it answers 0 of" in shown.out
    assert "! the long-term summary was written offline: refused:" in shown.err


def vault_text(folder: Path) -> str:
    """Return the file of the long-term summary."""
    return (folder / "agents/ada/summaries/longterm.md").read_text()
