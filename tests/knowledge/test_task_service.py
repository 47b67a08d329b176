"""Tasks kept in a vault: a file each, a commit each, together whoever writes at the same time."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Clock
from tests.forked import at_once
from vaultmem import Vault
from vaultmem.api import housekeeping
from vaultmem.errors import BadInput, DiskRefused, Refused, SecretFound
from vaultmem.knowledge.tasks import Task
from vaultmem.knowledge.tasks import service as task_service
from vaultmem.knowledge.tasks.service import Tasks
from vaultmem.retrieval.search import Scope
from vaultmem.storage.file_texts import FileTexts
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store

pytestmark = pytest.mark.without_history

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def kept(vault: Vault) -> Tasks:
    return Tasks(vault.store)


def ids(found: tuple[Task, ...]) -> list[int]:
    return [it.id for it in found]


def git(vault: Vault, *args: str) -> str:
    return subprocess.run(
        ["git", "-C", str(vault.path), *args], check=True, capture_output=True, text=True
    ).stdout


def text(vault: Vault, number: int) -> str:
    return (vault.path / f"tasks/task-{number:04}.md").read_text()


def test_completing_a_task_makes_ready_what_waited_for_it(kept: Tasks) -> None:
    design = kept.create("Design the schema")
    build = kept.create("Write the migration", blocked_by=[design.id])
    ship = kept.create("Ship", blocked_by=["task-0002"])
    assert (ids(kept.list(ready=True)), ids(kept.list(blocked=True))) == ([1], [2, 3])
    assert kept.get(1).blocks == (build.id,)
    with pytest.raises(Refused, match="1 waits for 3, 3 waits for 2, 2 waits for 1"):
        kept.update(design.id, blocked_by=[ship.id])
    kept.update(design.id, status="completed")
    assert (ids(kept.list(ready=True)), ids(kept.list(blocked=True))) == ([2], [3])
    assert ids(kept.list(status="completed")) == [1]


@pytest.mark.with_history
def test_of_two_who_claim_a_task_one_gets_it(vault: Vault, kept: Tasks) -> None:
    design = kept.create("Design")
    ship = kept.create("Ship", blocked_by=[design.id])
    with Vault.open(vault.path) as other:
        mine = kept.claim(design.id, "ada")
        with pytest.raises(Refused, match="task 1 is ada's: `vaultmem task update 1 --owner bob`"):
            other.tasks.claim(design.id, "bob")
    assert (mine.status, mine.owner) == ("in_progress", "ada")
    assert kept.claim("task-0001", "Ada").commit is None
    with pytest.raises(Refused, match="task 2 waits for 1"):
        kept.claim(ship.id, "bob")
    kept.update(design.id, status="completed")
    assert kept.claim(ship.id, "bob").owner == "bob"
    with pytest.raises(Refused, match="task 1 is completed"):
        kept.claim(design.id, "ada")


def test_what_came_of_a_task_stands_on_it_for_whoever_waits(vault: Vault, kept: Tasks) -> None:
    vault.say("plan", "Three tables.", agent="ada")
    kept.create("Design")
    kept.create("Ship", blocked_by=[1])
    log = "agents/ada/sessions/plan.jsonl"
    kept.update(1, error="the disk   is full", log=log)
    assert (kept.get(1).error, kept.get(1).log) == ("the disk is full", log)
    kept.update(1, status="completed", result="three tables")
    ship, design = kept.with_blockers(2)
    assert (ship.id, design.result, design.error, design.log) == (2, "three tables", "", log)
    assert text(vault, 1).endswith(f'log: "[[{log}]]"\nresult: three tables\n---\n')
    kept.update(1, result="", log="")
    assert (kept.get(1).result, kept.get(1).log) == ("", "")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"log": "agents/ada/sessions/none.jsonl"}, "is no file of the vault"),
        ({"log": ".vaultmem/ledger"}, "is no file of the vault"),
        ({"log": "notes/../x.md"}, "not a path inside the vault"),
        ({"result": "done", "error": "not done"}, "has no error"),
        ({"status": "completed", "error": "not done"}, "has no error"),
        ({"result": "x" * 2001}, "longer than 2000 characters"),
    ],
)
def test_what_cannot_have_come_of_a_task_is_refused(
    kept: Tasks, given: dict[str, Any], why: str
) -> None:
    kept.create("Ship")
    with pytest.raises((BadInput, Refused), match=why):
        kept.update(1, **given)
    assert kept.get(1).status == "pending"


@pytest.mark.with_history
def test_each_change_is_one_commit_and_leaves_nothing_behind(vault: Vault, kept: Tasks) -> None:
    kept.create("Design the schema", owner="ada", description="In three steps")
    made = kept.create("Ship", blocked_by=[1])
    done = kept.update(1, status="completed")
    assert made.commit
    assert done.commit == git(vault, "rev-parse", "HEAD").strip()
    subjects = [entry.subject for entry in vault.log(3)]
    assert subjects == [
        "task(update): 1 completed", "task(create): 2 Ship", "task(create): 1 Design the schema"
    ]  # fmt: skip
    assert git(vault, "status", "--porcelain") == ""
    held = git(vault, "show", "--format=", "--name-only", made.commit).split()
    assert held == ["MEMORY.md", "TASKS.md", "tasks/task-0001.md", "tasks/task-0002.md"]


@pytest.mark.with_history
def test_what_is_so_already_is_no_commit(vault: Vault, kept: Tasks) -> None:
    kept.create("Ship")
    before = git(vault, "rev-parse", "HEAD")
    same = kept.update(1, status="pending", subject="Ship")
    assert (same.commit, same.subject) == (None, "Ship")
    assert git(vault, "rev-parse", "HEAD") == before


def test_a_task_changes_in_what_is_given_and_in_nothing_else(
    kept: Tasks, vault: Vault, clock: Clock
) -> None:
    first = kept.create("Ship", description="To  the\n\n\tmoon", owner="ada")
    clock.advance(hours=1)
    made = kept.update("task-0001", status="in_progress", owner="")
    assert (made.status, made.owner, made.description) == ("in_progress", "", first.description)
    assert (made.created, made.updated) == ("2026-11-20T10:15:00Z", "2026-11-20T11:15:00Z")
    assert text(vault, 1).endswith("---\nTo  the\n\n\tmoon\n")
    assert kept.update(1, description="").description == ""


def test_a_status_set_by_hand_counts_and_their_file_stays_theirs(vault: Vault, kept: Tasks) -> None:
    kept.create("Design")
    kept.create("Ship", blocked_by=[1])
    path = vault.path / "tasks/task-0001.md"
    path.write_text(path.read_text().replace("pending", "completed") + "Well done!\n")
    (vault.path / "tasks/task-0009.md").write_text("Buy milk\n")
    with Vault.open(vault.path) as other:
        assert ids(other.tasks.list(ready=True)) == [2, 9]
        made = other.tasks.create("Drink it", blocked_by=[9])
    assert made.id == 10
    assert text(vault, 9).endswith("---\nBuy milk\n")
    assert path.read_text().endswith("---\nWell done!\n")


@pytest.mark.with_history
def test_the_board_follows_and_a_hand_edit_brings_it_up_to_date_too(
    vault: Vault, kept: Tasks
) -> None:
    assert task_service.board_change(vault.store) == ()
    kept.create("Ship")
    board = vault.path / "TASKS.md"
    assert "## Ready\n- [1. Ship](tasks/task-0001.md)\n" in board.read_text()
    assert task_service.board_change(vault.store) == ()
    board.write_text(f"{board.read_text()}\nMy own words.\n")
    path = vault.path / "tasks/task-0001.md"
    path.write_text(path.read_text().replace("pending", "completed"))
    vault.store.sync()
    housekeeping.commit_pending(vault.store)
    assert "## Done\n- [1. Ship](tasks/task-0001.md)" in board.read_text()
    assert board.read_text().endswith("\nMy own words.\n")


@pytest.mark.with_history
def test_the_board_says_what_its_commit_has_of_the_tasks(vault: Vault, kept: Tasks) -> None:
    """Words of a person that git has not are in no list that we commit, until it has them."""
    kept.create("Ship")
    kept.create("Paint")
    ship, paint = (vault.path / f"tasks/task-000{n}.md" for n in (1, 2))
    ship.write_text(ship.read_text().replace("Ship", "Ship to Orlando"))
    paint.write_text(paint.read_text().replace("Paint", "Paint it mauve") + f"{SECRET}\n")
    (vault.path / "tasks/task-0003.md").write_text("Buy quinces\n")
    kept.update(1, owner="ada")
    kept.create("Rest")
    board, fresh = vault.path / "TASKS.md", ("Orlando", "mauve", "quinces")
    assert "[1. Ship](tasks/task-0001.md): ada" in board.read_text()
    assert "[2. Paint](tasks/task-0002.md)" in board.read_text()
    assert not [word for word in fresh if word in git(vault, "log", "-p")]
    housekeeping.commit_pending(vault.store)
    assert [word for word in fresh if word in board.read_text()] == ["Orlando", "quinces"]
    assert board.read_text() == git(vault, "show", "HEAD:TASKS.md")


def test_the_board_goes_with_the_last_task_and_is_never_recalled(vault: Vault, kept: Tasks) -> None:
    kept.create("Ship the zeppelin")
    hits = vault.recall("zeppelin", scope=Scope()).hits
    assert [hit.path for hit in hits] == ["tasks/task-0001.md"]
    gone = Change("tasks/task-0001.md", text(vault, 1).encode(), None, "gone")
    (change,) = task_service.board_change(vault.store, [gone])
    assert (change.path, change.new) == ("TASKS.md", None)


def test_memory_md_points_at_the_tasks_that_are_open(vault: Vault, kept: Tasks) -> None:
    kept.create("Design")
    kept.create("Ship", description="To the moon")
    kept.update(1, status="completed")
    said = (vault.path / "MEMORY.md").read_text()
    assert "## Open tasks\n- [Ship](tasks/task-0002.md): To the moon\n" in said
    assert "task-0001" not in said


@pytest.mark.parametrize(
    ("new", "error", "why"),
    [
        ({"subject": ""}, BadInput, "needs a subject"),
        ({"subject": "<private>all of it</private>"}, BadInput, "needs a subject"),
        ({"subject": "x" * 201}, BadInput, "longer than 200"),
        ({"subject": "Ship", "blocked_by": [7]}, BadInput, "there is no task 7"),
        ({"subject": "Ship", "blocks": ["one"]}, BadInput, "'one' names no task"),
        ({"subject": f"Rotate {SECRET}"}, SecretFound, "the subject"),
        ({"subject": "Rotate", "description": SECRET}, SecretFound, "the description"),
        ({"subject": "Ship \ud800"}, BadInput, "not UTF-8"),
    ],
)
def test_what_cannot_be_a_task_is_refused_and_nothing_is_written(
    vault: Vault, kept: Tasks, new: dict[str, Any], error: type[Exception], why: str
) -> None:
    with pytest.raises(error, match=why):
        kept.create(**new)
    assert not (vault.path / "tasks").exists()


def test_a_task_that_is_not_there_and_a_status_that_is_none_are_bad_input(kept: Tasks) -> None:
    with pytest.raises(BadInput, match="there is no task 4: `vaultmem task list`"):
        kept.get("task-0004")
    kept.create("Ship")
    with pytest.raises(BadInput, match="'almost' is not a status: use one of pending, in_progre"):
        kept.update(1, status="almost")


def test_what_was_forgotten_is_no_task_again(vault: Vault, kept: Tasks) -> None:
    made = vault.remember("Call the clinic about the biopsy on Monday")
    vault.forgetting.forget([made.id])
    with pytest.raises(Refused, match="this was forgotten"):
        kept.create("Call the clinic about the biopsy on Monday")


def test_a_change_that_another_was_faster_with_is_decided_again(
    vault: Vault, kept: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two links that nobody would allow together touch different files: the graph is one."""
    for n in range(4):
        kept.create(f"t{n}")
    kept.update(2, blocked_by=[1])
    kept.update(4, blocked_by=[3])
    apply = Store.apply
    calls: list[Plan] = []

    def slow(store: Store, plan: Plan, guard: Callable[[], None] | None = None) -> None:
        calls.append(plan)
        if len(calls) == 1:
            with Vault.open(vault.path) as other:
                other.tasks.update(3, blocked_by=[2])
        apply(store, plan, guard)

    monkeypatch.setattr(Store, "apply", slow)
    (vault.path / "TASKS.md").write_text("Mine alone, so it never changes.\n")
    with pytest.raises(Refused, match="wait for each other"):
        kept.update(1, blocked_by=[4])


