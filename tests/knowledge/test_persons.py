"""Whose card a claim belongs on: the owner's, a speaker's, or that of somebody's relation."""

from __future__ import annotations

import pytest

from tests.conftest import Clock
from vaultmem import Vault
from vaultmem.documents.bodies import Claim
from vaultmem.knowledge.cards import persons
from vaultmem.knowledge.cards.types import Patch

pytestmark = pytest.mark.without_history

TOM, LENA = "Tom", "Lena"


def claim(person: str, relation: str, field: str, value: str, speaker: str = TOM) -> Claim:
    return Claim(person, relation, "family", field, value, "So it was said.", speaker=speaker)


@pytest.mark.parametrize(
    ("told", "owner", "cards"),
    [
        (claim("Tom", "self", "city", "Hull"), "", ["Tom (speaker) city: Hull"]),
        (claim("Tom", "self", "city", "Hull"), "tom", ["Tom (self) city: Hull"]),
        (claim("user", "self", "city", "Hull", ""), "Tom", ["user (speaker) city: Hull"]),
        (claim("Tom", "self", "name", "Thomas"), "", ["Tom (speaker) aliases: Thomas"]),
        (claim("Tom", "self", "name", "Tom"), "", ["Tom (speaker) name: Tom"]),
        (claim("Anna", "wife", "job", "baker"), "", ["Anna (Tom's wife) job: baker"]),
        (claim("Anna", "wife", "job", "baker"), "Tom", ["Anna (wife) job: baker"]),
        (
            claim("Anna", "wife", "name", "Anna"),
            "",
            ["Anna (Tom's wife) name: Anna", "Tom (speaker) wife: Anna"],
        ),
        (claim("son", "son", "allergy", "milk"), "", ["Tom (speaker) son_allergy: milk"]),
        (claim("son", "son", "allergy", "milk", ""), "", []),
        (claim("Max", "son", "allergy", "milk", ""), "", ["Max (son) allergy: milk"]),
        (
            claim("小雨", "女儿", "name", "小雨"),
            "",
            ["小雨 (Tom的女儿) name: 小雨", "Tom (speaker) daughter: 小雨"],
        ),
    ],
)
def test_a_claim_goes_to_the_card_of_whom_it_concerns(
    told: Claim, owner: str, cards: list[str]
) -> None:
    found = persons.placed(told, owner)
    assert [f"{c.person} ({c.relationship}) {c.field}: {c.value}" for c in found] == cards


@pytest.mark.parametrize(
    ("name", "owner", "speaker"),
    [
        ("Lena", "Tom", "Lena"),
        ("", "Tom", "Tom"),
        ("user", "Tom", "Tom"),
        ("user", "", ""),
        ("Customer", "Tom", ""),
    ],
)
def test_a_role_is_nobody_and_a_user_without_a_name_the_owner(
    name: str, owner: str, speaker: str
) -> None:
    assert persons.speaker(name, owner) == speaker


@pytest.mark.parametrize(
    ("relationship", "whose", "relation"),
    [("Tom's wife", "Tom", "wife"), ("Jonas' son", "Jonas", "son"), ("wife", "", "wife"),
     ("王芳的女儿", "王芳", "女儿")],
)  # fmt: skip
def test_a_relationship_says_whose(relationship: str, whose: str, relation: str) -> None:
    assert (persons.whose(relationship), persons.relation(relationship)) == (whose, relation)


def dream(vault: Vault, clock: Clock, *said: tuple[str, str]) -> dict[str, tuple[str, str]]:
    """Let *said*, speakers and texts, become cards; return whom each card concerns."""
    clock.advance(days=1)
    for speaker, text in said:
        vault.remember(text, agent="ada", source="user", speaker=speaker)
    vault.dreams.plan(force=True)
    vault.dreams.apply(everything=True)
    return {card.name: (card.person, card.relationship) for card in vault.cards.list()}


@pytest.mark.long
@pytest.mark.with_history
def test_sessions_of_unnamed_users_make_no_card_of_two_people(vault: Vault, clock: Clock) -> None:
    """A fact that somebody without a name tells is on no card, unless they say who they are."""
    clock.advance(days=1)
    said = (
        ("s1", "user", "I am allergic to kiwi."),
        ("s2", "user", "Hi, my name is Emilia. I work as a nurse."),
        ("s2", "user", "I live in Leeds."),
        ("s3", "user", "I live in Porto."),
        ("s4", "Customer", "My name is Bob Miller and I love chess."),
        ("s5", "Customer", "I am a vegetarian."),
    )
    for session, speaker, text in said:
        vault.remember(text, agent="ada", source="user", speaker=speaker, session=session)
    vault.dreams.plan(force=True)
    vault.dreams.apply(everything=True)
    cards = {card.person: vault.cards.get(card.name) for card in vault.cards.list()}
    assert {who: (card.get("city"), card.get("likes")) for who, card in cards.items()} == {
        "Emilia": ("Leeds", None),
        "Bob Miller": (None, "chess"),
    }
    assert "kiwi" not in str(cards)
    assert "vegetarian" not in str(cards)


