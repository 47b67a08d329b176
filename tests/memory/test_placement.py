"""Folders for memories: a month's, and those of its days where that one is full."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.cli import run
from vaultmem.errors import BadInput
from vaultmem.memory import placement
from vaultmem.records import Clock

pytestmark = pytest.mark.without_history

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
MONTH = "agents/ada/memories/2026/11"


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let two files be all that the folder of a month holds."""
    monkeypatch.setattr(placement, "MOST", 2)


def remembered(vault: Vault, number: int) -> str:
    """Return the folder of a memory."""
    said = f"Lantern {number} hangs in garden {number}."
    return vault.remember(said, agent="ada", at=NOON).path.rpartition("/")[0]


def test_a_month_that_is_full_goes_on_in_folders_of_its_days(vault: Vault) -> None:
    """And another month begins anew."""
    assert [remembered(vault, n) for n in range(4)] == [MONTH, MONTH, f"{MONTH}/20", f"{MONTH}/20"]
    later = vault.remember("The oven is hot.", agent="ada", at=NOON.replace(month=12)).path
    assert later.startswith("agents/ada/memories/2026/12/2026")


def test_what_lies_in_either_is_read_found_and_told_of(vault: Vault, folder: Path) -> None:
    for number in range(4):
        remembered(vault, number)
    assert len(vault.recall("lantern", k=10).hits) == 4
    assert vault.status().agents[0].memories == 4
    assert vault.fsck().ok
    last = max(folder.glob(f"{MONTH}/20/*.md"))
    vault.correct(last.stem, "Lantern 3 hangs in the hall.")
    vault.forget(min(folder.glob(f"{MONTH}/20/*.md")).stem)
    assert vault.fsck().ok


def test_an_import_fills_the_month_first(vault: Vault, folder: Path, tmp_path: Path) -> None:
    """Of one batch, too, and the same import takes nothing in twice."""
    path = tmp_path / "talk.jsonl"
    said = (
        {"id": n, "content": f"Lantern {n} hangs.", "at": f"2026-11-{n + 1:02}T10:00:00Z"}
        for n in range(5)
    )
    path.write_text("".join(f"{json.dumps(it)}\n" for it in said))
    for expected in (5, 0):
        assert vault.import_files("jsonl", [path], agent="ada").done.imported == expected
    found = sorted(p.parent.relative_to(folder).as_posix() for p in folder.glob(f"{MONTH}/**/*.md"))
    assert found == [MONTH, MONTH, *(f"{MONTH}/{day}" for day in ("03", "04", "05"))]


def test_a_vault_may_have_folders_of_days_from_the_start(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "days"
    assert run(["init", str(path), "--no-git", "--layout", "day"]) == 0
    with Vault.open(path, clock=clock) as vault:
        assert remembered(vault, 1) == f"{MONTH}/20"
    with pytest.raises(BadInput, match="the layout is 'week', it takes one of month, day"):
        Vault.init(tmp_path / "weeks", layout="week")


def test_what_a_person_accepts_goes_where_there_is_room(vault: Vault) -> None:
    for number in range(2):
        remembered(vault, number)
    waits = vault.remember("The web says so.", agent="ada", source="web", at=NOON)
    vault.reviews.accept([waits.path])
    (hit,) = vault.recall("web says").hits
    assert hit.path.startswith(f"{MONTH}/20/")