_CREATE = """
with Vault.open(path) as vault:
    for n in range(4):
        print(vault.tasks.create(f"{name} {n}").id)
"""


@pytest.mark.long
@pytest.mark.with_history
def test_who_creates_at_the_same_time_gets_numbers_of_their_own(folder: Path) -> None:
    numbers = at_once(_CREATE, folder, "ada", "ben")
    assert sorted(map(int, numbers)) == list(range(1, 9))
    with Vault.open(folder) as vault:
        subjects = [it.subject for it in vault.tasks.list()]
        assert len(set(subjects)) == 8
        vault.store.writer.commit_pending()  # what found git's index locked for too long waits
        assert git(vault, "status", "--porcelain") == ""
        assert f"[8. {subjects[7]}]" in (folder / "TASKS.md").read_text()


@pytest.mark.with_history
def test_an_operation_is_taken_back_and_the_board_follows(vault: Vault, kept: Tasks) -> None:
    kept.create("Design")
    first = vault.log(1)[0]
    board = vault.path / "TASKS.md"
    vault.undo(first.ops[0])
    assert not board.exists()
    kept.create("Design")
    kept.update(1, owner="ada")
    owned = vault.log(1)[0]
    kept.create("Ship")
    board.write_text(f"{board.read_text()}Mine.\n")
    vault.undo(owned.ops[0])
    assert (
        "- [1. Design](tasks/task-0001.md)\n- [2. Ship](tasks/task-0002.md)\n" in board.read_text()
    )
    assert board.read_text().endswith("\nMine.\n")


