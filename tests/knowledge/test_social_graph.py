"""Who is whose what, as the cards of people tell it."""

from __future__ import annotations

import pytest

from vaultmem.knowledge.cards import social_graph
from vaultmem.knowledge.cards.social_graph import OWNER, Relation
from vaultmem.records import Record

pytestmark = pytest.mark.without_history


def card(name: str, relationship: str = "", facts: str = "") -> Record:
    """Return a card about *name*."""
    path = f"cards/people/{name.casefold()}.md"
    return Record(path, "", type="card", person=name, relationship=relationship, facts=facts)


@pytest.mark.parametrize(
    ("relationship", "told"),
    [
        ("friend", (OWNER, "Tom", "friend")),
        ("brother_in_law", (OWNER, "Tom", "brother in law")),
        ("Melanie's husband", ("Melanie", "Tom", "husband")),
        ("melanie\u7684\u4e08\u592b", ("Melanie", "Tom", "\u4e08\u592b")),
        ("Lena's husband", ("Lena", "Tom", "husband")),
    ],
)
def test_a_card_says_whose_relation_somebody_is(
    relationship: str, told: tuple[str, str, str]
) -> None:
    found = social_graph.between([card("Melanie"), card("Tom", relationship)])
    assert found == (Relation(*told),)


def test_facts_name_whom_there_is_a_card_of_and_by_a_word_of_kin_whoever_it_is() -> None:
    cards = [
        card("John", "speaker", "works with: Jon\ndaughter: Sara (8)\nlikes: Aerial yoga\n"
             "sisters: Ada and Eva\nwife (until 2024-03-01): Maria\ncar: Tesla"),
        card("Jon"),
    ]  # fmt: skip
    assert {(it.other, it.label) for it in social_graph.between(cards)} == {
        ("Jon", "works with"), ("Sara", "daughter"), ("Ada", "sister"), ("Eva", "sister"),
        ("Maria", "wife, until 2024-03-01"),
    }  # fmt: skip


def test_what_both_say_with_one_word_is_said_once() -> None:
    cards = [card("Ada", facts="friend: Bo"), card("Bo", "Ada's friend", "friend: Ada\nboss: Ada")]
    assert social_graph.between(cards) == (
        Relation("Ada", "Bo", "friend"), Relation("Bo", "Ada", "boss"),
    )  # fmt: skip


def test_the_owners_own_card_speaks_for_the_owner() -> None:
    cards = [card("Mara", "self", "sister: Lena"), card("Lena", "sister")]
    assert social_graph.between(cards) == (Relation(OWNER, "Lena", "sister"),)


def test_nobody_is_related_to_themselves() -> None:
    assert social_graph.between([card("Ada", facts="friend: Ada")]) == ()
