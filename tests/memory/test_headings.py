"""A summary is named by its time and its subjects, in as much as fits a pointer."""

from __future__ import annotations

from dataclasses import replace

from vaultmem.memory.compaction import headings
from vaultmem.nlp.tasks import Passage
from vaultmem.records import Record

SPAN = ("2023-05-08T09:00:00Z", "2023-07-12T09:00:00Z")
SAID = tuple(
    Passage(f"I called the {thing} about the {other} in the old town.", who, SPAN[0])
    for thing, other in (("pottery", "kiln"), ("bakery", "oven"), ("harbour", "boat")) * 2
    for who in ("Ana", "Ben")
)


def test_a_short_term_summary_says_when_what_and_who() -> None:
    made = headings.of_recent(SAID, SPAN, (1, 65), "May 8, 2023, Ana: called the bakery.\n")
    assert made.title.startswith("May to July 2023: ")
    assert len(made.title) <= 60
    named = {
        *made.title.partition(": ")[2].split(", "),
        *made.description.partition(" on ")[2].split(", "),
    }
    assert {"pottery", "bakery", "harbour"} <= named
    assert made.description.startswith("Ana and Ben on ")


def test_without_time_and_subjects_its_memories_name_it_and_its_first_words() -> None:
    """No frame stands before the words, so that none is half a quotation."""
    said = (Passage("Wow!", "Ana"),)
    made = headings.of_recent(said, ("", ""), (1, 65), 'On 2023-05-08 Ana said: "Wow!"\n')
    assert made == ("Memories 1 to 65", "Wow!")


def test_a_long_term_summary_is_told_from_a_short_term_one() -> None:
    """Neither labels nor days of its lines are taken for subjects."""
    text = (
        "Ana on plans, May 8, 2023: planning a bakery in Ulm; June 9: opened the bakery.\n"
        "Ben on work and study, May 8, 2023: sold the bakery a new oven.\n"
    )
    made = headings.of_longterm(text, SPAN)
    assert made.title.startswith("Long-term, May to July 2023: ")
    assert "bakery" in made.title
    assert "study" not in made.title + made.description
    assert headings.of_longterm("", ("", "")) == ("Long-term", "")


def test_a_subject_of_which_only_one_message_speaks_is_in_no_title() -> None:
    """`Katana` was: it is rare, and therefore heavy."""
    said = ["the ferry is late", "my katana is in the ferry", "a ferry is a ferry", "the crew sang"]
    passages = [Passage(text, "Ana", "2023-05-08T10:00:00Z") for text in said * 7]
    passages[5] = Passage("the katana of the museum", "Ana", "2023-05-08T10:00:00Z")
    once = [p for i, p in enumerate(passages) if i == 1 or "katana" not in p.text]
    assert "ferry" in headings.of_recent(once, SPAN, (1, 28), "").title
    assert "katana" not in headings.of_recent(once, SPAN, (1, 28), "").title


def test_what_several_speak_of_is_titled_without_what_only_one_says_of_it() -> None:
    said = ["We take the black Marzocco.", "The Marzocco is warm.", *["Good, so be it."] * 6]
    passages = [Passage(text, "Ana", "2023-05-08T10:00:00Z") for text in said]
    made = headings.of_recent(passages, SPAN, (1, 8), "")
    assert made.title == "May to July 2023: Marzocco"


def of_a_call(session: str, *said: str) -> list[Record]:
    spoke = zip(said, ("user", "assistant") * len(said), strict=False)
    return [Record("m.md", "", session=session, speaker=who, body=text) for text, who in spoke]


def test_a_summary_of_calls_is_named_by_what_they_were_opened_for() -> None:
    told = [
        *of_a_call("a", "Hi, I need to insure a sailing boat.", "Which one?", "A dinghy."),
        *of_a_call("b", "I'd like to report a broken window.", "Where?", "In the hall."),
    ]
    found = headings.matters(told, "ada", start=1)
    assert found == ("Sailing boat", "Broken window")
    assert headings.matters(told, "ada", start=66) == ("Broken window",)
    passages = [Passage(m.body, m.speaker, SPAN[0]) for m in told]
    made = headings.of_recent(passages, SPAN, (1, 6), "", found)
    assert made.title.startswith("May to July 2023: Sailing boat, Broken window")
    assert "user" not in made.description


def test_people_among_themselves_open_their_talk_for_nothing() -> None:
    told = of_a_call("a", "I need to insure a sailing boat.", "Which one?")
    named = [replace(m, speaker=who) for m, who in zip(told, ("Ana", "Ben"), strict=True)]
    assert headings.matters(named, "ada", start=1) == ()
