"""What was changed at its source comes in again, and ends what it said before."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.exchange.importing.types import Imported
from vaultmem.storage.index import Filter

pytestmark = pytest.mark.without_history

Write = Callable[[Path, str, str], Path]

THEN, LATER, LAST = "2026-02-01T10:00:00Z", "2026-03-01T10:00:00Z", "2026-04-01T10:00:00Z"


def mem0(folder: Path, text: str, at: str) -> Path:
    """Write a memory of mem0 that was updated *at* that time."""
    it = {"id": "m1", "memory": text, "user_id": "alice", "created_at": THEN, "updated_at": at}
    (path := folder / "mem0.json").write_text(json.dumps([it]))
    return path


def letta(folder: Path, text: str, at: str) -> Path:
    """Write an agent whose block says *text*, and who was told something *at* that time."""
    said = {"id": f"l{at}", "role": "user", "content": f"It is {at[:10]}.", "created_at": at}
    agent = {"id": "agent-0", "name": "mate", "block_ids": ["b1"], "messages": [said]}
    blocks = [{"id": "b1", "label": "human", "value": text}]
    (path := folder / "a.af").write_text(json.dumps({"agents": [agent], "blocks": blocks}))
    return path


def jsonl(folder: Path, text: str, at: str) -> Path:
    """Write a message of one id."""
    line = {"id": "m1", "session": "s1", "content": text, "at": at}
    (path := folder / "chat.jsonl").write_text(json.dumps(line))
    return path


def claude_mem(folder: Path, text: str, at: str) -> Path:
    """Write a database with one observation."""
    path = folder / "claude-mem.db"
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE observations(id, memory_session_id, narrative, created_at)")
        db.execute("INSERT INTO observations VALUES(1, 's1', ?, ?)", (text, at))
    return path


def chatgpt(folder: Path, text: str, at: str) -> Path:
    """Write a conversation of one message."""
    when = {THEN: 1.7e9, LATER: 1.71e9, LAST: 1.72e9}[at]
    told = {"content_type": "text", "parts": [text]}
    said = {"id": "a", "author": {"role": "user"}, "create_time": when, "content": told}
    tree: dict[str, object] = {"a": {"id": "a", "parent": None, "message": said}}
    talk = {"title": "Trip", "conversation_id": "c1", "current_node": "a", "mapping": tree}
    (path := folder / "conversations.json").write_text(json.dumps([talk]))
    return path


SOURCES: Mapping[str, Write] = {
    "mem0": mem0, "letta": letta, "jsonl": jsonl, "claude-mem": claude_mem, "chatgpt": chatgpt,
}  # fmt: skip
every_source = pytest.mark.parametrize("form", SOURCES)
turns_too = pytest.mark.parametrize("form", ["jsonl", "claude-mem", "chatgpt"])

VEGETARIAN, VEGAN, FISH = "Alice is a vegetarian.", "Alice is now a vegan.", "Alice eats fish."


def take(vault: Vault, form: str, path: Path, manner: str = "memories") -> Imported:
    """Import *path* for ada."""
    return vault.import_files(form, [path], agent="ada", manner=manner).done


def holding(vault: Vault) -> dict[str, bool]:
    """Return what is said of Alice, and whether it holds."""
    vault.store.sync()
    own = vault.store.index.records(Filter(type="memory", recallable=True))
    return {r.body.strip(): not r.superseded_by for r in own if "Alice" in r.body}


def left(done: Imported) -> list[str]:
    """Return why what was left out was."""
    return [reason.why for reason in done.skipped_because]


@every_source
def test_a_changed_record_is_a_new_memory_that_supersedes_the_earlier_one(
    form: str, vault: Vault, tmp_path: Path
) -> None:
    take(vault, form, SOURCES[form](tmp_path, VEGETARIAN, THEN))
    done = take(vault, form, SOURCES[form](tmp_path, VEGAN, LATER))
    assert done.updated == 1
    assert "changed at its source: the earlier one is superseded" in {r.why for r in done.remarks}
    assert holding(vault) == {VEGETARIAN: False, VEGAN: True}
    again = take(vault, form, tmp_path / SOURCES[form](tmp_path, VEGAN, LATER).name)
    assert (again.imported, again.updated) == (0, 0)
    assert set(left(again)) == {"imported before"}
    take(vault, form, SOURCES[form](tmp_path, FISH, LAST))
    assert holding(vault) == {VEGETARIAN: False, VEGAN: False, FISH: True}


@every_source
def test_an_older_version_takes_nothings_place(form: str, vault: Vault, tmp_path: Path) -> None:
    """Whether it came in before, or comes for the first time."""
    take(vault, form, SOURCES[form](tmp_path, VEGAN, LATER))
    done = take(vault, form, SOURCES[form](tmp_path, VEGETARIAN, THEN))
    assert done.updated == 0
    assert "an older version of what is here, which stays" in left(done)
    take(vault, form, SOURCES[form](tmp_path, FISH, LAST))
    done = take(vault, form, SOURCES[form](tmp_path, VEGAN, LATER))
    assert done.updated == 0
    assert holding(vault) == {VEGAN: False, FISH: True}


def test_what_changes_back_holds_again(vault: Vault, tmp_path: Path) -> None:
    """By its time: the same words said later are another version."""
    for text, at in ((VEGETARIAN, THEN), (VEGAN, LATER), (VEGETARIAN, LAST)):
        take(vault, "mem0", mem0(tmp_path, text, at))
    vault.store.sync()
    own = vault.store.index.records(Filter(type="memory", recallable=True))
    assert [(r.body.strip(), bool(r.superseded_by)) for r in own] == [
        (VEGETARIAN, True), (VEGAN, True), (VEGETARIAN, False),
    ]  # fmt: skip
    assert take(vault, "mem0", mem0(tmp_path, VEGETARIAN, LAST)).updated == 0


def test_two_versions_in_one_import_end_as_in_two(vault: Vault, tmp_path: Path) -> None:
    (folder := tmp_path / "exports").mkdir()
    for n, (text, at) in enumerate(((VEGETARIAN, THEN), (VEGAN, LATER))):
        mem0(tmp_path, text, at).rename(folder / f"{n}.json")
    done = take(vault, "mem0", folder)
    assert (done.imported, done.updated) == (1, 1)
    assert holding(vault) == {VEGETARIAN: False, VEGAN: True}


@turns_too
def test_as_turns_a_changed_record_is_a_turn_of_its_own(
    form: str, vault: Vault, tmp_path: Path
) -> None:
    take(vault, form, SOURCES[form](tmp_path, VEGETARIAN, THEN), "turns")
    for _ in range(2):
        done = take(vault, form, SOURCES[form](tmp_path, VEGAN, LATER), "turns")
    assert done.updated == 0
    take(vault, form, SOURCES[form](tmp_path, VEGETARIAN, THEN), "turns")
    (path,) = vault.path.glob("agents/ada/sessions/*.jsonl")
    said = [json.loads(line).get("content", "") for line in path.read_text().splitlines()]
    assert [text for text in said if "Alice" in text] == [VEGETARIAN, VEGAN]


@pytest.mark.with_history
def test_what_a_person_edited_here_is_no_change_at_the_source(vault: Vault, tmp_path: Path) -> None:
    take(vault, "mem0", mem0(tmp_path, VEGETARIAN, THEN))
    (path,) = vault.path.glob("agents/ada/memories/*/*/*.md")
    path.write_text(path.read_text().replace("vegetarian", "baker"))
    vault.fsck(accept=[str(path.relative_to(vault.path))])
    done = take(vault, "mem0", mem0(tmp_path, VEGETARIAN, THEN))
    assert (done.updated, left(done)) == (0, ["imported before"])
