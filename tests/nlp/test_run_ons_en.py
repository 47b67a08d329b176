"""Chat runs its clauses together: where one ends is told by what is whole behind it."""

from __future__ import annotations

import pytest

from vaultmem.documents.bodies import Episode
from vaultmem.nlp.extraction.grammar import run_ons_en
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import FoldTask
from vaultmem.storage.transcripts import Turn

AT = "2026-03-01T10:00:00Z"


def told(said: str) -> Episode:
    """Return what is told of a friend who says this."""
    turns = (Turn("user", "hey hows ur week", "Rob", AT), Turn("user", said, "Nia", AT))
    return Extractive().episode(FoldTask(turns, 1, "s", "ada")).value


@pytest.mark.parametrize(
    ("text", "parted"),
    [
        ("scrap the roof idea it's going to rain", "scrap the roof idea, it's going to rain"),
        ("no more wine for me they stopped my pills", "no more wine for me, they stopped my pills"),
        ("I made up my mind I'm taking the job", "I made up my mind, I'm taking the job"),
        ("we ditched the idea insurance is nuts", "we ditched the idea, insurance is nuts"),
        ("the van we bought", "the van we bought"),
        ("scrap the idea we had", "scrap the idea we had"),
        ("the house we're buying", "the house we're buying"),
        ("I think it's going to rain", "I think it's going to rain"),
        ("he told me it's the battery", "he told me it's the battery"),
        ("well, I like tea it's good", "well, I like tea it's good"),
    ],
)
def test_a_whole_clause_behind_a_noun_is_the_next(text: str, parted: str) -> None:
    """But one with a gap says which, and what is thought or said goes on."""
    assert run_ons_en.parted(text) == parted


@pytest.mark.parametrize(
    ("text", "approach"),
    [
        ("nah no more energy drinks for me they wreck my sleep", "energy drinks"),
        ("scrap the rooftop idea its gonna rain all weekend", "the rooftop idea"),
        ("i decided against the puppy we're never home", "the puppy"),
        (
            "turned down the offer from deloitte btw the hours were insane",
            "the offer from deloitte",
        ),
        ("yeah the kickstarter isnt happening we cant ship that many", "the kickstarter"),
        (
            "we thought about a second car but ditched the idea insurance is nuts",
            "a second car",
        ),
        ("we said no to the extra room its just storage anyway", "the extra room"),
        ("forget the boat trip way too much money", "the boat trip"),
        ("lets skip the museum its closed mondays", "the museum"),
        ("lets not invite carl after what happened at easter", "invite carl"),
    ],
)
def test_what_is_ruled_out_ends_where_the_reason_begins(text: str, approach: str) -> None:
    """Without a comma between them."""
    assert [it.approach for it in told(text).eliminated] == [approach]


@pytest.mark.parametrize(
    "text",
    [
        "scrap the idea we had",
        "lets not fight about the car",
        "lets drop the subject its boring",
        "lets forget the argument it was dumb",
        "my dad is out he has work",
        "turned down the volume the neighbors were mad",
        "forget the past its over",
        "no more wine for me im drunk",
        "skip the song its too long",
        "forget the cake way too late",
        "if we turned down the offer the hours were fine",
        "gave up on the puzzle the pieces are missing lol",
    ],
)
def test_what_is_said_in_passing_rules_nothing_out(text: str) -> None:
    """A volume is turned down, and no offer."""
    assert told(text).eliminated == ()


@pytest.mark.parametrize(
    "text",
    [
        "so i finally made up my mind im taking the job in leeds",
        "me and priya picked the green tiles for the bathroom",
        "we ended up choosing the smaller venue bc it has parking",
        "im gonna stick w my current landlord for another year",
        "we agreed that leo brings the speakers and i do the food",
        "nora and i went for the cheaper insurance in the end",
        "sam and i booked the cheaper hostel for the trip in march",
        "me and my brother agreed to split the rent evenly",
    ],
)
def test_several_choose_a_thing_for_its_use(text: str) -> None:
    """And whoever stays with what they have."""
    assert [
        text.removeprefix("so ").split(" bc ")[0] in it.decision for it in told(text).decisions
    ] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "finally made up my mind im having pizza lol",
        "we picked the wrong guy for the job",
        "we ended up picking a fight because he was rude",
        "me and dave picked teams for the game",
        "my sister and her husband picked the blue tiles for the kitchen",
        "im going to stick with the salad",
        "we went with the older kids",
        "my parents went for the cheaper insurance",
        "we agreed that life takes effort",
    ],
)
def test_who_picks_a_fight_chooses_nothing(text: str) -> None:
    """Nor do others who choose."""
    assert told(text).decisions == ()


@pytest.mark.parametrize(
    ("text", "is_open"),
    [
        ("cant figure out whether its the battery or the alternator", True),
        ("i keep going back and forth on the tattoo", True),
        ("no idea yet how we get the piano up the stairs", True),
        ("no idea yet how i do it", False),
        ("not sure if i should fix the car or buy a new one", True),
        ("im still deciding between the morning and the evening class", True),
        ("im still deciding what to eat", False),
        ("not sure if its the heat or the stress but im dying", False),
        ("going back and forth on the swing", False),
    ],
)
def test_one_of_two_known_things_is_to_be_found_out(text: str, *, is_open: bool) -> None:
    """But who complains asks for nothing."""
    assert bool(told(text).open_questions) is is_open


def test_what_is_decided_against_is_ruled_out_and_told_once() -> None:
    """Though it answers whether it is to be."""
    episode = told("we decided against the pool the upkeep is insane")
    assert [it.approach for it in episode.eliminated] == ["the pool"]
    assert episode.decisions == ()
