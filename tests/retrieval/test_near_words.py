"""A word made of the one that is asked for counts, by how alike the two are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import Clock
from vaultmem import Vault
from vaultmem.retrieval.search import near_words, signals
from vaultmem.retrieval.search.parsed_query import parse_query
from vaultmem.retrieval.search.types import Candidate


@pytest.mark.parametrize(
    ("term", "word"),
    [
        ("adoption", "adopting"), ("counselor", "counseling"), ("bakery", "baked"),
        ("musician", "music"), ("Impfung", "impfen"), ("étudiant", "étudier"),
    ],
)  # fmt: skip
def test_words_made_of_one_another_are_near(term: str, word: str) -> None:
    [(value,)] = near_words.near([term], {1: f"We spoke of {word}."}).values()
    assert 0.45 <= value < 1.0


@pytest.mark.parametrize(
    ("term", "word"),
    [
        ("car", "carpet"), ("party", "parents"), ("option", "adoption"),
        ("鍵", "鍵盤"), ("2023", "20231"),
    ],
)  # fmt: skip
def test_words_that_only_begin_alike_or_end_alike_are_strangers(term: str, word: str) -> None:
    assert near_words.near([term], {1: word}).get(1, (0.0,)) == (0.0,)


def test_the_nearest_word_of_each_text_counts_for_each_term() -> None:
    texts = {1: "adopting adopters", 2: "music", 3: "nothing of it"}
    told = near_words.near(["adoption", "musician"], texts)
    assert told.keys() == {1, 2}
    assert told[1][0] > 0.0 == told[1][1]
    assert told[2][0] == 0.0 < told[2][1]


@given(st.lists(st.text(max_size=12)), st.dictionaries(st.integers(0, 5), st.text(max_size=60)))
def test_nearness_is_from_nothing_to_all_for_every_term(
    terms: list[str], texts: dict[int, str]
) -> None:
    for told in near_words.near(terms, texts).values():
        assert len(told) == len(terms)
        assert all(value == 0.0 or 0.45 <= value <= 1.0 for value in told)


def test_a_near_word_counts_where_the_word_itself_is_missing() -> None:
    those = {
        c.doc: c
        for c in (
            Candidate(1, held=(1.0, 0.0), near=(1.0, 0.5)),
            Candidate(2, held=(1.0, 1.0), near=(1.0, 1.0)),
            Candidate(3, held=(0.0, 0.0)),
            Candidate(4, held=(1.0, 0.0), near=(1.0, 0.5), asks=True),
            Candidate(5, held=(0.0, 0.0), before=4),
        )
    }
    told = signals.by_near_words(parse_query("tea adoption"), those)
    assert told[1] > 0.0 == told[2] == told[3]
    assert told[5] == told[4] > 0.0, "an answer has what its question says"


def test_of_two_memories_that_say_as_much_the_one_with_the_near_word_is_first(
    vault: Vault, clock: Clock
) -> None:
    for text in ("Mara spoke about parking.", "Mara spoke about adopting.", "It rained all day."):
        clock.advance(minutes=1)
        vault.remember(text, agent="ada")
    assert vault.recall("Mara adoption").hits[0].snippet == "Mara spoke about adopting."
