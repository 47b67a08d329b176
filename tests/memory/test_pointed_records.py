"""MEMORY.md points at memories, notes and sessions from the first day, if git has them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Clock
from vaultmem import Vault, config
from vaultmem.errors import DiskRefused
from vaultmem.knowledge.topics.types import TopicPatch
from vaultmem.memory import memory_index, pointed_index, pointed_records
from vaultmem.memory.memory_index import BEGIN, END
from vaultmem.storage.files import Root, file_contents, file_status
from vaultmem.storage.index import Filter

SESSION = "agents/ada/sessions/s1.jsonl"
SUMMARY = (
    "---\nid: 01KAFZ6Q6Y3J6V8B7N6W7Q3KZM\ntype: summary\nagent: ada\ntier: recent\n"
    "created: 2026-11-20T10:15:00Z\ntrust: user\ntitle: So far\n---\nFacts.\n"
)


def rested(vault: Vault) -> None:
    """Let a round find files that nobody has touched for a while."""
    for file in vault.path.rglob("*.md"):
        if ".git" not in file.parts:
            os.utime(file, (1e9, 1e9))
    vault.tick()


def listed(vault: Vault) -> list[str]:
    """Return the generated lines."""
    text = (vault.path / "MEMORY.md").read_text()
    return text.partition(BEGIN)[2].partition(END)[0].splitlines()[1:]


def commits(vault: Vault) -> int:
    """Return how many commits there are."""
    done = subprocess.run(
        ["git", "rev-list", "--count", "HEAD"], cwd=vault.path, capture_output=True, check=True
    )
    return int(done.stdout)


def test_a_folder_is_walked_to_once_however_many_files_in_it_are_pointed_at(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are read, since a person may have edited them."""
    walked: list[str] = []
    walk = file_status.walk

    def noting(root: Root, parts: Sequence[str]) -> Any:  # noqa: ANN401  # as it is given
        walked.append("/".join(parts))
        return walk(root, parts)

    for n in range(3):
        vault.topics.set(f"Street number {n}", TopicPatch(("It is known.",)))
    monkeypatch.setattr(file_contents, "walk", noting)
    found = [it.path for it in pointed_records.after(vault.store, (), vouched=False)]
    assert len([it for it in found if it.startswith("topics/")]) == 3
    assert walked.count("topics") == 1


def test_a_first_day_has_pointers_to_all_there_is(vault: Vault, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "Tax.md").write_text("# Tax\n\nThe office wants the form in July.\n")
    tea = vault.remember("Oolong at five.", agent="ada", source="user", speaker="Mara").path
    vault.import_files("markdown", [source], agent="ada")
    (vault.path / "notes").mkdir(exist_ok=True)
    (vault.path / "notes/boiler.md").write_text("# Boiler\n\nServiced in May.\n")
    vault.say("s1", "Hello", role="user", agent="ada")
    rested(vault)
    (tax,) = (p.relative_to(vault.path).as_posix() for p in vault.path.glob("knowledge/**/Tax.md"))
    assert listed(vault) == [
        "## Newest notes",
        "- [boiler](notes/boiler.md): Serviced in May.",
        "## Newest knowledge",
        f"- [Tax]({tax}): The office wants the form in July.",
        "## Memories by day",
        f"- [ada: 2026-11-20]({tea}): Mara: Oolong at five.",
        "## Newest sessions",
        f"- [ada: s1]({SESSION}): the turns of a session, the last one of 2026-11-20",
    ]
    before = commits(vault)
    rested(vault)
    assert commits(vault) == before


