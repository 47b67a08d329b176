"""What is imagined, bidden or broken off tells of no fact; what is so, or was, does."""

from __future__ import annotations

import pytest

from vaultmem.nlp.extraction.grammar import irrealis

pytestmark = pytest.mark.without_history


@pytest.mark.parametrize(
    "text",
    [
        "I would also take a crossbow to the island",
        "We would just need a second kiln",
        "I think I would have cried at the airport",
        "we could add a sauna once it pays off",
        "I should have tried the local bread",
        "The only risk would be the roof",
        "I don't know what I would do if the lab closed",
        "If I were in Ghent I'd eat waffles",
        "tell me about the longest walk of your life",
        "stop lending money to Igor",
    ],
)
def test_what_would_be_or_is_asked_for_is_imagined(text: str) -> None:
    assert irrealis.is_imagined(text)


@pytest.mark.parametrize(
    "text",
    [
        "I would love to see Ghent",
        "My doctor said I should rest for two weeks",
        "My cousin told me that he would bring the tent",
        "The endpoint should answer within 300 ms",
        "I couldn't call them because the line was dead",
        "I would always swim in the Elbe as a kid",
        "If it rains we go to the baths, Ben said",
    ],
)
def test_a_wish_a_habit_and_what_was_are_not(text: str) -> None:
    assert not irrealis.is_imagined(text)


@pytest.mark.parametrize(
    "text",
    [
        "Because we need more nurses",
        "and the fact that my aunt went to the shop at noon",
        "when i was at sea",
        "since I moved",
        "We rented the barn for the party and the",
    ],
)
def test_a_clause_without_the_other_half_is_half(text: str) -> None:
    assert irrealis.is_half(text)


@pytest.mark.parametrize(
    "text",
    [
        "Because the rent went up, we moved to Graz",
        "when the day came my brother and I went to the harbour",
        "Since 2019 I live in Ulm",
        "After we ate we walked home",
        "When Rex died I got a cat",
    ],
)
def test_a_clause_with_it_is_whole(text: str) -> None:
    assert not irrealis.is_half(text)
