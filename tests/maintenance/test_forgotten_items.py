"""Forgetting what stands in an item log alone: a call's arguments, a framework's own lines."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.maintenance.forgetting import Forgetting

LOG = "agents/ada/sessions/items/chat.jsonl"
NEEDLE = "The heliotrope umbrella of Ottokar was left in Graz."
CALL = {"type": "function_call", "name": "search", "arguments": json.dumps({"q": NEEDLE})}
TALK = [{"role": "user", "content": "Where do cellos come from?"}, CALL, {"content": "Cremona."}]


def forgetting(vault: Vault) -> Forgetting:
    return Forgetting(vault.store, vault.summarizer)


def kept(vault: Vault) -> str:
    return (vault.path / LOG).read_text()


def in_history(vault: Vault, word: str) -> bool:
    done = subprocess.run(
        ["git", "log", "--all", "-p", "--format=%B"],
        cwd=vault.path,
        capture_output=True,
        check=True,
    )
    return word in done.stdout.decode()


def begun(vault: Vault) -> None:
    vault.item_logs.append(["chat"], TALK, agent="ada")
    vault.history.commit_pending()


def test_what_a_tool_was_called_with_is_found_and_forgotten_and_stays_json(vault: Vault) -> None:
    begun(vault)
    (found,) = forgetting(vault).find(query="heliotrope umbrella")
    assert (found.path, found.type) == (f"{LOG}:2", "item")
    forgetting(vault).forget([found.path])
    held = vault.item_logs.read(["chat"], agent="ada")
    assert json.loads(str(held[1]["arguments"])) == {"q": "[forgotten]"}
    assert [held[0], held[2]] == [TALK[0], TALK[2]]
    assert vault.item_logs.append(["chat"], [CALL], agent="ada") == (held[1],)


def test_a_whole_log_is_forgotten_by_its_path_also_what_was_cleared(vault: Vault) -> None:
    begun(vault)
    vault.item_logs.mark(["chat"], "cleared", agent="ada")
    vault.history.commit_pending()
    forgetting(vault).forget([LOG])
    assert not any(word in kept(vault) for word in ("cellos", "heliotrope", "Cremona"))
    assert all(json.loads(line)["log"] == ["chat"] for line in kept(vault).splitlines())


def test_an_item_that_only_repeats_a_turn_is_not_offered_beside_it(vault: Vault) -> None:
    begun(vault)
    vault.sessions.say("chat", str(TALK[0]["content"]), agent="ada")
    (found,) = forgetting(vault).find(query="cellos")
    assert found.type == "turn"


@pytest.mark.long
def test_an_item_leaves_the_history_and_all_others_stay_in_it(vault: Vault) -> None:
    begun(vault)
    soft, _ = forgetting(vault).purge([f"{LOG}:2"])
    assert soft.verified
    assert not in_history(vault, "heliotrope")
    assert in_history(vault, "Cremona")


@pytest.mark.long
def test_what_was_forgotten_before_is_purged_by_its_tombstone(vault: Vault) -> None:
    begun(vault)
    done = forgetting(vault).forget([f"{LOG}:2"])
    assert in_history(vault, "heliotrope")
    soft, _ = forgetting(vault).purge(done.forgotten)
    assert soft.verified
    assert not in_history(vault, "heliotrope")


def test_a_persons_name_is_found_in_an_item(vault: Vault) -> None:
    begun(vault)
    assert [it.path for it in forgetting(vault).find(person="Ottokar")] == [f"{LOG}:2"]
    assert forgetting(vault).find(person="Sabine") == ()


def test_forgetting_a_log_is_undone_byte_for_byte(vault: Vault) -> None:
    begun(vault)
    before = kept(vault)
    done = forgetting(vault).forget([LOG])
    assert kept(vault) != before
    vault.undo(done.op)
    assert kept(vault) == before
    assert Path(vault.path / LOG).exists()
