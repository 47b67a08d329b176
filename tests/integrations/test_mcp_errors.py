"""What a client is told when something cannot be: by its tools, never by a terminal's commands."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.conftest import Clock, Prepared
from tests.mcp_client import served
from vaultmem import Vault
from vaultmem.cli.mcp import offered
from vaultmem.integrations.mcp import commands
from vaultmem.integrations.mcp.vault_session import Limits

pytestmark = pytest.mark.without_history

ADA = Limits("ada")
ASK = "; a command is for the person to run: ask them"
_FOR_A_TERMINAL = re.compile(r"--[a-z]|`(?:vaultmem|git) |`[a-z_]+=|\bon_[a-z_]+\(")


def bakery(vault: Vault) -> None:
    """Let there be a task, a note, a skill and a card."""
    vault.tasks.create("Bake", owner="bob")
    sam = {"person": "Sam", "relationship": "son", "backstory": "Said.", "contact": "post"}
    for place, text in (("notes/n.md", "tea\n"), ("skills/knead/SKILL.md", "Knead long.\n")):
        (vault.path / place).parent.mkdir(parents=True, exist_ok=True)
        (vault.path / place).write_text(text)
    with served(vault.path, ADA) as client:
        client.do("memory_write", kind="card", title="people/sam", content=json.dumps(sam))


@pytest.mark.with_history
@pytest.mark.parametrize(
    ("tool", "given", "told"),
    [
        ("memory_write", {"kind": "card", "title": "people/bo", "content": "{}"},
         "there is no cards/people/bo.md yet, and nothing to say in it"),
        ("memory_write", {"kind": "card", "title": "people/bo", "content": '{"allergy": "nuts"}'},
         "has no person, relationship, backstory: a new one needs each; nothing was written"),
        ("memory_write", {"kind": "card", "title": "people/sam",
                          "content": '{"contact": {"phone": "1"}}'},
         "which holds a value: take that away first"),
        ("memory_write", {"content": "key AKIAIOSFODNN7EXAMPLQ"}, "was stored: take it out"),
        ("memory_search", {"query": "tea", "as_of": "1999-01-01"},
         "a search by the memories' own dates needs none of it"),
        ("memory_read", {"path": "MEMORY.md", "as_of": "1999-01-01"}, "before the history"),
        ("memory_task", {"op": "claim", "id": 1},
         "task 1 is bob's: memory_task with op update and owner ada gives it to ada"),
        ("memory_task", {"op": "get", "id": 9}, "memory_task with op list shows those there are"),
        ("memory_working", {"outcome": "success"}, "begin one with its goal"),
        ("memory_edit", {"path": "skills/knead/SKILL.md", "op": "append", "new": "x"},
         "skills come from experiences: record one with memory_working with an outcome"),
        ("memory_edit", {"path": "cards/people/sam.md", "op": "append", "new": "x"},
         "memory_write with kind card changes a card"),
        ("memory_edit", {"path": "tasks/task-0001.md", "op": "append", "new": "x"},
         "memory_task writes tasks"),
        ("memory_correct", {"path": "notes/n.md", "content": "x"},
         "notes/n.md is not a raw memory: memory_edit the file itself"),
        ("memory_forget", {"path": "MEMORY.md"}, "ask the person to edit or remove it"),
        ("memory_working", {"steps": ["a"]}, "steps.0: give an object with text, status"),
        ("memory_correct", {"path": "cards/people/sam.md", "content": "x"},
         "memory_write with kind card changes a card"),
        ("memory_undo", {"id": "none"}, "memory_history gives the id of each"),
        ("memory_compact", {"scope": "zoe"}, "this server works only for ada: leave scope out"),
        ("memory_compact", {"plan_id": "x"}, "no plan 'x' here: call memory_compact without it"),
        ("memory_search", {"query": "tea", "after": "soon"}, "after: 'soon' is not a date"),
        ("memory_search", {"query": "tea", "before": "soon"}, "before: 'soon' is not a date"),
        ("memory_search", {"query": "tea", "as_of": "soon"}, "as_of: 'soon' is not a date"),
        ("memory_read", {"path": "MEMORY.md", "as_of": "soon"}, "as_of: 'soon' is not a date"),
        ("memory_history", {"since": "soon"}, "since: 'soon' is not a date"),
        ("memory_search", {"query": "tea", "after": "2026-12-02", "before": "2026-12-01"},
         "nothing is after 2026-12-02 and before 2026-12-01: exchange them"),
        ("memory_search", {"query": "tea", "k": True}, "k: this is true or false: give a number"),
        ("memory_task", {"op": "get", "id": True}, "id: this is true or false: give a number"),
        ("memory_task", {"op": "create", "subject": "Eat", "blocked_by": [True]},
         "blocked_by: this is true or false: give a number"),
        ("memory_task", {"op": "create", "subject": "Eat", "blocked_by": True},
         "blocked_by: this is true or false: give a number"),
        ("memory_task", {"op": "update", "id": 1}, "nothing is: give one of subject, description"),
        ("memory_task", {"ready": True, "blocked": True}, "ready and blocked: give one of them"),
        ("memory_working", {"key": "tea"}, "no note has the key 'tea': give the note"),
        ("memory_edit", {"path": "notes/n.md", "op": "append", "new": ""}, "append needs new"),
        ("memory_edit", {"path": "notes/n.md", "op": "append", "new": "x", "expected_sha256": "ab"},
         "expected_sha256 is no sha-256: give the 64 digits"),
        ("memory_edit", {"path": "tasks/task-0001.md", "op": "set_field", "old": "owner",
                         "new": "bo", "expected_sha256": "ab"}, "expected_sha256 is no sha-256"),
        ("memory_forget", {"path": "notes/n.md", "purge": True}, "leave purge out"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_told_by_tools_alone(
    prepared: Prepared, tool: str, given: dict[str, object], told: str
) -> None:
    with served(prepared(bakery).path, ADA) as client:
        said = client.refused(tool, **given)
    assert told in said
    assert not _FOR_A_TERMINAL.search(said)


def test_a_server_of_all_agents_asks_for_the_scope_of_a_compaction(folder: Path) -> None:
    with Vault.open(folder) as vault:
        for agent in ("bob", "cleo"):
            vault.remember("Tea.", agent=agent)
    with served(folder) as client:
        said = client.refused("memory_compact")
    assert said == "whose memories? name an agent as scope: bob, cleo"


@pytest.mark.with_history
@pytest.mark.parametrize("purge", [False, True])
def test_where_what_was_forgotten_still_stands_is_told_without_a_command(
    folder: Path, *, purge: bool
) -> None:
    with served(folder, Limits("ada", allow_purge=purge)) as client:
        path = client.do("memory_write", content="Tea is ready.")["path"]
        told = client.do("memory_forget", path=path)["history"]
    assert told.startswith("git still has it")
    assert not _FOR_A_TERMINAL.search(told)
    assert ("memory_forget with purge" in told) == purge


def test_the_memory_tool_names_the_tools_that_its_client_has(folder: Path) -> None:
    create = {"command": "create", "path": "/memories/cards/x.md", "file_text": "x"}
    with served(folder, ADA, tools=offered(memory_tool=True)) as client:
        said = client.refused("memory", **create)
    assert said == (
        "/memories/cards/x.md is not written by an agent: "
        "memory_write with kind card changes a card"
    )


def test_an_argument_on_its_last_day_is_no_contradiction(folder: Path) -> None:
    day = {"after": "2026-12-01", "before": "2026-12-01"}
    with served(folder) as client:
        assert client.do("memory_search", query="tea", **day)["hits"] == []


def test_a_note_is_taken_away_by_its_key_alone(folder: Path) -> None:
    with served(folder, ADA) as client:
        assert "earl grey" in client.do("memory_working", key="tea", note="earl grey")["text"]
        assert "earl grey" not in client.do("memory_working", key="tea")["text"]


@pytest.mark.with_history
def test_the_last_operation_is_the_last_that_is_not_undone(folder: Path, clock: Clock) -> None:
    with served(folder, clock=clock) as client:
        tea = client.do(
            "memory_write", kind="note", title="Tea", content="Of a kind.\n\nIt is green."
        )["path"]
        for old, new in (("green", "black"), ("black", "green")):
            clock.advance(seconds=1)
            client.do("memory_edit", path=tea, old=old, new=new)
        (folder / tea).write_text((folder / tea).read_text().replace("green", "black"))
        assert "-It is black." in client.do("memory_undo")["diff"]


def test_a_person_s_words_are_a_person_s_to_correct(folder: Path, vault: Vault) -> None:
    path = vault.remember("The gate opens at nine.", agent="ada", source="user").path
    with served(folder, ADA) as client:
        said = client.refused("memory_correct", path=path, content="The gate opens at ten.")
    assert said.endswith("what comes from agent has less: a person corrects it")


@pytest.mark.with_history
def test_an_agent_that_is_new_has_nothing_to_compact_and_asks_for_sources_like_any(
    folder: Path, vault: Vault
) -> None:
    vault.remember("The gate opens at nine.", agent="bob")
    with served(folder, Limits("newcomer")) as client:
        assert client.do("memory_history", path="MEMORY.md", why=True)["commits"]
        planned = client.do("memory_compact")
    assert (planned["plan_id"], planned["reason"]) == ("", "newcomer has no memories yet")


@pytest.mark.with_history
def test_problems_name_the_tool_that_mends_them_or_the_person_who_does(folder: Path) -> None:
    with served(folder, ADA) as client:
        path = client.do("memory_write", content="Tea at four.")["path"]
        (folder / path).unlink()
        (problem,) = client.do("memory_status")["problems"]
    assert problem["repair"].endswith(ASK)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("`vaultmem log` lists them", "memory_history lists them"),
        ("`vaultmem forget a/b.md` forgets it once more", "memory_forget forgets it once more"),
        ("`vaultmem task update 3 --unblock 4`",
         "memory_task with op update and unblocked_by 4"),
        ("take it out (`redact=true`, where that is taken, keeps less)", "take it out"),
        ("it waits for review (`vaultmem remember`)", "it waits for review"),
        ("ask the person to run `vaultmem forget a.md --purge`",
         "ask the person to run `vaultmem forget a.md --purge`"),
        ("`vaultmem fsck --repair` or `git checkout -- a.md` brings it back",
         "`vaultmem fsck --repair` or `git checkout -- a.md` brings it back" + ASK),
        ("`tea` is no kind", "`tea` is no kind"),
    ],
)  # fmt: skip
def test_a_command_is_a_tool_or_a_person_s(text: str, told: str) -> None:
    assert commands.for_client(text) == told


def test_an_argument_that_is_null_was_not_given(folder: Path) -> None:
    with served(folder, ADA) as client:
        path = client.do("memory_write", content="Tea at four.", tags=None, title=None)["path"]
        found = client.do("memory_search", query="tea", k=None, person=None, kinds=None)["hits"]
        assert [hit["path"] for hit in found] == [path]
        assert "path is missing" in client.refused("memory_read", path=None)


@pytest.mark.with_history
def test_an_id_that_is_private_is_not_repeated(folder: Path) -> None:
    """Not with a line break in its marks, which quotes write out."""
    with served(folder) as client:
        answer = client.ask("memory_undo", id="<private\n>heliotrope</private\n>")
    assert answer.is_error
    assert "[private]" in str(answer.content)
    assert "heliotrope" not in str(answer.content)


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("memory_write", {"content": "The vet is called Mo."}),
        ("memory_write", {"kind": "topic", "title": "Vet", "content": "The vet is called Mo."}),
        ("memory_task", {"op": "create", "subject": "Vet", "description": "The vet is called Mo."}),
    ],
)  # fmt: skip
def test_what_another_agent_forgot_is_told_without_its_file(
    folder: Path, vault: Vault, tool: str, given: dict[str, object]
) -> None:
    stone = vault.forget(vault.remember("The vet is called Mo.", agent="bob").path).forgotten[0]
    with served(folder, ADA) as client:
        said = client.refused(tool, **given)
    assert said.endswith("; nothing was stored: only a person lets it back in")
    with served(folder) as client:
        assert stone in client.refused(tool, **given)


def test_a_damaged_tombstone_is_not_for_later_but_for_the_person(
    folder: Path, vault: Vault
) -> None:
    made = vault.remember("The umbrella was left in Graz.", agent="ada")
    vault.forget(made.id)
    (folder / f"tombstones/{made.id}.md").write_text("type: tombstone")
    with served(folder, ADA) as client:
        told = client.refused("memory_write", content="Another thing.")
    assert "`vaultmem fsck --repair`" in told
    assert told.endswith(ASK)
