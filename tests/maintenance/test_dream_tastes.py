"""Of a taste that changed, the one of now stands: on a card, and among the facts of a topic."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

import pytest

from tests.cases import rarely
from tests.conftest import Clock
from vaultmem import Vault
from vaultmem.nlp.extraction import contradictions


def dream(vault: Vault, clock: Clock, *said: str) -> None:
    """Dream of each of what was *said*, a day after the other."""
    for text in said:
        clock.advance(days=1)
        vault.remember(text, source="user", speaker="Ana")
        vault.dreams.plan()
        vault.dreams.apply(everything=True)


def dreamt(vault: Vault, clock: Clock, *said: str) -> object:
    """Return what the speaker's card says they like, after a dream for each of *said*."""
    dream(vault, clock, *said)
    return vault.cards.get("preferences/ana").get("likes")


@pytest.mark.long
@pytest.mark.parametrize(
    ("then", "likes"),
    [
        ("I used to like dark roast, now I like light roast.", ["green tea", "light roast"]),
        ("I like light roast now.", ["green tea", "light roast"]),
        ("I no longer like dark roast.", "green tea"),
        ("I don't like dark roast any more.", "green tea"),
        ("I like light roast, too.", ["dark roast", "green tea", "light roast"]),
    ],
)
def test_a_taste_that_is_over_leaves_the_card(
    vault: Vault, clock: Clock, then: str, likes: object
) -> None:
    assert dreamt(vault, clock, "I like dark roast.", "I like green tea.", then) == likes


@pytest.mark.long
@pytest.mark.parametrize(
    ("then", "ago"),
    [
        ("I quit yesterday.", 1),
        ("I lost my job at Halden.", 0),
        ("I quit smoking.", None),
        *rarely(
            ("I quit.", 0),
            ("I got fired.", 0),
            ("I left Halden.", 0),
            ("I don't work at Halden anymore.", 0),
            ("Ich habe gestern gek\u00fcndigt.", 1),
            ("\u6211\u8f9e\u804c\u4e86\u3002", 0),
            ("I almost quit.", None),
            ("Should I quit?", None),
            ("I lost my job at Brandt.", None),
        ),
    ],
)
def test_a_job_that_is_over_has_an_end_and_stays_on_the_card(
    vault: Vault, clock: Clock, then: str, ago: int | None
) -> None:
    card, text = after(vault, clock, "I work as a glazier at Halden.", then)
    end = None if ago is None else str(clock().date() - timedelta(days=ago))
    assert (card["occupation"], card["employer"]) == ("a glazier", "Halden")
    assert card.get("employer_valid_to") == end
    assert (f"employer (until {end}): Halden" in text) == (end is not None)
    assert ("employer: Halden" in text) == (end is None)
    assert not [it for it in vault.dreams.plan().proposals if it.op == "card"]


def after(vault: Vault, clock: Clock, *said: str) -> tuple[Mapping[str, object], str]:
    """Return the speaker's card after a dream for each of *said*, and a context."""
    for text in said:
        clock.advance(days=1)
        vault.remember(text, source="user", speaker="Ana")
        vault.dreams.plan()
        vault.dreams.apply(everything=True)
    [name] = [card.name for card in vault.cards.list() if card.person == "Ana"]
    return vault.cards.get(name), vault.context("Ana").text


def test_what_was_said_before_and_after_a_job_was_over_is_told_in_one_dream(
    vault: Vault, clock: Clock
) -> None:
    for text in ("I work as a glazier at Halden.", "I got fired."):
        vault.remember(text, source="user", speaker="Ana")
        clock.advance(days=1)
    vault.dreams.plan()
    vault.dreams.apply(everything=True)
    card = vault.cards.get("work/ana")
    assert (card["employer"], card["employer_valid_to"]) == (
        "Halden",
        str(clock().date() - timedelta(days=1)),
    )


@pytest.mark.long
@pytest.mark.parametrize(("again", "employer"), [("Halden", "Halden"), ("Brandt", "Brandt")])
def test_a_job_of_later_has_no_end(vault: Vault, clock: Clock, again: str, employer: str) -> None:
    card, _ = after(
        vault, clock, "I work as a glazier at Halden.", "I quit.", f"I work at {again} now."
    )
    assert (card["employer"], card.get("employer_valid_to")) == (employer, None)
    assert not vault.dreams.plan().proposals


@pytest.mark.long
def test_who_moved_out_lived_there_until_then(vault: Vault, clock: Clock) -> None:
    card, _ = after(vault, clock, "I live in Leeds.", "I moved out of Leeds.")
    assert (card["city"], card["city_valid_to"]) == ("Leeds", str(clock().date()))


