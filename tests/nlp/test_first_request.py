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
        ("I'm a new patient and need to see a primary care doctor.", "Primary care doctor"),
        ("I need to rent medical equipment for my mother.", "Medical equipment"),
        ("I need to book a flight to Tokyo for a conference.", "Flight to Tokyo"),
        ("I need to rent a car for a business trip to Phoenix.", "Car for business trip"),
        ("I need help preparing my 2023 tax return.", "2023 tax return"),
        ("Calling about my daughter Emma Wilson's prescriptions.", "Emma Wilson's prescriptions"),
        ("Hi, I have a major leak in my kitchen.", "Major leak in kitchen"),
        ("I need to add my new car to my policy today.", ""),
        ("We want to let customers log in with passkeys.", ""),
        ("I have a question about something.", ""),
        ("hi, our checkout service started throwing 502s after the upgrade", "Checkout service"),
        ("The nightly import is broken since Monday.", "Nightly import"),
        ("Can you make the price parser detect it?", "Price parser"),
        ("The gas bill is high.", ""),
    ],
)
def test_the_thing_of_the_first_request_is_the_subject(said: str, named: str) -> None:
    assert first_request.subject(["Good morning.", said]) == named
