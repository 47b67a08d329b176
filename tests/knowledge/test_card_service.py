"""Cards on a real vault: found, patched, committed; claims that wait, and how they are settled."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import Clock
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.errors import BadInput, NameTaken, Refused, SecretFound, StaleWrite, Unreadable
from vaultmem.knowledge.cards import Cards
from vaultmem.knowledge.cards.listing import CardListing
from vaultmem.knowledge.cards.types import Claim, Json, Patch
from vaultmem.storage.git import clean_folders
from vaultmem.storage.plan import Plan
from vaultmem.storage.store import Store

pytestmark = pytest.mark.without_history

SARAH = "medical/doctor_sarah"
NEW = Patch(
    person="Sarah Smith", relationship="daughter", backstory="Said on the way to school.",
    at="2024-03-01T10:00:00Z",
)  # fmt: skip


@pytest.fixture
def cards(vault: Vault) -> Cards:
    """Return the cards of the vault."""
    return Cards(vault.store)


def said(source: str = "agent", at: str = "", **fields: Json) -> Patch:
    """Say *fields*."""
    return Patch(fields=fields, source=source, at=at)


def text(vault: Vault, path: str) -> str:
    """Return what a file says."""
    return (vault.path / path).read_text()


def doubted(cards: Cards) -> str:
    """Let Lyon, which the user said, be doubted by a page; return where that waits."""
    cards.set(SARAH, replace(NEW, fields={"city": "Lyon"}, source="user"))
    return cards.set(SARAH, said("web", city="Nice")).waits


def tick(vault: Vault, note: str, what: str) -> None:
    """Tick the box of *what*, as Obsidian does."""
    path = vault.path / note
    path.write_text(path.read_text().replace(f"- [ ] {what}", f"- [x] {what}"))


def commits(vault: Vault) -> list[str]:
    """Return the subjects of all commits, newest first."""
    return [entry.subject for entry in vault.log(None)]


def by_hand(vault: Vault, path: str, old: str, new: str) -> str:
    """Let a person write *new* for *old* in a file; return what it says then."""
    file = vault.path / path
    file.write_text(file.read_text().replace(old, new))
    return file.read_text()


# --- set --------------------------------------------------------------------------------------


@pytest.mark.with_history
def test_a_card_is_a_file_a_commit_and_a_pointer(vault: Vault, cards: Cards) -> None:
    """The object comes back whole."""
    made = cards.set(SARAH, replace(NEW, fields={"contact": {"phone": "0123"}}))
    assert made.path == "cards/medical/doctor_sarah.md"
    assert made.card["contact"] == {"phone": "0123"}
    assert commits(vault)[0] == (
        "card: medical/doctor_sarah: person, relationship, backstory, contact.phone"
    )
    assert made.commit == vault.log()[0].commit
    assert "](cards/medical/doctor_sarah.md): Sarah Smith (daughter): " in text(vault, "MEMORY.md")


@pytest.mark.with_history
def test_a_patch_is_two_lines_in_git(vault: Vault, cards: Cards) -> None:
    """And names the fact."""
    made = cards.set(SARAH, replace(NEW, fields={"phone": "0123", "city": "Lyon"}))
    cards.set(SARAH, said(phone="0456"))
    stat = subprocess.run(
        ["git", "diff", "--numstat", "HEAD~1", "--", made.path],
        cwd=vault.path, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert stat.split()[:2] == ["2", "2"]
    assert commits(vault)[0] == "card: medical/doctor_sarah: phone"


@pytest.mark.with_history
def test_a_card_is_written_without_a_look_at_files_beside_it(
    vault: Vault, cards: Cards, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a person wrote into the card itself is committed first, and apart."""
    made = cards.set(SARAH, replace(NEW, fields={"phone": "0123"}))
    looked: list[Path] = []
    folders = clean_folders._folders

    def noting(root: Path) -> Any:  # noqa: ANN401  # as it is given
        looked.append(root)
        return folders(root)

    monkeypatch.setattr(clean_folders, "_folders", noting)
    cards.set(SARAH, said(phone="0456"))
    assert looked == []
    by_hand(vault, made.path, "Said on the way", "Told on the way")
    cards.set(SARAH, said(phone="0789"))
    assert looked == [vault.path]
    assert commits(vault)[:2] == ["card: medical/doctor_sarah: phone", f"human: edit {made.path}"]
    assert "Told on the way" in text(vault, made.path)


