"""Among people a fact is of them, theirs, or something named; and not of the hour."""

from __future__ import annotations

import pytest

from vaultmem.documents.bodies import Episode
from vaultmem.nlp.extraction.durable import durable_facts
from vaultmem.nlp.extraction.grammar import first_hand
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import FoldTask
from vaultmem.storage.transcripts import Turn

pytestmark = pytest.mark.without_history


@pytest.mark.parametrize(
    "text",
    [
        "The monarchy is flawed and needs to be fixed",
        "vampires cannot cross running water",
        "Seas are more dangerous than pools",
        "Netflix is doing a way better job",
        "we need fewer lawyers and more plumbers",
        "a later pension would sustain our elderly",
    ],
)
def test_what_somebody_holds_of_the_world_is_not_first_hand(text: str) -> None:
    assert not first_hand.is_first_hand(text)


@pytest.mark.parametrize(
    "text",
    [
        "my dad fixes clocks",
        "We moved the shop to Ghent",
        "Our kiln broke in May",
        "Most waiters in Ghent earn 14 euros",
        "the landlord raised the rent",
    ],
)
def test_what_is_of_them_or_theirs_is(text: str) -> None:
    assert first_hand.is_first_hand(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'm cooking lentils for the kids",
        "Im so tired of this heat",
        "we are just getting ready for the party",
        "I've got to head out",
        "well, I can't wait for the match",
        "I forgot to tell you about the tie",
        "I'm curious how Ghent will play",
    ],
)
def test_what_passes_with_the_talk_is_of_the_hour(text: str) -> None:
    assert first_hand.is_of_the_hour(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'm planning to marry in April",
        "I am taking the summer off",
        "we are also saving for a barn",
        "I'm allergic to kiwi",
        "I have to go to dialysis every Friday",
        "I am not a fan of horror films",
    ],
)
def test_what_goes_on_for_longer_is_not(text: str) -> None:
    assert not first_hand.is_of_the_hour(text)


def test_of_talk_about_the_world_nothing_is_quoted_and_no_topic_is_told() -> None:
    """A line of each stood in the summary, and the second among the facts about Ida."""
    said = ("vampires cannot cross water", "The monarchy is flawed and needs to be fixed", "True.")
    turns = tuple(
        Turn("user", text, who, "2026-03-01T10:00:00Z")
        for text, who in zip(said * 2, ("Ida", "Mo") * 3, strict=True)
    )
    made = Extractive().episode(FoldTask(turns, agent="ada")).value
    assert made.summary == "Ida and Mo talked on 2026-03-01 (cross water, monarchy)."
    assert [*durable_facts.bullets([("e1", made)])] == []


def test_a_question_to_the_other_is_not_left_open_among_people() -> None:
    asked = ("Were you able to see your aunt?", "Which plumber do we take for the sink?")
    turns = tuple(Turn("user", text, who) for text, who in zip(asked, ("Ida", "Mo"), strict=True))
    found: Episode = Extractive().episode(FoldTask(turns, agent="ada")).value
    assert found.open_questions == (asked[1],)
