"""Of talk among people what they are, have, do, like, plan and what befell them is of a life."""

from __future__ import annotations

import pytest

from vaultmem.nlp.extraction.durable import life_facts
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import Passage, Task

pytestmark = pytest.mark.without_history


@pytest.mark.parametrize(
    "text",
    [
        "I opened a bakery last week and it's been great!",
        "my car broke down on Friday",
        "My grandmother died last week.",
        "i used to row but i broke my arm",
        "Petra got a job in Ulm",
        "I sent in a video audition last spring",
        "We took the ferry to Ulm",
        "I got a puppy",
        "I go to pottery class",
        "my dog is nine",
        "My cousin Ingrid has a flat in Sandviken.",
        "I've been into judo since I was a kid",
        "we're moving to Graz in May",
        "So I love pottery",
        "The ferry runs every night at 02:00.",
        "im allergic to kiwi",
    ],
)
def test_a_state_a_habit_and_an_event_are_of_a_life(text: str) -> None:
    assert life_facts.is_of_a_life(text)


@pytest.mark.parametrize(
    "text",
    [
        "I heard the new ferry is a fad",
        "I said I wanted to win it",
        "I just got an email from the club",
        "I got up at six",
        "I saw a heron right next to us",
        "Nobody wants to be a clown",
        "the hero went on a vacation and found a clue",
        "I bought another one in May",
        "I like how you put it",
        "The more I write the more I learn",
        "I'm such a lark that I sing at dawn or something",
        "Google is in the most curious mood",
        "Hallig Air hired a new pilot",
        "We got some letters",
        "We took off to look for food",
        "I sent in a video audition",
        "I'm starting to get worried",
        "my brain is so fried",
        "I ate a bun when I woke",
        "I am in the top three",
        "We went to this bakery in Ulm",
        "I got a card with a code once",
        "I won't even start on it",
        "My parents were going to paint the shed",
        "I had a chart in a box",
        "I was referring to Ulm",
        "I have never heard a heron sing",
        "My theory is that the mast bends",
        "I HATE MY OBOE",
        "I bought at a bad time ;)",
        "I fitted a plug last week and it works fine",
        "My sister was Juliet and I was Romeo.",
        "We rowed together in Ghent",
        "We met in our pottery class in Ulm!",
        "I really only have 2 weeks left!",
        "I never chose any other oars before",
        "I am going to start with the second act",
        "I was in the mill last May and this lady told me a tale",
        "We began yelling in the hall last May",
        "My mom has a shed and one time we painted it at night",
        "My favourite is between the oboe and the harp",
        "I'm going to run and get a cup of tea",
        "I'm just working on an essay for Latin.",
    ],
)
def test_what_is_thought_said_or_seen_and_what_befell_a_hero_is_not(text: str) -> None:
    assert not life_facts.is_of_a_life(text)


def test_chat_without_marks_notes_lives_alone_and_of_none_says_who_talked() -> None:
    """Where clauses end is unsure there: hearsay, jokes and plots of films were notes."""
    idle = ("the hero went on a trip", "nobody in the south wants rain", "heard it is a fad")
    lives = ("i moved to Ghent in may", "my sister sells bikes", "i play the oboe")

    def summary(*said: str) -> str:
        at = "2026-03-01T10:00:00Z"
        voices = ("Ida", "Mo") * len(said)
        told = (Passage(t, who, at) for t, who in zip(said * 3, voices, strict=False))
        return Extractive().summarize(Task("recent", tuple(told), "ada")).text

    assert summary(*idle) == "Ida and Mo talked on 2026-03-01 (hero, trip, south, fad).\n"
    assert not any(text in summary(*idle, *lives) for text in idle)
    assert "Ghent" in summary(*idle, *lives)