@pytest.mark.with_history
def test_said_again_it_is_no_operation(vault: Vault, cards: Cards) -> None:
    """Nothing to commit."""
    cards.set(SARAH, replace(NEW, fields={"phone": "0123"}))
    again = cards.set(SARAH, said(phone="0123"))
    assert (again.changed, again.commit) == ((), None)
    assert len(commits(vault)) == 2


def test_create_does_not_overwrite(cards: Cards) -> None:
    """As `--create` says."""
    cards.set(SARAH, NEW)
    with pytest.raises(NameTaken):
        cards.set(SARAH, replace(NEW, backstory="Other."), create=True)


@pytest.mark.with_history
def test_nothing_is_written_without_what_every_card_needs(vault: Vault, cards: Cards) -> None:
    """No file, no commit."""
    with pytest.raises(BadInput, match=r"has no person, relationship, backstory"):
        cards.set("medical/nobody", said(x="1"))
    assert not (vault.path / "cards").exists()
    assert len(commits(vault)) == 1


def test_null_and_unset_take_away_all_that_is_below(cards: Cards) -> None:
    """The rest stays."""
    cards.set(SARAH, replace(NEW, fields={"a": {"b": "1", "c": "2"}, "d": {"e": "3"}, "f": "4"}))
    cards.set(SARAH, Patch(fields={"a": None}, unset=("d",)))
    got = cards.get(SARAH)
    assert got.keys().isdisjoint({"a", "d"})
    assert got["f"] == "4"
    assert got["facts"] == {"f": {"value": "4", "source": "agent", "date": "2024-03-01T10:00:00Z"}}
    with pytest.raises(BadInput, match="every card needs its person"):
        cards.set(SARAH, Patch(unset=("person",)))


@pytest.mark.parametrize(
    ("patch", "why"),
    [
        (said("nobody", x="1"), "not a source"),
        (said(at="tomorrow", x="1"), "not a date"),
        (Patch(valid_to="soon"), "not a date"),
        (Patch(policies={"x": "some"}), "one of latest, all"),
        (Patch(fields={"x": "1", "X": "2"}), "one property"),
        (Patch(fields={"person": ["a", "b"]}), "one text"),
        (Patch(fields={"x": "<private>all of it</private>"}), "private"),
        (Patch(fields={"x": "\u200b"}), "is not stored: the text is empty"),
        (Patch(fields={"x": "a\0b"}), "cannot be stored"),
        (Patch(fields={"x": "\ud800"}), "half a character"),
    ],
)
def test_what_cannot_be_is_refused(cards: Cards, patch: Patch, why: str) -> None:
    """In a sentence."""
    cards.set(SARAH, NEW)
    with pytest.raises(BadInput, match=why):
        cards.set(SARAH, patch)


def test_a_credential_is_not_kept_and_what_is_private_neither(vault: Vault, cards: Cards) -> None:
    """Not in a fact, not in a backstory."""
    token = "ghp_" + "a1B2c3D4" * 5
    for patch in (said(x=token), Patch(backstory=f"It is {token}."), said(x=["a", token])):
        with pytest.raises(SecretFound):
            cards.set(SARAH, replace(NEW, fields=patch.fields, backstory=patch.backstory or "B"))
    made = cards.set(SARAH, replace(NEW, backstory="Told <private>by Eve</private> today."))
    assert "Eve" not in text(vault, made.path)


def test_a_private_part_may_go_over_the_objects_of_a_list(cards: Cards) -> None:
    told: list[Json] = [{"name": "Bo <private>a"}, {"name": "b</private> Zo", "at": 3}]
    assert cards.set(SARAH, replace(NEW, fields={"x": {"kids": told}})).card["x"] == {
        "kids": [{"name": "Bo"}, {"name": "Zo", "at": "3"}]
    }
    told.insert(1, {"name": "hush"})
    with pytest.raises(BadInput, match="'kids' is not stored: all that an item of it says is"):
        cards.set(SARAH, Patch(fields={"x": {"kids": told}}))


