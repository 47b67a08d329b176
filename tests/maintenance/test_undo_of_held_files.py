"""What was done to a file that is held back from git is in no commit: its undo says so.

Nothing else keeps the words: what was forgotten is not kept beside the history.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.cli import run
from vaultmem.errors import NothingToUndo

TEXT = "Quincy keeps the spare key under the third flowerpot."
HELD = "topics/shared.md"
STAYS = f"what it did in {HELD} stays so, in no commit: a part marked private"


@pytest.fixture
def forgetting(vault: Vault) -> str:
    """Forget a memory that a topic with a private part told of; return the operation."""
    made = vault.remember(TEXT, agent="ada")
    vault.share(made.id)
    topic = vault.path / HELD
    topic.write_text(f"{topic.read_text()}- Ask first.\n\n<private>pin 1234</private>\n")
    done = vault.forget(made.id)
    assert "Quincy" not in topic.read_text()
    return done.op


def told(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, object]:
    """Return what a command says as JSON."""
    capsys.readouterr()
    assert run([*args, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.long
def test_the_undo_of_a_forgetting_says_which_file_stays_without_it(
    vault: Vault, folder: Path, forgetting: str, capsys: pytest.CaptureFixture[str]
) -> None:
    at = ("--vault", str(folder), "undo", forgetting)
    assert str(told(capsys, *at, "--dry-run")["uncommitted"]).startswith(STAYS)
    assert run([*at]) == 0
    assert STAYS in capsys.readouterr().err
    assert [hit.snippet for hit in vault.recall("flowerpot").hits] == [TEXT]
    with pytest.raises(NothingToUndo, match=STAYS):
        vault.undo(forgetting)


def test_an_undo_that_reaches_all_says_nothing(
    vault: Vault, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = vault.remember(TEXT, agent="ada")
    vault.share(made.id)
    done = vault.forget(made.id)
    assert told(capsys, "--vault", str(folder), "undo", done.op)["uncommitted"] == ""


@pytest.mark.long
def test_undoing_that_undo_reaches_all_that_it_did(vault: Vault, forgetting: str) -> None:
    plan, _ = vault.undo(forgetting)
    again, _ = vault.undo(plan.op)
    assert (plan.unreached, again.unreached) == ((HELD,), ())


@pytest.mark.long
def test_who_shares_into_such_a_file_is_told_that_no_commit_has_it(
    vault: Vault, folder: Path, forgetting: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert forgetting
    made = vault.remember("The boiler whistles at night.", agent="ada")
    found = told(capsys, "--vault", str(folder), "share", made.id)
    assert found["commit"] is None
    assert str(found["uncommitted"]).startswith("it is on disk, and in no commit")
