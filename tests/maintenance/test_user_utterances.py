"""What users said is heard, and whoever else spoke is not, or only to be understood by."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Clock
from vaultmem import Vault
from vaultmem.maintenance.dream import user_utterances
from vaultmem.records import iso
from vaultmem.storage.index import Filter

pytestmark = pytest.mark.without_history

NUTS = "Sarah is allergic to hazelnuts."


def heard(vault: Vault, since: str = "") -> list[tuple[str, str, str]]:
    """Return what is new of what is heard: its role, its source, and what was said."""
    vault.store.sync()
    memories = vault.store.index.records(Filter(type="memory"))
    found = user_utterances.collect(vault.store, memories, since)
    return [(it.utterance.role, it.source, it.utterance.text) for it in found if it.new]


def conversation(folder: Path) -> Path:
    """Return a conversation of long ago to import."""
    turns = (("Mara", NUTS), ("Ada", "Other nuts, too?"), ("Mara", "No."))
    file = folder / "talk.jsonl"
    lines = (
        json.dumps({"created": f"2024-03-01T07:1{n}:00Z", "speaker": who, "content": said})
        for n, (who, said) in enumerate(turns)
    )
    file.write_text("\n".join(lines) + "\n")
    return file


def test_a_users_memory_is_heard(vault: Vault) -> None:
    kept = vault.remember(NUTS, agent="ada", source="user", speaker="Mara")
    assert heard(vault) == [("user", "user", NUTS)]
    (said,) = user_utterances.collect(vault.store, vault.store.index.records(), "")
    assert (said.utterance.speaker, said.utterance.at) == ("Mara", iso(vault.store.clock()))
    assert said.utterance.origin == Path(kept.path).stem


@pytest.mark.parametrize("source", ["agent", "tool", "web", "dream"])
def test_an_agents_own_note_and_what_tools_say_are_not(vault: Vault, source: str) -> None:
    vault.remember(NUTS, agent="ada", source=source)
    assert heard(vault) == []


@pytest.mark.parametrize("source", ["user", "import"])
def test_what_nobody_trusts_is_not_heard_whoever_said_it(vault: Vault, source: str) -> None:
    kept = vault.remember(NUTS, agent="ada", source=source)
    file = vault.path / kept.path
    trust = "user" if source == "user" else "agent"
    text = file.read_text()
    assert f"trust: {trust}\n" in text
    assert len(heard(vault)) == 1
    file.write_text(text.replace(f"trust: {trust}\n", "trust: untrusted\n"))
    assert heard(vault) == []


def test_of_an_imported_conversation_the_agent_is_heard_as_assistant(
    vault: Vault, tmp_path: Path
) -> None:
    """Its question is what a short answer is understood by."""
    vault.import_files("jsonl", [conversation(tmp_path)], agent="ada")
    assert heard(vault) == [
        ("user", "import", NUTS),
        ("assistant", "import", "Other nuts, too?"),
        ("user", "import", "No."),
    ]


def test_new_is_what_came_since_however_long_ago_it_was_said(
    vault: Vault, clock: Clock, tmp_path: Path
) -> None:
    vault.remember("I live in Graz.", agent="ada", source="user")
    clock.advance(hours=1)
    dreamt = iso(clock())
    clock.advance(hours=1)
    vault.import_files("jsonl", [conversation(tmp_path)], agent="ada")
    assert [said for _, _, said in heard(vault, dreamt)] == [NUTS, "Other nuts, too?", "No."]
    assert heard(vault, iso(clock())) == []


def test_turns_of_sessions_are_heard_in_order(vault: Vault) -> None:
    vault.say("s1", "Who is allergic?", role="assistant", agent="ada")
    vault.say("s1", NUTS, role="user", agent="ada")
    assert heard(vault) == [("assistant", "user", "Who is allergic?"), ("user", "user", NUTS)]
    origins = [it.utterance.origin for it in user_utterances.collect(vault.store, (), "")]
    assert [origin.rpartition("#")[2] for origin in origins] == ["1", "2"]
    assert heard(vault, "2999-01-01T00:00:00Z") == []


def test_of_too_much_the_newest_is_heard(
    vault: Vault, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(user_utterances, "MOST", 2)
    for word in ("one", "two", "three"):
        clock.advance(minutes=1)
        vault.remember(f"I have {word}.", agent="ada", source="user")
    assert [said for _, _, said in heard(vault)] == ["I have two.", "I have three."]


MAIL = "Bonjour Mara,\n\nI am allergic to penicillin and I live in Lyon. My wife is called Nora."


@pytest.mark.parametrize("is_read_first", [True, False])
def test_a_card_has_nothing_that_a_person_hands_on_of_a_tool(
    vault: Vault, *, is_read_first: bool
) -> None:
    """In whatever frame; of what a tool says later, the person said it."""
    said = (
        ("Traduis, s'il te pla\u00eet\n\n" + MAIL, "user", ""),
        (f"Inbox\n{MAIL}", "tool", "mail"),
    )
    for text, role, tool in reversed(said) if is_read_first else said:
        vault.say("s1", text, role=role, tool=tool, agent="ada", speaker="Mara" if not tool else "")
    vault.say("s1", "I work as a nurse.", agent="ada", speaker="Mara")
    vault.end_session("s1", agent="ada")
    vault.dreams.plan()
    vault.dreams.apply(everything=True)
    cards = "".join(it.read_text() for it in (vault.path / "cards").rglob("mara.md"))
    assert "a nurse" in cards
    assert ("Nora" in cards) is not is_read_first


def test_memories_of_no_session_follow_each_other_and_those_of_one_only_its_own(
    vault: Vault,
) -> None:
    for agent, session in (("ada", ""), ("ada", "s1"), ("ada", ""), ("bob", "")):
        vault.remember(f"{NUTS} {agent}", agent=agent, source="user", session=session)
    found = user_utterances.collect(vault.store, vault.store.index.records(), "")
    first, in_session, second, elsewhere = (it.utterance.conversation for it in found)
    assert first == second
    assert len({first, in_session, elsewhere}) == 3
