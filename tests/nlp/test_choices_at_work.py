"""What those who work settle in passing: who, a verb of choosing, a named thing, and why."""

from __future__ import annotations

import pytest

from tests.nlp.talk_at_work import at_work
from vaultmem.documents.bodies import Decision, Eliminated

pytestmark = pytest.mark.without_history


@pytest.mark.parametrize(
    ("text", "decision", "why"),
    [
        ("Parquet, because pandas reads it.", "Parquet", "pandas reads it"),
        ("We go with Garage, since auditors want versioning for 5 years.", "We go with Garage",
         "auditors want versioning for 5 years"),
        ("For the queue we're using NATS, because Rabbit has no replay.",
         "For the queue we're using NATS", "Rabbit has no replay"),
    ],
)  # fmt: skip
def test_what_is_taken_for_a_reason_is_decided(text: str, decision: str, why: str) -> None:
    assert at_work(text).decisions == (Decision(decision, why),)


@pytest.mark.parametrize(
    ("text", "approach", "why"),
    [
        ("No, let's not add Polars: the image is over the limit.", "add Polars",
         "the image is over the limit"),
        ("We dropped support for Python 3.9 since it is end of life.", "Python 3.9",
         "it is end of life"),
    ],
)  # fmt: skip
def test_what_is_left_for_a_reason_is_ruled_out(text: str, approach: str, why: str) -> None:
    assert at_work(text).eliminated == (Eliminated(approach, why),)


@pytest.mark.parametrize(
    "text",
    [
        "We're using Redis since 2019.",
        "They use Rust at Halden because GC paused.",
        "The lock is gone since the upgrade.",
        "Timeout, because the pool is full.",
        "Luckily, because the backup was there.",
        "Are we using NATS because Rabbit has no replay?",
        "If we go with Garage, because auditors want it, we need a licence.",
    ],
)
def test_a_state_a_cause_and_the_choice_of_others_decide_nothing(text: str) -> None:
    assert not at_work(text).decisions
