"""A word that is said for the one that is asked for counts where that itself is missing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import Clock
from vaultmem import Vault
from vaultmem.retrieval.search import related_words, signals
from vaultmem.retrieval.search.parsed_query import parse_query
from vaultmem.retrieval.search.types import Candidate


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("pet", "My dog is three."), ("pets", "Two kittens!"), ("mother", "Mum called."),
        ("hobbies", "I went hiking."), ("country", "We flew to Norway."), ("buy", "I got a lamp."),
        ("moved", "They relocated."), ("instrument", "She plays the cello."),
    ],
)  # fmt: skip
def test_a_text_holds_what_is_said_for_a_word_in_any_form(term: str, text: str) -> None:
    assert related_words.held(related_words.related([term]), {1: text}) == {1: (True,)}


@pytest.mark.parametrize(
    ("term", "text"),
    [("dog", "My pet is three."), ("pet", "A dogma."), ("pet", "The pets."), ("猫", "A cat.")],
)
def test_neither_the_kind_asked_for_nor_the_word_itself_nor_a_part_is_said_for_it(
    term: str, text: str
) -> None:
    """Whoever asks for a dog is not told of any pet."""
    assert related_words.held(related_words.related([term]), {1: text}) == {}


def test_the_table_has_each_word_once_and_what_is_said_for_it_once() -> None:
    table = Path(related_words.__file__).with_name("related_words.txt").read_text(encoding="utf-8")
    rows = [line.split(": ") for line in table.splitlines()]
    assert len({word for word, _ in rows}) == len(rows)
    for word, said in rows:
        words = said.split()
        assert all(map(str.isalpha, (word, *words))), word
        assert len({word, *words}) == len(words) + 1, word


@given(st.lists(st.text(max_size=12)), st.dictionaries(st.integers(0, 5), st.text(max_size=60)))
def test_each_term_has_its_place_whatever_it_is(terms: list[str], texts: dict[int, str]) -> None:
    related = related_words.related(terms)
    assert len(related) == len(terms)
    for told in related_words.held(related, texts).values():
        assert len(told) == len(terms)
        assert any(told)


def test_a_question_in_another_language_has_no_english_words_beside_its_own() -> None:
    """`Gift` is poison in German."""
    assert any(parse_query("Which gift did she get?").related)
    assert not any(parse_query("Welches Gift war in der Dose?").related)


def test_a_related_word_counts_where_the_word_itself_is_missing() -> None:
    those = {
        c.doc: c
        for c in (
            Candidate(1, held=(1.0, 0.0), related=(False, True)),
            Candidate(2, held=(1.0, 1.0), related=(False, True)),
            Candidate(3, held=(0.0, 0.0)),
            Candidate(4, held=(1.0, 0.0), related=(False, True), asks=True),
            Candidate(5, held=(0.0, 0.0), before=4),
        )
    }
    told = signals.by_related_words(parse_query("tea pet"), those)
    assert told[1] > 0.0 == told[2] == told[3]
    assert told[5] == told[4] > 0.0, "an answer has what its question says"


def test_a_session_has_what_is_said_for_a_word_in_one_of_its_turns() -> None:
    those = {
        c.doc: c
        for c in (
            Candidate(1, session="dogs", held=(0.0,), related=(True,)),
            Candidate(2, session="dogs", held=(0.0,)),
            Candidate(3, session="tea", held=(0.0,)),
        )
    }
    told = signals.by_session(parse_query("pet"), those)
    assert told[1] == told[2] > told[3]


def test_of_two_memories_that_say_as_much_the_one_with_the_related_word_is_first(
    vault: Vault, clock: Clock
) -> None:
    for text in ("Mara spoke about parking.", "Mara spoke about puppies.", "It rained all day."):
        clock.advance(minutes=1)
        vault.remember(text, agent="ada")
    assert vault.recall("Mara pet").hits[0].snippet == "Mara spoke about puppies."
