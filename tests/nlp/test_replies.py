"""What is said in reply: an answer stands with its question, wherever neither tells it alone."""

from __future__ import annotations

import pytest

from vaultmem.documents.bodies import Episode
from vaultmem.nlp.extraction.talk import (
    question_forms_de,
    question_forms_en,
    replies,
    utterances,
)
from vaultmem.nlp.extraction.talk.question_forms import Forms
from vaultmem.nlp.extraction.talk.replies import Message
from vaultmem.nlp.summarization import notes
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import FoldTask, Passage, Task
from vaultmem.nlp.text import analysis
from vaultmem.storage.transcripts import Turn

CALL = (
    ("assistant", "Harbour Insurance, good morning. What's your policy number?"),
    ("user", "HB-5520-118."),
    ("assistant", "Thank you. Which boat was damaged?"),
    ("user", "The Marlin, our 1984 sloop."),
    ("assistant", "I see. When did the storm hit the marina?"),
    ("user", "Last Tuesday, around four in the morning."),
    ("assistant", "Got it. And what is your PIN for the hotline?"),
    ("user", "7731."),
    ("user", "What's my deductible?"),
    ("assistant", "Your deductible is $750."),
    ("user", "How long does a claim take?"),
    ("assistant", "Usually between 10 and 15 business days."),
    ("assistant", "Your claim number is C-2291-07. Anything else?"),
    ("user", "No, thanks."),
)


GERMAN = (
    ("assistant", "Guten Morgen, Stadtwerke. Wie lautet Ihre Kundennummer?"),
    ("user", "4471-882."),
    ("assistant", "Danke. Wann sind Sie eingezogen?"),
    ("user", "Am 1. M\u00e4rz, in die Lindenstra\u00dfe 14."),
    ("assistant", "Und wie lautet Ihre PIN?"),
    ("user", "9921."),
    ("user", "Was kostet das?"),
    ("assistant", "45 Euro."),
    ("user", "Wie hoch ist mein Abschlag?"),
    ("assistant", "Ihr Abschlag betr\u00e4gt 84 Euro im Monat."),
    ("assistant", "Kann ich Ihnen sonst noch helfen?"),
    ("user", "Ja, mit 2 Fragen."),
)


def replied(
    *said: tuple[str, str], forms: Forms = question_forms_en.FORMS
) -> list[tuple[str, str]]:
    """Return the questions with their answers that are found in what was *said*."""
    told = [Message(who, who == "assistant", analysis.sentences(text)) for who, text in said]
    return [(reply.question, reply.text) for reply in replies.replies(told, forms)]


def episode(*said: tuple[str, str]) -> Episode:
    turns = tuple(
        Turn(role=who, content=text, at=f"2025-03-03T09:{n:02}:00Z")
        for n, (who, text) in enumerate(said)
    )
    return Extractive().episode(FoldTask(turns, 1, "claim", "ada")).value


def test_an_answer_is_found_with_what_was_asked() -> None:
    found = replied(*CALL)
    assert ("What's your policy number?", "HB-5520-118.") in found
    assert ("Which boat was damaged?", "The Marlin, our 1984 sloop.") in found
    assert ("What's my deductible?", "Your deductible is $750.") in found


def test_what_an_agent_says_of_what_is_the_users_needs_no_question() -> None:
    assert ("", "Your claim number is C-2291-07.") in replied(*CALL)


def test_what_is_asked_in_confidence_is_left_out() -> None:
    assert not any("7731" in text for _, text in replied(*CALL))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When exactly does it expire?", "February 18th, 2025."),
        ("What about those?", "They cost $40."),
        ("What's the minimum?", "$1,000."),
        ("Is there anything else I can help with?", "My boat sank in May 2024."),
        ("How can I help you today?", "Two boats, 12 and 14."),
        ("Do you have the forms here?", "Let me check, I have 12 of them."),
        ("What's your policy number?", "I don't know, 5520 or so."),
        ("What's your policy number?", "Is it the one on page 3?"),
        ("Which boat was damaged?", "The boat."),
        ("What documents do you need from me?", "Form 12 and Form 14."),
    ],
)
def test_no_pair_is_made_of_what_hangs_or_tells_nothing(question: str, answer: str) -> None:
    assert replied(("assistant", question), ("user", answer)) == []


def test_nobody_answers_themselves() -> None:
    assert replied(("user", "What's your policy number?"), ("user", "HB-5520-118.")) == []


def test_a_bare_yes_is_quoted_with_what_follows_it() -> None:
    said = ("assistant", "Do you have a mooring?"), ("user", "Yes. Berth 14 in Kiel.")
    assert replied(*said) == [("Do you have a mooring?", "Yes. Berth 14 in Kiel.")]


def test_german_asks_and_answers_too() -> None:
    assert replied(*GERMAN, forms=question_forms_de.FORMS) == [
        ("Wie lautet Ihre Kundennummer?", "4471-882."),
        ("Wann sind Sie eingezogen?", "Am 1. M\u00e4rz, in die Lindenstra\u00dfe 14."),
        ("Wie hoch ist mein Abschlag?", "Ihr Abschlag betr\u00e4gt 84 Euro im Monat."),
    ]
    assert 'asked "Wie lautet Ihre Kundennummer?", said: "4471-882."' in episode(*GERMAN).summary


def test_an_episode_quotes_an_answer_with_its_question() -> None:
    lines = episode(*CALL).summary.splitlines()
    asked = 'On 2025-03-03 user, asked "What\'s your policy number?", said: "HB-5520-118."'
    assert asked in lines
    assert utterances.quoted(asked) == ("2025-03-03", "user", "HB-5520-118.")
    assert not any("talked" in line or "7731" in line for line in lines)


def test_what_is_the_users_goes_before_what_anybody_may_be_told() -> None:
    window = tuple(Passage(text, who, "2025-03-03T09:00:00Z") for who, text in CALL[6:13])
    made = Extractive().summarize(Task("recent", window, "ada")).text
    assert "$750" in made
    assert "C-2291-07" in made
    assert "business days" not in made


def test_a_note_of_an_answer_is_read_again_with_its_question() -> None:
    """So that a long-term summary is made of it, and the next one of that."""
    padding = "It is so kind of you to say that, and so good to hear it from you today. "
    window = tuple(
        Passage(f"{padding * 3}{text}" if text.endswith("?") else text, who, "2025-03-03T09:00:00Z")
        for who, text in (*CALL[:6], *CALL[8:10]) * 2
    )
    made = Extractive().summarize(Task("recent", window))
    assert made.faithfulness == 1.0
    assert 'asked "What\'s your policy number?": "HB-5520-118"' in made.text
    lines = filter(None, map(notes.read, made.text.splitlines()))
    read = [note.text for _, told in lines for note in told]
    assert 'asked "What\'s your policy number?": "HB-5520-118"' in read
    later = (Passage(made.text, created="2025-03-03", until="2025-03-04"),)
    assert "HB-5520-118" in Extractive().summarize(Task("longterm", later)).text
