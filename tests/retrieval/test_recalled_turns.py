"""What was said in a session is found as a memory is: what may be told of it, as it stands now."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.conftest import Once
from vaultmem import Vault
from vaultmem.api import create, prompt_memories
from vaultmem.retrieval.search import Scope
from vaultmem.storage import turn_index

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
TALK = "agents/ada/sessions/talk.jsonl"


def _empty(folder: Path) -> None:
    create.create(folder, lambda: NOW)


@pytest.fixture
def vault(tmp_path: Path, once: Once) -> Iterator[Vault]:
    """Open a vault of nobody."""
    with Vault.open(once(_empty).write(tmp_path / "vault"), clock=lambda: NOW) as opened:
        yield opened


def say(  # noqa: PLR0913, PLR0917  # what a turn has
    vault: Vault, text: str, role: str = "user", session: str = "talk", agent: str = "ada",
    speaker: str = "", tool: str = "",
) -> None:  # fmt: skip
    """Say *text* in a session."""
    vault.say(session, text, role=role, agent=agent, speaker=speaker, tool=tool)


def found(vault: Vault, query: str, scope: Scope | None = None) -> list[tuple[str, int]]:
    """Return the transcripts and the lines of the turns that recall finds."""
    hits = vault.recall(query, scope=scope).hits
    return [(hit.path, hit.lines[0]) for hit in hits if hit.type == "turn"]


def test_a_turn_is_found_at_its_line_with_what_is_known_of_it(vault: Vault) -> None:
    say(vault, "Which kiln do we fire on Friday?", role="assistant")
    say(vault, "The gas kiln is fired with beech ash glaze.", speaker="Mara")
    [hit] = [it for it in vault.recall("beech ash glaze").hits if it.lines == (2, 2)]
    assert (hit.type, hit.path, hit.session, hit.agent, hit.trust) == (
        "turn", TALK, "talk", "ada", "user",
    )  # fmt: skip
    assert hit.snippet == "The gas kiln is fired with beech ash glaze."
    assert hit.sha256 == hashlib.sha256((vault.path / TALK).read_bytes()).hexdigest()
    assert vault.why(f"{hit.path}:{hit.lines[0]}")


def test_a_vault_without_sessions_has_no_index_of_turns(vault: Vault) -> None:
    vault.remember("The gas kiln is fired on Friday.", agent="ada")
    assert vault.recall("gas kiln").hits
    assert not (vault.path / turn_index.FILE).exists()


def test_what_a_session_said_last_is_in_the_next_answer(vault: Vault) -> None:
    say(vault, "The gas kiln is fired on Friday.")
    assert found(vault, "gas kiln Friday") == [(TALK, 1)]
    say(vault, "Beech ash is too dear for the glaze.")
    assert (TALK, 2) in found(vault, "beech ash")


def test_of_a_session_that_grew_only_what_is_new_is_noted(vault: Vault) -> None:
    say(vault, "The gas kiln is fired on Friday.")
    found(vault, "gas kiln")
    made = vault.store.turns()
    assert made is not None
    before = made.value("SELECT max(doc) FROM docs")
    say(vault, "Beech ash is too dear for the glaze.")
    found(vault, "beech ash")
    assert made.value("SELECT min(doc) FROM docs") == before


@pytest.mark.parametrize(
    "text",
    [
        "The alarm: <private>the code is marjoram</private> and that is that, my friend.",
        "Please use the key sk-ant-api03-marjoram0000000000000000000000000000000000 for it.",
    ],
    ids=["private", "a credential"],
)
def test_what_may_not_leave_a_line_finds_nothing(vault: Vault, text: str) -> None:
    say(vault, "The gas kiln is fired on Friday.")
    line = json.dumps({"turn": 2, "session": "talk", "role": "user", "content": text})
    file = vault.path / TALK
    file.write_text(f"{file.read_text()}{line}\n")
    assert found(vault, "marjoram") == []
    made = vault.store.turns()
    assert made is not None
    assert "marjoram" not in "".join(record.body for record in made.every())


def test_what_tools_and_agents_said_is_not_found_turn_by_turn(vault: Vault) -> None:
    """An agent may repeat a tool, also one of a session that comes from elsewhere later."""
    said = "The gas kiln must be fired with beech ash glaze."
    say(vault, said, role="tool", tool="WebFetch")
    say(vault, said, role="assistant")
    assert found(vault, "gas kiln beech ash") == []
    say(vault, "We fire the gas kiln on Friday then.")
    assert found(vault, "gas kiln beech ash") == [(TALK, 3)]


def test_what_is_a_memory_and_a_turn_is_found_once(vault: Vault) -> None:
    kept = vault.remember("Beech ash is too dear for the glaze.", agent="ada")
    say(vault, "Beech ash is too dear for the glaze.")
    assert [hit.path for hit in vault.recall("beech ash").hits] == [kept.path]


def test_greetings_are_not_found(vault: Vault) -> None:
    say(vault, "Hello there!")
    say(vault, "The gas kiln is fired on Friday.")
    made = vault.store.turns()
    assert made is not None
    assert [record.path for record in made.every()] == [f"{TALK}#2"]


def test_a_turn_that_was_forgotten_is_gone_from_the_next_answer(vault: Vault) -> None:
    say(vault, "The gas kiln is fired on Friday.")
    say(vault, "Beech ash is too dear for the glaze.")
    assert (TALK, 2) in found(vault, "beech ash")
    lines = (vault.path / TALK).read_text().splitlines(keepends=True)
    (vault.path / TALK).write_text(lines[0])
    assert found(vault, "beech ash") == []
    (vault.path / TALK).unlink()
    assert found(vault, "gas kiln") == []


def test_a_turn_that_is_forgotten_by_its_line_is_found_no_more(vault: Vault) -> None:
    say(vault, "The gas kiln is fired on Friday.")
    say(vault, "Beech ash is too dear for the glaze.")
    assert (TALK, 2) in found(vault, "beech ash")
    vault.forget(f"{TALK}:2")
    assert found(vault, "beech ash") == []


def test_of_a_session_that_there_was_no_time_to_read_again_nothing_is_told(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may say less by now: a sync may have brought what was forgotten elsewhere."""
    say(vault, "The safe in the cellar opens with marjoram.")
    assert found(vault, "safe cellar marjoram") == [(TALK, 1)]
    file = vault.path / TALK
    file.write_text(file.read_text().replace("marjoram", "nothing"))
    with monkeypatch.context() as busy:
        busy.setattr(turn_index, "_PATIENCE", -1.0)
        assert found(vault, "safe cellar marjoram") == []
    assert [hit.snippet for hit in vault.recall("safe cellar").hits] == [
        "The safe in the cellar opens with nothing."
    ]


