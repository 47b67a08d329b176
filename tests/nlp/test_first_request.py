"""What a user came for names the talk with an agent."""

from __future__ import annotations

import pytest

from vaultmem.nlp.extraction import first_request


@pytest.mark.parametrize(
    ("said", "named"),
    [
        (
            "Hi, I need to get a quote for moving a two-bedroom apartment from Dayton to Columbus.",
            "Quote for moving a two-bedroom apartment",
        ),
        ("Hello, I'm looking for a vet for my rabbit.", "Vet for rabbit"),
        ("I want to set up a home network.", "Home network"),
        ("I'd like to sign up my son for swimming lessons.", "Swimming lessons"),
        ("Can you check why my gas bill is so high this month?", "Gas bill"),
        ("I have a question about something.", ""),
        ("The gas bill is high.", ""),
    ],
)
def test_the_thing_of_the_first_request_is_the_subject(said: str, named: str) -> None:
    assert first_request.subject(["Good morning.", said]) == named
