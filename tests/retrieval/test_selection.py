"""In which order what was found comes to its room."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.retrieval.context.selection import (
    ease,
    is_broad,
    lists,
    new_first,
    spread,
    wants_overview,
    worths,
)

NAMES = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=8)


def test_a_neighbour_of_the_best_hit_comes_before_hits_of_low_rank() -> None:
    hits = [f"h{n}" for n in range(1, 31)]
    worth = worths(hits, {"h1": [("n", 0.1)], "h30": [("m", 0.1)]})
    order = sorted(worth, key=lambda name: -worth[name])
    assert order.index("h9") < order.index("n") < order.index("h11")
    assert order[-1] == "m"


def test_a_hit_beside_another_is_worth_more_than_one_alone() -> None:
    worth = worths(["a", "b", "c", "d"], {"a": [("d", 0.1)]})
    assert worth["c"] < worth["d"] < worth["b"]


def test_in_a_small_budget_the_hits_stand_as_they_are_ranked() -> None:
    hits = ["a1", "a2", "a3", "b1"]
    worth = worths(hits, {"a1": [("n", 0.25), ("a3", 0.25)]}, ease(500))
    sessions = {name: name[0] for name in worth}
    assert list(spread(worth, sessions, ease(500), listed=True)) == [*hits, "n"]
    worth = worths(hits, {"a1": [("n", 0.25), ("a3", 0.25)]}, ease(2000))
    assert list(spread(worth, sessions, ease(2000), listed=True)) == ["a1", "a3", "a2", "b1", "n"]


def test_another_session_comes_between_turns_of_the_same() -> None:
    worth = {"a1": 1.0, "a2": 0.5, "b1": 0.43}
    sessions = {"a1": "a", "a2": "a", "b1": "b"}
    assert list(spread(worth, sessions, listed=False)) == ["a1", "a2", "b1"]
    assert list(spread(worth, sessions, listed=True)) == ["a1", "b1", "a2"]
    assert list(spread(worth, dict.fromkeys(worth, ""), listed=True)) == ["a1", "a2", "b1"]


def test_of_those_that_answer_alike_what_says_the_same_again_comes_last() -> None:
    said = {name: frozenset(name) for name in ("ab", "b", "a", "ac")}
    assert list(new_first(["ab", "x", "b", "a", "ac"], said)) == ["ab", "x", "ac", "b", "a"]
    assert list(new_first(["b", "x", "ab"], {})) == ["b", "x", "ab"]


@given(names=NAMES, listed=st.booleans())
def test_all_that_was_found_comes_once(names: list[str], *, listed: bool) -> None:
    worth = worths(names, {name: [("x", 0.1), ("a", 0.2)] for name in names})
    sessions = {name: name[0] if name < "d" else "" for name in worth}
    assert sorted(spread(worth, sessions, listed=listed)) == sorted(worth)


@pytest.mark.parametrize(
    ("query", "listed"),
    [
        ("Which cities did Ada visit?", True), ("How many dogs has Ben?", True),
        ("List all of his hobbies", True), ("What books has she read?", True),
        ("Welche Städte hat Ada besucht?", True), ("她去过哪些城市", True),
        ("What is her name?", False), ("When was the van sold?", False), ("Wer kommt?", False),
    ],
)  # fmt: skip
def test_a_question_for_several_things_is_known(query: str, *, listed: bool) -> None:
    assert lists(query) is listed


@pytest.mark.parametrize(
    ("query", "whole"),
    [
        ("Summarize our work", True),
        ("Give me an overview", True),
        ("请总结一下", True),
        ("Fasse zusammen, ein Überblick", True),
        ("Fass zusammen, was wir wissen", True),
        ("Fass bitte alles zusammen", True),
        ("Kannst du es zusammenfassen?", True),
        ("Eine Übersicht, bitte", True),
        ("Sum it up for me", True),
        ("A recap of this year", True),
        ("Fass das Brett an. Wir gehen zusammen.", False),
        ("What happened to the van?", False),
        ("Where is the key?", False),
    ],
)
def test_a_question_for_the_whole_is_known(query: str, *, whole: bool) -> None:
    assert wants_overview(query) is whole


def test_a_question_that_asks_for_much_is_not_yet_one_for_the_whole() -> None:
    much = ["What happened to the van?", "Tell me about the van", "Was war bisher mit dem Auto?"]
    assert [(is_broad(it), wants_overview(it)) for it in much] == [(True, False)] * 3
    assert (is_broad("Give me an overview"), is_broad("Where is the key?")) == (True, False)