def test_what_is_forgotten_as_a_memory_is_not_found_as_a_turn(vault: Vault) -> None:
    kept = vault.remember("Beech ash is too dear for the glaze.", agent="ada")
    say(vault, "Beech ash is too dear for the glaze.")
    assert vault.recall("beech ash").hits
    vault.forget(kept.id)
    assert found(vault, "beech ash") == []


@pytest.mark.long
def test_a_purge_leaves_nothing_in_the_index_of_turns(vault: Vault) -> None:
    say(vault, "The gas kiln is fired on Friday.")
    say(vault, "The heliotrope glaze of Ida is too dear.")
    assert (TALK, 2) in found(vault, "heliotrope")
    vault.forgetting.purge([f"{TALK}:2"])
    assert found(vault, "heliotrope") == []
    assert found(vault, "gas kiln Friday") == [(TALK, 1)]
    kept = (it for it in vault.path.rglob("*") if it.is_file())
    assert [it.name for it in kept if b"heliotrope" in it.read_bytes()] == []


@pytest.mark.long
def test_an_index_of_turns_that_lies_is_made_anew(vault: Vault) -> None:
    say(vault, "The gas kiln is fired on Friday.")
    assert found(vault, "Friday")
    made = vault.store.turns()
    assert made is not None
    made.db.execute("UPDATE bodies SET body = 'The gas kiln is fired on Sunday.'")
    told = [it for it in vault.fsck().problems if it.path == TALK]
    assert [it.code for it in told] == ["index"]
    vault.fsck(repair=True)
    assert [it for it in vault.fsck().problems if it.path == TALK] == []


