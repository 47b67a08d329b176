"""What states something of somebody or of one thing, and what holds of a kind or passes."""

from __future__ import annotations

import pytest

from vaultmem.nlp.extraction.grammar import statement_en
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import Passage, Task

pytestmark = pytest.mark.without_history


@pytest.mark.parametrize(
    "text",
    [
        "I have power of attorney.",
        "Hello, I'm calling about my mother's lease.",
        "My joints are worse than in May.",
        "The clinic opens at 7 on weekdays.",
        "Dr. Brandt prescribed 20 mg of the syrup.",
        "A straight stairlift runs $3,000 installed.",
        "Shares fell 8% in a week.",
        "Python 3.11 is the oldest version in the tests.",
    ],
)
def test_a_speaker_a_figure_of_one_thing_and_a_price_are_stated(text: str) -> None:
    assert statement_en.is_one(text)


@pytest.mark.parametrize(
    "text",
    [
        "Grab bars are installed items, not rentals.",
        "Wood needs treatment every few years.",
        "Pumps need 32 at least.",
        "A wheelchair is good backup for longer distances.",
        "The permanent solution sounds better.",
        "The doctor will explain everything.",
        "Dr. Brandt is coming out.",
        "Submit the estimates and a letter.",
        "Still deducted from the payments.",
        "Bills can be worked out.",
    ],
)
def test_a_general_truth_a_bid_and_what_passes_are_not(text: str) -> None:
    assert not statement_en.is_one(text)


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("I renamed the writer.", True),
        ("We charge $25 for delivery.", True),
        ("We specialize in ramps.", False),
        ("I'm Nurse Vera in the east wing.", False),
        ("We need the complete picture.", False),
        ("I'll examine parser.py for faults.", False),
        ("I shall rename the 4 writers at once.", False),
    ],
)
def test_an_agent_tells_what_it_did_or_a_figure(text: str, *, states: bool) -> None:
    assert statement_en.is_one_of_agent(text) is states


def test_of_talk_with_an_agent_no_general_truth_is_told() -> None:
    turns = (
        ("user", "My mother comes home on Friday with a new hip."),
        ("assistant", "Aluminum requires less maintenance and lasts 20 years."),
        ("assistant", "Our walker with a seat is $45 per month."),
    )
    passages = tuple(Passage(text, voice, "2026-03-02T09:00:00Z") for voice, text in turns)
    assert Extractive().summarize(Task("recent", passages)).text.splitlines() == [
        'On 2026-03-02 user said: "My mother comes home on Friday with a new hip."',
        'On 2026-03-02 assistant said: "Our walker with a seat is $45 per month."',
    ]
