"""Facts that are known are found by what they share with a new one, as if all were compared."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import work
from vaultmem.api.agent_files import note_update
from vaultmem.documents.bodies import Fact, Topic
from vaultmem.knowledge.topics import strategies
from vaultmem.nlp.extraction import contradictions
from vaultmem.nlp.extraction.known_claims import KnownClaims
from vaultmem.nlp.extraction.talk import fact_equality
from vaultmem.nlp.extraction.talk.known_facts import KnownFacts
from vaultmem.nlp.facts import paraphrases

WHO = ("Emil", "The dentist of Ann", "My mother", "my mom", "We", "Uli", "\u5988\u5988")
DOES = (
    "eats no shellfish", "does not eat any shellfish", "lives in Graz", "now lives in Linz",
    "opens at eight on Sundays", "opens at 9 on Sundays", "keeps backups for 14 days",
    "is", "\u559c\u6b22\u8336", "isst keinen Fisch", "isst gar keinen Fisch",
)  # fmt: skip
ENDS = ("", ".", "!", " again.", "\u3002", "?")
FRAMES = ("{}", 'Ann said: "{}"', 'Ben said: "{}"', "2026-03-04: {}", "**{}**")
FACTS = st.builds(
    lambda who, does, end, frame: frame.format(f"{who} {does}{end}"),
    *map(st.sampled_from, (WHO, DOES, ENDS, FRAMES)),
)
TEXTS = FACTS | st.text(max_size=30)


@given(TEXTS, TEXTS)
def test_facts_that_are_one_share_a_key(one: str, two: str) -> None:
    shared = fact_equality.keys(one) & fact_equality.keys(two)
    assert shared or not fact_equality.is_one_fact(one, two)
    assert paraphrases.are_one(one, two) is bool(paraphrases.keys(one) & paraphrases.keys(two))


@given(st.lists(TEXTS, max_size=8), st.lists(TEXTS, max_size=8), TEXTS)
def test_the_first_that_is_one_fact_with_another_is_found_as_if_all_were_compared(
    known: list[str], asked: list[str], other: str
) -> None:
    facts, claims = KnownFacts(known), KnownClaims(known)
    for text in (*asked, other, *known):
        assert facts.place(text) == first(known, text, fact_equality.is_one_fact)
        assert claims.contradicted(text) == first(known, text, contradictions.contradicts)
        if known:
            known[0] = other
            facts.replace(0, other)
            claims.put(0, other)


def first(known: Sequence[str], text: str, is_it: Callable[[str, str], bool]) -> int | None:
    """Return the place of the first that is *it* beside *text*."""
    return next((n for n, each in enumerate(known) if is_it(text, each)), None)


def told(word: str, count: int) -> list[str]:
    """Return so many facts, no two of which are one, of a *word* that nobody said before."""
    pairs = itertools.islice(itertools.product("abcdefghij", repeat=2), count)
    own = (f"{word}{one}{two}" for one, two in pairs)
    return [f"{it}a keeps {it}b below {it}c." for it in own]


def untold(known: list[str], new: list[str]) -> object:
    return strategies.untold(map(Fact, known), map(Fact, new), verbatim=False)


def worded(known: list[str], new: list[str]) -> object:
    topic = Topic("sheds", "Sheds", "", tuple(map(Fact, known)))
    return strategies.combined(topic, [*map(Fact, new)], "merge", by_person=True)


def appended(known: list[str], new: list[str]) -> object:
    text = "".join(f"- {it}\n" for it in known)
    return note_update.updated(
        "notes/sheds.md", text, said="\n\n".join(new), strategy="append", section=""
    )


def merged(known: list[str], new: list[str]) -> object:
    text = "".join(f"- {it}\n" for it in known)
    return note_update.updated(
        "notes/sheds.md", text, said="\n".join(new), strategy="merge", section=""
    )


def put_right(known: list[str], _new: list[str]) -> object:
    """Merge what contradicts each of the *known*."""
    sorts = [it.replace("keeps ", "").replace("below ", "").rstrip(".") for it in known]
    return merged(*([f"The port of {it} is {n}." for it in sorts] for n in (4, 5)))


def test_each_of_many_facts_takes_the_place_of_that_which_it_contradicts() -> None:
    known = told("putright", 9)
    assert str(put_right(known, [])).count(" is 5.") == len(known)


@pytest.mark.parametrize("act", [untold, worded, appended, merged, put_right])
def test_four_times_as_many_facts_beside_as_many_take_four_times_the_work(
    act: Callable[[list[str], list[str]], object],
) -> None:
    few, many = (
        (told(f"{act.__name__}old{size}", n), told(f"{act.__name__}new{size}", n))
        for size, n in (("few", 20), ("many", 80))
    )
    act(["Rex is a dog."], ["Tom is a cat."])  # patterns are compiled once
    less, more = work.calls(lambda: act(*few)), work.calls(lambda: act(*many))
    assert more < 6 * less
