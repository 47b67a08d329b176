"""How a line of a file that grows stands in another text: there, mended, replaced, missing."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.storage.commits.waiting_versions import grown
from vaultmem.storage.transcript_lines import Standing, added, behind, standing, whole


def turn(number: int, content: str, at: str = "2026-11-20T10:15:00Z", **more: str) -> bytes:
    """Return the line of a turn."""
    head = {"turn": number, "session": "talk", "role": "user", "at": at}
    return json.dumps({**head, **more, "content": content}).encode()


def text(*lines: bytes) -> bytes:
    """Return the file with these *lines*."""
    return b"".join(line + b"\n" for line in lines)


SAID = turn(2, "The emu is called Ede.")
FIRST = turn(1, "Hello.", "2026-11-20T10:14:00Z")
ITEM = b'{"log": ["talk"], "item": {"role": "user"}}'


@pytest.mark.parametrize(
    ("there", "how"),
    [
        ([FIRST, SAID], "same"),
        ([b"\xef\xbb\xbf" + SAID + b"\r"], "same"),
        ([turn(7, "The emu is called Ede.")], "same"),
        ([turn(2, "The emu is called Edda.")], "mended"),
        ([turn(7, "The emu is called Edda.")], "mended"),
        ([turn(2, "Left out.")], "replaced"),
        ([turn(7, "Left out.")], "missing"),
        ([turn(2, "Left out.", "2026-11-20T10:16:00Z")], "missing"),
        ([turn(2, "The emu is called Edda.", tool="say")], "missing"),
        ([FIRST], "missing"),
        ([], "missing"),
    ],
)
def test_a_turn_stands_in_a_text_by_its_words_or_its_place(there: list[bytes], how: str) -> None:
    (found,) = standing([SAID], text(*there))
    assert (found.line, found.how) == (SAID, how)


def test_each_line_answers_for_one_alone_and_none_that_was_there_before() -> None:
    def hows(count: int, before: int = 0) -> list[str]:
        found = standing([ITEM, ITEM], text(*[ITEM] * count), text(*[ITEM] * before))
        return [it.how for it in found]

    assert hows(2) == ["same", "same"]
    assert hows(1) == ["same", "missing"]
    assert hows(2, before=1) == ["same", "missing"]


def test_who_is_there_word_for_word_is_not_taken_for_another_that_was_mended() -> None:
    """Two of one second, of which one is gone."""
    one, other = turn(2, "It hides spoons and forks."), turn(3, "It hides spoons and knives.")
    assert [it.how for it in standing([one, other], text(other))] == ["missing", "same"]


@pytest.mark.parametrize(
    ("there", "how"),
    [
        ([turn(2, "It hides spoons and cups.")], "missing"),
        ([turn(2, "It hid knives.")], "missing"),
        ([turn(2, "It hides spoons and cups."), turn(3, "It hides knives and cups.")], "mended"),
        ([turn(3, "It hides knives and cups."), turn(2, "It hides spoons and cups.")], "mended"),
        ([turn(2, "It hides spoons and cups."), turn(3, "None.")], "replaced"),
        ([turn(1, "It hides spoons and forks."), turn(2, "It hides knives and cups.")], "mended"),
        ([turn(7, "It hides knives and cups.")], "missing"),
        ([turn(2, "It hides spoons and cups."), turn(7, "It hides knives and cups.")], "mended"),
        ([turn(2, "It hides knives and forks.")], "same"),
    ],
)
def test_what_another_turn_of_its_second_was_mended_to_answers_for_no_turn(
    there: list[bytes], how: str
) -> None:
    """Nor is it clear whose that is which moved, where both are gone from their places."""
    one, other = turn(2, "It hides spoons and forks."), turn(3, "It hides knives and forks.")
    (found,) = standing([other], text(FIRST, *there), text(FIRST, one))
    assert found.how == how


@pytest.mark.parametrize(
    ("there", "how"),
    [
        ([turn(2, "It hides spoons and cups.")], "missing"),
        ([turn(2, "It hides knives and forks.")], "same"),
        ([turn(2, "It hides spoons and cups."), turn(3, "It hides knives and cups.")], "mended"),
        ([turn(4, "It hides knives and cups.")], "mended"),
    ],
)
def test_what_stands_in_front_is_of_other_turns_where_nobody_knows_what_these_said(
    there: list[bytes], how: str
) -> None:
    (found,) = standing([turn(3, "It hides knives and forks.")], text(FIRST, *there))
    assert found.how == how


def test_a_turn_that_says_what_it_said_before_and_more_is_one_and_the_same() -> None:
    """What a change of ours made of it asks for it, and not what it said before that."""
    was, shall = turn(2, "The emu is called Ede."), turn(2, "The emu is called -.")
    now = turn(2, "The emu is called - now.")
    assert standing([shall], text(now), text(was)) == [Standing(shall, "mended", now)]
    (found,) = standing([shall], text(was), text(was))
    assert found.how == "missing"


def test_what_comes_behind_has_the_numbers_that_follow() -> None:
    late = turn(2, "It hides spoons.", "2026-11-20T10:16:00Z")
    assert behind(text(FIRST), [SAID]) == text(FIRST, SAID)
    assert behind(text(FIRST, SAID), [late]) == text(
        FIRST, SAID, turn(3, "It hides spoons.", "2026-11-20T10:16:00Z")
    )
    assert behind(ITEM, [ITEM]) == text(ITEM, ITEM)


def test_what_was_added_are_the_lines_that_the_old_text_has_not_word_for_word() -> None:
    mended = turn(2, "The emu is called Edda.")
    assert added(text(FIRST), text(FIRST, SAID)) == [SAID]
    assert added(text(FIRST, SAID), text(FIRST, mended)) == [mended]


# --- many of one second ---------------------------------------------------------------------------

WORDS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=4).map(" ".join)
SECOND = st.sampled_from(["2026-11-20T10:14:00Z", "2026-11-20T10:15:00Z"])
TURNS = st.lists(st.tuples(WORDS, SECOND), min_size=1, max_size=5)
ANY = st.lists(st.tuples(st.integers(1, 5), WORDS, SECOND), max_size=6)


@given(said=TURNS, there=ANY, first=st.integers(0, 4))
def test_no_line_of_a_text_answers_for_two_turns(
    said: list[tuple[str, str]], there: list[tuple[int, str, str]], first: int
) -> None:
    lines = [turn(n, *it) for n, it in enumerate(said, 1)]
    now = [turn(*it) for it in there]
    found = standing(lines[first:], text(*now), text(*lines[:first]))
    assert [it.line for it in found] == lines[first:]
    assert Counter(it.by for it in found if it.by) <= Counter(now)


@given(
    talk=st.lists(st.tuples(WORDS, SECOND, st.sampled_from(["", " a", " e"])), min_size=1),
    before=st.integers(0, 4),
    theirs=st.integers(0, 4),
    on_disk=st.sampled_from(["as git has it", "mended", "set back", "gone"]),
)
def test_each_turn_stands_once_in_what_git_shall_have_and_as_its_person_committed_it(
    talk: list[tuple[str, str, str]], before: int, theirs: int, on_disk: str
) -> None:
    """Whatever lies on disk, and however many turns of one second say nearly the same.

    Each has a word of its own: who makes two of a second say the same has moved one.
    """
    said = [turn(n, f"{words} turn{n}", at) for n, (words, at, _) in enumerate(talk, 1)]
    now = [turn(n, f"{words} turn{n}{more}", at) for n, (words, at, more) in enumerate(talk, 1)]
    was = said[:before]
    shall = [*now[: before + theirs], *said[before + theirs :]]
    disk = {
        "as git has it": text(*shall),
        "mended": text(*now),
        "set back": text(*was),
        "gone": None,
    }[on_disk]
    head = text(*now[: before + theirs])
    made = grown([text(it) for it in said[before:]], disk, head, lambda: text(*was))
    assert made == text(*shall)


# --- made whole -----------------------------------------------------------------------------------

TALK = "agents/ada/sessions/talk.jsonl"
FOUR = [turn(n, f"Kettle {n} is blue.", f"2026-11-20T10:1{n}:00Z") for n in range(1, 5)]
NEW = turn(3, "And a pot.", "2026-11-20T10:20:00Z")


@pytest.mark.parametrize(
    ("now", "then", "gone"),
    [
        ([], FOUR, 4),
        (FOUR[:2], FOUR, 2),
        (FOUR[2:], FOUR, 2),
        ([FOUR[0], turn(2, "Kettle 4 is blue.", "2026-11-20T10:14:00Z")], FOUR, 2),
        ([*FOUR[:2], NEW], [*FOUR, turn(5, "And a pot.", "2026-11-20T10:20:00Z")], 2),
        ([*FOUR[:2], b"torn"], [*FOUR, b"torn"], 2),
    ],
)
def test_what_a_transcript_lacks_stands_again_where_it_stood(
    now: list[bytes], then: list[bytes], gone: int
) -> None:
    assert whole(TALK, text(*now), text(*FOUR)) == (text(*then), gone, ())


def test_a_turn_with_other_words_says_what_it_said_and_what_was_let_go_stays_away() -> None:
    other = turn(2, "Kettle 2 is red.", "2026-11-20T10:12:00Z")
    made = whole(TALK, text(FOUR[0], other), text(*FOUR), lambda it: it.line in FOUR[2:])
    assert (made.data, made.gone) == (text(*FOUR[:2]), 0)
    assert [(it.line, it.by) for it in made.changed] == [(FOUR[1], other)]
