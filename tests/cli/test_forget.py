"""`forget` as people and scripts call it: exit codes, previews, receipts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.maintenance.test_forgetting import NEEDLE
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.cli import run
from vaultmem.records import utc_now


@pytest.fixture
def memory(vault: Vault) -> str:
    """Keep the needle and return its id."""
    return vault.remember(NEEDLE, agent="ada").id


def called(capsys: pytest.CaptureFixture[str], folder: Path, *args: str) -> tuple[int, str, str]:
    """Run the command line; return its exit code and what it prints."""
    capsys.readouterr()
    code = run(["--vault", str(folder), *args])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_memory_is_forgotten_by_the_end_of_its_id(
    vault: Vault, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = vault.remember("The boiler is serviced in May.", agent="ada")
    assert called(capsys, folder, "forget", made.id[-6:].lower())[0] == 0
    assert not (folder / made.path).exists()


def test_words_show_what_would_go_and_yes_forgets_it(
    folder: Path, memory: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = called(capsys, folder, "forget", "umbrella", "Graz", "--json")
    assert code == 3
    assert [f["id"] for f in json.loads(out)["would_forget"]] == [memory]
    assert "--yes" in err

    code, out, _ = called(capsys, folder, "forget", "umbrella", "Graz", "--yes", "--json")
    assert code == 0
    assert json.loads(out)["forgotten"] == [memory]


def test_who_names_nothing_is_told_what_may_be_named(
    folder: Path, memory: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = called(capsys, folder, "forget")
    assert (code, err) == (
        2,
        "vaultmem: name what to forget: an id, a path, words, or --person NAME\n",
    )
    assert memory in called(capsys, folder, "recall", NEEDLE, "--json")[1]


@pytest.mark.long
def test_a_purge_prints_a_receipt_that_names_what_is_out_of_reach(
    folder: Path, memory: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = called(capsys, folder, "forget", memory, "--purge", "--yes")
    assert code == 0
    assert "out of reach:" in out
    assert "no backup was written" in out
    assert re.search(r"looked for \d words and \d phrases of it, those that nothing which", out)
    assert "reachable or not" in out
    assert "verified: none of that was found" in out

    code, out, _ = called(capsys, folder, "forget", memory, "--verify", "--json")
    assert code == 0
    assert json.loads(out)["by"] == "hash"
    code, out, _ = called(capsys, folder, "forget", memory, "--verify")
    assert "its whole text and 1 sentence of it, word for word" in out


@pytest.mark.long
def test_a_purge_names_no_setting_that_every_vault_has_and_one_of_their_own(
    folder: Path, vault: Vault, capsys: pytest.CaptureFixture[str]
) -> None:
    config = folder / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("owner:", "owner: Zoltan #", 1))
    vault.tick()
    made = vault.remember("Das Auto von Zoltan steht hinter dem Haus in Linz.", agent="ada")
    code, out, _ = called(capsys, folder, "forget", made.id, "--purge", "--yes", "--json")
    assert code == 0
    still = json.loads(out)["still"]
    assert [it["words"] for it in still if it["place"].startswith("config/")] == [["zoltan"]]


@pytest.mark.long
def test_a_purge_asks_about_what_would_still_say_a_part_of_it(
    folder: Path, vault: Vault, memory: str, capsys: pytest.CaptureFixture[str]
) -> None:
    vault.command("@remember --agent ada Ottokar likes the sea.")
    bundle = folder.with_name("all.bundle")
    code, _, err = called(capsys, folder, "forget", memory, "--purge", "--backup", str(bundle))
    assert code == 3
    assert "still says ottokar" in err
    assert "--yes; nothing was purged" in err
    assert not list((folder / "tombstones").glob("*"))
    assert not bundle.exists()

    code, out, err = called(capsys, folder, "forget", memory, "--purge", "--yes", "--json")
    assert (code, err) == (0, "")
    said = json.loads(out)
    assert [it["words"] for it in said["still"]] == [["ottokar"]]
    assert said["verified"] is True
    assert (said["words"], said["by"]) == (3, "words")


@pytest.mark.long
def test_verify_alone_forgets_nothing_and_fails_while_git_has_it(
    folder: Path, memory: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert called(capsys, folder, "forget", memory, "--verify")[0] == 2
    called(capsys, folder, "forget", memory)
    code, out, _ = called(capsys, folder, "forget", memory, "--verify", "--json")
    assert code == 1
    assert json.loads(out)["verified"] is False


@pytest.mark.long
def test_a_purge_offers_a_backup_first_and_does_nothing_without_an_answer(
    folder: Path, memory: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = called(capsys, folder, "forget", memory, "--purge")
    assert code == 3
    bundle = folder.with_name(f"{folder.name}-before-purge.bundle")
    assert f"`--backup {bundle}`" in err
    assert not list((folder / "tombstones").glob("*"))

    code, _, _ = called(capsys, folder, "forget", memory, "--purge", "--backup", str(bundle))
    assert code == 0
    assert bundle.exists()


@pytest.mark.long
def test_a_purge_that_leaves_words_says_so_and_how_to_go_on(
    folder: Path, memory: str, capsys: pytest.CaptureFixture[str]
) -> None:
    stray = folder / "stray.txt"
    stray.write_text(NEEDLE)
    code, out, err = called(capsys, folder, "forget", memory, "--purge", "--yes")
    assert code == 1
    assert out.startswith("not purged completely")
    assert str(stray) in err
    assert f"then `vaultmem forget {memory} --purge`" in err
    stone = (folder / f"tombstones/{memory}.md").read_text()
    assert ("purged:" in stone, "\nrewritten: " in stone) == (False, True)

    stray.unlink()
    assert called(capsys, folder, "forget", memory, "--purge", "--yes")[0] == 0
    assert "purged:" in (folder / f"tombstones/{memory}.md").read_text()


def test_without_a_history_forgetting_is_final_and_announced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    create.create(tmp_path / "v", utc_now, with_git=False)
    with Vault.open(tmp_path / "v") as vault:
        memory = vault.remember(NEEDLE, agent="ada").id

    code, _, err = called(capsys, tmp_path / "v", "forget", memory)
    assert (code, "gone for good" in err) == (3, True)
    code, out, _ = called(capsys, tmp_path / "v", "forget", memory, "--yes")
    assert code == 0
    assert "undo" not in out


@pytest.mark.parametrize("words", ["umbrella Graz", "PATH"])
def test_a_note_is_shown_what_words_and_paths_would_forget_and_only_an_id_forgets(
    folder: Path, vault: Vault, memory: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = vault.recall("umbrella").hits[0].path
    code, out, _ = called(capsys, folder, "@forget", words.replace("PATH", path))
    assert code == 0
    assert f"- {memory} (memory, " in out
    assert f"`@forget {memory}` forgets the first" in out
    assert (folder / path).exists()

    assert called(capsys, folder, "@forget", memory)[0] == 0
    assert not (folder / path).exists()


@pytest.mark.parametrize("ref", ["", " ", "../../etc/passwd"])
def test_a_name_that_is_none_forgets_nothing(
    folder: Path, memory: str, ref: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = called(capsys, folder, "forget", ref, "--yes")
    assert code == 2
    assert "name what" in err or "nothing in the vault says" in err
    assert memory


def test_a_preview_by_person_names_what_stays_and_mentions_them(
    folder: Path, vault: Vault, memory: str, capsys: pytest.CaptureFixture[str]
) -> None:
    note = folder / "topics/graz.md"
    note.parent.mkdir(exist_ok=True)
    note.write_text("# Graz\nOttokar was there.\n")

    code, out, err = called(capsys, folder, "forget", "--person", "Ottokar", "--json")

    assert (code, "--yes" in err) == (3, True)
    assert [f["id"] for f in json.loads(out)["would_forget"]] == [memory]
    assert json.loads(out)["mentions"] == ["topics/graz.md"]
    assert vault.recall("umbrella").hits


def test_without_git_nobody_says_that_there_is_no_history(
    folder: Path, memory: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(folder))
    code, _, err = called(capsys, folder, "forget", memory)
    assert (code, "cannot be opened" in err) == (3, True)
    code, _, err = called(capsys, folder, "forget", memory, "--purge", "--yes")
    assert (code, "nothing was purged: bring git back" in err) == (3, True)
    code, out, _ = called(capsys, folder, "forget", memory, "--yes")
    assert code == 0
    assert "there is no git history" not in out
    assert "may still hold it" in out


def test_a_tombstone_is_named_by_its_path_too(
    vault: Vault, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    memory = vault.remember("The door code is on the fridge.", agent="ada").id
    vault.forget(memory)
    code, out, _ = called(capsys, folder, "forget", f"tombstones/{memory}.md", "--verify", "--json")
    assert code == 1
    assert json.loads(out)["found"]
    code, _, said = called(capsys, folder, "forget", "tombstones/none.md", "--verify")
    assert code == 2
    assert "there is no tombstone of 'tombstones/none.md'" in said
