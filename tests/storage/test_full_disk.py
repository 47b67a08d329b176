"""A real disk without room: questions are answered, writes are told as they are."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests import full_disk
from tests.cases import rarely
from tests.conftest import Once
from tests.full_disk import Disk
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.cli import run
from vaultmem.errors import DiskRefused, Refused
from vaultmem.records import utc_now


def tea(path: Path) -> None:
    """Make a vault that knows of tea."""
    create.create(path, utc_now, with_git=True)
    with Vault.open(path) as vault:
        vault.remember("The tea is in the blue tin.", agent="ada")


@pytest.fixture
def disk(tmp_path: Path, once: Once) -> Iterator[Disk]:
    """Yield a disk of its own with a vault on it that knows of tea."""
    if not full_disk.is_possible(tmp_path):
        pytest.skip("no tmpfs can be mounted here")
    with full_disk.mounted(tmp_path / "disk") as made:
        once(tea).write(made.path / "v")
        yield made


@pytest.mark.parametrize("pages", [0, 8, *rarely(1, 9, 10)])
def test_questions_are_answered_on_a_full_disk(disk: Disk, pages: int) -> None:
    """The index lives in memory then, and `status` says so in a sentence."""
    told = disk.path / "v/notes/told.md"
    told.parent.mkdir()
    told.write_text("---\ntype: note\n---\nThe oolong is in the green tin.\n")
    disk.leave(pages)
    with Vault.open(disk.path / "v") as vault:
        assert [hit.path for hit in vault.recall("oolong", 1).hits] == ["notes/told.md"]
        assert "blue tin" in vault.context("tea", agent="ada").text
        assert vault.fsck().memories == 1
        (problem,) = [p for p in vault.status().problems if p.code == "index"]
    assert "the index cannot be written" in problem.message


def test_a_disk_without_another_file_is_one_sentence(disk: Disk) -> None:
    """No inode is left; nothing is written, and trying again writes it once."""
    disk.leave(1000, files=0)
    with Vault.open(disk.path / "v") as vault:
        assert vault.recall("tea").hits
        with pytest.raises(DiskRefused, match="No space left"):
            vault.remember("The milk is in the door.", agent="ada")
    disk.make_room()
    with Vault.open(disk.path / "v") as vault:
        vault.remember("The milk is in the door.", agent="ada")
        assert len([h for h in vault.recall("milk door").hits if "milk" in h.snippet]) == 1


def test_a_dream_on_a_full_disk_is_refused_for_that_and_not_for_a_busy_git(disk: Disk) -> None:
    disk.leave(0)
    with Vault.open(disk.path / "v") as vault, pytest.raises(Refused) as refused:
        vault.dreams.apply(everything=True)
    assert "git cannot commit now, and nothing was applied: " in str(refused.value)
    assert "No space left" in str(refused.value)


def test_an_open_vault_takes_its_index_to_disk_again(disk: Disk) -> None:
    """A process that lives stays in memory no longer than the disk is full."""
    with Vault.open(disk.path / "v") as vault:
        (disk.path / "v/AGENTS.md").write_text("Be brief.\n")
        disk.leave(0)
        vault.store.sync()
        in_memory = vault.store.index.why_in_memory
        disk.make_room()
        vault.store.sync()
        assert (bool(in_memory), vault.store.index.why_in_memory) == (True, "")


def edit(disk: Disk, *paths: str) -> None:
    """Write files by hand, and leave them alone since."""
    for path in paths:
        file = disk.path / "v" / path
        file.parent.mkdir(exist_ok=True)
        file.write_text("The oolong is in the green tin.\n")
        os.utime(file, (utc_now().timestamp() - 120,) * 2)


@pytest.mark.long
@pytest.mark.parametrize(("pages", "files", "why"), [
    (0, 1000, "the disk is full"), (1000, 4, "the disk takes no more files"),
])  # fmt: skip
def test_edits_that_a_full_disk_keeps_from_their_commit_are_named(
    disk: Disk, capsys: pytest.CaptureFixture[str], pages: int, files: int, why: str
) -> None:
    """By a round and by `status`, of another process; with room the next round commits them."""
    edit(disk, "notes/oolong.md", "notes/sencha.md")
    disk.leave(pages, files)
    said = (
        "! vault: 2 edits made by hand wait for their commit (notes/oolong.md, notes/sencha.md): "
        f"{why}; the files are safe, only history waits; make room, and the next round commits "
        "what waits\n"
    )
    for command in (["watch", "--once"], ["status"], ["sync"]):
        assert run([*command, "--vault", str(disk.path / "v")]) == 0
        assert said in capsys.readouterr().out
    disk.make_room()
    assert run(["watch", "--once", "--vault", str(disk.path / "v")]) == 0
    assert run(["status", "--vault", str(disk.path / "v")]) == 0
    assert "!" not in capsys.readouterr().out
    log = ["git", "log", "-3", "--format=%s"]
    told = subprocess.run(log, cwd=disk.path / "v", capture_output=True, text=True, check=True)
    assert "human: add 2 files" in told.stdout


def test_an_edit_that_may_still_be_at_work_is_not_said_to_wait(disk: Disk) -> None:
    (disk.path / "v/AGENTS.md").write_text("Be brief.\n")
    disk.leave(0)
    with Vault.open(disk.path / "v") as vault:
        assert vault.tick().left == ()
        assert [p.code for p in vault.status().problems] == ["index"]


@pytest.mark.parametrize("pages", [0, 4, 8])
def test_a_purge_says_that_the_disk_keeps_writes_from_their_commit(disk: Disk, pages: int) -> None:
    """Not that git is busy: nobody could note why the commit failed."""
    lock = disk.path / "v/.git/index.lock"
    with Vault.open(disk.path / "v") as vault:
        lock.touch()
        made = vault.remember("The milk is in the door.", agent="ada")
        lock.unlink()
    disk.leave(pages)
    with Vault.open(disk.path / "v") as vault, pytest.raises(Refused, match=r"(?i)no space|disk"):
        vault.forgetting.purge([made.path])


def test_a_full_disk_is_called_full(disk: Disk) -> None:
    """And not by what SQLite makes of it, an I/O error."""
    disk.leave(0)
    with Vault.open(disk.path / "v") as vault:
        (problem,) = vault.status().problems
    assert "cannot be written: the disk is full; " in problem.message


def test_no_temporary_name_of_ours_is_told(disk: Disk) -> None:
    """It would say nothing to a person: the vault is named."""
    disk.leave(0, files=0)
    with Vault.open(disk.path / "v") as vault:
        with pytest.raises(DiskRefused) as caught:
            vault.remember("The milk is in the door.", agent="ada")
        assert caught.value.path == str(vault.path)


@pytest.mark.long
def test_a_sync_that_finds_no_room_says_that_of_this_disk(disk: Disk, tmp_path: Path) -> None:
    """And not that the other side cannot be reached."""
    there, here = tmp_path / "there", disk.path / "v"
    subprocess.run(["git", "clone", "-q", str(here), str(there)], check=True)
    for name in range(20):
        (there / f"{name}.md").write_bytes(os.urandom(3000).hex().encode())
    git = ["git", "-C", str(there)]
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-qm", "more"], check=True)
    subprocess.run(["git", "-C", str(here), "remote", "add", "origin", str(there)], check=True)
    disk.leave(4)
    with Vault.open(here) as vault, pytest.raises(DiskRefused, match="No space left"):
        vault.sync_clones()
    disk.make_room()
    with Vault.open(here) as vault:
        assert "19.md" in vault.sync_clones(push=False).pulled