@pytest.mark.long
def test_of_memories_the_newest_and_the_most_important_are_pointed_at(
    vault: Vault, clock: Clock
) -> None:
    """Until summaries tell of them."""
    for n in range(20):
        clock.advance(days=1)
        vault.remember(f"Fact number {n}.", agent="ada", source="user",
                       importance=0.9 if n == 3 else 0.5)  # fmt: skip
    vault.tick()
    told = [line.rpartition("number ")[2] for line in listed(vault) if "number" in line]
    assert told == [f"{n}." for n in (*range(19, 5, -1), 3)]
    (vault.path / "agents/ada/summaries").mkdir(exist_ok=True)
    (vault.path / "agents/ada/summaries/recent-20261120-101500.md").write_text(SUMMARY)
    rested(vault)
    assert "## Memories by day" not in listed(vault)


def test_what_git_does_not_have_takes_nobodys_place(vault: Vault) -> None:
    """Two clones, of which one has notes that the other never gets, point at the same."""
    (vault.path / "notes").mkdir(exist_ok=True)
    for n in range(memory_index.MOST_NEWEST):
        (vault.path / f"notes/n{n:02}.md").write_text(f"Note {n}.\n")
    rested(vault)
    before = listed(vault)
    assert len(before) == memory_index.MOST_NEWEST + 1
    for n in range(20):
        (vault.path / f"notes/z{n:02}.md").write_text("<private>The code is 1234.</private>\n")
    rested(vault)
    assert listed(vault) == before


def test_a_pointer_says_what_git_has_of_a_file_that_is_being_edited(vault: Vault) -> None:
    """Its new words wait with the file: whoever commits the list would publish them."""
    (vault.path / "notes").mkdir()
    tea, topic = vault.path / "notes/tea.md", vault.path / "topics/pnpm.md"
    tea.write_text("Green tea at four.\n")
    topic.parent.mkdir(exist_ok=True)
    topic.write_text("---\ntype: topic\ntitle: pnpm\n---\n- We use it.\n")
    rested(vault)
    told = ["## Topics", "- [pnpm](topics/pnpm.md): We use it."]
    note = "- [tea](notes/tea.md): Green tea at"
    assert listed(vault) == [*told, "## Newest notes", f"{note} four."]
    tea.write_text("Green tea at five.\n")
    topic.write_text("---\ntype: topic\ntitle: pnpm\n---\n- We drop it.\n")
    (vault.path / "notes/new.md").write_text("Nobody has this yet.\n")
    vault.tasks.create("Ship it")
    tasks = ["## Open tasks", "- [Ship it](tasks/task-0001.md)"]
    assert listed(vault) == [*told, *tasks, "## Newest notes", f"{note} four."]
    (vault.path / "notes/new.md").unlink()
    rested(vault)
    told = ["## Topics", "- [pnpm](topics/pnpm.md): We drop it."]
    assert listed(vault) == [*told, *tasks, "## Newest notes", f"{note} five."]


def test_a_pointer_says_what_the_same_commit_has_of_a_topic_that_was_being_edited(
    vault: Vault,
) -> None:
    topic = vault.path / "topics/pnpm.md"
    topic.parent.mkdir(exist_ok=True)
    head = "---\ndescription: Our tool\ntype: topic\ntitle: pnpm\nmood: calm\n---\n"
    text = f"{head}## Facts\n- We use it.\n"
    topic.write_text(text)
    rested(vault)
    topic.write_text(text.replace("Our tool", "Nobody knows yet"))
    vault.topics.set("pnpm", TopicPatch(("It is fast.",)))
    assert listed(vault) == ["## Topics", "- [pnpm](topics/pnpm.md): Our tool"]
    had = ["git", "show", "HEAD:topics/pnpm.md"]
    done = subprocess.run(had, cwd=vault.path, capture_output=True, check=True, text=True)
    assert ("Our tool" in done.stdout, "It is fast." in done.stdout) == (True, True)


def test_a_pointer_says_what_git_has_of_a_file_that_is_held_back(vault: Vault) -> None:
    (vault.path / "notes").mkdir()
    door = vault.path / "notes/door.md"
    door.write_text("The door is green.\n")
    rested(vault)
    before = listed(vault)
    door.write_text("The door is blue. <private>The code is 1234.</private>\n")
    rested(vault)
    assert before == ["## Newest notes", "- [door](notes/door.md): The door is green."]
    assert listed(vault) == before


