"""When two items tell the same."""

from __future__ import annotations

import pytest

from vaultmem.nlp.extraction.talk import similarity

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
        ("The pills are for Ben, says Ann.", "The pills are for Ben, Ann says.", True),
    ],
)
def test_items_in_nearly_the_same_words_tell_the_same_if_their_figures_are(
    one: str, two: str, *, same: bool
) -> None:
    assert similarity.same(one, two) is same