def test_a_task_that_is_forgotten_is_gone_from_the_board(vault: Vault, kept: Tasks) -> None:
    kept.create("Call the clinic about the biopsy")
    kept.create("Buy milk", blocked_by=[1])
    vault.forgetting.forget(["tasks/task-0001.md"])
    with Vault.open(vault.path) as other:
        assert ids(other.tasks.list(ready=True)) == [2]
    assert "biopsy" not in (vault.path / "TASKS.md").read_text()


@pytest.mark.with_history
def test_a_task_with_a_private_part_keeps_the_words_that_git_has_not(
    vault: Vault, kept: Tasks
) -> None:
    made = kept.create("Buy oranges", description="In the shop.", owner="ada")
    file = vault.path / made.path
    file.write_text(f"{file.read_text()}Ask Quincy.\n<private>pin 1234</private>\n")
    before = file.read_text()
    changes: list[Callable[[], object]] = [
        lambda: kept.update(1, description="Elsewhere."),
        lambda: kept.update(1, subject="Buy limes"),
        lambda: kept.update(1, owner=""),
    ]
    for change in changes:
        with pytest.raises(Refused, match="marked private, which is not committed: add to it"):
            change()
    assert file.read_text() == before
    other = kept.create("Sail", blocked_by=[1])
    assert kept.update(1, status="completed").status == "completed"
    assert kept.update(1, description="In the shop.\nAsk Quincy. And Eve.").blocks == (other.id,)
    for words in ("Quincy. And Eve.", "pin 1234"):
        assert words in file.read_text()


