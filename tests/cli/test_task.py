"""`vaultmem task`: for people a table, for scripts the task itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from vaultmem.cli import run

pytestmark = pytest.mark.without_history


@pytest.fixture(autouse=True)
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VAULTMEM_VAULT", str(folder))
    return folder


def said(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert run(["task", *args]) == 0
    return capsys.readouterr().out


def told(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(said(capsys, *args, "--json"))
    return found


@pytest.mark.with_history
def test_tasks_are_made_listed_and_completed(capsys: pytest.CaptureFixture[str]) -> None:
    first = told(capsys, "create", "Design", "the", "schema", "--owner", "ada")
    assert {k: v for k, v in first.items() if k not in {"commit", "created", "updated"}} == {
        "id": 1, "subject": "Design the schema", "status": "pending", "owner": "ada",
        "blocked_by": [], "blocks": [], "description": "", "path": "tasks/task-0001.md",
        "result": "", "error": "", "log": "", "uncommitted": "", "left_out": "",
        "trust": "agent", "outcome_trust": "agent",
    }  # fmt: skip
    assert first["commit"]
    assert told(capsys, "create", "Ship", "--blocked-by", "task-0001")["blocked_by"] == [1]
    found = told(capsys, "list", "--ready")
    assert [it["id"] for it in found["tasks"]] == [1]
    assert found["counts"] == {"ready": 1, "in_progress": 0, "blocked": 1, "completed": 0}
    assert "ready now: 2 Ship\n" in said(capsys, "update", "1", "--status", "completed")
    assert [it["id"] for it in told(capsys, "list", "--ready")["tasks"]] == [2]
    assert told(capsys, "list", "--owner", "Ada", "--status", "completed")["tasks"][0]["id"] == 1
    assert told(capsys, "list", "--blocked")["tasks"] == []


def test_the_table_says_what_each_waits_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "list") == "no tasks: `vaultmem task create SUBJECT`\n"
    said(capsys, "create", "Design")
    said(capsys, "create", "Ship", "--blocked-by", "1", "--description", "To the moon")
    assert said(capsys, "list") == (
        "task  status   owner  waits for  subject\n"
        "1     pending  -      -          Design\n"
        "2     pending  -      1          Ship\n"
    )
    assert said(capsys, "get", "#2") == (
        "2: Ship  (tasks/task-0002.md)\npending\nwaits for 1: Design (pending)\n\nTo the moon\n"
    )
    assert "pending, ready\nbefore 2: Ship (pending)\n" in said(capsys, "get", "1")


def test_whoever_waits_reads_what_came_of_a_task(capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "create", "Design")
    said(capsys, "create", "Ship", "--blocked-by", "1")
    assert said(capsys, "claim", "1", "--owner", "ada") == "task 1 is in_progress: Design\n"
    assert run(["task", "claim", "1", "--owner", "bob"]) == 3
    assert "task 1 is ada's" in capsys.readouterr().err
    said(capsys, "update", "1", "--error", "no paper")
    assert "waits for 1: Design (in_progress): error: no paper\n" in said(capsys, "get", "2")
    done = ("--status", "completed", "--result", "three tables", "--log", "README.md")
    said(capsys, "update", "1", *done)
    assert "waits for 1: Design (completed): three tables\n" in said(capsys, "get", "2")
    assert "\nresult: three tables\nlog: README.md\n" in said(capsys, "get", "1")


def test_a_mistake_is_one_sentence_with_the_way_out(capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "create", "Design")
    said(capsys, "create", "Ship", "--blocked-by", "1")
    for line, code, why in (
        ("update 1 --blocked-by 2", 3, "1 waits for 2, 2 waits for 1"),
        ("update 1 --blocked-by 1", 3, "cannot wait for itself"),
        ("update 7 --status completed", 2, "there is no task 7"),
        ("update one --status completed", 2, "'one' names no task"),
        ("update 1 --status almost", 2, "'almost' is not a status"),
        ("update 1", 2, "nothing to change"),
        ("create <private>x</private>", 2, "needs a subject"),
        ("list --status open", 2, "'open' is not a status"),
    ):
        assert run(["task", *line.split()]) == code, line
        assert why in capsys.readouterr().err


def test_links_go_and_texts_change(capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "create", "Design")
    said(capsys, "create", "Ship", "--blocked-by", "1")
    made = told(capsys, "update", "2", "--unblock", "1", "--subject", "Fly", "--owner", "ben")
    assert (made["blocked_by"], made["subject"], made["owner"]) == ([], "Fly", "ben")
    assert told(capsys, "get", "1")["blocks"] == []


def test_what_is_wrong_with_a_file_is_noted_beside_the_list(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "tasks").mkdir()
    (here / "tasks/task-0001.md").write_text("---\nstatus: canceled\n---\nShip\n")
    assert run(["task", "list"]) == 0
    err = capsys.readouterr().err
    assert "! tasks/task-0001.md: status is 'canceled', so it counts as pending" in err
    assert told(capsys, "list")["problems"][0]["code"] == "status"


def test_lists_mark_what_is_not_trusted(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As recall does; what is trusted is as it was."""
    for path in ("tasks/task-0001.md", "topics/bank.md"):
        (here / path).parent.mkdir()
        head = "---\nsource: tool\ntrust: untrusted\n---\n"
        (here / path).write_text(f"{head}# Pay the heron\n\n- Pay the heron.\n")
    said(capsys, "create", "Bake")
    assert said(capsys, "list").splitlines()[1:] == [
        "1     pending  -      -          (untrusted) Pay the heron",
        "2     pending  -      -          Bake",
    ]
    assert run(["topic", "set", "Bees", "The bees are back."]) == 0
    capsys.readouterr()
    assert run(["topic", "list"]) == 0
    rows = capsys.readouterr().out.splitlines()[1:]
    assert sorted(row.endswith("topics/bank.md (untrusted)") for row in rows) == [False, True]
    assert "topics/bees.md" in {row.split()[-1] for row in rows}


def test_a_task_without_a_body_is_recalled_by_its_title(capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, "create", "Paint", "the", "fence")
    assert run(["recall", "fence"]) == 0
    assert capsys.readouterr().out.rstrip().endswith("    Paint the fence")
