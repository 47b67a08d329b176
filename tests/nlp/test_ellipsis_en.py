"""What points at a thing that was shown, or leaves out what was told, cannot be quoted alone."""

from __future__ import annotations

import pytest

from vaultmem.nlp.extraction.grammar import ellipsis_en, shell_nouns
from vaultmem.nlp.extraction.talk import self_contained

pytestmark = pytest.mark.without_history


@pytest.mark.parametrize(
    "text",
    [
        "I carved this after the storm.",
        "I drew that harbour scene last spring!",
        "I picked this wool because it was soft.",
        "I've been one since I left the mill.",
        "I'm working on one with my cousin.",
        "I just sold a few more last week!",
        "I've been working on for a while, and it shows.",
        "The second half is missing.",
        "My mast is not.",
        "I hit a more puzzling fault.",
        "I moved here for the harbour.",
        "packing the boat, what is still to buy",
    ],
)
def test_what_only_the_talk_holds_hangs(text: str) -> None:
    assert ellipsis_en.hangs(text)
    assert not self_contained.stands(text)


@pytest.mark.parametrize(
    "text",
    [
        "I met this nice couple from Kiel who sail.",
        "I start at the mill this Friday.",
        "I'm thinking of leaving after this next season.",
        "I ran one of the stalls.",
        "I sold three more lamps to the hotel.",
        "The log has one label per address, which is never freed.",
        "The other half of the garden is mine.",
        "We have lived here in Husum for years.",
    ],
)
def test_what_is_told_or_is_a_time_does_not(text: str) -> None:
    assert not ellipsis_en.hangs(text)


@pytest.mark.parametrize(
    "text",
    ["Changed to 26 May in the plan.", "Moved into the attic.", '"We try it eight times."'],
)
def test_a_deed_without_its_object_and_a_draft_do_not_stand(text: str) -> None:
    assert not self_contained.stands(text)


@pytest.mark.parametrize(
    "text",
    [
        "I had a setback.",
        "I've been working on a project lately - it's cool.",
        "We had some tough times last year.",
        "I've been reading a lot in the past week!",
    ],
)
def test_a_noun_without_content_is_no_news(text: str) -> None:
    assert shell_nouns.is_bare(text)


@pytest.mark.parametrize(
    "text",
    [
        "I had a setback with my knee.",
        "I'm working on a project about herons.",
        "We had some tough times with the bakery.",
        "I got a puppy two weeks ago!",
        "I've been reading a lot of Chekhov.",
    ],
)
def test_a_noun_that_says_of_what_is(text: str) -> None:
    assert not shell_nouns.is_bare(text)