def test_a_whole_card_that_nobody_trusted_told_waits_for_review(vault: Vault, cards: Cards) -> None:
    """A file of the same shape, in no list and no context."""
    made = cards.set(SARAH, replace(NEW, fields={"iban": "666"}, source="web"))
    assert made.path == made.waits == "inbox/review/card-medical.doctor_sarah.md"
    assert "\ntrust: untrusted\n" in text(vault, made.path)
    assert cards.list() == ()
    assert "Sarah" not in text(vault, "MEMORY.md")
    again = cards.set(SARAH, replace(NEW, fields={"iban": "667"}, source="web"))
    assert again.card["iban"] == "667"
    assert (again.card["category"], again.card["key"]) == ("medical", "doctor_sarah")


def test_others_that_were_faster_are_not_overwritten(
    vault: Vault, cards: Cards, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The patch is made again on what stands there now, however often that changes."""
    made = cards.set(SARAH, replace(NEW, fields={"phone": "1"}))
    real: Callable[[Plan], object] = vault.store.apply
    path = vault.path / made.path
    others = iter(range(8))

    def late(plan: Plan) -> None:
        if (n := next(others, None)) is not None:
            path.write_text(path.read_text().replace("type: card", f"type: card\nmood{n}: calm"))
            raise StaleWrite(made.path, "", "")
        real(plan)

    monkeypatch.setattr(type(vault.store), "apply", lambda _site, plan: late(plan))
    cards.set(SARAH, said(phone="2"))
    assert path.read_text().count(": calm") == 8
    assert 'phone: "2"' in path.read_text()


# --- what people do to files ------------------------------------------------------------------


def test_a_card_that_a_person_renamed_is_found_by_either_name(vault: Vault, cards: Cards) -> None:
    """No second card comes up under the old name."""
    made = cards.set(SARAH, replace(NEW, fields={"phone": "1"}))
    (vault.path / "cards/people").mkdir()
    (vault.path / made.path).rename(vault.path / "cards/people/Sarah Smith.md")
    assert cards.set(SARAH, said(phone="2")).path == "cards/people/Sarah Smith.md"
    assert cards.get("people/sarah smith")["phone"] == "2"
    assert [card.name for card in cards.list()] == ["people/Sarah Smith"]


def test_two_cards_whose_names_differ_in_case_are_told_apart_by_a_person(
    vault: Vault, cards: Cards
) -> None:
    """Either is found by its very name."""
    for name in ("Bob", "BOB"):
        path = vault.path / f"cards/people/{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"---\ntype: card\nperson: {name}\n---\nx\n")
    with pytest.raises(Refused, match=r"cards/people/BOB\.md, cards/people/Bob\.md"):
        cards.set("people/bob", said(x="1"))
    assert cards.get("people/Bob")["person"] == "Bob"


def test_a_broken_card_is_named_and_stops_no_list(vault: Vault, cards: Cards) -> None:
    """Neither patched nor exported; the others are, and it is told which one is not."""
    made = cards.set(SARAH, NEW)
    (vault.path / made.path).write_text("---\nperson: [\n---\nx\n")
    for ask in (lambda: cards.get(SARAH), lambda: cards.set(SARAH, said(x="1"))):
        with pytest.raises(Unreadable, match=made.path):
            ask()
    cards.set("home/bob", NEW)
    told = cards.export()
    assert json.loads(json.dumps(told))["categories"].keys() == {"home"}
    assert made.path in str(told["problems"])
    assert ["not YAML" in card.problem for card in cards.list()] == [False, True]
    assert text(vault, made.path) == "---\nperson: [\n---\nx\n"


KEY = "sk-ant-api03-" + "Ab1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX2yZ3a" * 2 + "-AbCdEfAA"


@pytest.mark.with_history
def test_no_secret_comes_into_a_commit_by_who_decided_or_whom_it_concerns(
    vault: Vault, cards: Cards
) -> None:
    doubted(cards)
    with pytest.raises(SecretFound, match="who decides"):
        cards.resolve(SARAH, {"city": "Q"}, by=KEY)
    with pytest.raises(SecretFound, match="the person"):
        cards.set("home/bob", replace(NEW, person=KEY))
    assert KEY not in str(vault.log(None))


def test_a_page_decides_nothing(cards: Cards) -> None:
    doubted(cards)
    with pytest.raises(Refused, match="what comes from web decides nothing"):
        cards.resolve(SARAH, {"city": "Nice"}, by="web")


def test_a_confirmation_guards_a_fact_like_a_statement(cards: Cards) -> None:
    cards.set(SARAH, replace(NEW, fields={"city": "Rome"}, source="agent"))
    assert cards.set(SARAH, said("user", city="Rome")).changed == ("city",)
    assert cards.set(SARAH, said("user", city="Rome")).changed == ()
    assert cards.set(SARAH, said("agent", city="Oslo")).conflicts
    assert cards.get(SARAH)["city"] == "Rome"


@pytest.mark.with_history
def test_what_a_person_was_writing_is_committed_apart_and_before(
    vault: Vault, cards: Cards
) -> None:
    made = cards.set(SARAH, NEW)
    path = vault.path / made.path
    path.write_text(path.read_text().replace("type: card", "type: card\nmood: calm"))
    done = cards.set(SARAH, said(city="Lyon"))
    assert done.commit
    assert vault.log(1)[0].commit == done.commit
    assert commits(vault)[:2] == ["card: medical/doctor_sarah: city", f"human: edit {made.path}"]


def test_an_undecided_note_says_that_it_waits_and_a_decided_one_does_not(
    vault: Vault, cards: Cards
) -> None:
    note = doubted(cards)
    assert cards.resolve(SARAH).waits == note
    (vault.path / note).write_text(text(vault, note) + "My own words.\n")
    assert cards.resolve(SARAH, {"city": "Nice"}).waits == ""
    assert text(vault, note).endswith("My own words.\n")


def test_plain_json_never_changes_whom_a_card_concerns(cards: Cards) -> None:
    cards.set(SARAH, replace(NEW, fields={"city": "Lyon"}))
    data = json.dumps({"categories": {"medical": {"doctor_sarah": {"city": "Nice"}}}}).encode()
    bob = Patch(person="Bob", relationship="R", backstory="B", source="agent")
    with pytest.raises(Refused, match=r"doctor_sarah: the card is there, and concerns Sarah Smith"):
        cards.load(data, "json", bob)
    cards.load(data, "json", replace(bob, person="Sarah Smith"))
    card = cards.get(SARAH)
    assert (card["city"], card["relationship"]) == ("Nice", "daughter")


def test_an_import_that_fails_names_the_card(cards: Cards) -> None:
    whole = {"person": "P", "relationship": "R", "backstory": "B", "yes": "1"}
    data = json.dumps({"categories": {"a": {"b": whole}}}).encode()
    with pytest.raises(BadInput, match="the file: a/b: 'yes'"):
        cards.load(data, "advanced", Patch(source="import"))


def test_a_card_without_frontmatter_is_one_too(vault: Vault, cards: Cards) -> None:
    """A person's note in the folder of cards."""
    path = vault.path / "cards/people/bob.md"
    path.parent.mkdir(parents=True)
    path.write_text("Bob is my neighbour.\n")
    cards.set("people/bob", said("user", city="Lyon"))
    assert path.read_text().endswith("city: Lyon\n---\nBob is my neighbour.\n")


@pytest.mark.parametrize("name", ["../x/y", "a/../../b", "cards/../../x.md", "x", "/etc/passwd"])
def test_no_name_leads_out_of_the_folder(vault: Vault, cards: Cards, name: str) -> None:
    """Not to read, not to write."""
    before = sorted(vault.path.rglob("*.md"))
    for ask in (cards.get, cards.resolve, lambda n: cards.set(n, NEW)):
        with pytest.raises(BadInput):
            ask(name)
    assert sorted(vault.path.rglob("*.md")) == before


# --- what waits -------------------------------------------------------------------------------


@pytest.mark.with_history
def test_a_doubt_waits_in_one_note_a_card(vault: Vault, cards: Cards) -> None:
    """Both claims, and what comes later beside them; the card stays as it is."""
    note = doubted(cards)
    assert note == "inbox/card-medical.doctor_sarah.md"
    cards.set(SARAH, said("tool", city="Rome"))
    again = cards.set(SARAH, said("web", city="Nice"))
    assert [c.claimed for c in again.conflicts] == ["Nice"]
    assert again.commit is None
    assert text(vault, note).endswith(
        "- [ ] city: Lyon (user, 2024-03-01)\n- [ ] city: Nice (web, 2026-11-20)\n"
        "- [ ] city: Rome (tool, 2026-11-20)\n"
    )
    assert cards.get(SARAH)["city"] == "Lyon"
    waits = cards.get(SARAH)["conflicts"]
    assert waits == [
        {"field": "city", "kept": "Lyon", "claimed": claimed, "source": source}
        for claimed, source in (("Nice", "web"), ("Rome", "tool"))
    ]
    assert cards.list()[0].waiting == 1


@pytest.mark.with_history
def test_resolving_settles_it_for_good(vault: Vault, cards: Cards) -> None:
    """By a person, whose word stands; the note goes in the same commit."""
    note = doubted(cards)
    done = cards.resolve(SARAH, {"city": "Nice"}, by="Ada")
    assert done.card["city"] == "Nice"
    assert not (vault.path / note).exists()
    assert vault.log()[0].body.startswith("Decided by Ada.")
    assert cards.set(SARAH, said("user", city="Lyon")).conflicts[0].kept == "Nice"


def test_a_tick_settles_it_too_and_words_beside_it_stay(vault: Vault, cards: Cards) -> None:
    """What is not ticked waits on."""
    note = doubted(cards)
    cards.set(SARAH, said("web", phone="666"))
    path = vault.path / note
    path.write_text(path.read_text() + "\nI asked her myself.\n")
    assert cards.apply_ticked() == []
    tick(vault, note, "city: Nice")
    assert cards.apply_ticked() == [SARAH]
    assert cards.get(SARAH)["city"] == "Nice"
    assert "city" not in path.read_text()
    assert "- [ ] phone: *none* (the card, undated)\n- [ ] phone: 666 (web," in path.read_text()
    tick(vault, note, "phone: *none*")
    cards.apply_ticked()
    assert "phone" not in cards.get(SARAH)
    assert path.read_text().endswith("stay.\n\n\nI asked her myself.\n")


def test_keeping_what_is_there_is_a_decision(vault: Vault, cards: Cards) -> None:
    """An older doubt does not come back when the same session is read again."""
    note = doubted(cards)
    tick(vault, note, "city: Lyon")
    assert cards.resolve(SARAH).card["city"] == "Lyon"
    assert not (vault.path / note).exists()
    claim = Claim("S", "d", "medical", "doctor_sarah", "city", "Nice", "b", "user", "2024-01-01")
    assert cards.take([claim]).written == ()
    assert not (vault.path / note).exists()


def test_a_note_about_a_card_that_is_gone_waits_on(vault: Vault, cards: Cards) -> None:
    """And one whose box names what no fact may be called; others are settled."""
    note = doubted(cards)
    tick(vault, note, "city: Nice")
    (vault.path / "cards/medical/doctor_sarah.md").unlink()
    evil = vault.path / "inbox/card-evil.md"
    evil.write_text(
        "---\ntype: conflict\ncard: '[[../../../etc/passwd]]'\n---\n"
        "- [x] trust: verified (user, x)\n"
    )
    assert cards.apply_ticked() == []
    assert (vault.path / note).exists()
    assert evil.exists()


def test_a_note_that_cannot_be_read_is_named_and_kept(vault: Vault, cards: Cards) -> None:
    """What does not touch it goes on."""
    note = vault.path / doubted(cards)
    note.write_bytes(b"\xff" + note.read_bytes())
    before = note.read_bytes()
    with pytest.raises(Unreadable, match=r"inbox/card-medical\.doctor_sarah\.md: byte 0"):
        cards.set(SARAH, said("web", city="Rome"))
    assert cards.set(SARAH, said(phone="1")).changed == ("phone",)
    assert cards.apply_ticked() == []
    assert cards.list()[0].waiting == 0
    assert note.read_bytes() == before


# --- claims from what was said ----------------------------------------------------------------


@pytest.mark.with_history
def test_extracted_claims_make_and_patch_cards_in_one_commit(vault: Vault, cards: Cards) -> None:
    """Each links to what it was drawn from; what no card can hold is left and named."""
    cards.set(SARAH, replace(NEW, fields={"city": "Lyon"}, source="user"))
    about = ("Bob", "user", "people", "bob")
    told = [
        Claim(*about, "allergy", "nuts", "I am allergic to nuts.", "user", "2024-05-05", "m-1"),
        Claim("", "", "medical", "doctor_sarah", "phone", "1", "", "user", "2024-05-05", "m-2"),
        Claim("", "", "medical", "doctor_sarah", "city", "Nice", "", "agent", "2024-05-05", "m-3"),
        Claim(*about[:3], "../bob", "allergy", "nuts", "x", "user", "2024-05-05"),
        Claim("Eve", "", "people", "eve", "x", "1", "", "user", "2024-05-05"),
    ]
    done = cards.take(told)
    doubts = [(w.name, bool(w.conflicts)) for w in done.written]
    assert doubts == [("people/bob", False), (SARAH, True)]
    assert [line.partition(":")[0] for line in done.left] == ["people/../bob", "people/eve"]
    assert len(commits(vault)) == 3
    assert 'sources:\n  - "[[m-1]]"\n' in text(vault, "cards/people/bob.md")
    assert 'sources:\n  - "[[m-2]]"\n' in text(vault, "cards/medical/doctor_sarah.md")
    assert cards.take(told).commit is None


def test_of_extracted_claims_the_newest_holds(cards: Cards) -> None:
    """In whatever order they come."""
    about = ("Bob", "user", "people", "bob", "city")
    new = Claim(*about, "Nice", "I moved.", "user", "2024-05-05")
    old = Claim(*about, "Lyon", "I live in Lyon.", "user", "2023-05-05")
    assert cards.take([new, old]).written[0].conflicts == ()
    assert cards.get("people/bob")["city"] == "Nice"


# --- export and import ------------------------------------------------------------------------

_key = st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True)
_text = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20).map(str.strip)
_words = st.text("abcdefgh ÄÖ漢", min_size=1, max_size=20).filter(str.strip)
_fact = st.text("abcxyz", min_size=1, max_size=5).filter(lambda x: x not in {"y", "n", "no"})
_value = st.recursive(
    _text | st.lists(_text, max_size=3),
    lambda inner: st.dictionaries(_fact, inner, min_size=1, max_size=3),
    max_leaves=5,
)
_card = st.fixed_dictionaries({
    "fields": st.dictionaries(_fact, _value, max_size=4),
    "person": _words, "relationship": _words, "backstory": _words,
})  # fmt: skip


