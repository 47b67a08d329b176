"""What was said of yesterday says which day that was, for ever."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.dreamt import Vault, memories, topic
from vaultmem.maintenance.dream.detectors import relative_dates
from vaultmem.nlp.text import absolute_dates

FRIDAY = date(2024, 5, 10)
CREATED = "2024-05-10T09:00:00Z"


def resolved(text: str) -> str:
    """Return *text* as of a Friday."""
    return absolute_dates.absolute(text, FRIDAY)


def dreamt(body: str, **fields: str) -> str:
    """Return the body of a topic after a dream, which must find nothing more."""
    after = Vault({"topics/deploy.md": topic(body, **fields)}).dreamt(relative_dates.find)
    assert not after.planned(relative_dates.find).proposals
    return after.texts["topics/deploy.md"].split("---\n", 2)[2]


def test_a_card_counts_from_the_memory_that_says_it() -> None:
    """A card's lines were said on several days, and it was begun on the first."""
    said = ["Rob is my brother.", "Sold the van yesterday."]
    sources = '  - "[[m000]]"\n  - "[[m001]]"\n'
    head = f"type: card\nperson: Mara\ncreated: 2026-08-01T10:00:00Z\nsources:\n{sources}"
    card = {"cards/social/mara.md": f"---\n{head}---\n" + "\n\n".join(said) + "\n"}
    after = Vault(memories(said) | card).dreamt(relative_dates.find)
    assert "Sold the van on 2026-08-01." in after.texts["cards/social/mara.md"]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Yesterday the deploy failed.", "On 2024-05-09 the deploy failed."),
        ("The deploy failed yesterday.", "The deploy failed on 2024-05-09."),
        ("Since yesterday it is slow.", "Since 2024-05-09 it is slow."),
        ("Yesterday's deploy failed.", "The 2024-05-09 deploy failed."),
        ("The day before yesterday we met.", "On 2024-05-08 we met."),
        ("Today we switched to Postgres.", "On 2024-05-10 we switched to Postgres."),
        ("Tomorrow is the deadline.", "2024-05-11 is the deadline."),
        ("See you tomorrow morning.", "See you on the morning of 2024-05-11."),
        ("Last night it rained.", "On the night of 2024-05-09 it rained."),
        ("We met this morning.", "We met on the morning of 2024-05-10."),
        ("We met last week.", "We met in the week of 2024-04-29."),
        ("from last week to next week", "from the week of 2024-04-29 to the week of 2024-05-13"),
        ("Late last year Ben joined.", "Late in 2023 Ben joined."),
        ("We wait until next month.", "We wait until 2024-06."),
        ("We met last Monday.", "We met on 2024-05-06."),
        ("Next Friday the audit starts.", "On 2024-05-17 the audit starts."),
        ("Last May it was warm.", "In 2023-05 it was warm."),
        ("3 days ago it broke.", "On 2024-05-07 it broke."),
        ("It broke two weeks ago.", "It broke in the week of 2024-04-22."),
        ("About 3 months ago it began.", "Around 2024-02 it began."),
        ("It expires in 3 weeks.", "It expires in the week of 2024-05-27."),
        ("**Yesterday** it broke.", "**On 2024-05-09** it broke."),
        ("Half a year ago Nora moved out.", "Around 2023-11 Nora moved out."),
        ("About half a month ago Ivo left.", "About half a month before 2024-05 Ivo left."),
        ("It rained a few weeks ago.", "It rained a few weeks before 2024-05-10."),
        ("Quite a few years ago it was new.", "Quite a few years before 2024 it was new."),
        ("He left two or three days ago.", "He left two or three days before 2024-05-10."),
        ("A year and a half ago we met.", "A year and a half before 2024 we met."),
        ("It began almost 3 weeks ago.", "It began almost 3 weeks before 2024-05-10."),
        ("A couple of months ago it broke.", "A couple of months before 2024-05 it broke."),
        ("In two weeks the lease ends.", "In the week of 2024-05-20 the lease ends."),
        ("In a few weeks the lease ends.", "A few weeks after 2024-05-10 the lease ends."),
        ("Last winter the pipes froze.", "In the last winter before 2024-05-10 the pipes froze."),
        ("Dry since last summer.", "Dry since the last summer before 2024-05-10."),
    ],
)  # fmt: skip
def test_a_relative_date_becomes_the_date_it_meant(said: str, meant: str) -> None:
    assert resolved(said) == meant
    assert resolved(meant) == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("\u6628\u5929\u5931\u8d25\u4e86\u3002", "2024-05-09 \u5931\u8d25\u4e86\u3002"),
        ("\u4e0a\u5468\u4e09\u5f00\u4f1a", "2024-05-01 \u5f00\u4f1a"),
        ("\u4e0a\u4e2a\u6708\u53d1\u5e03", "2024-04 \u53d1\u5e03"),
        ("3\u5929\u524d\u642c\u5bb6", "2024-05-07 \u642c\u5bb6"),
        ("\u53bb\u5e74\u5165\u804c", "2023\u5e74\u5165\u804c"),
        ("\u4eca\u665a\u5f00\u4f1a", "2024-05-10\u665a\u4e0a\u5f00\u4f1a"),
        ("\u4e0b\u5468\u5f88\u5fd9", "2024-05-13 \u90a3\u4e00\u5468\u5f88\u5fd9"),
    ],
)
def test_a_relative_date_in_chinese_does_so_too(said: str, meant: str) -> None:
    assert resolved(said) == meant
    assert resolved(meant) == meant