def test_a_damaged_index_of_turns_is_made_anew(vault: Vault) -> None:
    say(vault, "The gas kiln is fired on Friday.")
    assert found(vault, "Friday")
    vault.close()
    (vault.path / turn_index.FILE).write_bytes(b"no database at all" * 500)
    with Vault.open(vault.path, clock=lambda: NOW) as again:
        assert found(again, "gas kiln Friday") == [(TALK, 1)]


def test_a_turn_that_a_person_mends_is_found_as_it_is_now(vault: Vault) -> None:
    say(vault, "The gas kiln is fired on Friday.")
    assert found(vault, "Friday")
    file = vault.path / TALK
    file.write_text(file.read_text().replace("Friday", "Monday"))
    assert found(vault, "Friday") == []
    assert found(vault, "Monday kiln") == [(TALK, 1)]


def test_an_agent_finds_no_other_agents_turns(vault: Vault) -> None:
    say(vault, "The gas kiln is fired on Friday.")
    say(vault, "The gas kiln is fired on Monday.", agent="bo", session="chat")
    assert found(vault, "gas kiln", Scope(agent="ada", shared=True)) == [(TALK, 1)]
    assert found(vault, "gas kiln", Scope(agent="bo", shared=True)) == [
        ("agents/bo/sessions/chat.jsonl", 1)
    ]


@pytest.mark.parametrize(("kind", "many"), [("turn", 1), ("memory", 0)])
def test_a_type_that_is_asked_for_is_kept_to(vault: Vault, kind: str, many: int) -> None:
    say(vault, "The gas kiln is fired on Friday.")
    vault.remember("Our electric kiln is never fired on Friday.", agent="ada")
    hits = vault.recall("kiln fired Friday", scope=Scope(type=kind)).hits
    assert [hit.type for hit in hits] == [kind]
    assert len(found(vault, "kiln fired Friday", Scope(type=kind))) == many


def test_a_context_tells_what_was_said_in_another_session_and_not_in_its_own(vault: Vault) -> None:
    say(vault, "The gas kiln is fired with beech ash glaze.", speaker="Mara")
    said, asked = "Mara: The gas kiln is fired with beech ash glaze.", "Which glaze has the kiln?"
    assert said in vault.context(asked, agent="ada").text
    assert said not in vault.context(asked, agent="ada", session="talk").text


@pytest.mark.long
def test_a_context_with_turns_keeps_to_its_budget(vault: Vault) -> None:
    for number in range(40):
        say(vault, f"Firing {number} of the gas kiln took beech ash glaze and {number} hours.")
    made = vault.context("How long did the gas kiln take?", agent="ada", budget=400)
    assert 0 < made.tokens <= 400
    assert "beech ash glaze" in made.text


def test_a_prompt_is_told_of_turns_of_other_sessions_alone(vault: Vault) -> None:
    say(vault, "The gas kiln is fired with beech ash glaze.", speaker="Mara")
    asked = "Which glaze did the gas kiln get when it was fired?"
    assert "beech ash" in prompt_memories.text(vault.path, asked, agent="ada", session="new")
    assert "beech ash" not in prompt_memories.text(vault.path, asked, agent="ada", session="talk")


def test_the_past_is_asked_without_turns(vault: Vault) -> None:
    say(vault, "The gas kiln is fired on Friday.")
    vault.store.writer.commit_pending()
    hits = vault.recall("gas kiln", as_of="2026-11-20").hits
    assert [hit for hit in hits if hit.type == "turn"] == []
