"""An edit of a note that is held back says that no commit has it, everywhere the same."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.mcp_client import served
from vaultmem import Vault
from vaultmem.cli import run
from vaultmem.integrations.mcp.vault_session import Limits

pytestmark = pytest.mark.with_history

NOTE = "notes/rent.md"
WHY = (
    f"it is on disk, and in no commit: {NOTE} holds a part marked private, so commit it by hand "
    f"(`git commit -- {NOTE}`) or take that out"
)


@pytest.fixture
def note(vault: Vault, folder: Path) -> Path:
    """Return a note with a private part, which its person committed."""
    path = folder / NOTE
    path.parent.mkdir(exist_ok=True)
    path.write_text("# Rent\n\nRent is due. <private>pin 12</private>\n")
    for line in ("add .", "-c user.name=Ann -c user.email=a@example.org commit -qm rent"):
        subprocess.run(["git", *line.split()], cwd=folder, check=True)
    vault.store.sync()
    return path


def changes(folder: Path) -> list[str]:
    """Return the files that the newest commit touched."""
    argv = ["git", "show", "--name-only", "--format=", "HEAD"]
    done = subprocess.run(argv, cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.split()


def edited(monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
    """Let a person put *new* where *old* stands, in the editor."""

    def edit(filename: str) -> None:
        draft = Path(filename)
        draft.write_text(draft.read_text().replace(old, new))

    monkeypatch.setenv("EDITOR", "an editor")
    monkeypatch.setattr("click.edit", edit)


def test_a_person_s_edit_of_it_names_no_commit_and_says_what_to_do(
    note: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    edited(monkeypatch, "# Rent", "---\ndescription: when it is due\n---\n# The rent")
    assert run(["--vault", str(folder), "--json", "edit", NOTE]) == 0
    done = json.loads(capsys.readouterr().out)
    assert (done["commit"], done["uncommitted"]) == (None, WHY)
    assert NOTE not in changes(folder)

    edited(monkeypatch, "The rent", "Our rent")
    assert run(["--vault", str(folder), "edit", NOTE]) == 0
    said = capsys.readouterr()
    assert (said.out, said.err) == (f"{NOTE}: written\n", f"! {WHY}\n")
    assert note.read_text().startswith("---\ndescription: when it is due\n---\n# Our rent\n")
    assert "<private>pin 12</private>" in note.read_text()


def test_an_agent_s_edit_of_it_says_the_same(note: Path, folder: Path) -> None:
    with served(folder, Limits(agent="ada")) as client:
        done = client.do("memory_edit", path=NOTE, op="append", new="The van is red.")
    assert (done["commit"], done["undo"], done["uncommitted"]) == (None, "", WHY)
    assert "The van is red." in note.read_text()


def test_an_edit_that_is_committed_has_nothing_to_say(
    vault: Vault, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "notes").mkdir()
    (folder / NOTE).write_text("# Rent\n\nRent is due.\n")
    vault.store.sync()
    edited(monkeypatch, "Rent is due", "Rent is late")
    assert run(["--vault", str(folder), "--json", "edit", NOTE]) == 0
    done = json.loads(capsys.readouterr().out)
    assert done["uncommitted"] == ""
    assert done["commit"]
    assert NOTE in changes(folder)


def test_what_is_set_in_it_says_so_on_a_terminal(
    note: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["--vault", str(folder), "note", "set", NOTE, "The van is red."]) == 0
    assert WHY in capsys.readouterr().err
    assert "The van is red." in note.read_text()