@pytest.mark.parametrize(
    "line",
    [
        'He said: "yesterday I was ill".',
        "Run `git log --since yesterday`.",
        "It failed yesterday (2024-05-09).",
        "On 9 May, yesterday, it failed.",
        "See [yesterday](yesterday.md) and [[today]].",
        "Most teams today use git.",
        "Today's world is hard, and tomorrow's leaders know.",
        "One of these days we fix it. Every Monday we meet.",
        "The last week was hard, and so was the last month of it.",
        "It grew over the last year, for the first time in 3 years.",
        "It feels like yesterday.",
        "USA Today wrote it.",
        "It began a year ago last May, or a week ago Monday.",
        "My last summer there; the last winter of the war; a third of a year ago.",
        "It was done in 2 weeks, 3 days before the deadline.",
        "2 years ago today",
        "The backup of yesterday is deleted every night at two.",
        "Logs from last week are removed each Monday; anything older goes weekly.",
        "Anna always cooks for tomorrow. On Sundays nobody bakes for next week.",
        "Next Monday but one the depot closes, and the party is tomorrow week.",
        "She is due in three weeks' time.",
        "The deadline was last Friday, no, the Friday before.",
        "Yesterday by the Beatles plays. Tomorrow Never Dies is a film.",
        "This time last year it rained. Tom was not born yesterday.",
        "The rule is: what came in today is paid tomorrow.",
        "In the diary of 1987 she wrote that they had met two months ago.",
        "Ivo told us in March that the boat was sold last week.",
        "Drafts older than a month ago are thrown away. Fines are due next month.",
        "Two weeks ago felt like a year. It snowed last week in the book.",
        "Soup must be eaten today and boiled again tomorrow.",
        "\u6bcf\u5929\u5220\u9664\u6628\u5929\u7684\u5907\u4efd\u3002",
        "\u4ed6\u8bf4\u300c\u6628\u5929\u4e0b\u96e8\u300d\u3002\u4eca\u5929\u7684\u4e16\u754c\u3002",
    ],
)
def test_habits_speech_code_and_what_is_dated_stay(line: str) -> None:
    assert resolved(line) == line


def test_in_before_a_day_belongs_to_the_verb() -> None:
    assert resolved("The parcel came in today.") == "The parcel came in on 2024-05-10."


def test_a_date_counts_from_the_day_the_note_was_created() -> None:
    body = "## Facts\n- Yesterday the deploy failed\n  because of a full disk.\n"
    assert dreamt(body, created=CREATED) == (
        "## Facts\n- On 2024-05-09 the deploy failed\n  because of a full disk.\n"
    )


def test_a_source_that_carries_a_date_says_when_it_was() -> None:
    body = "- We moved yesterday. ([[20230302-101500-moved-7q3kzm]])\n"
    assert dreamt(body, created=CREATED) == (
        "- We moved on 2023-03-01. ([[20230302-101500-moved-7q3kzm]])\n"
    )


def test_sources_of_two_days_leave_it_open() -> None:
    body = "- We moved yesterday. ([[20230302-101500-a]], [[20240302-101500-b]])\n"
    assert dreamt(body, created=CREATED) == body


def test_a_note_without_a_date_stays_as_it_is() -> None:
    assert dreamt("- We moved yesterday.\n") == "- We moved yesterday.\n"


def test_a_reason_that_hangs_on_a_fact_is_dated_with_it() -> None:
    body = "- Deploys need approval.\n  - **Why:** Last week two of them broke.\n"
    assert dreamt(body, created=CREATED) == (
        "- Deploys need approval.\n  - **Why:** In the week of 2024-04-29 two of them broke.\n"
    )


def test_what_is_pinned_stays_as_it_is() -> None:
    body = "- We moved yesterday.\n"
    assert dreamt(body, created=CREATED, pinned="true") == body


@pytest.mark.parametrize(
    "said", ["last Fr\u0130day", "th\u0131s week", "ye\u017fterday", "last wee\u212a"]
)
def test_letters_that_a_pattern_takes_for_others_are_those(said: str) -> None:
    """Where it ignores case, some of the Turkish ones and of the old ones are like i, s and k."""
    assert "2024-0" in resolved(f"We met {said}.")


WORDS = """
Yesterday today tomorrow last next this week month Monday May ago in 3 days two years the since it
is . ` " \u6628\u5929 \u4e0a \u5468 \u4e09 \u5929\u524d 2024-05-09
"""


@given(st.lists(st.sampled_from([*WORDS.split(), "\n"]), max_size=14), st.dates())
def test_what_was_resolved_is_not_resolved_again(words: list[str], today: date) -> None:
    once = absolute_dates.absolute(" ".join(words), today)
    assert once.count("\n") == words.count("\n")
    assert absolute_dates.absolute(once, today) == once


def test_german_dates_and_longer_english_phrases_are_written_out() -> None:
    body = (
        "- Gestern kam die Ziege.\n- A fortnight ago the goat came.\n"
        "- The week before last it rained.\n- In two weeks we have to pay.\n"
        "- Invoices are due in two weeks after delivery.\n"
    )
    vault = Vault({"topics/goat.md": topic(body, created="2026-03-18T10:00:00Z")})
    after = vault.dreamt(relative_dates.find).texts["topics/goat.md"]
    assert after.split("---\n", 2)[2] == (
        "- Am 2026-03-17 kam die Ziege.\n- In the week of 2026-03-02 the goat came.\n"
        "- In the week of 2026-03-02 it rained.\n- In the week of 2026-03-30 we have to pay.\n"
        "- Invoices are due in two weeks after delivery.\n"
    )
