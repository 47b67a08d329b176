"""Of a taste that changed, the one of now stands: on a card, and among the facts of a topic."""

from __future__ import annotations

import pytest

from tests.conftest import Clock
from vaultmem import Vault
from vaultmem.nlp.extraction import contradictions


def dreamt(vault: Vault, clock: Clock, *said: str) -> object:
    """Return what the speaker's card says they like, after a dream for each of *said*."""
    for text in said:
        clock.advance(days=1)
        vault.remember(text, source="user", speaker="Ana")
        vault.dreams.plan()
        vault.dreams.apply(everything=True)
    return vault.cards.get("preferences/ana").get("likes")


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


@pytest.mark.parametrize(
    ("then", "employer"),
    [
        ("I quit.", None),
        ("I quit last week.", None),
        ("I lost my job at Halden.", None),
        ("I don't work at Halden anymore.", None),
        ("I quit smoking.", "Halden"),
        ("I almost quit.", "Halden"),
        ("Should I quit?", "Halden"),
        ("I lost my job at Brandt.", "Halden"),
    ],
)
def test_a_job_that_is_over_leaves_the_card_with_its_employer_alone(
    vault: Vault, clock: Clock, then: str, employer: str | None
) -> None:
    """In one dream and in two: what was said before it was over is not proposed."""
    for text in ("I work as a glazier at Halden.", then):
        clock.advance(days=1)
        vault.remember(text, source="user", speaker="Ana")
        vault.dreams.plan()
        vault.dreams.apply(everything=True)
    card = vault.cards.get("work/ana")
    assert (card.get("occupation"), card.get("employer")) == ("a glazier", employer)
    assert (then in str(card["backstory"])) == (employer is None)


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
