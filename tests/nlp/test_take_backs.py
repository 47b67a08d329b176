"""What a speaker takes back or puts right in the next breath is not, or otherwise, on a card."""

# ruff: noqa: RUF001  Chinese is written with its own marks.

from __future__ import annotations

import pytest

from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import ClaimsTask, Utterance


def told(*texts: str) -> list[str]:
    """Return the last value of each fact that Ana tells in a talk of *texts*, a turn each."""
    said = tuple(
        Utterance(text, "Ana", "user", f"2026-03-01T09:0{n}:00Z", f"m{n}", "s", "s")
        for n, text in enumerate(texts)
    )
    last = {it.field: it.value for it in Extractive().claims(ClaimsTask(said)).value}
    return [f"{field}: {value}" for field, value in last.items()]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I'm allergic to peaches.", "jk"),
        ("I'm allergic to peaches.", "haha jk"),
        ("I work at Ikea.", "nvm"),
        ("I work at Ikea.", "Oh wait, scratch that."),
        ("Ich bin Pilot.", "Quatsch, war nur ein Witz."),
        ("Ich bin Pilot.", "Nein, Quatsch!"),
        ("我对虾过敏。", "开玩笑的"),
        ("我住在南京。", "说错了"),
    ],
)
def test_what_is_taken_back_in_the_next_turn_is_not_told(first: str, then: str) -> None:
    assert told(first) != []
    assert told(first, then) == []


def test_what_is_taken_back_in_the_same_turn_is_not_told() -> None:
    assert told("I live in Oslo. nvm") == []
    assert told("I live in Oslo. jk") == []


@pytest.mark.parametrize(
    ("first", "then", "fact"),
    [
        ("I live in Oslo.", "wait no, Bergen", "city: Bergen"),
        ("I live in Oslo.", "scratch that, Bergen", "city: Bergen"),
        ("My dog is called Otto.", "I mean Oskar.", "name: Oskar"),
        ("I'm a doctor.", "dentist, sorry", "occupation: dentist"),
        ("Ich wohne in Ulm.", "nein, Quatsch, in Passau", "city: Passau"),
        ("我住在南京。", "说错了，是苏州。", "city: 苏州"),
    ],
)
def test_what_is_put_right_is_told_so(first: str, then: str, fact: str) -> None:
    assert told(first, then) == [fact]
    assert told(f"{first} {then[0].upper()}{then[1:]}") == [fact]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I live in Oslo.", "No wait, did you see the game?"),
        ("I live in Oslo.", "No wait, Peter!"),
        ("I live in Oslo.", "I mean, it pays the rent."),
        ("I live in Oslo.", "jk rowling is great"),
        ("I live in Oslo.", "Never mind the weather, it is fine."),
        ("I live in Oslo. How far is Bergen?", "nvm"),
        ("I live in Oslo.", "Der Film war Quatsch."),
    ],
)
def test_what_takes_back_another_thing_leaves_it(first: str, then: str) -> None:
    assert told(first, then) == ["city: Oslo"]


def test_an_excuse_puts_nothing_in_the_place_of_a_value() -> None:
    assert told("I'm allergic to nuts.", "busy, sorry") == ["allergy: nuts"]
    assert told("I'm a nurse.", "dinner, sorry") == ["occupation: nurse"]
