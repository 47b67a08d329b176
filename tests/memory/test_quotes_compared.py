"""Comparing with a tool's words: it says what the plain definition says, in bounded work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import rarely
from vaultmem.memory.tool_quotes import (
    address_quotes,
    assertions,
    near_quotes,
    quotes,
    trusted_words,
)
from vaultmem.memory.tool_quotes.address_quotes import AddressQuotes
from vaultmem.memory.tool_quotes.near_quotes import NearQuotes, Row
from vaultmem.records import Record
from vaultmem.storage.transcripts import Turn

pytestmark = pytest.mark.without_history

WORDS = st.sampled_from(["boiler", "valve", "pump", "meter", "gauge"])
SIZE = 40_000


def longest_choice(row: Sequence[str], words: Sequence[str]) -> int:
    """Return how many words of *row* stand in *words* in this order, by the textbook's table."""
    line = [0] * (len(words) + 1)
    for one in row:
        above = line
        line = [0]
        for n, other in enumerate(words):
            line.append(above[n] + 1 if one == other else max(above[n + 1], line[n]))
    return line[-1]


def is_said(row: Row, words: Sequence[str]) -> bool:
    """Tell by the plain definition whether *words* say *row* nearly."""
    reach = len(row) // 8 + 1
    begins = [
        (at - within) // reach * reach - moved
        for within in range(len(row) - 2)
        for at in range(len(words) - 2)
        if row[within : within + 3] == tuple(words[at : at + 3])
        for moved in (0, reach)
    ]
    return any(
        longest_choice(row, words[max(0, begin - reach) : begin + len(row) + 2 * reach])
        >= ceil(0.8 * len(row))
        for begin in {*begins}
        if begins.count(begin) >= len(row) // 4
    )


@given(
    st.lists(st.lists(WORDS, min_size=7, max_size=12).map(tuple), max_size=3),
    st.lists(WORDS, max_size=30),
)
def test_what_is_nearly_said_is_so_by_the_plain_definition(
    rows: list[Row], words: list[str]
) -> None:
    """In a small text, whatever it says; of a few words, anything may be anywhere."""
    assert NearQuotes(rows).found(words) == {row for row in rows if is_said(row, words)}


@given(
    st.lists(st.lists(WORDS, max_size=5).map(tuple), max_size=4),
    st.lists(st.one_of(WORDS, st.just("bo@a.example")), max_size=40),
)
def test_a_sentence_with_an_address_is_said_by_the_plain_definition(
    rows: list[Row], words: list[str]
) -> None:
    """Beside one of the places of the address, what tells something."""
    sentences = [(*row, "bo@a.example") for row in rows]
    places = [at for at, word in enumerate(words) if word == "bo@a.example"]
    said = {
        row
        for row in sentences
        if (telling := {*row[:-1]})
        and any(
            3 + len(telling & {*words[max(0, at - 15) : at + 15]}) >= 0.8 * (3 + len(telling))
            for at in places
        )
    }
    assert AddressQuotes(sentences).found(words) == said


@given(st.text("ab .;:\n-?", max_size=40), st.integers(0, 40), st.integers(0, 40))
def test_the_sentences_between_two_places_are_those_that_lie_there(
    text: str, start: int, end: int
) -> None:
    """By bisection those that going through all of them gives."""
    every = assertions.stretches(text)
    start, end = min(start, len(text)), min(end, len(text))
    if start < end:
        expected = [it for it in every if it.start < end and start < it.end]
        assert [*assertions.between(every, start, end)] == expected


def numbered(sentence: str) -> str:
    """Return *sentence* again and again, each time with another number for `#`."""
    count = SIZE // len(sentence)
    return "".join(sentence.replace("#", str(n)) for n in range(count))


HOSTILE: tuple[Callable[[], str], ...] = (
    lambda: "x y " * (SIZE // 4),
    lambda: "1. " * (SIZE // 3),
    lambda: numbered("x y x y x y q#. "),
    lambda: numbered("mail a@b.example word# now. "),
    lambda: numbered("The number # of the list is in the file now. "),
    lambda: "not w " * 1500 + ":\n" + "- a\n" * 2500,
    lambda: "no " + "w v " * (SIZE // 4),
    lambda: "a b c d e\n" * (SIZE // 10),
    lambda: "發送 " * (SIZE // 3),
    lambda: "a; " * (SIZE // 3),
)


@pytest.mark.long
@pytest.mark.parametrize("made", [*HOSTILE[:1], *rarely(*HOSTILE[1:])])
def test_a_hostile_text_is_compared_to_its_end(made: Callable[[], str]) -> None:
    """Work that grows with the square would not come to it; it is the tool's all the same."""
    text = made()
    assert quotes.quoted([Turn("tool", text, tool="fetch")], text).tool == "fetch"


@pytest.mark.long
@pytest.mark.parametrize("text", ["x y " * 1500, *rarely("1. boiler valve pump " * 400)])
def test_steps_grow_with_a_text_and_not_with_its_square(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of twice as much they are about twice as many."""
    real, windows = near_quotes._shared, list[int]()

    def shared(row: Row, words: Sequence[str]) -> int:
        windows.append(len(row) + len(words))
        return real(row, words)

    def steps(said: str) -> int:
        windows.clear()
        quotes.quoted([Turn("tool", said, tool="fetch")], said)
        return sum(windows)

    monkeypatch.setattr(near_quotes, "_shared", shared)
    assert steps(2 * text) <= 3 * max(steps(text), len(text))


@pytest.mark.long
def test_a_sentence_in_words_that_a_page_repeats_without_end_stays_an_agents_own() -> None:
    """Where most of its words are in no row that the page has."""
    page = "in the file " * 20_000 + " ".join(
        f"w{n} keep list config tests here" for n in range(50)
    )
    own = "We keep a list in the file for all config tests here, always."
    assert quotes.quoted([Turn("tool", page, tool="fetch")], own).tool == ""


def test_a_page_of_one_address_without_end_is_compared_by_what_stands_beside_it() -> None:
    """And what stands nowhere beside it is not the page's."""
    said = [(f"w{n}", "tells", "bo@a.example") for n in range(2000)]
    own = [("otters", "swim", "nightly", "bo@a.example")]
    page = [word for row in said for word in row]
    assert AddressQuotes([*said, *own]).found(page) == {*said}
    assert address_quotes.has_address(own[0])


@pytest.mark.long
def test_what_the_vault_holds_again_and_again_is_known_where_it_is_shown() -> None:
    """Each sentence is looked up, and not compared with every one that begins as it does."""
    every = "".join(f"a b c d e{n}.\n\n" for n in range(SIZE // 4))
    record = Record("topics/a.md", "0" * 40, type="topic", body=every * 2, trust="user")
    asked, held = trusted_words.without_held([Turn("tool", every, tool="cat")], [record])[::-1]
    assert asked.content.strip() == ""
    assert held.content == record.body