@pytest.mark.with_history
def test_a_task_is_kept_though_the_disk_refuses_to_let_it_be_read_again(
    kept: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = FileTexts.own

    def own(texts: FileTexts, path: str) -> bytes | None:
        if path.startswith("tasks/") and (texts.root.path / path).exists():
            raise DiskRefused(path, "Permission denied")
        return real(texts, path)

    with monkeypatch.context() as refusing:
        refusing.setattr(FileTexts, "own", own)
        made = kept.create("Buy oranges")
    assert made.commit is None
    assert made.uncommitted == (
        "it is on disk, and whether a commit has it is not known: tasks/task-0001.md: "
        "Permission denied"
    )
    assert ids(kept.list()) == [made.id]


@pytest.mark.with_history
def test_what_a_person_wrote_into_a_task_is_in_history_before_it_is_replaced(
    vault: Vault, kept: Tasks
) -> None:
    made = kept.create("Buy oranges", description="In the shop.")
    file = vault.path / made.path
    file.write_text(file.read_text().replace("In the shop.", "At the Quincy market."))
    kept.update(1, description="Elsewhere.")
    assert "Quincy market" in git(vault, "log", "-p", "--", made.path)
    vault.undo(vault.log()[0].ops[0])
    assert "Quincy market" in file.read_text()


NO_LINKS: list[tuple[object, str]] = [
    (1, "takes a list of numbers or strings, not 'int': put it in brackets"),
    (None, "takes a list of numbers or strings, not None"),
    ("12", "takes a list of numbers or strings, not 'str'"),
    (b"1", "takes a list of numbers or strings, not 'bytes'"),
    ({1: 2}, "takes a list of numbers or strings, not 'dict'"),
    ([True], "and holds 'bool'"),
    ([1.0], "and holds 'float'"),
    ([None], "and holds None"),
    ([[1]], "and holds 'list'"),
    ([0], "'0' names no task"),
    ([-1], "'-1' names no task"),
    (["one"], "'one' names no task"),
    ([10**30], "names no task"),
    ([7], "there is no task 7"),
]


@pytest.mark.with_history
def test_links_to_what_is_no_task_are_bad_input(vault: Vault, kept: Tasks) -> None:
    kept.create("Design")
    kept.create("Build", blocked_by=[1])
    before = git(vault, "rev-parse", "HEAD")
    for links, why in NO_LINKS:
        for key in ("blocked_by", "blocks", "unblocked_by"):
            with pytest.raises(BadInput, match=re.escape(why)):
                kept.update(2, **{key: links})  # type: ignore[arg-type]
        for key in ("blocked_by", "blocks"):
            with pytest.raises(BadInput, match=re.escape(why)):
                kept.create("Ship", **{key: links})  # type: ignore[arg-type]
    assert git(vault, "rev-parse", "HEAD") == before
    assert ids(kept.list()) == [1, 2]


def test_a_link_to_a_task_whose_file_is_gone_can_be_taken_away(vault: Vault, kept: Tasks) -> None:
    kept.create("Design")
    kept.create("Build", blocked_by=[1])
    (vault.path / "tasks/task-0001.md").unlink()
    kept.update(2, unblocked_by=[1])
    assert "blocked_by" not in text(vault, 2)


@pytest.mark.with_history
def test_status_reads_tasks_without_fault_once(
    vault: Vault, kept: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until one of them is another, and each time where something is wrong."""
    kept.create("Design")
    kept.create("Ship", blocked_by=[1])
    reads: list[str] = []
    allowed = FileTexts.read_if_allowed

    def counted(texts: FileTexts, path: str) -> bytes | None:
        reads.append(path)
        return allowed(texts, path)

    monkeypatch.setattr(FileTexts, "read_if_allowed", counted)

    def looked() -> tuple[int, list[str]]:
        vault.store.sync()
        reads.clear()
        found = [p.path for p in vault.status().problems]
        return sum(path.startswith("tasks/task-") for path in reads), found

    assert [looked(), looked()] == [(2, []), (0, [])]
    file = vault.path / "tasks/task-0002.md"
    whole = file.read_text()
    file.write_text(re.sub(r"(?m)^status: .*", "status: perhaps", whole))
    assert [looked(), looked()] == [(2, ["tasks/task-0002.md"])] * 2
    file.write_text(f"{whole}More.\n")
    assert [looked(), looked()] == [(2, []), (0, [])]
    assert vault.fsck().ok
