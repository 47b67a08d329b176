"""When two items tell the same."""

from __future__ import annotations

import pytest

from vaultmem.nlp.extraction.talk import fact_equality, similarity

LONG = "Step {}: I changed the tokenizer because the lexer lost its state on the way."


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("We use pnpm here.", "We use pnpm here", True),
        (LONG.format(4), f"{LONG.format(4)[:-1]} again.", True),
        (LONG.format(4), LONG.format(6), False),
        (
            f"{LONG.format(4)} It was on 2026-03-04.",
            f"{LONG.format(4)} It was on 2026-03-05.",
            False,
        ),
        ("Ben likes Anna from the bakery.", "Anna likes Ben from the bakery.", False),
        ("Take the pills before the meal.", "Take the pills after the meal.", False),
        ("Few patients took the pills.", "A few patients took the pills.", False),
        ("The pills are for Ben, says Ann.", "The pills are for Ben, Ann says.", True),
    ],
)
def test_items_in_nearly_the_same_words_tell_the_same_if_their_figures_are(
    one: str, two: str, *, same: bool
) -> None:
    assert similarity.same(one, two) is same


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("The gate code is **5521**.", "the gate code is 5521!", True),
        ("On Sundays the zoo opens at eight.", "The zoo opens at eight on Sundays.", True),
        ("Emil doesn't eat shellfish.", "Emil does not eat any shellfish.", True),
        ("Backups are kept for 14 days.", "We keep backups for 14 days.", True),
        ("Basil goes into the soup, thyme into the stew.",
         "Thyme goes into the soup, basil into the stew.", False),
        ("The daughter of the baker married the son of the miller.",
         "The son of the baker married the daughter of the miller.", False),
        ("Weekdays start at seven, weekends at ten.",
         "Weekends start at seven, weekdays at ten.", False),
        ("Montags kocht Uli, freitags Rosa.", "Freitags kocht Uli, montags Rosa.", False),
        ("\u4e0a\u5348\u5f00\u4f1a\uff0c\u4e0b\u5348\u51fa\u8bca",
         "\u4e0a\u5348\u51fa\u8bca\uff0c\u4e0b\u5348\u5f00\u4f1a", False),
        ("It is -5 degrees.", "It is 5 degrees.", False),
        ('Ann said: "My dog is called Rex."', 'Ben said: "My dog is called Rex."', False),
    ],
)  # fmt: skip
def test_one_fact_has_every_word_in_the_same_role(one: str, two: str, *, same: bool) -> None:
    assert fact_equality.is_one_fact(one, two) is same


def test_items_whose_parts_change_places_do_not_tell_the_same() -> None:
    rent = "The monthly rent on Harbour Street is 1,850 euros."
    assert similarity.same(rent, "On Harbour Street the monthly rent is 1850 euros.")
    assert not similarity.same("Use the sandbox for tests.", "Use the tests for sandbox.")
    assert not similarity.same(
        "The shed has code 11, the barn 22.", "The shed has code 22, the barn 11."
    )
