"""What a click does: one commit, which can be undone, and nothing when it is stale."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Clock
from tests.web_client import Browser, browsing
from vaultmem import Vault
from vaultmem.api.types import Patch, TopicPatch


@pytest.fixture
def browser(vault: Vault, clock: Clock) -> Iterator[Browser]:
    """Open the vault in a browser."""
    with browsing(vault.path, clock=clock) as opened:
        yield opened


def test_what_is_accepted_is_recalled_and_can_be_undone(browser: Browser, vault: Vault) -> None:
    made = vault.remember("A page said tea is zqgreen.", agent="ada", source="web")
    text = browser.submit("/review", "review-accept")
    assert "Accepted" in text
    (hit,) = vault.recall("zqgreen").hits
    assert (hit.id, hit.trust) == (made.id, "user")
    assert "Undone." in browser.submit("/history", "undo")
    assert vault.recall("zqgreen").hits == ()


def test_what_is_dropped_is_gone_from_the_inbox(browser: Browser, vault: Vault) -> None:
    made = vault.remember("A page said tea is zqgreen.", agent="ada", source="web")
    browser.submit("/review", "review-drop")
    assert not (vault.path / made.path).exists()


def test_an_edit_is_a_commit_of_the_text_that_was_typed(browser: Browser, vault: Vault) -> None:
    vault.topics.set("Tea", TopicPatch(("Oolong at four.",)))
    note = vault.path / "topics/tea.md"
    typed = note.read_text().replace("four", "five").replace("\n", "\r\n")  # as browsers send it
    text = browser.submit("/file/topics/tea.md", "edit", text=typed)
    assert "Saved." in text
    assert note.read_bytes() == typed.replace("\r\n", "\n").encode()
    assert vault.log(1)[0].subject == "edit(person): topics/tea.md"


def test_an_edit_keeps_the_line_ends_of_the_file(browser: Browser, vault: Vault) -> None:
    note = vault.path / "note.md"
    note.write_bytes(b"# Tea\r\n\r\nOolong.\r\n")
    browser.submit("/file/note.md", "edit", text="# Tea\n\nSencha.\n")
    assert note.read_bytes() == b"# Tea\r\n\r\nSencha.\r\n"


def test_an_edit_of_what_changed_meanwhile_loses_nothing(browser: Browser, vault: Vault) -> None:
    note = vault.path / "note.md"
    note.write_text("Oolong at four.\n")
    form = browser.form("/file/note.md", "edit")
    note.write_text("Oolong at five.\n")
    answer = browser.send(form, text="Sencha at four.\n")
    assert answer.status == 409
    assert note.read_text() == "Oolong at five.\n"
    assert "Sencha at four." in answer.text
    assert "Oolong at five." in answer.text


def test_an_edit_leaves_private_parts_as_they_are(browser: Browser, vault: Vault) -> None:
    note = vault.path / "note.md"
    note.write_text("Tea at four.\n<private>at the lido</private>\nBread.\n")
    form = browser.form("/file/note.md", "edit")
    shown = next(value for name, value, _ in form.fields if name == "text")
    mark = "[private part 1: not shown, stays as it is]"
    assert shown == f"Tea at four.\n{mark}\nBread.\n"
    browser.send(form, text=f"{mark}\r\nTea at four.\r\nCake.\r\n")
    assert note.read_text() == "<private>at the lido</private>\nTea at four.\nCake.\n"


def test_an_edit_that_leaves_out_a_mark_or_breaks_a_file_is_refused(
    browser: Browser, vault: Vault
) -> None:
    note = vault.path / "note.md"
    note.write_text(text := "---\ntitle: Tea\n---\n<private>at the lido</private>\nBread.\n")
    form = browser.form("/file/note.md", "edit")
    shown = next(value for name, value, _ in form.fields if name == "text")
    broken = shown.replace("Tea", "[Tea")
    for typed, status, told in (("Bread.\n", 403, "private"), (broken, 400, "could not be read")):
        answer = browser.send(form, text=typed)
        assert (answer.status, told in answer.text) == (status, True)
    assert note.read_text() == text


def test_both_sides_of_a_collision_have_the_marks(browser: Browser, vault: Vault) -> None:
    note = vault.path / "note.md"
    note.write_text("Tea.\n<private>at the lido</private>\n")
    form = browser.form("/file/note.md", "edit")
    note.write_text("Milk.\n<private>at the lido</private>\n")
    mark = "[private part 1: not shown, stays as it is]"
    answer = browser.send(form, text=f"Coffee.\n{mark}\n")
    assert answer.status == 409
    assert f"Milk.\n{mark}\n" in answer.text
    assert "lido" not in answer.text


def test_a_file_that_is_no_utf8_is_not_edited_in_a_form(browser: Browser, vault: Vault) -> None:
    (vault.path / "note.md").write_bytes(b"Zo\xeb.\n")
    shown = browser.page("/file/note.md")
    assert "It is not edited here: it is not UTF-8" in shown


def test_a_memory_is_corrected_and_never_edited(browser: Browser, vault: Vault) -> None:
    made = vault.remember("Mara drinks tea.", agent="ada")
    before = (vault.path / made.path).read_bytes()
    browser.submit(f"/file/{made.path}", "correct", text="Mara drinks coffee.")
    assert (vault.path / made.path).read_bytes() == before
    assert vault.recall("What does Mara drink?").hits[0].snippet == "Mara drinks coffee."
    form = browser.form(f"/file/{made.path}", "correct")
    form.action = "/do/edit"
    form.fields.append(("sha", made.sha256, "hidden"))
    assert browser.send(form, text="Nothing.").status in {403, 409}


def test_what_was_forgotten_is_not_typed_in_again(browser: Browser, vault: Vault) -> None:
    made = vault.remember("Mara keeps four zqbees in the garden.", agent="ada")
    (vault.path / "note.md").write_text("Tea.\n")
    vault.forget(made.id)
    form = browser.form("/file/note.md", "edit")
    answer = browser.send(form, text="Tea.\n\nMara keeps four zqbees in the garden.\n")
    assert answer.status == 403
    assert (vault.path / "note.md").read_text() == "Tea.\n"


def test_claims_that_disagree_are_settled_by_one_click(browser: Browser, vault: Vault) -> None:
    vault.cards.set("people/mara", Patch(
        {"allergy": "kiwi"}, person="Mara", relationship="friend", backstory="She said so.",
        source="user"))  # fmt: skip
    vault.cards.set("people/mara", Patch({"allergy": "nuts"}, source="web"))
    assert "Settled: allergy is nuts." in browser.submit("/cards", "card-resolve", at=1)
    found = vault.cards.get("people/mara")
    assert (found["allergy"], found["conflicts"]) == ("nuts", [])


def dreamt(vault: Vault) -> str:
    """Let a dream propose something, and return the review note's path."""
    vault.topics.set("Tea", TopicPatch(("Oolong at four.", "Sencha in the morning.")))
    note = vault.path / "topics/tea.md"
    note.write_text(note.read_text() + "- Oolong at four.\n")
    return vault.dream().note


