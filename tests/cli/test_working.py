"""`vaultmem working`: what an agent has in hand, for people and scripts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vaultmem.cli import run

pytestmark = pytest.mark.without_history


def test_what_an_agent_has_in_hand_is_shown_and_set(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VAULTMEM_VAULT", str(folder))
    config = folder / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("states: []", "states: [asked, awaiting payment]"))
    assert run(["working", "show", "--agent", "ada"]) == 0
    assert capsys.readouterr().out == "nothing is in hand\nStates: asked, awaiting payment\n"
    given = ["--goal", "Move", "--state", "Awaiting payment", "--note", "van", "at nine"]
    assert run(["working", "set", "--agent", "ada", *given]) == 0
    assert capsys.readouterr().out == (
        "Goal: Move\nState: awaiting payment\nProgress: step 0 of 20\n"
        "Scratchpad:\n- van: at nine\nStates: asked, awaiting payment\n"
    )
    assert run(["working", "set", "--agent", "ada", "--state", "paid"]) == 2
    assert "use one of asked, awaiting payment" in capsys.readouterr().err
    assert run(["working", "set", "--agent", "ada"]) == 2
    assert "nothing to set" in capsys.readouterr().err
    assert run(["working", "show", "--agent", "ada", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["agent"], found["path"]) == ("ada", "agents/ada/working.md")
    assert found["states"] == ["asked", "awaiting payment"]
    assert (found["state"], found["scratchpad"]) == (
        "awaiting payment", [{"text": "at nine", "key": "van"}],
    )  # fmt: skip