def test_the_first_memory_is_pointed_at_right_behind_its_commit(vault: Vault) -> None:
    """The list of a new vault leads nowhere until then; a later memory waits for a round."""
    before = commits(vault)
    made = vault.remember("Oolong at five.", agent="ada", source="user")
    vault.rounds.point_at_the_first()
    shown = ["## Memories by day", f"- [ada: 2026-11-20]({made.path}): Oolong at five."]
    assert listed(vault) == shown
    assert commits(vault) == before + 2
    assert made.commit == vault.log()[1].commit
    vault.remember("Sencha at six.", agent="ada", source="user")
    vault.rounds.point_at_the_first()
    assert (listed(vault), commits(vault)) == (shown, before + 3)


def test_a_memory_that_no_list_may_show_makes_no_commit_beside_its_own(vault: Vault) -> None:
    before = commits(vault)
    vault.remember("Assam is cheap at our shop.", agent="ada", source="web")
    vault.rounds.point_at_the_first()
    vault.remember("Darjeeling is cheap at our shop.", agent="ada", source="web")
    vault.rounds.point_at_the_first()
    assert (listed(vault), commits(vault)) == ([], before + 2)


def test_a_topic_committed_by_hand_is_pointed_at_with_the_next_memory(vault: Vault) -> None:
    """It does not wait for a round; what git does not have yet does."""
    (vault.path / "topics").mkdir()
    (vault.path / "topics/pnpm.md").write_text("---\ntype: topic\ntitle: pnpm\n---\n- We use it.\n")
    vault.remember("Oolong at five.", agent="ada", source="user")
    assert listed(vault) == []
    for words in (["add", "topics"], ["commit", "--quiet", "-m", "a topic"]):
        subprocess.run(["git", *words], cwd=vault.path, check=True)
    vault.remember("Sencha at six.", agent="ada", source="user")
    assert listed(vault)[:2] == ["## Topics", "- [pnpm](topics/pnpm.md): We use it."]
    before = commits(vault)
    vault.remember("Assam at seven.", agent="ada", source="user")
    assert commits(vault) == before + 1


def test_an_import_brings_its_pointers_in_its_own_commit(vault: Vault, tmp_path: Path) -> None:
    """Of messages and of turns: what MEMORY.md names and the list itself come in together."""
    said = tmp_path / "chat.jsonl"
    said.write_text(
        '{"session":"s1","id":"1","at":"2026-11-01T10:00:00Z","speaker":"Mara",'
        '"content":"The boiler was serviced in May."}\n'
    )
    before = commits(vault)
    vault.import_files("jsonl", [said], agent="ada")
    assert [line.rpartition("): ")[2] for line in listed(vault)] == [
        "## Memories by day",
        "Mara: The boiler was serviced in May.",
    ]
    vault.import_files("jsonl", [said], agent="ben", manner="turns")
    assert any(
        line.startswith("- [ben: s1](agents/ben/sessions/s1.jsonl)") for line in listed(vault)
    )
    assert commits(vault) == before + 2
    vault.import_files("jsonl", [said], agent="ada")
    rested(vault)
    assert commits(vault) == before + 2


