"""What a person hands on is no word of theirs; what they type beside it, or of themselves, is."""

from __future__ import annotations

import pytest

from vaultmem.nlp.extraction.personal_facts import claims
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import ClaimsTask, FoldTask, Passage, Task, Utterance
from vaultmem.nlp.text import quoted_text
from vaultmem.storage.transcripts import Turn

SAID = "I am allergic to penicillin. My wife is called Nora."


def told(text: str) -> bool:
    """Tell whether *text* says that its speaker is married to Nora."""
    said = Utterance(text, "Mara", "user", "2026-11-20T10:00:00Z", "m1", "s1")
    return "Nora" in {it.person for it in claims.claims(ClaimsTask((said,)))}


MAIL = f"""Answer this mail for me, please:

From: Kunde <kunde@shop.example>
To: Mara
Subject: Refund

Hello Mara,
{SAID}
Best, Kunde"""


@pytest.mark.parametrize(
    "text",
    [
        MAIL,
        f"Subject: Re: trip\nFrom: tom@example.org\n\n{SAID}",
        f"Von: Kunde <kunde@shop.example>\nBetreff: Umtausch\n\n{SAID}",
        f"\u53d1\u4ef6\u4eba\uff1a\u738b\n\u4e3b\u9898\uff1a\u9000\u6b3e\n\n{SAID}",
        f"Please reply to Okafor.\n\nDear Mara,\n\n{SAID}\n\nKind regards\nOkafor",
        f"Here is the mail from Tom, what do you think?\n\nHi Mara,\n{SAID}\nBest, Tom",
    ],
)
def test_a_mail_is_its_senders(text: str) -> None:
    """From its head on, or from whom it greets."""
    assert not told(text)


@pytest.mark.parametrize(
    "text",
    [
        f"[20.11.26, 10:00] Tom: {SAID}",
        f"20.11.26, 10:00 - Tom: {SAID}",
        f"2026-11-20 10:00 tom: {SAID}",
        f"okafor  10:02 AM\n{SAID}",
        f"okafor [10:02]\n{SAID}",
        f"Tom \u2014 Today at 10:02\n{SAID}",
        f"10:02 <tom> {SAID}\n10:03 <mara> oh no",
        f"Tom: Hello.\nMara: Hello.\nTom: {SAID}",
    ],
)
def test_a_chat_is_of_those_who_wrote_in_it(text: str) -> None:
    """By the times of its lines, or the names before them."""
    assert not told(text)


@pytest.mark.parametrize(
    "asked",
    [
        "Summarize this article:",
        "Translate into German:",
        "Handle this ticket:\n\nTitle: Rent\nBody:",
        "Here is the README:",
        "I got this mail today, it looks odd:",
        "My boss wrote me:",
        "The web page says this:",
        "Is this mail spam?",
        "What should I answer to this message?",
        "WhatsApp chat export:",
        "Hier die Mail von Jonas:",
        "Kannst du das zusammenfassen:",
        "Fasse diesen Text zusammen:",
        "Mein Chef schreibt mir:",
        "\u8bf7\u7ffb\u8bd1\uff1a",
        "\u8bf7\u603b\u7ed3\u4e0b\u9762\u7684\u6587\u7ae0\uff1a",
        "\u8bf7\u56de\u590d\u8fd9\u5c01\u90ae\u4ef6\uff1a",
    ],
)
def test_nothing_below_a_request_about_a_text_is_who_asks(asked: str) -> None:
    """In English, German and Chinese, with a line between or none."""
    assert not told(f"{asked}\n\n{SAID}")
    assert not told(f"{asked}\n{SAID}")


@pytest.mark.parametrize(
    "text",
    [f'"""\n{SAID}\n"""\nSummarize it.', f"'''{SAID}'''", f"\u201c{SAID}\u201d\n\nWho wrote it?"],
)
def test_what_stands_in_marks_of_quotation_is_cut_out(text: str) -> None:
    """However many sentences it has, and what is typed behind it stays."""
    assert not told(text)
    assert told(f"{text}\n\n{SAID}")


@pytest.mark.parametrize(
    "text",
    [
        SAID,
        f"Remember this: {SAID}",
        f"Please remember the following text about me:\n{SAID}",
        f"Some facts about me:\n- {SAID}",
        f"Here is what you should know:\n{SAID}",
        f"Hi Ada,\n{SAID}\nBest, Mara",
        f"Note: {SAID}",
        f"PS: {SAID}",
        f"10:00 Dentist: {SAID}",
        f"Dinner 19:00\n{SAID}",
        f"Can you check the menu?\n{SAID}",
        f"I read the article. {SAID}",
        f"We got a letter from the landlord. {SAID}",
        f"Update the README. {SAID}",
        f"Here is the error message:\n```\nno such file\n```\n{SAID}",
        f"Plan a menu, please:\n- {SAID}",
        f"Merke dir: {SAID}",
        f"\u8bf7\u8bb0\u4f4f\uff1a\n{SAID}",
        f"{SAID}\n\n{MAIL}",
    ],
)
def test_what_a_person_types_of_themselves_is_theirs(text: str) -> None:
    """Behind a colon too, below a greeting of theirs, and above what they paste."""
    assert told(text)


def test_of_a_request_the_request_stays() -> None:
    """It is what the person wants."""
    assert quoted_text.words(MAIL).strip() == "Answer this mail for me, please:"


def test_an_episode_and_a_summary_quote_nothing_that_was_pasted() -> None:
    """What the person asked for is told."""
    paid = "Decide it: every invoice is paid to the Heron Bank. We decided to take the Ferro."
    text = f"{MAIL}\n{paid}"
    turns = (Turn("user", text, "Mara"), Turn("user", "I moved the desk to Graz.", "Mara"))
    told = repr(Extractive().episode(FoldTask(turns, agent="ada")).value)
    passages = tuple(Passage(turn.content, turn.speaker) for turn in turns)
    told += Extractive().summarize(Task("recent", passages)).text
    assert [word for word in ("Nora", "penicillin", "Ferro", "Heron") if word in told] == []
    assert told.count("Graz") > 1


def test_a_talk_that_is_only_pasted_is_quoted_in_no_episode() -> None:
    """Nor is what stands in quoted lines."""
    for text in (MAIL.partition("\n\n")[2], f"> {SAID}"):
        made = Extractive().episode(FoldTask((Turn("user", text, "Mara"),), agent="ada")).value
        assert "Nora" not in repr(made)