def test_a_box_is_ticked_on_the_page_and_in_the_note_alike(browser: Browser, vault: Vault) -> None:
    note = vault.path / dreamt(vault)
    form = browser.form("/dreams", "dream-apply")
    change = next(value for name, value, _ in form.fields if name == "shown")
    form.action = "/do/dream-tick"
    browser.send(form, change=change)
    assert f"- [x] `{change}`" in note.read_text()
    assert "checked" in browser.page("/dreams").partition(f'value="{change}"')[2][:40]
    browser.send(form, change=[])
    assert f"- [ ] `{change}`" in note.read_text()
    note.write_text(note.read_text().replace(f"- [ ] `{change}`", f"- [x] `{change}`"))
    assert "checked" in browser.page("/dreams").partition(f'value="{change}"')[2][:40]


@pytest.mark.long
def test_ticked_changes_are_applied_as_one_commit_and_undone(
    browser: Browser, vault: Vault
) -> None:
    dreamt(vault)
    before = (vault.path / "topics/tea.md").read_text()
    form = browser.form("/dreams", "dream-apply")
    change = next(value for name, value, _ in form.fields if name == "shown")
    assert browser.send(form).status == 400  # nothing is ticked
    assert "Applied 1 change." in browser.submit("/dreams", "dream-apply", change=change)
    assert (vault.path / "topics/tea.md").read_text().count("Oolong at four.") == 1
    browser.submit("/history", "undo")
    assert (vault.path / "topics/tea.md").read_text() == before


