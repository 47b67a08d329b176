"""A vault to look at: the same questions of the present and of the past, for whom it is open."""

from __future__ import annotations

import pytest

from tests.conftest import Clock
from vaultmem import Vault
from vaultmem.api.agent_files import Missing
from vaultmem.api.types import TopicPatch
from vaultmem.errors import BadInput, Refused, StaleWrite


def test_the_past_answers_as_the_present_did(vault: Vault, clock: Clock) -> None:
    vault.remember("Mara drinks tea.", agent="ada", session="talk", speaker="Mara")
    vault.say("boiler", "It drips.", agent="ada")
    vault.topics.set("Tea", TopicPatch(("Oolong at four.",)))
    vault.history.commit_pending()
    with vault.views.at() as view:
        before = (view.counts(), list(view.days()), list(view.sessions()),
                  view.file("topics/tea.md").text, view.conversation("ada", "boiler").said,
                  list(view.folder()), view.resolve(["tea"]))  # fmt: skip
    clock.advance(days=9)
    vault.remember("Jonas drinks coffee.", agent="bob", session="other")
    vault.say("boiler", "It leaks.", agent="ada")
    vault.topics.set("Tea", TopicPatch(("Sencha in the morning.",)))
    vault.topics.set("Bees", TopicPatch(("Four hives.",)))
    vault.history.commit_pending()
    with vault.views.at("2026-11-21") as view:
        after = (view.counts(), list(view.days()), list(view.sessions()),
                 view.file("topics/tea.md").text, view.conversation("ada", "boiler").said,
                 list(view.folder()), view.resolve(["tea"]))  # fmt: skip
        assert view.is_past
        with pytest.raises(Missing):
            view.file("topics/bees.md")
    assert after == before


def test_an_agent_sees_what_is_shared_and_its_own(vault: Vault) -> None:
    mine = vault.remember("Mara drinks tea.", agent="ada", session="talk")
    other = vault.remember("Jonas drinks coffee.", agent="bob", session="other")
    with vault.views.at(agent="ada") as view:
        assert view.file(mine.path).record.id == mine.id
        with pytest.raises(Missing):
            view.file(other.path)
        with pytest.raises(BadInput):
            view.conversation("bob", "other")
        assert [it.session for it in view.sessions()] == ["talk"]
        assert view.counts()["memory"] == 1
        assert [(it.name, it.files) for it in view.folder("agents")] == [("ada", 1)]


def test_a_folder_counts_what_lies_deeper(vault: Vault) -> None:
    for name in ("a/b/x.md", "a/b/y.md", "a/z.md", "a.md"):
        (vault.path / "notes" / name).parent.mkdir(parents=True, exist_ok=True)
        (vault.path / "notes" / name).write_text("---\ntitle: Tea\n---\nOolong.\n")
    with vault.views.at() as view:
        found = view.folder("notes")
        assert [(it.name, it.is_folder, it.files, it.title) for it in found] == [
            ("a", True, 3, ""), ("a.md", False, 1, "Tea"),
        ]  # fmt: skip
        assert [(it.name, it.files) for it in view.folder("notes/a")] == [("b", 2), ("z.md", 1)]


@pytest.mark.parametrize("path", [".git/config", "../x.md", "/etc/passwd", "x.txt", "none.md"])
def test_what_is_no_note_of_the_vault_is_not_there(vault: Vault, path: str) -> None:
    with vault.views.at() as view, pytest.raises((BadInput, Refused)):
        view.file(path)


def test_a_file_tells_what_it_hides_and_what_is_held_back(vault: Vault) -> None:
    (vault.path / "a.md").write_text("Tea\u200b <private>at the lido</private>\n")
    with vault.views.at() as view:
        found = view.file("a.md")
        assert ([it.kind for it in found.hidden], found.held) == (["zero-width"], "private")
        assert "lido" not in found.text
        assert "lido" in view.own_text("a.md")


def test_an_edit_is_made_of_what_was_read_and_nothing_else(vault: Vault) -> None:
    note = vault.path / "a.md"
    note.write_text("Tea.\n")
    seen = vault.queries.sha256("a.md") or ""
    done = vault.edits.write("a.md", "Coffee.\n", expected_sha256=seen)
    assert (note.read_text(), bool(done.commit)) == ("Coffee.\n", True)
    with pytest.raises(StaleWrite):
        vault.edits.write("a.md", "Milk.\n", expected_sha256=seen)
    with pytest.raises(BadInput):
        vault.edits.write("a.md", " \n", expected_sha256=done.sha256)
    assert vault.edits.write("a.md", "Coffee.\n", expected_sha256=done.sha256).existed
    vault.undo(vault.log(1)[0].ops[0])
    assert note.read_text() == "Tea.\n"


def test_a_memory_is_never_edited(vault: Vault) -> None:
    made = vault.remember("Mara drinks tea.", agent="ada")
    with pytest.raises(Refused, match="correct it"):
        vault.edits.write(made.path, "x", expected_sha256=made.sha256)
