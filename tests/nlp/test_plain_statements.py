"""Among people only what is said plainly of a life is told: short, whole, and in its own words."""

from __future__ import annotations

import pytest

from vaultmem.nlp.extraction.durable import life_facts
from vaultmem.nlp.extraction.grammar import plain_statements
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import FoldTask, Passage, Task
from vaultmem.storage.transcripts import Turn

pytestmark = pytest.mark.without_history

PLAIN = (
    "I work for the ferry line in Ulm",
    "Last week, my grandma moved to Graz.",
    "i'm a student at the conservatory",
    'I am reading "The Old Harbour" with my sister.',
    "We adopted a dog in May.",
)
NOT_PLAIN = (
    "I have a small repository of oboe reeds at",
    "(I already have an oboe from 9/25)",
    "I've got a similar boat at my house",
    "I have failed reeds in my oboe case.",
    "I still have an oboe :)",
    'I play what my aunt calls "an awful tune" at home.',
    "I use reeds/oboe.cfg from http://reeds.example at home",
    "I'm a lark who lives in Narnia.",
    "I like the lamp idea.",
    "Our club is for people with no boats.",
    "But I moved to Graz.",
    "I moved into a bigger place",
    "I'm trying to sell an oboe in Ulm.",
    "My parents took me there in May.",
    f"I own {'a boat and ' * 8} a gate in Ulm.",
)


@pytest.mark.parametrize("text", PLAIN)
def test_a_short_whole_sentence_of_its_speaker_is_plain(text: str) -> None:
    assert plain_statements.is_plain(text)
    assert life_facts.is_told_first_hand(text)


@pytest.mark.parametrize("text", NOT_PLAIN)
def test_what_is_quoted_typed_broken_off_or_of_the_hour_is_not(text: str) -> None:
    assert not life_facts.is_told_first_hand(text)


def test_a_short_talk_of_nothing_plain_says_who_talked_alone() -> None:
    """Of fewer than six turns the best was quoted, whatever it was."""
    said = (
        "Ida> The Reed_Scraper calls Oboe_Tune in Ulm.",
        "Date: Tue, 06 Aug 2002 09:04:58 +0100",
    )
    at = "2026-03-01T10:00:00Z"
    turns = tuple(Turn("user", t, who, at) for t, who in zip(said, ("Ida", "Mo"), strict=True))
    made = Extractive().episode(FoldTask(turns, agent="ada")).value
    assert made.summary == "Ida and Mo talked on 2026-03-01."
    told = tuple(Passage(t, who, at) for t, who in zip(said, ("Ida", "Mo"), strict=True))
    assert Extractive().summarize(Task("recent", told)).text.strip() == made.summary
