"""The bundled conversation is long, orderly and holds the answers a first question looks for."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from vaultmem.documents import secrets

FILE = Path(__file__).resolve().parents[2] / "vaultmem" / "cli" / "demo" / "conversation.jsonl"
TURNS: list[dict[str, str]] = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
TIMES = [datetime.fromisoformat(turn["at"]) for turn in TURNS]


def test_every_line_has_the_five_fields_and_says_something() -> None:
    """A line is one object with exactly the import format's keys."""
    assert {tuple(turn) for turn in TURNS} == {("id", "session", "speaker", "content", "at")}
    assert all(value.strip() for turn in TURNS for value in turn.values())


def test_it_is_long_enough_to_be_compacted_three_times() -> None:
    """Windows of 64 and 64 fill at 129, 193 and 257 memories."""
    assert 257 <= len(TURNS) <= 260


def test_it_spans_weeks_in_a_dozen_sessions() -> None:
    """Sessions follow one another and none is resumed."""
    sessions = list(dict.fromkeys(turn["session"] for turn in TURNS))
    assert 12 <= len(sessions) <= 14
    assert sessions == sorted(sessions)
    assert [turn["session"] for turn in TURNS] == sorted(turn["session"] for turn in TURNS)
    assert TIMES[-1] - TIMES[0] > timedelta(weeks=9)


def test_ids_are_unique_and_times_increase() -> None:
    """Every turn can be cited, and the order is the order of the clock."""
    assert len({turn["id"] for turn in TURNS}) == len(TURNS)
    assert all(turn["at"].endswith("Z") for turn in TURNS)
    assert all(early < late for early, late in pairwise(TIMES))


def test_turns_of_one_session_follow_within_two_minutes() -> None:
    """A session is one sitting."""
    pairs = pairwise(TURNS)
    gaps = [
        datetime.fromisoformat(late["at"]) - datetime.fromisoformat(early["at"])
        for early, late in pairs
        if early["session"] == late["session"]
    ]
    assert timedelta(seconds=20) <= min(gaps)
    assert max(gaps) <= timedelta(seconds=90)


def test_two_people_speak() -> None:
    """Both have a good share of the talk."""
    spoken = [turn["speaker"] for turn in TURNS]
    assert set(spoken) == {"Mara", "Ada"}
    assert min(spoken.count("Mara"), spoken.count("Ada")) > len(spoken) / 3


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is Sarah allergic to?", "Sarah is allergic to hazelnuts"),
        (
            "Which espresso machine did Mara choose in the end, and why?",
            "the espresso machine you choose is the used Faema and not the black Marzocco, because",
        ),
        ("When does the new shop open?", "the new shop opens on Friday 9 October"),
        (
            "How much is the monthly rent on Harbour Street?",
            "The monthly rent on Harbour Street is 1,850 euros",
        ),
        ("Who wires the oven?", "Ines wires the oven"),
    ],
)
def test_the_evidence_for_a_question_stands_in_it(question: str, answer: str) -> None:
    """A plain search has something to find."""
    assert any(answer in turn["content"] for turn in TURNS), question


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("we take the black Marzocco", "the used Faema, the one from the hotel"),
        ("opens on Saturday 3 October", "opens on Friday 9 October"),
        ("Tuesday 8 September, 15:30", "Thursday 17 September at 10:15"),
    ],
)
def test_what_changed_is_said_before_and_after(before: str, after: str) -> None:
    """A memory has to tell the last word from the first."""
    first = next(place for place, turn in enumerate(TURNS) if before in turn["content"])
    last = next(place for place, turn in enumerate(TURNS) if after in turn["content"])
    assert first < last


def test_no_turn_looks_like_a_secret() -> None:
    """The demo must never be blocked by the gate it shows."""
    assert [turn["id"] for turn in TURNS if secrets.find(turn["content"])] == []
