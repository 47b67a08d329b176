"""A word that stands nowhere in the vault is taken for those that it is nearest to."""

from __future__ import annotations

import pytest

from tests.retrieval.remembered import filled, found
from vaultmem import Vault
from vaultmem.storage.index import misspellings

pytestmark = pytest.mark.without_history

TEXTS = (
    "Pickle is allergic to penicillin.",
    "The Brompton stands in the shed.",
    "We flew from Ljubljana on a Monday.",
    "Das Fahrradschloss liegt im Keller bei den Rädern.",
    "Frau Brömmelkamp wohnt nebenan und gießt die Blumen.",
    "The check-up is in May.",
    "The Wi-Fi is slow upstairs.",
    "La bicicleta está en el garaje de mi hermano.",
    "Room 40721 is on the second floor.",
)
ASKED = {
    "Pikle": 0,
    "What is Pickle alergic to?": 0,
    "Bropmton": 1,
    "Brampton": 1,
    "Lubljana": 2,
    "Fahradschloss": 3,
    "Brömelkamp": 4,
    "checkup": 5,
    "WiFi": 6,
    "bicicletta": 7,
}


@pytest.fixture
def full(vault: Vault) -> Vault:
    """Open a vault that holds the texts, a memory each."""
    return filled(vault, TEXTS)


def test_a_misspelt_word_finds_what_has_the_word(full: Vault) -> None:
    missed = [it for it, expected in ASKED.items() if TEXTS[expected] not in found(full, it)]
    assert missed == []


@pytest.mark.parametrize("query", ["blorvex", "quintagorp", "40722", "flaw", "ickle"])
def test_what_is_like_no_word_finds_nothing(full: Vault, query: str) -> None:
    assert found(full, query) == []


def test_a_word_that_stands_in_the_vault_is_taken_for_no_other(full: Vault) -> None:
    full.remember("Bruno bought a nickle.", agent="ada")
    full.remember("The tickle was not funny.", agent="ada")
    assert found(full, "tickle") == ["The tickle was not funny."]


def test_a_text_with_the_word_itself_is_ahead_of_one_with_a_near_word(full: Vault) -> None:
    full.remember("The shed needs paint, says Lubos.", agent="ada")
    assert found(full, "Brampton shed")[0] == TEXTS[1]


@pytest.mark.parametrize(
    ("stem", "words", "most", "nearest"),
    [
        ("pikl", ["pickl", "pixel"], 1, ["pickl"]),
        ("abcd", ["bacd", "abdc", "xyzw"], 1, ["abdc", "bacd"]),
        ("fahradschlo", ["fahrradschloss", "fahrradschlo"], 2, ["fahrradschlo"]),
        ("room", ["r00m"], 2, []),
    ],
)
def test_the_words_of_the_fewest_edits_are_nearest(
    stem: str, words: list[str], most: int, nearest: list[str]
) -> None:
    assert misspellings.nearest(stem, words, most) == nearest


def test_words_are_looked_up_by_beginnings_of_which_none_begins_with_another() -> None:
    found = [*misspellings.beginnings("pikl")]
    assert found[0] == "pi"
    assert {"ipk", "pkl"} < set(found)
    pairs = ((a, b) for a in found for b in found if a is not b)
    assert not any(a.startswith(b) for a, b in pairs)
    assert [*misspellings.beginnings("pik")] == []


@pytest.mark.parametrize(
    ("term", "most"),
    [("abcd", 0), ("abcde", 1), ("abcdefghi", 2), ("12345678", 0), ("猫猫猫猫猫", 0)],
)
def test_the_longer_a_word_the_more_mistakes_it_may_have(term: str, most: int) -> None:
    assert misspellings.edits(term) == most
