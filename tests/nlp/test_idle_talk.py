"""Of what is said of a life some is in jest, of the hour, or of nothing in particular."""

from __future__ import annotations

import pytest

from vaultmem.nlp.extraction.durable import life_facts
from vaultmem.nlp.extraction.grammar import definites
from vaultmem.nlp.extraction.talk import idle_talk

pytestmark = pytest.mark.without_history


@pytest.mark.parametrize(
    "text",
    [
        "my scarf is still on the hook",
        "I prefer the sequel",
        "We spent nine hours on the rainy parade",
        "I have a few that are blue",
        "My uncle has one and he likes it",
        "I own two",
    ],
)
def test_a_thing_that_only_who_talked_knows_is_not_told(text: str) -> None:
    assert definites.hangs(text)


@pytest.mark.parametrize(
    "text",
    [
        "I play the harp",
        "I'm on the swim team",
        "We love the beach",
        "I study at the conservatory",
        "I run the bakery on Elm Street",
        "I bought a kayak and painted the kayak",
        "I love the Alps",
        "I quit the shipyard",
        "I have two sons",
    ],
)
def test_what_everybody_knows_or_the_sentence_says_is(text: str) -> None:
    assert not definites.hangs(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'm going to train as a sword swallower lol",
        "I love my uncle's soup hahaha",
        "I'm changing everything",
        "I have some friends and stuff",
        "I've met a few people from Graz",
        "I prefer rye but whatever",
        "I like rowing though",
        "We didn't climb it",
        "I have not seen Graz",
        "We are going to a fair tonight",
        "I have five more minutes",
        "I was on my way to Graz and saw a deer",
        "I like Graz better",
        "I think half of them are from Graz",
        "I need to water my cactus",
        "I don't want to move",
        "I have a couple of projects",
        "I read one or two a month",
        "I like to visit about twice a year",
        "I got full that night",
        "I am in second place",
        "I want to try that in Graz",
        "I have two left",
        "I like a lot of things",
        "I like about all kinds",
        "I have a quiz tomorrow",
        "I don't have the same reaction",
        "Our conversations overlap",
    ],
)
def test_jest_the_hour_thoughts_and_what_says_nothing_of_what_are_idle(text: str) -> None:
    assert idle_talk.is_idle(text)
    assert not life_facts.is_of_a_life(text)


@pytest.mark.parametrize(
    "text",
    [
        "I handed in my notice at the mill today",
        "I need to take my drops every morning",
        "I haven't eaten fish since 2019",
        "I love people who sing",
        "I walk 30 minutes a day",
        "I had surgery this morning",
        "I have several cousins in Graz",
    ],
)
def test_an_event_of_a_day_and_a_way_of_life_are_not(text: str) -> None:
    assert not idle_talk.is_idle(text)


def test_news_of_the_us_is_not_of_us() -> None:
    assert not life_facts.is_of_a_life("Graz Hill is the tallest town of the US")


def test_where_somebody_is_for_some_hours_passes_and_for_years_does_not() -> None:
    assert idle_talk.is_passing("im at the dentist until 4")
    assert not idle_talk.is_passing("I'm in Lisbon until 2031")
    assert not idle_talk.is_passing("I'm in Lisbon until 12 May")