@pytest.mark.long
@settings(max_examples=settings().max_examples // 10, suppress_health_check=list(HealthCheck))
@given(st.dictionaries(st.tuples(_key, _key), _card, min_size=1, max_size=3))
def test_export_and_import_and_export_is_the_same(
    tmp_path_factory: pytest.TempPathFactory, made: dict[tuple[str, str], dict[str, Json]]
) -> None:
    """Into a new vault, and again into the same one."""
    clock = Clock()
    folders = [tmp_path_factory.mktemp("there") / "vault" for _ in range(2)]
    for folder in folders:
        create.create(folder, clock, with_git=False)
    with Vault.open(folders[0], clock=clock) as one, Vault.open(folders[1], clock=clock) as two:
        here, there = Cards(one.store), Cards(two.store)
        for (category, key), said_of in made.items():
            here.set(f"{category}/{key}", Patch(**said_of, at="2024-03-01"))  # type: ignore[arg-type]
        told = here.export()
        clock.advance(days=3)
        data = json.dumps(told).encode()
        assert len(there.load(data, "advanced", Patch(source="import")).cards) == len(made)
        assert there.export() == told
        again = there.load(data, "advanced", Patch(source="import"))
        assert (again.cards, again.skipped, again.commit) == ((), len(made), None)


@pytest.mark.with_history
def test_an_import_changes_nothing_when_one_card_cannot_be(vault: Vault, cards: Cards) -> None:
    """All or nothing."""
    whole = {"person": "P", "relationship": "R", "backstory": "B", "x": "1"}
    data = json.dumps({"categories": {"a": {"b": whole, "c": {"x": "1"}}}}).encode()
    with pytest.raises(BadInput, match="the new card a/c has no person"):
        cards.load(data, "advanced", Patch(source="import"))
    assert cards.list() == ()
    assert len(commits(vault)) == 1


def test_notes_that_others_keep_from_being_written_are_not_taken_for_known(
    cards: Cards, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who imports them hears of it, and the next import brings them."""
    data = json.dumps({"notes": ["Anna likes tea."]}).encode()

    def late(_store: Store, plan: Plan) -> None:
        raise StaleWrite(plan.changes[0].path, "", "")

    with monkeypatch.context() as busy:
        busy.setattr(Store, "apply", late)
        with pytest.raises(StaleWrite):
            cards.load(data, "notes", Patch(source="import"))
    assert cards.load(data, "notes", Patch(source="import")).remembered == 1


@pytest.mark.with_history
def test_what_an_import_disagrees_with_waits(vault: Vault, cards: Cards) -> None:
    """However often it is imported."""
    cards.set(SARAH, replace(NEW, fields={"city": "Lyon"}, source="user"))
    data = json.dumps({"categories": {"medical": {"doctor_sarah": {"city": "Nice"}}}}).encode()
    first = cards.load(data, "advanced", Patch(source="import"))
    assert [c.claimed for c in first.cards[0].conflicts] == ["Nice"]
    before = text(vault, first.cards[0].waits)
    assert cards.load(data, "advanced", Patch(source="import")).commit is None
    assert text(vault, first.cards[0].waits) == before


def test_plain_json_is_imported_only_when_it_is_said_whom_it_concerns(cards: Cards) -> None:
    """Nothing is filled in by default."""
    data = json.dumps({"categories": {"a": {"b": {"x": "1"}}}}).encode()
    with pytest.raises(BadInput, match="--relationship --backstory"):
        cards.load(data, "json", Patch(person="P", source="import"))
    whole = Patch(person="P", relationship="R", backstory="B", source="import")
    assert cards.load(data, "json", whole).cards[0].name == "a/b"


def test_notes_and_paragraphs_become_memories_once(vault: Vault, cards: Cards) -> None:
    """By what they say."""
    data = json.dumps({"notes": ["Bob: city: Lyon", "Bob: city: Lyon", "Eve: age: 3"]}).encode()
    done = cards.load(data, "notes", Patch(source="import"), agent="ada")
    assert (done.remembered, done.skipped) == (2, 1)
    assert cards.load(data, "notes", Patch(source="import"), agent="ada").remembered == 0
    kept = [p.read_text() for p in (vault.path / "agents/ada/memories").rglob("*.md")]
    assert sorted(t.rpartition("---\n")[2] for t in kept) == ["Bob: city: Lyon\n", "Eve: age: 3\n"]
    assert all("\nsource: import\ntrust: agent\n" in t for t in kept)


def test_a_context_tells_facts_and_not_who_said_them(vault: Vault, cards: Cards) -> None:
    """The claims of a card are no facts."""
    cards.set(SARAH, replace(NEW, fields={"allergy": "nuts"}))
    told = vault.context("").text
    assert "allergy: nuts" in told
    assert "claims" not in told


@pytest.mark.with_history
def test_an_undo_brings_the_old_value_back(vault: Vault, cards: Cards) -> None:
    """As of any operation."""
    cards.set(SARAH, replace(NEW, fields={"phone": "1"}))
    cards.set(SARAH, said(phone="2"))
    vault.undo(vault.log()[0].ops[0])
    assert cards.get(SARAH)["phone"] == "1"


# --- what no undo could bring back ------------------------------------------------------------

PRIVATE = "\n<private>pin 1234</private>\n"


@pytest.mark.with_history
def test_a_card_with_a_private_part_keeps_the_words_that_git_has_not(
    vault: Vault, cards: Cards
) -> None:
    made = cards.set(SARAH, replace(NEW, fields={"city": "Lyon"}, source="user"))
    kept = by_hand(vault, made.path, "city: Lyon\n---\n", f"city: Quincy\n---\n{PRIVATE}")
    with pytest.raises(Refused, match="marked private, which is not committed: add to it"):
        cards.set(SARAH, replace(said("human", city="Nice"), strategy="overwrite"))
    with pytest.raises(Refused, match="marked private"):
        cards.set(SARAH, said("human", city=None))
    assert text(vault, made.path) == kept
    assert vault.store.writer.waiting() == 0


@pytest.mark.long
@pytest.mark.with_history
def test_a_tick_that_would_take_such_words_waits_and_says_why(vault: Vault, cards: Cards) -> None:
    """In status and in each round, until the private part is out."""
    note = doubted(cards)
    path = cards.set(SARAH, said("web", phone="666")).path
    kept = by_hand(vault, path, "Said on the way", f"{PRIVATE}Said on the way")
    vault.store.sync()
    tick(vault, note, "city: Nice")
    for _ in range(2):
        assert cards.apply_ticked() == []
        (left,) = vault.tick().left
        assert (left.code, left.path) == ("tick-waits", note)
        assert "a part marked private, which is not committed" in left.message
        assert left in vault.status().problems
    assert text(vault, path) == kept
    by_hand(vault, path, PRIVATE, "")
    done = vault.tick()
    assert (done.ticked, done.left) == (1, ())
    assert "city: Nice" in text(vault, path)


def test_a_card_with_a_private_part_takes_what_is_added(vault: Vault, cards: Cards) -> None:
    made = cards.set(SARAH, replace(NEW, fields={"likes": ["tea"]}, source="user"))
    by_hand(vault, made.path, "likes:\n  - tea\n---\n", f"likes:\n  - tea\n---\n{PRIVATE}")
    cards.set(SARAH, said("user", phone="0456"))
    cards.set(SARAH, replace(said("user", likes=["rye"]), strategy="append"))
    assert cards.get(SARAH)["likes"] == ["tea", "rye"]
    for words in ("0456", "pin 1234", "Said on the way to school."):
        assert words in text(vault, made.path)


@pytest.mark.with_history
def test_one_card_that_keeps_its_words_leaves_the_other_claims_alone(
    vault: Vault, cards: Cards
) -> None:
    made = cards.set(SARAH, replace(NEW, fields={"city": "Lyon"}))
    by_hand(vault, made.path, "Said on the way", f"{PRIVATE}Said on the way")
    told = replace(NEW, person="Mara", at="")
    cards.set("family/mara", told)
    late = ("Said.", "agent", "2030-01-01T00:00:00Z")
    taken = cards.take([
        Claim("Sarah", "friend", "medical", "doctor_sarah", "city", "Nice", *late),
        Claim("Mara", "friend", "family", "mara", "city", "Porto", *late),
    ])  # fmt: skip
    assert [it.name for it in taken.written] == ["family/mara"]
    assert "doctor_sarah" in taken.left[0]
    assert "marked private" in taken.left[0]


@pytest.mark.with_history
def test_what_a_person_staged_in_a_card_is_not_overwritten(
    vault: Vault, cards: Cards, folder: Path
) -> None:
    made = cards.set(SARAH, replace(NEW, fields={"city": "Lyon"}, source="user"))
    kept = by_hand(vault, made.path, "Said on the way to school.", "Said at the harbour.")
    subprocess.run(["git", "add", made.path], cwd=folder, check=True)
    with pytest.raises(Refused, match="it is staged: commit that first"):
        cards.set(SARAH, Patch(backstory="Nobody knows.", source="human", strategy="overwrite"))
    assert text(vault, made.path) == kept


def test_who_looks_for_what_is_ticked_writes_nothing(vault: Vault) -> None:
    """On a full disk, in a clone that has noted no id yet, `fsck` could not be asked."""
    noted = vault.path / ".vaultmem/last-id"
    noted.unlink(missing_ok=True)
    listing = CardListing(vault.store, 4)
    assert not noted.exists()
    assert len({*listing.ids}) == 8
    assert noted.exists()
