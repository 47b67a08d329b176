"""A report of a fault is no verdict: what is in use is to be mended, and not given up."""

from __future__ import annotations

import pytest

from tests.nlp.talk_at_work import at_work

pytestmark = pytest.mark.without_history


@pytest.mark.parametrize(
    "text",
    [
        "The old CSV import does not work with the new dates, it throws on row 12.",
        "Our upload keeps timing out.",
        "The dashboard is too slow.",
        "The bulk endpoint times out after 30 seconds.",
        "My login won't work.",
        "Sorting doesn't work any more.",
        "Uploads didn't work since the upgrade.",
        "The worker runs out of memory.",
    ],
)
def test_a_fault_of_what_is_in_use_rules_nothing_out(text: str) -> None:
    assert at_work(text).eliminated == ()


@pytest.mark.parametrize(
    ("text", "approach"),
    [
        ("The wrapper approach does not work, the types get lost.", "The wrapper approach"),
        ("Caching in the browser doesn't work behind the proxy.", "Caching in the browser"),
        ("Redis didn't work: it lost jobs.", "Redis"),
        ("The upload does not work, so we dropped it.", "The upload"),
        ("The cloud plan is too expensive.", "The cloud plan"),
    ],
)
def test_a_verdict_on_an_approach_rules_it_out(text: str, approach: str) -> None:
    assert [e.approach for e in at_work(text).eliminated] == [approach]


def test_what_chat_says_behind_what_it_gives_up_is_none_of_it() -> None:
    (given_up,) = at_work("we decided against sqs btw too much setup for one queue").eliminated
    assert given_up.approach == "sqs"


def test_what_is_used_in_its_stead_is_none_of_what_chat_scraps() -> None:
    (scrapped,) = at_work("ok scrap the bot use the webhook").eliminated
    assert scrapped.approach == "the bot"


@pytest.mark.parametrize(
    "text",
    ["Please write a migration that splits the names.", "Please always write one."],
)
def test_a_task_and_what_only_the_talk_names_are_no_preference(text: str) -> None:
    assert at_work(text).preferences == ()


def test_what_is_asked_for_once_and_for_all_is_a_preference() -> None:
    text = "From now on, please write a test with every fix."
    assert at_work(text).preferences == (text,)
