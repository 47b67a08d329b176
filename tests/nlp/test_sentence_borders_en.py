"""A sentence without a mark ends where the next one is whole; what says which goes on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.nlp.extraction.grammar import sentence_borders_en

WORDS = "i we sold the my van was it up how by because any plans you do not thanks today i'm that"


@given(st.lists(st.sampled_from(WORDS.split()), max_size=30))
def test_no_word_is_lost_or_moved_whatever_stands_beside_it(words: list[str]) -> None:
    """But a time that is told again, of what stands behind it."""
    text = " ".join(words)
    parts = [it.rstrip("?") for it in sentence_borders_en.sentences(text)]
    left = " ".join(parts).split()
    assert [it for it in left if it != "today"] == [it for it in words if it != "today"]


@pytest.mark.parametrize(
    ("text", "parted"),
    [
        (
            "i joined a rowing club in ulm my kids are so excited about the summer",
            "i joined a rowing club in ulm | my kids are so excited about the summer",
        ),
        (
            "we sold the van it was too old for the trip i booked a train instead",
            "we sold the van | it was too old for the trip | i booked a train instead",
        ),
        (
            "i hired a cook for the cafe do you have any recommendations for me",
            "i hired a cook for the cafe | do you have any recommendations for me?",
        ),
        # Whose day it was, nobody can tell.
        (
            "we painted the hall last friday i opened the bakery in ulm",
            "we painted the hall | i opened the bakery in ulm",
        ),
        (
            "i think it was the old man who sold me the van",
            "i think it was the old man who sold me the van",
        ),
        (
            "this is one of the adoption agencies i'm looking into for the summer",
            "this is one of the adoption agencies i'm looking into for the summer",
        ),
        (
            "i am so grateful for all the progress i've made in ulm",
            "i am so grateful for all the progress i've made in ulm",
        ),
        (
            "we love spending time with the friends i have we usually watch films at my place",
            "we love spending time with the friends i have we usually watch films at my place",
        ),
        (
            "i baked bread for the shelter and the thanks i got when i came made my week",
            "i baked bread for the shelter and the thanks i got when i came made my week",
        ),
        (
            "Although the lease was up, we stayed because it was near the school.",
            "Although the lease was up, we stayed because it was near the school.",
        ),
    ],
)
def test_a_sentence_ends_where_the_next_is_whole(text: str, parted: str) -> None:
    """But nothing is cut from what takes it."""
    assert " | ".join(sentence_borders_en.sentences(text)) == parted
