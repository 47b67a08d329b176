"""What a user came for names the talk with an agent."""

from __future__ import annotations

import pytest

from vaultmem.nlp.extraction.naming import first_request


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
        ("The rota exporter writes dates in local time.", "Rota exporter"),
        ("the webhook from the bank fires twice and we pay twice", "Webhook from bank"),
        ("The search button on the first page ignores every second click.", "Search button"),
        ("The harbour map is slow when the whole crew looks at it.", "Harbour map"),
        ("The archive is so slow when the whole crew looks at it.", "Slow archive"),
        ("CI fails on Windows only: test_rota.py compares slashes.", "CI on Windows"),
        ("can u make the csv upload handle files over 100mb", "Csv upload"),
        ("need a signal bot that posts our tides", "Signal bot"),
        ("The iOS app wants a newer map.", "iOS app"),
        ("getting a timeout error when i open the log", "Timeout error"),
        ("the tide job didnt run last night no idea why", "Tide job"),
        ("login with the card is broken", "Login with card"),
        ("my tests are flaky test_rota fails like once a day", "Tests"),
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


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("Write unit tests for the rota importer in tools/rota.py", "Unit tests for rota importer"),
        ("@api @web Add a modular cache to the ticket list", "Modular cache"),
        ("Take another look at scheduler.py.", "scheduler.py"),
        ("Please review the attached lease for the bakery.", "Lease for bakery"),
        ("Let's collect names for my barber shop.", "Names for barber shop"),
        ("Plan a 3-day trip to Porto for the four of us.", "3-day trip to Porto"),
        ("Draft a letter to my landlord about the mould.", "Letter to landlord"),
        (
            "Explain the difference between a leasehold and a freehold to me.",
            "Difference between leasehold and freehold",
        ),
        ("Could you proofread my speech for the jubilee?", "Speech for jubilee"),
        ("Can you walk me through repairing a bicycle tyre?", "Bicycle tyre"),
        ("Why is this compose file invalid?", "Compose file"),
        ("What's the lifespan of the Marlin motor?", "Lifespan of Marlin motor"),
        ("I'm training for the Ghent half marathon in May.", "Ghent half marathon"),
        ("I've been asked to write a toast for my cousin.", "Toast for cousin"),
        ("Our boiler hasn't run since last night.", "Boiler"),
        ("My lemon leaves are turning yellow.", "Lemon leaves"),
        ("The kettle leaves a white film on the cups.", "White film"),
        ("Please implement Task 7 - ferry booking API", "Ferry booking API"),
        ("Show the export instead of the import", "Export"),
        ("Make the tests pass on a Friday in May.", ""),
        ("What should I cook for eight people?", ""),
        ("I'd like a second opinion on my pension plan.", "Pension plan"),
        ("Explain how a heat pump works.", "Heat pump"),
        ("The booking page shows a blank screen in Firefox.", "Booking page"),
        ("Our Marlin proxy returns 504 for large uploads.", "Marlin proxy"),
        ("Would you mind looking over my tax return by May?", "Tax return"),
        ("Give me a training plan for my first regatta.", "Training plan for first regatta"),
        ("How much gravel do I need for a patio of 20 square metres?", "Gravel for patio"),
        ("Find a podcast about the history of sailing.", "Podcast about history of sailing"),
        ("Why do my unit tests pass locally but fail on CI?", "Unit tests"),
        ("Update all dependencies and list what breaks.", "Dependencies"),
        ("Our son Matti has to write about volcanoes.", ""),
        ("Help me compare these two job offers.", "Job offers"),
        ("The order page loads twice when you come from a link.", "Order page"),
        ("Debug why the nightly export produces empty files.", "Nightly export"),
        ("What's the best way to store homemade pesto?", "Homemade pesto"),
        ("Please calculate the payment for a 280,000 loan.", "Payment for 280,000 loan"),
        ("Our sailing club can't agree on a day.", "Sailing club"),
        ("I inherited my grandfather's coin collection.", "Grandfather's coin collection"),
        ("I'm thinking of adopting a greyhound from the shelter.", "Greyhound"),
    ],
)
def test_what_opens_the_talk_says_what_it_is_about(said: str, named: str) -> None:
    assert first_request.subject([said]) == named


def test_what_opens_the_talk_comes_before_what_is_asked_for_later() -> None:
    said = ["Hi, I got a fraud alert about my credit card.", "Yes.", "No.", "I need a new card."]
    assert first_request.subject(said) == "Fraud alert"


@pytest.mark.parametrize(
    ("said", "named"),
    [
        (
            "Kannst du mir helfen, eine K\u00fcndigung f\u00fcr meinen Stromvertrag zu schreiben?",
            "K\u00fcndigung f\u00fcr Stromvertrag",
        ),
        ("Der Import der Mitgliederdaten bricht bei Umlauten ab.", "Import der Mitgliederdaten"),
        (
            "Schreib mir ein Skript, das die Logb\u00fccher nach Datum sortiert.",
            "Skript f\u00fcr Logb\u00fccher",
        ),
        ("Ich will die Anmeldung auf Chipkarten umstellen.", "Anmeldung auf Chipkarten"),
        ("Unser kleiner Server startet seit gestern nicht mehr.", "Server"),
        ("Ich habe eine Frage. Bitte plane f\u00fcr uns eine Reise nach Wien.", "Reise nach Wien"),
        ("Ich habe eine Frage, und zwar in der Nacht.", ""),
        ("\u5e2e\u6211\u5199\u4e00\u5c01\u611f\u8c22\u4fe1\u3002", "\u611f\u8c22\u4fe1"),
        (
            "\u63a8\u8350\u4e00\u4e2a\u9002\u5408\u5b69\u5b50\u7684\u4e24\u5929\u884c\u7a0b\uff0c\u4ece\u5357\u4eac\u51fa\u53d1\u3002",
            "\u4e24\u5929\u884c\u7a0b",
        ),
        (
            "\u7ebf\u4e0a\u7684\u652f\u4ed8\u63a5\u53e3\u4ece\u6628\u665a\u5f00\u59cb\u8d85\u65f6\u3002",
            "\u652f\u4ed8\u63a5\u53e3",
        ),
        ("\u6211\u6709\u4e00\u4e2a\u95ee\u9898\u3002", ""),
    ],
)
def test_a_first_request_in_german_and_chinese_names_its_thing(said: str, named: str) -> None:
    assert first_request.subject([said]) == named
