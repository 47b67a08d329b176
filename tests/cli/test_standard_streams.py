"""Who closed a standard stream gets what a stream to nowhere gives, and no traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cases import rarely
from vaultmem import Vault

NOTE = "# Tea\n\nTwo minutes.\n"
PROMPT = json.dumps({"hook_event_name": "UserPromptSubmit", "prompt": "How long does tea take?"})


def shell(folder: Path, *argv: str, closed: str) -> tuple[int, str, str]:
    """Run a command whose stream a shell closed, `<&-` or `>&-`; return what is left to read."""
    command = [sys.executable, "-m", "vaultmem", "--vault", str(folder), *argv]
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {closed}', "sh", *command],
        input=PROMPT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def tea(vault: Vault, folder: Path) -> Path:
    """Write a note as a person does."""
    note = folder / "notes/tea.md"
    note.parent.mkdir()
    note.write_text(NOTE)
    vault.store.sync()
    return note


@pytest.mark.long
@pytest.mark.parametrize(
    "argv",
    [
        ("show", "tea"),
        ("hook", "UserPromptSubmit"),
        *rarely((("status",),), (("--json", "show", "tea"),), (("help",),)),
    ],
)
@pytest.mark.usefixtures("tea")
def test_a_closed_output_is_one_to_nowhere(folder: Path, argv: tuple[str, ...]) -> None:
    assert shell(folder, *argv, closed=">&-") == (0, "", "")


@pytest.mark.long
@pytest.mark.usefixtures("tea")
def test_a_closed_input_is_an_empty_one(folder: Path) -> None:
    code, _, err = shell(folder, "remember", "-", closed="<&-")
    assert (code, err) == (2, "vaultmem: nothing to remember: the text is empty\n")
    assert shell(folder, "hook", "UserPromptSubmit", closed="<&-")[::2] == (0, "")


@pytest.mark.long
def test_nothing_that_is_said_goes_into_a_file_that_took_the_number_of_a_stream(
    folder: Path, tea: Path
) -> None:
    before = tea.read_bytes()

    code, out, err = shell(folder, "remember", "Green tea at five.", closed="<&- >&- 2>&-")

    assert (code, out, err, tea.read_bytes()) == (0, "", "", before)
    assert shell(folder, "recall", "green tea", closed="")[1].count("Green tea at five.") == 1
    assert shell(folder, "fsck", closed="")[0] == 0
