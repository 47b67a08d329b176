"""What people talk about, as they named it: the phrase whose words come up again and again."""

from __future__ import annotations

import pytest

from vaultmem.nlp.extraction.naming import subject_phrases
from vaultmem.nlp.extraction.sessions import episodes
from vaultmem.nlp.extraction.talk import utterances
from vaultmem.nlp.tasks import FoldTask
from vaultmem.storage.transcripts import Turn

pytestmark = pytest.mark.without_history

SHOP = (
    "Nobody wants my bicycle shop.",
    "The shop on the quay? Not even a cousin?",
    "The baker might. She keeps the shop open on Sundays.",
    "Good. And the customers?",
    "The customers know her. They like the shop as it is.",
    "Customers like that are rare.",
)


def about(*said: str) -> str:
    """Return what *said*, by Ida and Mo in turn, is about."""
    turns = tuple(Turn("user", text, ("Ida", "Mo")[i % 2]) for i, text in enumerate(said))
    return subject_phrases.subject(utterances.sentences(turns), ["Ida", "Mo"])


def test_a_word_of_much_of_the_talk_is_told_with_what_says_which() -> None:
    assert about(*SHOP) == "bicycle shop"


def test_news_with_which_talk_opens_is_told_without_praise_and_what_stands_behind_it() -> None:
    said = ("We just bought a lovely fishing boat two weeks ago!", "Oh! Where is it?", "In Hull.")
    assert about(*said) == "fishing boat"


def test_two_subjects_of_a_talk_are_both_told() -> None:
    other = ("How is your pottery class?", "The pottery class is full.", "A class of pottery!")
    assert about(*SHOP, *other, "Is that class on Mondays?") == "bicycle shop and pottery class"


@pytest.mark.parametrize(
    "said",
    [
        ("Hi Mo.", "Hi Ida.", "Fine day.", "So it is."),
        ("Wir haben einen neuen Kahn.", "Den Kahn kenne ich nicht.", "Der Kahn ist alt."),
        ("The fog came in at ten.", "I like your warm gloves.", "My aunt knits all winter."),
    ],
)
def test_talk_of_nothing_in_particular_has_no_subject(said: tuple[str, ...]) -> None:
    assert about(*said) == ""


def test_one_word_that_is_said_far_more_often_outdoes_a_phrase() -> None:
    said = [f"The oboe is {how}." for how in ("loud", "old", "mine", "black", "dear", "sold")]
    assert about(*said, "My music stand fell.", "That stand is mine.", "A music stand?") == ""


def test_the_day_tells_two_talks_of_one_subject_apart() -> None:
    titles = [
        episodes.episode(
            FoldTask(
                tuple(
                    Turn("user", text, ("Ida", "Mo")[i % 2], f"{day}T10:00:00Z")
                    for i, text in enumerate(SHOP)
                )
            ),
            "",
        ).title
        for day in ("2026-03-01", "2026-04-02")
    ]
    assert titles == [
        "Ida and Mo, 2026-03-01: bicycle shop",
        "Ida and Mo, 2026-04-02: bicycle shop",
    ]