@pytest.mark.parametrize(
    "newer",
    [
        "I used to like dark roast, now I like light roast.",
        "I no longer like dark roast.",
        "I like light roast now.",
        "I stopped liking dark roast.",
    ],
)
def test_a_fact_of_a_taste_that_is_over_is_replaced(newer: str) -> None:
    assert contradictions.contradicts(newer, "I like dark roast.")
    assert not contradictions.contradicts(newer, "I like green tea.")


def test_what_is_liked_besides_replaces_nothing() -> None:
    assert not contradictions.contradicts("I like light roast, too.", "I like dark roast.")
    assert not contradictions.contradicts(
        "I used to like dark roast, and I still do.", "I like dark roast."
    )


@pytest.mark.long
@pytest.mark.parametrize(
    ("said", "card", "facts"),
    [
        (
            ("I am vegetarian.", "I'm not vegetarian anymore."), "preferences/ana",
            {"diet": "vegetarian", "diet_valid_to": "2026-11-22"},
        ),
        (
            ("I'm allergic to shellfish and nuts.",
            "I'm not allergic to shellfish any more, the test was negative."), "medical/ana",
            {"allergy": "nuts"},
        ),
        (
            ("My girlfriend is Maud.", "Maud and I broke up."), "family/ana",
            {"girlfriend": "Maud", "girlfriend_valid_to": "2026-11-22"},
        ),
        (
            ("My phone number is 555-0134.", "My new number is 555-0199."), "contact/ana",
            {"phone": "555-0199"},
        ),
        (
            ("I have a dog called Rex and live in Graz.", "We had to put Rex down."), "pets/ana",
            {"pets": "a dog called Rex", "pets_valid_to": "2026-11-22",
             "dog": "Rex", "dog_valid_to": "2026-11-22"},
        ),
        (
            ("I have a dog called Rex.", "I have a cat called Mia.", "Rex died."), "pets/ana",
            {"pets": "a cat called Mia", "dog": "Rex", "dog_valid_to": "2026-11-23", "cat": "Mia"},
        ),
        (
            ("I have two cats, Salt and Pepper.", "Pepper died on Sunday."), "pets/ana",
            {"pets": "two cats, Salt and Pepper"},
        ),
        (
            ("My mother lives in Graz.", "My mother passed away last month."),
            "contact/ana",
            {"mother_city": "Graz", "mother_city_valid_to": "2026-10"},
        ),
        (
            ("I drive a Volvo V60.", "I sold the Volvo and drive a Golf now."), "belongings/ana",
            {"drives": "a Golf"},
        ),
        *rarely(
            (("Ich habe einen Hund namens Waldi.", "Waldi ist gestern gestorben."), "pets/ana",
             {"pets": "einen Hund namens Waldi", "pets_valid_to": "2026-11-21"}),
            (("\u6211\u6709\u4e00\u53ea\u732b\u53eb\u5c0f\u82b1\u3002",
              "\u5c0f\u82b1\u53bb\u5e74\u53bb\u4e16\u4e86\u3002"), "pets/ana",
             {"pets": "\u4e00\u53ea\u732b\u53eb\u5c0f\u82b1", "pets_valid_to": "2025"}),
            (("I'm engaged to Saskia.", "We got married on Saturday."), "family/ana",
             {"marital_status": "married"}),
            (("Ich wohne in Bremen.", "Ich bin im August nach Kiel gezogen."), "contact/ana",
             {"city": "Kiel"}),
            (("My car is a Volvo V60.", "I sold the Volvo."), "belongings/ana",
             {"car": "a Volvo V60", "car_valid_to": "2026-11-22"}),
            (("I'm allergic to shellfish and nuts.", "I'm not allergic to nuts any more lol."),
             "medical/ana", {"allergy": ["shellfish", "nuts"]}),
            (("I play the drums and live in Graz.", "I gave up on the drums."), "hobbies/ana",
             {"plays": "drums"}),
        ),
    ],
)  # fmt: skip
def test_what_is_so_no_longer_ends_on_the_card_and_nothing_else_does(
    vault: Vault, clock: Clock, said: tuple[str, ...], card: str, facts: Mapping[str, object]
) -> None:
    dream(vault, clock, *said)
    told = vault.cards.get(card)
    names = {*facts, *(f"{name}_valid_to" for name in facts if not name.endswith("_valid_to"))}
    assert {name: told[name] for name in names if name in told} == facts
