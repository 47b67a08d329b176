"""A session that lacks on disk what git has is named by `status`, which costs little."""

from __future__ import annotations

import pytest

from tests.at_rest import edit_unseen
from vaultmem import Vault
from vaultmem.storage.commits.edit_commits import EditCommits

TALK = "agents/ada/sessions/talk.jsonl"
LOG = "agents/ada/sessions/items/talk.jsonl"


def talk(vault: Vault) -> None:
    """Let turns and items of a talk be in the history."""
    for n in range(3):
        vault.say("talk", f"Kettle {n} is blue.", agent="ada")
    items = [{"content": f"Kettle {n}"} for n in range(3)]
    vault.item_logs.append(["talk"], items, agent="ada")
    vault.tick()


def cut(vault: Vault) -> list[str]:
    """Return which files `status` names as cut."""
    return [p.path for p in vault.status().problems if p.code in {"cut-transcript", "cut-log"}]


@pytest.mark.parametrize("path", [TALK, LOG])
@pytest.mark.parametrize("looks", [0, 1])
def test_a_session_that_was_cut_is_named_until_it_is_whole(
    vault: Vault, path: str, looks: int
) -> None:
    talk(vault)
    assert [cut(vault) for _ in range(looks)] == [[]] * looks
    file = vault.path / path
    whole = file.read_bytes()
    file.write_bytes(whole.splitlines(keepends=True)[0])
    assert (cut(vault), cut(vault)) == ([path], [path])
    assert vault.status().status == "WARNING"
    file.write_bytes(whole)
    assert cut(vault) == []


@pytest.mark.parametrize("path", [TALK, LOG])
def test_a_session_that_was_edited_under_the_same_size_and_time_is_named(
    vault: Vault, path: str
) -> None:
    talk(vault)
    assert cut(vault) == []
    edit_unseen(vault.path / path, "Kettle 1", "Teapot1.")
    assert cut(vault) == [path]


def test_a_turn_that_was_edited_before_its_commit_is_named_once_that_is_done(vault: Vault) -> None:
    vault.say("talk", "The emu never hides spoons.", agent="ada")
    file = vault.path / TALK
    file.write_bytes(file.read_bytes().replace(b"never", b"often"))
    assert cut(vault) == []
    vault.tick()
    assert cut(vault) == [TALK]


def test_who_looks_again_asks_git_for_no_session_that_was_only_added_to(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk(vault)
    assert cut(vault) == []
    vault.say("talk", "And a pot.", agent="ada")
    vault.item_logs.append(["talk"], [{"content": "A pot"}], agent="ada")
    asked: list[str] = []
    monkeypatch.setattr(EditCommits, "changed", lambda _: asked.append("changed"))
    assert (cut(vault), asked) == ([], [])
