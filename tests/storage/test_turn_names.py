"""What links call a turn is read in one place."""

from __future__ import annotations

import pytest

from vaultmem.storage import turn_names
from vaultmem.storage.turn_names import TurnName

TALK = "agents/ada/sessions/s.jsonl"


@pytest.mark.parametrize("link", [f"[[{TALK}#12]]", f"see [[{TALK}#12|turn 12]], and on"])
def test_a_link_to_a_turn_names_its_transcript_and_its_number(link: str) -> None:
    assert turn_names.linked(link) == TurnName(TALK, 12)


@pytest.mark.parametrize("link", [f"{TALK}#12", f"[[{TALK}]]", f"[[{TALK}#0]]", "[[notes#3]]"])
def test_what_is_no_link_to_a_turn_names_none(link: str) -> None:
    assert turn_names.linked(link) is None


def test_a_name_reads_as_it_is_written() -> None:
    name = TurnName(TALK, 3)
    assert turn_names.parse(str(name)) == name


@pytest.mark.parametrize("name", [TALK, f"{TALK}#", f"{TALK}#x", "20261120-coffee-7q3kzm"])
def test_other_names_are_no_turns(name: str) -> None:
    assert turn_names.parse(name) is None


def test_a_number_that_no_turn_has_is_read_without_an_error() -> None:
    """Python refuses to make a number of more than some thousand digits."""
    assert turn_names.parse(f"{TALK}#{'9' * 5000}") is None
