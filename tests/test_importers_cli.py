"""`import` and `export` as people type them and scripts rely on them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from vaultmem.cli import run

Say = Callable[..., str]
HELLO = {
    "type": "user", "uuid": "u1", "sessionId": "s1", "timestamp": "2026-01-02T10:00:00.000Z",
    "message": {"role": "user", "content": "Use tabs in Makefiles."},
}  # fmt: skip


@pytest.fixture
def say(folder: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    """Return what runs a command on the vault and returns what it prints, or its complaint."""

    def command(*args: str | Path, code: int = 0) -> str:
        assert run(["--vault", str(folder), *map(str, args)]) == code
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        if code:
            assert re.fullmatch(r"vaultmem: [^\n]+\n", err), err
        return err if code else out

    return command


def test_what_was_left_out_is_told_with_its_reason(say: Say, tmp_path: Path) -> None:
    """A line for each reason: how often, why, and where first."""
    path = tmp_path / "s1.jsonl"
    path.write_text(json.dumps({"type": "summary"}) + "\n" + json.dumps(HELLO) + "\n")
    told = say("import", "claude-code", path, "--agent", "ada").splitlines()
    assert told[0] == "imported 1 turn, skipped 1, failed 0; 1 episode, 0 topics"
    assert told[2].split() == ["skipped", "1", "no", "message:", "summary", "s1.jsonl:1"]
    again = json.loads(say("import", "claude-code", path, "--agent", "ada", "--json"))
    assert (again["imported"], again["skipped"], again["compactions"]) == (0, 2, [])
    assert again["skipped_because"][0] == {
        "why": "no message: summary", "count": 1, "where": "s1.jsonl:1",
    }  # fmt: skip


def test_a_folder_of_notes_is_imported_and_a_dry_run_says_so_before(
    say: Say, tmp_path: Path, folder: Path
) -> None:
    """The same words, and nothing written."""
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("# Tea\n\nGreen tea at four.\n")
    said = "imported 1 note, skipped 0, failed 0\n"
    assert say("import", "markdown", notes, "--dry-run") == said
    assert not (folder / "knowledge").exists()
    assert say("import", "markdown", notes) == said
    assert "knowledge/notes/a.md" in say("recall", "green", "tea")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("csv", "x"), "'csv' is no format this vaultmem imports; there are: jsonl, claude-code"),
        (("markdown", "x", "--as", "turns"), "markdown becomes notes, not turns: leave out --as"),
        (("jsonl", "x", "--prune"), "--prune is for markdown and basic-memory alone"),
        (("chatgpt", "nowhere.zip"), "nowhere.zip: No such file"),
        (("openclaw", "nowhere"), "nowhere is no folder: name the workspace"),
    ],
)
def test_a_mistake_is_one_sentence(say: Say, args: tuple[str, ...], says: str) -> None:
    """With what there is instead."""
    assert says in say("import", *args, code=2)


def test_an_export_says_what_it_wrote(say: Say, tmp_path: Path) -> None:
    """For people and for scripts, in each of the formats."""
    say("remember", "I like rain.", "--agent", "ada")
    path = tmp_path / "out.jsonl"
    assert say("export", "json", path) == (
        f"exported 1 note to {path}: 1 file written, 0 unchanged\n"
    )
    told = json.loads(say("export", "okf", tmp_path / "okf", "--json"))
    assert (told["path"], told["notes"], told["left_out"]) == (str(tmp_path / "okf"), 1, [])
    sent = json.loads(say("export", "claude-code", tmp_path / "mem", "--json"))
    assert (sent["files"], (tmp_path / "mem/MEMORY.md").exists()) == (1, True)
    assert "there are: okf, json, claude-code" in say("export", "csv", "x", code=2)