def test_an_import_says_when_the_disk_refuses_to_point_at_it(
    vault: Vault,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def refuse(*_: object) -> tuple[()]:
        raise DiskRefused("MEMORY.md", "No space left on device")

    (tmp_path / "m.jsonl").write_text('{"content": "Oolong at five."}\n')
    with monkeypatch.context() as refusing:
        refusing.setattr(pointed_index, "change", refuse)
        vault.import_files("jsonl", [tmp_path / "m.jsonl"], agent="ada")
    assert len([*vault.path.glob("agents/ada/memories/*/*/*.md")]) == 1
    assert caplog.messages == [
        "what came in is safe; pointing at it waits: No space left on device"
    ]


def test_a_correction_that_comes_back_ends_again_what_it_corrected(vault: Vault) -> None:
    """MEMORY.md is then what a round makes of it: not a memory that a correction ended."""
    first = vault.remember("Oolong at five.", agent="ada", source="user")
    later = vault.correct(first.path, "Oolong at six.")
    vault.tick()
    vault.forget(later.path)
    (forgot, *_) = vault.log()
    vault.remember("The boat leaves at noon.", agent="bob", source="user")
    vault.tick()
    vault.undo(forgot.commit)
    assert [line for line in listed(vault) if "agents/ada" in line] == [
        f"- [ada: 2026-11-20]({later.path}): Oolong at six."
    ]


def test_what_a_correction_that_comes_back_had_corrected_is_not_pointed_at(vault: Vault) -> None:
    """Where MEMORY.md has got another pointer since, too."""
    home = vault.remember("Mara lives in Graz.", agent="ada", source="user")
    told = vault.correct(home.id, "Mara lives in Wien.", source="user")
    rested(vault)
    plan, _ = vault.undo(told.id)
    assert [line for line in listed(vault) if home.path in line]
    vault.tasks.create("Buy bread")
    vault.undo(plan.op)
    assert not [line for line in listed(vault) if home.path in line]
    assert [line for line in listed(vault) if told.path in line]


def test_a_memory_that_comes_back_as_it_was_edited_is_not_pointed_at(vault: Vault) -> None:
    """No more than before it went: nobody has accepted what it says."""
    tea = vault.path / vault.remember("Oolong at five.", agent="ada", source="user").path
    tea.write_text(tea.read_text().replace("five", "six"))
    rested(vault)
    vault.forget(tea.relative_to(vault.path).as_posix())
    (forgot, *_) = vault.log()
    vault.undo(forgot.commit)
    assert "six" in tea.read_text()
    assert listed(vault) == []


def test_a_memory_that_was_corrected_is_not_pointed_at_when_an_edit_of_it_is_undone(
    vault: Vault,
) -> None:
    first = vault.remember("Oolong at five.", agent="ada", source="user")
    later = vault.correct(first.path, "Oolong at six.")
    tea = vault.path / first.path
    tea.write_text(tea.read_text().replace("five", "four"))
    rested(vault)
    before = listed(vault)
    edit = next(it for it in vault.log() if it.subject.startswith("human"))
    vault.undo(edit.commit)
    assert listed(vault) == before
    assert later.path in before[-1]


def test_a_memory_that_holds_again_is_not_pointed_at_where_a_summary_tells_of_it(
    vault: Vault,
) -> None:
    vault.remember("The boat leaves at noon.", agent="ada", source="user")
    vault.compact("ada", force=True)
    tea = vault.remember("Oolong at five.", agent="ada", source="user")
    vault.tick()
    before = listed(vault)
    vault.correct(tea.path, "Oolong at six.")
    (correction, *_) = vault.log()
    vault.undo(correction.commit)
    assert listed(vault) == before


@pytest.mark.long
def test_who_has_no_summary_any_more_is_pointed_at_by_memory_again(
    vault: Vault, folder: Path
) -> None:
    """In the commit of the forgetting that took the last summary away."""
    settings = folder / config.PATH
    settings.write_text(settings.read_text().replace("_window: 64", "_window: 4"))
    told = [vault.remember(f"Lantern {n} hangs in the garden.", agent="ada") for n in range(5)]
    vault.compact("ada", force=True)
    assert not [line for line in listed(vault) if told[-1].path in line]
    vault.forget(told[0].id)
    assert not vault.store.index.has(Filter(type="summary", tier="recent"))
    assert [line for line in listed(vault) if told[-1].path in line]
    now = listed(vault)
    rested(vault)
    assert listed(vault) == now
