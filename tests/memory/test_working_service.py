"""Working memory kept in a vault: on disk at once, whoever else writes, and gone with its task."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tests.conftest import Clock
from vaultmem import Vault
from vaultmem.documents import frontmatter
from vaultmem.errors import BadInput, Refused, SecretFound, SwitchedOff, Unreadable
from vaultmem.memory.working import Note, Step, Todo, Working
from vaultmem.memory.working import service as working_service
from vaultmem.memory.working.service import Workbench
from vaultmem.storage.human_edits import Uncommitted

PARTY = Working("Plan the party", "awaiting payment", (Step("Find a room"), Step("Invite")),
                (Note("Tomas is away"),), (Todo("1", "buy a cake"),), 2, "s1", 4)  # fmt: skip
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def bench(vault: Vault) -> Workbench:
    return Workbench(vault.store, "ada")


@pytest.fixture
def note(vault: Vault) -> Path:
    return vault.path / "agents/ada/working.md"


def commits(vault: Vault) -> list[str]:
    log = ["git", "-C", str(vault.path), "log", "--format=%s"]
    return subprocess.run(log, check=True, capture_output=True, text=True).stdout.splitlines()


def test_what_is_in_hand_is_on_disk_when_the_call_returns(
    vault: Vault, bench: Workbench, note: Path
) -> None:
    assert bench.read() == Working()
    assert bench.change(lambda _: PARTY) == PARTY
    with Vault.open(vault.path) as other:
        assert Workbench(other.store, "ada").read() == PARTY
        assert Workbench(other.store, "ben").read() == Working()
    head = frontmatter.fields(frontmatter.parse(note.read_text()))
    assert (head["type"], head["agent"], head["trust"]) == ("working", "ada", "agent")
    assert (head["session"], head["task"], head["iteration"]) == ("s1", "[[task-0004]]", "2")


def test_a_change_that_changes_nothing_writes_nothing(bench: Workbench, note: Path) -> None:
    bench.change(lambda _: PARTY)
    before = note.stat().st_mtime_ns
    assert bench.change(lambda it: replace(it, goal=" Plan  the party ")) == PARTY
    assert note.stat().st_mtime_ns == before


def test_a_step_changes_its_lines_and_a_persons_words_stay(
    bench: Workbench, note: Path, clock: Clock
) -> None:
    bench.change(lambda _: PARTY)
    mine = note.read_text().replace("## Todo", "Not the Ritz!\n\n## Budget\n- 200\n\n## Todo")
    note.write_text(mine.replace("type: working", "mood: good\ntype: working"))
    clock.advance(minutes=5)
    done = (Step("Find a room", "done", "Room 5"), Step("Invite"))
    bench.change(lambda it: replace(it, steps=done))
    assert note.read_text() == mine.replace("type: working", "mood: good\ntype: working").replace(
        "- [ ] Find a room\n", "- [x] Find a room\n  - **Result:** Room 5\n"
    ).replace("updated: 2026-11-20T10:15:00Z", "updated: 2026-11-20T10:20:00Z")


def test_what_a_person_ticks_is_what_the_agent_reads(bench: Workbench, note: Path) -> None:
    bench.change(lambda _: PARTY)
    note.write_text(note.read_text().replace("[ ] `1`", "[x] `1`").replace("[ ] Invite", "[-] I"))
    assert bench.read().todos == (Todo("1", "buy a cake", "completed"),)
    assert bench.read().steps[1] == Step("I", "failed")


def test_changes_share_a_commit_with_each_other(vault: Vault, bench: Workbench) -> None:
    before = commits(vault)
    for n in range(1, 4):
        bench.change(lambda _, n=n: replace(PARTY, iteration=n))  # type: ignore[misc]
    assert commits(vault) == before
    vault.remember("I like tea", agent="ada")
    made = commits(vault)[: -len(before)]
    assert sorted(made) == ["remember(ada): I like tea", "working(ada): 3 changes"]
    shown = ["git", "-C", str(vault.path), "show", "HEAD:agents/ada/working.md"]
    assert (
        "iteration: 3" in subprocess.run(shown, check=True, capture_output=True, text=True).stdout
    )


def test_many_changes_do_not_wait_for_ever(
    vault: Vault, bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(working_service, "MOST_WAITING", 5)
    for n in range(1, 6):
        bench.change(lambda _, n=n: Working("Count", iteration=n))  # type: ignore[misc]
    assert commits(vault)[0] == "working(ada): 5 changes"


@pytest.mark.parametrize(
    ("made", "hook"),
    [
        (PARTY, "Plan the party"),
        (Working(todos=(Todo("1", "bake", "completed"), Todo("2", "buy a cake"))), "buy a cake"),
        (Working(todos=(Todo("1", "bake", "completed"),)), "todo list"),
        (Working(scratchpad=(Note("Tomas is away"),)), "notes"),
    ],
)
def test_the_history_tells_what_is_in_hand(
    vault: Vault, bench: Workbench, made: Working, hook: str
) -> None:
    bench.change(lambda _: made)
    vault.store.writer.commit_pending()
    assert commits(vault)[0] == f"working(ada): {hook}"
    bench.clear()
    vault.store.writer.commit_pending()
    assert commits(vault)[0] == "working(ada): cleared"


def test_when_the_task_is_over_the_note_goes_and_what_a_person_wrote_stays(
    vault: Vault, bench: Workbench, note: Path
) -> None:
    bench.change(lambda _: PARTY)
    bench.clear()
    assert not note.exists()
    bench.clear()
    vault.store.writer.commit_pending()
    status = ["git", "-C", str(vault.path), "status", "--porcelain"]
    assert subprocess.run(status, check=True, capture_output=True, text=True).stdout == ""
    bench.change(lambda _: PARTY)
    note.write_text(note.read_text() + "\n## Mine\nAsk Ines.\n")
    bench.clear()
    assert bench.read() == Working()
    assert note.read_text().endswith("---\n## Mine\nAsk Ines.\n")
    assert "iteration" not in note.read_text()


def test_another_who_was_faster_is_not_overwritten(vault: Vault, bench: Workbench) -> None:
    asked: list[Working] = []

    def noted(it: Working) -> Working:
        if not asked:
            with Vault.open(vault.path) as other:
                Workbench(other.store, "ada").change(
                    lambda x: replace(x, scratchpad=(Note("theirs"),))
                )
        asked.append(it)
        return replace(it, scratchpad=(*it.scratchpad, Note("mine")))

    assert bench.change(noted).scratchpad == (Note("theirs"), Note("mine"))
    assert len(asked) == 2


@pytest.mark.parametrize(
    ("wanted", "error", "why"),
    [
        (Working(goal=f"use {SECRET}"), SecretFound, "the goal"),
        (Working(steps=(Step("a", "failed", SECRET),)), SecretFound, "a result"),
        (Working(todos=(Todo("1", "a"), Todo("1", "b"))), BadInput, "have the id '1'"),
        (Working(goal="half \ud800"), BadInput, "half a character"),
        (Working(session="x" * 201), BadInput, "session is longer"),
    ],
)
def test_what_must_not_be_stored_is_refused(
    bench: Workbench, note: Path, wanted: Working, error: type[Exception], why: str
) -> None:
    with pytest.raises(error, match=why):
        bench.change(lambda _: wanted)
    assert not note.exists()


def test_what_is_private_or_was_forgotten_stays_out(vault: Vault, bench: Workbench) -> None:
    made = bench.change(lambda _: Working("Call <private>my lawyer</private> today"))
    assert made.goal == "Call today"
    gone = vault.remember("The biopsy is on Monday at nine")
    vault.forgetting.forget([gone.id])
    with pytest.raises(Refused, match="this was forgotten"):
        bench.change(lambda it: replace(it, scratchpad=(Note("The biopsy is on Monday at nine"),)))


@pytest.mark.parametrize(
    "meant",
    [
        Working(steps=(Step("<private>a"), Step("hush", "done", "hush"), Step("b</private> tea"))),
        Working(
            scratchpad=(Note("<private>a", "k"), Note("hush", "hush"), Note("b</private> tea"))
        ),
        Working(
            todos=(Todo("1", "<private>a"), Todo("hush", "hush"), Todo("3", "b</private> tea"))
        ),
    ],
)
def test_a_private_part_may_go_over_what_is_in_a_list(
    bench: Workbench, note: Path, meant: Working
) -> None:
    bench.change(lambda _: meant)
    assert "tea" in note.read_text()
    assert not any(word in note.read_text() for word in ("hush", "private"))


def test_a_long_list_of_a_persons_own_does_not_keep_the_agent_from_its_goal(
    bench: Workbench, note: Path
) -> None:
    note.parent.mkdir(parents=True)
    note.write_text("## Todo\n" + "".join(f"- [ ] thing {n}\n" for n in range(30)))
    made = bench.change(lambda it: replace(it, goal="Do it"))
    assert (made.goal, len(made.todos)) == ("Do it", 30)
    with pytest.raises(BadInput, match="29 todos, at most 20"):
        bench.change(lambda it: replace(it, todos=it.todos[1:]))


def test_a_torn_note_is_left_alone_and_named(bench: Workbench, note: Path) -> None:
    note.parent.mkdir(parents=True)
    note.write_text("---\ntype: working\n## Goal\n")
    with pytest.raises(Unreadable, match=r"agents/ada/working\.md: .*fix it by hand"):
        bench.change(lambda _: PARTY)
    assert note.read_text() == "---\ntype: working\n## Goal\n"


def test_an_agent_that_is_switched_off_has_nothing_in_hand(vault: Vault, bench: Workbench) -> None:
    config = vault.path / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("disabled_agents: []", "disabled_agents: [ada]"))
    with pytest.raises(SwitchedOff):
        bench.change(lambda _: PARTY)


def test_the_context_shows_what_is_in_hand(vault: Vault, bench: Workbench) -> None:
    bench.change(lambda _: PARTY)
    said = vault.context(agent="ada").text
    assert "Plan the party" in said
    assert "- [ ] Find a room" in said
    assert said.count("awaiting payment") == 1
    assert "Progress: step 2 of 20" in said


def test_a_context_says_how_far_it_is_and_no_finding_twice(vault: Vault, bench: Workbench) -> None:
    step = Step("Measure the door", "done", "80 cm wide")
    pad = (Note("80 cm wide", "Measure the door"), Note("at nine", "van"))
    bench.change(
        lambda _: Working("Move", steps=(step,), scratchpad=pad, iteration=1, max_iterations=4)
    )
    said = vault.context(agent="ada").text
    assert "Progress: step 1 of 4" in said
    assert said.count("80 cm wide") == 1
    assert "- `van`: at nine" in said


def test_a_business_state_is_one_that_the_config_declares(vault: Vault, bench: Workbench) -> None:
    config = vault.path / "config/memory_compaction.md"
    declared = "states: [needs clarification, awaiting payment]"
    config.write_text(config.read_text().replace("states: []", declared))
    assert bench.states == ("needs clarification", "awaiting payment")
    bench.change(lambda it: replace(it, state="Awaiting Payment"))
    with pytest.raises(BadInput, match="'paid' is not a state of this task: use one of needs"):
        bench.change(lambda it: replace(it, state="paid"))
    assert bench.read().state == "awaiting payment"
    other = vault.workbench("ada", states=["paid"])
    assert other.change(lambda it: replace(it, state="paid")).state == "paid"
    assert bench.change(lambda it: replace(it, goal="Ship")).state == "paid"


def test_a_private_part_stays_when_the_task_ends(bench: Workbench, note: Path) -> None:
    bench.change(lambda _: PARTY)
    note.write_text(note.read_text().replace("## Goal", "<private>pin 1234</private>\n\n## Goal"))
    bench.clear()
    assert "<private>pin 1234</private>" in note.read_text()
    assert "Plan the party" not in note.read_text()
    assert bench.read() == Working()


def test_words_that_git_cannot_have_are_not_replaced(
    vault: Vault, bench: Workbench, note: Path
) -> None:
    """A person wrote them beside a private part, which keeps the file out of the history."""
    bench.change(lambda _: PARTY)
    vault.store.writer.commit_pending()
    words = "Plan the party\nQuincy comes, too. <private>pin 1234</private>"
    note.write_text(note.read_text().replace("Plan the party", words))
    before = note.read_text()
    with pytest.raises(Uncommitted, match="a part marked private"):
        bench.change(lambda it: replace(it, goal="Plan the trip"))
    assert note.read_text() == before


def test_what_a_person_wrote_is_in_history_before_the_agent_replaces_it(
    vault: Vault, bench: Workbench, note: Path
) -> None:
    bench.change(lambda _: PARTY)
    vault.store.writer.commit_pending()
    note.write_text(note.read_text().replace("Plan the party", "Plan Quincy's party"))
    bench.change(lambda it: replace(it, goal="Plan the trip"))
    vault.store.writer.commit_pending()
    log = ["git", "-C", str(vault.path), "log", "-p", "--", "agents/ada/working.md"]
    assert "Quincy" in subprocess.run(log, check=True, capture_output=True, text=True).stdout
