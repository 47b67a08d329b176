"""What the program answered in a person's note tells nothing that is marked as private since."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tests.maintenance.test_hidden_parts import hide
from tests.maintenance.test_hidden_sources import TALK, talk
from vaultmem import Vault
from vaultmem.cli import run
from vaultmem.storage.plan import Change, Plan

pytestmark = pytest.mark.with_history

ASK = "inbox/ask.md"
QUESTION = "@recall How is Ottokar treated?"
PART = " for zoonotic quillfever"
SAID = f"Mara's brother Ottokar has been treated{PART} since March."
OTHER = "Ottokar is treated by Doctor Lind in Graz."


def ask(vault: Vault, text: str) -> Path:
    """Write a note that asks, a while ago, and let a round answer it."""
    file = vault.path / ASK
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    rest(file)
    assert run(["--vault", str(vault.path), "watch", "--once"]) == 0
    assert "> [!vaultmem]" in file.read_text()
    return file


def rest(file: Path) -> None:
    """Let *file* say that nobody touched it for ten minutes."""
    then = time.time() - 600
    os.utime(file, (then, then))


@pytest.fixture
def asked(vault: Vault) -> Path:
    """Return the note in which was asked for a thing that two memories say."""
    for text in (SAID, OTHER):
        vault.remember(text, agent="ada")
    vault.tick()
    return ask(vault, f"# Ask\n\n{QUESTION}\n")


def mark(vault: Vault) -> None:
    """Hide in the memory what Ottokar is treated for."""
    hide(next(vault.path.glob("agents/ada/memories/*/*/*brother*.md")), PART)


def read(vault: Vault, path: str = ASK) -> str:
    """Return what is shown of the note after a look at the files."""
    vault.store.sync()
    return (vault.store.texts.read(path) or b"").decode()


def hiding(vault: Vault) -> str:
    """Return the operation that took out what is hidden."""
    (found,) = (it for it in vault.history.log() if it.subject.startswith("hide: "))
    return found.ops[-1]


def withheld(vault: Vault) -> list[str]:
    """Return the files that `status` and `fsck` name for it."""
    both = (vault.status().problems, vault.fsck().problems)
    named, proved = ([p.path for p in each if p.code == "withheld"] for each in both)
    assert named == proved
    return named


@pytest.mark.long
def test_an_answer_does_not_tell_what_its_hit_hides_since(vault: Vault, asked: Path) -> None:
    assert SAID in read(vault)
    mark(vault)
    with Vault.open(vault.path) as again:
        assert "quillfever" not in read(again)
        assert read(again).splitlines()[:3] == asked.read_text().splitlines()[:3]
        assert OTHER in read(again)
        assert withheld(again) == [ASK]


@pytest.mark.long
def test_a_round_takes_it_out_of_the_note_and_leaves_the_rest(vault: Vault, asked: Path) -> None:
    mark(vault)
    with Vault.open(vault.path) as again:
        before = asked.read_text()
        again.tick()
        assert asked.read_text() == before.replace(f">     {SAID}", "> [private]")
        assert withheld(again) == []
        assert hiding(again)


@pytest.mark.long
def test_it_is_judged_by_its_hit_where_others_say_the_words(vault: Vault, asked: Path) -> None:
    vault.remember("A quillfever is a zoonotic illness that horses are treated for.", agent="ada")
    mark(vault)
    with Vault.open(vault.path) as again:
        assert SAID not in read(again)
        assert OTHER in read(again)
        again.tick()
        assert SAID not in asked.read_text()


@pytest.mark.long
def test_what_the_person_wrote_there_stays(vault: Vault) -> None:
    vault.remember(SAID, agent="ada")
    vault.tick()
    own = f"@recall zoonotic quillfever\n\n> {SAID}\n"
    file = ask(vault, own)
    mark(vault)
    with Vault.open(vault.path) as again:
        again.tick()
        assert f">     {SAID}" not in file.read_text()
        left = [line for line in own.splitlines() if line in file.read_text().splitlines()]
        assert left == own.splitlines()
        assert own.splitlines() == [x for x in read(again).splitlines() if x in own.splitlines()]


@pytest.mark.long
def test_a_line_in_an_answer_that_the_person_wrote_stays_and_is_named(
    vault: Vault, asked: Path
) -> None:
    asked.write_text(asked.read_text() + "> So it is quillfever.\n")
    rest(asked)
    vault.tick()
    mark(vault)
    with Vault.open(vault.path) as again:
        again.tick()
        assert "> So it is quillfever.\n" in asked.read_text()
        assert SAID not in asked.read_text()
        assert "quillfever" not in read(again)
        assert withheld(again) == [ASK]


def test_an_answer_that_is_moved_among_the_notes_makes_nothing_public(
    vault: Vault, asked: Path
) -> None:
    (vault.path / "notes").mkdir()
    asked.rename(vault.path / "notes/ask.md")
    mark(vault)
    with Vault.open(vault.path) as again:
        assert "quillfever" not in read(again, "notes/ask.md")
        assert not [h for h in again.recall("quillfever").hits if "quillfever" in h.snippet]


@pytest.mark.long
def test_an_undo_of_the_round_shows_nothing_of_it(
    vault: Vault, asked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mark(vault)
    with Vault.open(vault.path) as again:
        again.tick()
        op = hiding(again)
    capsys.readouterr()
    for way in (["--dry-run", op], ["--json", op]):
        assert run(["--vault", str(vault.path), "undo", *way]) == 0
        assert "+[private]" in (said := capsys.readouterr().out)
        assert "quillfever" not in said
    assert SAID in asked.read_text()


@pytest.mark.long
def test_a_note_of_which_lines_are_withheld_is_answered_on(vault: Vault, asked: Path) -> None:
    asked.write_text(f"{asked.read_text()}> So it is quillfever.\n")
    rest(asked)
    vault.tick()
    mark(vault)
    with Vault.open(vault.path) as again:
        again.tick()
        assert withheld(again) == [ASK]
    asked.write_text(f"{asked.read_text()}\n<private>Only for me.</private>\n\n@memory-budget\n")
    rest(asked)
    assert run(["--vault", str(vault.path), "watch", "--once"]) == 0
    assert asked.read_text().count("> [!vaultmem]") == 2
    assert "> So it is quillfever.\n\n<private>Only for me.</private>" in asked.read_text()


@pytest.mark.long
def test_who_edits_what_is_shown_of_a_note_loses_no_line_that_is_withheld(
    vault: Vault, asked: Path
) -> None:
    asked.write_text(f"{asked.read_text()}> So it is quillfever.\n\nAnna calls.\n")
    rest(asked)
    vault.tick()
    mark(vault)
    with Vault.open(vault.path) as again:
        shown, own = read(again), asked.read_text()
        assert "quillfever" not in shown
        new = shown.replace("Anna calls.", "Anna calls, and Tom.").encode()
        change = Change(ASK, shown.encode(), new, "")
        again.store.apply(Plan(again.store.mint(), "note", "note", (change,)))
        assert asked.read_text() == own.replace("Anna calls.", "Anna calls, and Tom.")


@pytest.mark.long
def test_answers_stay_where_nothing_of_their_hits_is_hidden(vault: Vault, asked: Path) -> None:
    vault.remember("Tom has been treated for a cold.", agent="ada")
    vault.tick()
    hide(next(vault.path.glob("agents/ada/memories/*/*/*tom*.md")), " for a cold")
    before = asked.read_text()
    with Vault.open(vault.path) as again:
        assert read(again) == before
        again.tick()
        assert asked.read_text() == before
        assert withheld(again) == []


@pytest.mark.long
def test_it_goes_with_the_turn_that_a_card_was_drawn_from_which_it_quotes(vault: Vault) -> None:
    his = "My boyfriend Kasimir is a nurse."
    talk(vault, his, "My boyfriend Kasimir lives in Graz.", "A nurse has called about the car.")
    file = ask(vault, "@recall -k 9 Kasimir nurse Graz\n")
    assert file.read_text().count("is a nurse") > 1
    hide(vault.path / TALK, his)
    with Vault.open(vault.path) as again:
        assert "is a nurse" not in read(again)
        again.tick()
        assert "is a nurse" not in file.read_text()
        assert "[[cards/family/kasimir]]" in file.read_text()
