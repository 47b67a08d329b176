"""Where git does not get what was written, because a person hid something there, that is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.mcp_client import served
from vaultmem.cli import run
from vaultmem.integrations.mcp.vault_session import Limits

pytestmark = pytest.mark.with_history

HIDDEN = "\n<private>narwhal</private>\n"
MADE = {
    "topics/rent.md": ("topic", "set", "Rent", "Rent is due in May."),
    "cards/home/rent.md": ("card", "set", "home/rent", "--person", "Mara", "--relationship",
                           "tenant", "--backstory", "She lives upstairs."),
    "tasks/task-0001.md": ("task", "create", "Pay the rent"),
    "notes/rent.md": ("note", "set", "Rent", "Rent is due in May."),
}  # fmt: skip
ADDED = [
    ("topics/rent.md", ("topic", "set", "Rent", "Rent is due in {}.")),
    ("cards/home/rent.md", ("card", "set", "home/rent", "--field", "{}=paid")),
    ("tasks/task-0001.md", ("task", "update", "1", "--{}", "Paid.")),
    ("notes/rent.md", ("note", "set", "Rent", "Rent is due in {}.")),
]


@pytest.mark.parametrize(("path", "command"), ADDED)
def test_why_there_is_no_commit_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str], path: str, command: tuple[str, ...]
) -> None:
    assert run(["--vault", str(folder), *MADE[path], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["uncommitted"] == ""
    file = folder / path
    file.write_text(file.read_text() + HIDDEN)
    wanted = f"it is on disk, and in no commit: {path} holds a part marked private, so commit it"
    assert run(["--vault", str(folder), *(it.format("result") for it in command), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["commit"] is None
    assert told["uncommitted"].startswith(wanted)
    assert run(["--vault", str(folder), *(it.format("error") for it in command)]) == 0
    assert capsys.readouterr().err.startswith(f"! {wanted}")
    assert "narwhal" in file.read_text()


@pytest.mark.long
def test_an_agent_is_told_why_there_is_no_commit(folder: Path) -> None:
    asked = {
        "topics/rent.md": {
            "kind": "topic",
            "title": "Rent",
            "content": "May",
            "strategy": "append",
        },
        "cards/home/rent.md": {"kind": "card", "title": "home/rent", "content": '{"june": "paid"}'},
        "notes/rent.md": {"kind": "note", "title": "Rent", "content": "July", "strategy": "append"},
    }
    for path, command in MADE.items():
        assert run(["--vault", str(folder), *command]) == 0
        (folder / path).write_text((folder / path).read_text() + HIDDEN)
    with served(folder, Limits()) as client:
        done = [client.do("memory_write", **arguments) for arguments in asked.values()]
        done.append(client.do("memory_task", op="claim", id=1, owner="ada"))
    for path, told in zip((*asked, "tasks/task-0001.md"), done, strict=True):
        assert told["commit"] is None
        assert f"in no commit: {path} holds a part marked private" in told["uncommitted"]
