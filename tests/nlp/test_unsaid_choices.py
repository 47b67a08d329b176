"""Among people much of a choice is left unsaid: of what, and by whom."""

from __future__ import annotations

import pytest

from vaultmem.documents.bodies import Episode
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import FoldTask
from vaultmem.storage.transcripts import Turn

pytestmark = pytest.mark.without_history


def told(*said: str) -> Episode:
    """Return the episode of what Ida and Mo said in turn."""
    at = "2026-03-01T10:00:00Z"
    turns = (Turn("user", text, ("Ida", "Mo")[i % 2], at) for i, text in enumerate(said))
    return Extractive().episode(FoldTask(tuple(turns), 1, "s", "ada")).value


@pytest.mark.parametrize(
    "text",
    [
        "we agreed on max 40",
        "we went with the second weekend of june",
        "i went with my cousins",
        "when i press it it is, because the lid is loose",
        "i pick up on the oddest of tunes",
        "i picked my aunt up from the ferry",
        "we decided to keep them all year",
    ],
)
def test_what_only_they_know_is_no_decision(text: str) -> None:
    assert told("and?", text).decisions == ()


def test_a_choice_that_says_of_what_is_one() -> None:
    made = told("we agreed on 40 guests for the fair", "we went with the Ferro")
    assert [d.decision for d in made.decisions] == [
        "we agreed on 40 guests for the fair",
        "we went with the Ferro",
    ]


def test_a_choice_in_the_spelling_of_chat_is_one() -> None:
    (made,) = told("which one", "lets go with the Ferro because it fits").decisions
    assert (made.decision, made.reason) == ("lets go with the Ferro", "it fits")


def test_what_takes_its_place_is_not_ruled_out_with_it() -> None:
    gone = told("we decided to drop the wall chart and use an app called Pensum").eliminated
    assert [it.approach for it in gone] == ["the wall chart"]


def test_what_was_looked_at_and_not_taken_is_ruled_out_with_its_reason() -> None:
    (gone,) = told(
        "we looked at orbis too but it bills per seat so we're not doing that"
    ).eliminated
    assert (gone.approach, gone.why) == ("orbis", "it bills per seat")


@pytest.mark.parametrize(
    "text",
    [
        "i tried kitesurfing once and broke my ankle, it was too windy",
        "too bad it's stopped, it was too short",
        "i was a tester (finding out why the pumps didn't work)",
    ],
)
def test_a_mishap_rules_nothing_out(text: str) -> None:
    assert told(text).eliminated == ()


@pytest.mark.parametrize(
    "text",
    [
        "What is her stage name?",
        "who turns down a free boat?!",
        "what happened to the old ferry?",
        "They have not decided what the fee for the boat is",
    ],
)
def test_what_others_have_to_settle_and_what_was_is_not_left_open(text: str) -> None:
    assert told("so", text).open_questions == ()


def test_what_is_settled_of_it_in_the_next_turns_is_not_open() -> None:
    asked = "we still need to decide who keeps the boat after october"
    assert told("the season ends", asked).open_questions == (asked,)
    assert told("the season ends", asked, "i'll ask them on monday").open_questions == (asked,)
    assert told("the season ends", asked, "lets leave it with my uncle").open_questions == ()
