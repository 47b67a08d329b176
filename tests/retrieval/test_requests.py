"""A message asks for something: its phrases of asking, and what is told beside, weigh little."""

from __future__ import annotations

import pytest

from tests.conftest import Prepared
from tests.retrieval.remembered import filled
from vaultmem import Vault
from vaultmem.retrieval.search.requests import Request, taken_apart

pytestmark = pytest.mark.without_history

FACTS = (
    "My passport expires in February 2028.",
    "Grew courgettes and chard on the allotment.",
    "The dinner with my cousin was long.",
    "The letter of the bank is in the red folder.",
    "房租是每个月三千块。",
)


def five_facts(vault: Vault) -> None:
    """Let the vault hold five facts."""
    filled(vault, FACTS)


@pytest.fixture
def flat(prepared: Prepared) -> Vault:
    """Open a vault of five facts."""
    return prepared(five_facts)


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        ("Can you please tell me when the lease ends?", "when the lease ends?"),
        ("List all of the vegetables we grew", "vegetables we grew"),
        ("Could you give me a complete list of everything on the shelf", "shelf"),
        ("What is on the shelf? Please answer in one short sentence.", "What is on the shelf?"),
        ("Which shelf, as bullet points", "Which shelf"),
        ("Kannst du mir bitte sagen, wie lang die Miete läuft?", "wie lang die Miete läuft?"),
        ("Weißt du noch, wie der Arzt heißt?", "wie der Arzt heißt?"),
        ("Fass zusammen, was wir über das Dach wissen", "das Dach"),
        ("¿Me puedes decir dónde está la llave?", "dónde está la llave?"),
        ("请告诉我房租是多少", "房租是多少"),
        ("金魚について教えてください", "金魚"),
    ],
)
def test_the_phrases_of_asking_are_no_part_of_what_is_asked(message: str, asked: str) -> None:
    assert taken_apart(message).asked.strip() == asked


@pytest.mark.parametrize(
    "message",
    [
        "Do I need to renew it?",
        "Name of the dentist",
        "the list of guests",
        "能源供应商是谁?",
        "list",
        "",
    ],
)
def test_what_is_no_phrase_of_asking_stands_as_it_is(message: str) -> None:
    """Where nothing else is said, that is what is asked."""
    assert taken_apart(message) == Request(message)


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        ("I am packing right now. When does it leave? It is late.", "When does it leave?"),
        ("Can you help me? I am packing. Which folder is it in", "Which folder is it in"),
        ("I am packing. List all of the folders. It is late.", "folders."),
        ("I am packing. The red folder.", "The red folder."),
        ("Is it signed? And where is it?", "Is it signed? And where is it?"),
    ],
)
def test_the_sentence_that_asks_is_asked(message: str, asked: str) -> None:
    assert taken_apart(message).asked == asked


@pytest.mark.parametrize(
    "query",
    [
        "I am writing a letter after dinner with my cousin. When does the passport expire?",
        "When does the passport expire? The letter is for a dinner with my cousin.",
        "The passport. When does it expire?",
        "My passport. Where is it?",
    ],
)
def test_what_is_told_beside_the_question_does_not_hide_its_answer(flat: Vault, query: str) -> None:
    assert flat.recall(query).hits[0].snippet == FACTS[0]


def test_a_polite_question_finds_what_a_plain_one_does(flat: Vault) -> None:
    for plain, polite in (
        ("passport", "Could you please remind me of everything you know about my passport"),
        ("allotment", "Please list all of the things on the allotment, as bullet points."),
        ("房租", "请告诉我房租"),
    ):
        assert flat.recall(polite).hits == flat.recall(plain).hits