@pytest.mark.with_history
def test_a_user_without_a_name_is_the_owner_of_the_vault(vault: Vault, clock: Clock) -> None:
    config = vault.path / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("owner:\n", "owner: Tom\n"))
    cards = dream(vault, clock, ("", "I am allergic to kiwi."), ("Lena", "I live in Porto."))
    assert sorted(cards.values()) == [("Lena", "speaker"), ("Tom", "self")]


@pytest.mark.long
@pytest.mark.with_history
def test_two_wives_of_one_name_are_two_persons(vault: Vault, clock: Clock) -> None:
    cards = dream(
        vault, clock, (TOM, "My wife Anna is a baker."), (LENA, "My wife Anna runs a bookshop.")
    )
    assert cards == {
        "family/anna": ("Anna", "Tom's wife"),
        "family/anna_of_lena": ("Anna", "Lena's wife"),
        "family/lena": ("Lena", "speaker"),
        "family/tom": ("Tom", "speaker"),
    }
    again = dream(vault, clock, (LENA, "My wife Anna is 41."))
    assert again == cards
    assert vault.cards.get("family/anna_of_lena")["age"] == "41"
    assert "age" not in vault.cards.get("family/anna")
    assert vault.cards.get("family/lena")["wife"] == "Anna"


@pytest.mark.parametrize(
    ("said", "about"),
    [
        (
            ("My wife Anna is a baker.", "My daughter Anna is 4.", "Anna lives in Ulm."),
            {"Tom's wife": "occupation: baker", "Tom's daughter": "age: 4"},
        ),
        (
            ("My grandmother Anna is 90 and my granddaughter Anna is 2.",),
            {"Tom's grandmother": "age: 90", "Tom's granddaughter": "age: 2"},
        ),
        (
            ("My girlfriend Anna is a baker.", "My wife Anna lives in Ulm."),
            {"Tom's girlfriend": "city: Ulm, occupation: baker"},
        ),
        (
            ("Meine Frau Anna ist Lehrerin.", "Meine Mutter Anna ist 71."),
            {"Tom's wife": "occupation: Lehrerin", "Tom's mother": "age: 71"},
        ),
    ],
)
@pytest.mark.with_history
def test_two_of_one_name_who_are_other_things_to_one_speaker_are_two_persons(
    vault: Vault, clock: Clock, said: tuple[str, ...], about: dict[str, str]
) -> None:
    """What is said of a bare name is on the card of neither."""
    cards = dream(vault, clock, *((TOM, it) for it in said))
    annas = {whose: card for card, (name, whose) in cards.items() if name == "Anna"}
    told = {
        whose: ", ".join(
            f"{field}: {value}"
            for field, value in sorted(vault.cards.get(card).items())
            if field in {"age", "city", "occupation"}
        )
        for whose, card in annas.items()
    }
    assert told == about


def test_only_the_owner_is_self(vault: Vault, clock: Clock) -> None:
    config = vault.path / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("owner:\n", "owner: Tom\n"))
    cards = dream(
        vault, clock, (TOM, "I live in Hull."), (LENA, "I live in Bath."), ("", "I play the harp.")
    )
    assert cards == {"contact/lena": ("Lena", "speaker"), "contact/tom": ("Tom", "self")}
    assert vault.cards.get("contact/tom")["plays"] == "harp"


@pytest.mark.long
def test_what_somebody_is_called_too_becomes_an_alias_that_is_known_later(
    vault: Vault, clock: Clock
) -> None:
    dream(vault, clock, (TOM, "I am called Tommy by everyone."), (TOM, "I live in Hull."))
    assert "aliases:\n  - Tommy\n" in (vault.path / "cards/contact/tom.md").read_text()
    assert vault.cards.get("contact/tom")["backstory"] == (
        "I am called Tommy by everyone.\n\nI live in Hull."
    )
    assert list(dream(vault, clock, ("Tommy", "I play the harp."))) == ["contact/tom"]
    assert dream(vault, clock, (TOM, "Call me Tommy.")) == {"contact/tom": ("Tom", "speaker")}


def test_in_a_vault_of_nobodys_a_card_by_hand_is_that_of_who_says_so(
    vault: Vault, clock: Clock
) -> None:
    by_hand = Patch({"job": "baker"}, person="Anna", relationship="wife", backstory="Told.")
    vault.cards.set("family/anna", by_hand)
    cards = dream(vault, clock, (TOM, "My wife Anna is 41."))
    assert set(cards) == {"family/anna", "family/tom"}
