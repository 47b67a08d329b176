"""What friends commit to in chat, with its spelling and without its marks."""

from __future__ import annotations

import pytest

from vaultmem.documents.bodies import Episode
from vaultmem.nlp.extraction import casual_spelling
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import FoldTask
from vaultmem.storage.transcripts import Turn

pytestmark = pytest.mark.without_history


def told(*said: str) -> Episode:
    """Return the episode of what Ida and Mo said in turn."""
    at = "2026-03-01T10:00:00Z"
    turns = (Turn("user", text, ("Ida", "Mo")[i % 2], at) for i, text in enumerate(said))
    return Extractive().episode(FoldTask(tuple(turns), 1, "s", "ada")).value


def test_chat_is_read_as_if_it_were_spelled_with_care() -> None:
    read = casual_spelling.spelled("idk if im gonna come w u, its not far tho and i dont mind")
    assert (
        read == "I don't know if I'm going to come with you, it's not far though and I don't mind"
    )


@pytest.mark.parametrize(
    "text",
    [
        "kitchen is gonna be mint green, we settled that last night",
        "yeah sticking w postgres",
        "im naming the boat pepper",
        "we're selling the piano",
        "kayaks it is",
    ],
)
def test_what_one_now_keeps_or_has_settled_is_a_decision(text: str) -> None:
    assert len(told("hey", text).decisions) == 1


def test_a_proposal_is_a_decision_once_the_other_takes_it_up() -> None:
    proposal = "lets open with the slow song"
    (made,) = told(proposal, "yesss").decisions
    assert made.decision.endswith(f'"{proposal}"')
    assert not told(proposal, "hmm idk").decisions
    assert not told("lets rob a bank lol", "deal").decisions


@pytest.mark.parametrize(
    "text",
    [
        "we were bored and decided to hide behind the shed",
        "they went with someone else for the solo",
        "i went with 3 boys and one other girl",
        "i decided to be a better person btw",
        "USE the library and ask for the maps so you don't get lost",
        "We keep ourselves in a job by making it so that nobody learns it",
        "course it is",
        "i thought it would be warmer than it is",
        "im keeping the baby home rn",
    ],
)
def test_a_tale_and_what_others_chose_decide_nothing(text: str) -> None:
    assert not told("hey", text).decisions


@pytest.mark.parametrize(
    ("text", "approach", "why"),
    [
        ("the ferry's a no, takes 8 hours", "the ferry", "takes 8 hours"),
        ("im not leaving leeds", "leaving leeds", ""),
        ("forget the van, parking is a nightmare", "the van", "parking is a nightmare"),
        ("jo wanted black tiles but i vetoed that", "black tiles", ""),
    ],
)
def test_what_a_friend_will_not_do_is_ruled_out(text: str, approach: str, why: str) -> None:
    (out,) = told("hey", text).eliminated
    assert (out.approach, out.why) == (approach, why)


@pytest.mark.parametrize(
    "text",
    [
        "im not leaving the house rn",
        "not quite like real soup but it still makes a meal",
        "yeah vans are way too expensive",
        "im not buying it lol",
    ],
)
def test_a_complaint_and_what_is_of_the_hour_rule_nothing_out(text: str) -> None:
    assert not told("hey", text).eliminated


@pytest.mark.parametrize(
    "text",
    [
        "no clue yet when we get the keys",
        "the bank made an offer but I haven't decided yet",
        "cant decide if we record at home or rent the studio",
    ],
)
def test_what_friends_do_not_know_yet_is_open(text: str) -> None:
    assert [text in asked for asked in told("hey", text).open_questions] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "idk how i got that far in the race",
        "no idea how to spell those sounds",
        "The store's still open.",
        "what would it even take to knock the net out?",
    ],
)
def test_what_is_only_wondered_at_is_not_open(text: str) -> None:
    assert not told("hey", text).open_questions


@pytest.mark.parametrize(
    "text",
    ["not into port wine, too sweet", "i cant stand ebooks u know that", "yoga's more my thing"],
)
def test_a_taste_in_the_words_of_chat_is_a_preference(text: str) -> None:
    assert len(told("hey", text).preferences) == 1


@pytest.mark.parametrize("text", ["i like brown best", "im not into him", "my favorite is Rocky"])
def test_a_taste_of_which_only_the_talk_tells_the_kind_is_none(text: str) -> None:
    assert not told("hey", text).preferences