def test_a_change_that_is_declined_is_never_proposed_again(browser: Browser, vault: Vault) -> None:
    dreamt(vault)
    change = next(v for n, v, _ in browser.form("/dreams", "dream-apply").fields if n == "shown")
    said = browser.submit("/dreams", "dream-decline", id=change)
    assert "Declined: no dream will propose it again." in said
    assert change not in browser.page("/dreams")
    assert not vault.dream().proposals


def test_a_task_is_made_and_moved_on(browser: Browser, vault: Vault) -> None:
    browser.submit("/tasks", "task-create", subject="Buy an oven")
    browser.submit("/tasks", "task-status", at=0)
    assert vault.tasks.get(1).status == "in_progress"


def test_forgetting_is_shown_first_and_typed(browser: Browser, vault: Vault) -> None:
    made = vault.remember("Mara keeps zqbees.", agent="ada")
    vault.topics.set(
        "Bees", TopicPatch(("Bees are kept.",), links=(made.path.rsplit("/")[-1][:-3],))
    )
    page = f"/forget?ref={made.path}"
    assert "Mara keeps zqbees." in browser.page(page)
    form = browser.form(page, "forget")
    assert browser.send(form, typed="yes", reason="").status == 400
    assert (vault.path / made.path).exists()
    text = browser.submit(page, "forget", typed="Forget", reason="a secret")
    assert made.id in text
    assert not (vault.path / made.path).exists()


def test_turns_that_say_what_is_forgotten_are_named_and_lead_to_their_session(
    browser: Browser, vault: Vault
) -> None:
    said = "Mara keeps her zqbees in the old garden."
    for text in (said, said.replace(".", " of Tom, who is angry.")):
        vault.say("talk", text, agent="bob")
    made = vault.remember(said, agent="ada")
    text = browser.submit(f"/forget?ref={made.path}", "forget", typed="forget", reason="")
    talk = "agents/bob/sessions/talk.jsonl"
    same, near = (f'<a href="/file/{talk}">{talk}:{n}</a>' for n in (1, 2))
    assert 0 < text.index("do so no more") < text.index(same)
    assert 0 < text.index("Still mention it") < text.index(near)


def test_an_undo_that_cannot_be_says_why(browser: Browser, vault: Vault) -> None:
    vault.topics.set("Tea", TopicPatch(("Oolong at four.",)))
    op = vault.log(1)[0].ops[0]
    note = vault.path / "topics/tea.md"
    note.write_text(note.read_text() + "- Mine.\n")
    text = browser.page(f"/operation/{op}")
    assert "It cannot be undone" in text
    assert 'data-action="undo"' not in text


def test_all_that_an_undo_takes_back_is_named_before_the_click(
    browser: Browser, vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An import and the fold that it made due came as two commits of one operation."""
    chat = tmp_path / "talk.jsonl"
    turns = ({"id": n, "session": "talk", "content": f"Lantern {n} hangs."} for n in range(40))
    chat.write_text("".join(json.dumps(turn) + "\n" for turn in turns))
    real = type(vault.store).apply

    def and_settle(*args: object) -> None:
        real(*args)  # type: ignore[arg-type]
        vault.store.writer.commit_pending()

    monkeypatch.setattr(type(vault.store), "apply", and_settle)
    vault.import_files("jsonl", [chat], agent="ada", manner="turns")
    monkeypatch.undo()
    text = browser.page("/history")
    assert "takes back all of this: Imported 40 turns for ada; distilled ada" in text


def test_after_a_click_one_goes_back_to_a_page_of_ours_alone(
    browser: Browser, vault: Vault
) -> None:
    vault.tasks.create("Buy an oven")
    form = browser.form("/tasks", "task-status")
    for back in ("//evil.example", "http://evil.example", "/\\evil.example", "/a\r\nX: y"):
        location = browser.send(form, back=back).headers["location"]
        assert location.startswith("/tasks?"), back
