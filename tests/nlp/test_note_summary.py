"""Summaries of notes: who said what when, the most of it per word, and the page by subject."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from vaultmem.nlp.summarization import clauses, note_choice, notes, quality
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.summarization.notes import Note
from vaultmem.nlp.tasks import Passage, Summary, Task

TOLD = (
    ("Priya", "2025-03-03", "The Hamburg lease is up, and Dieter wants an answer by March 21."),
    ("Tom", "2025-03-03", "Ugh, already? What did they quote us this time?"),
    ("Luis", "2025-03-03", "I drove past the site in Altona yesterday. The dock is new."),
    ("Priya", "2025-03-13", "I've decided: we stay in Hamburg and rent 120 places in Altona."),
    ("Luis", "2025-03-13", "Makes sense to me, honestly. You know how it goes."),
    ("Luis", "2025-03-18", "I hired two people for the night shift, Oksana and Bartek."),
    ("Tom", "2025-03-28", "I sent Nordlicht the offer, 9.50 per pallet for two years."),
    ("Tom", "2025-04-02", "My daughter Lotte was born last night! Everyone is well."),
    ("Priya", "2025-04-02", "Congratulations to you and Marije! That is wonderful news, Tom!"),
    ("Luis", "2025-04-11", "I found mould in bay 3 behind the racks, which was a shock."),
    ("Priya", "2025-04-14", "I met Nordlicht's new buyer in Kiel, Herr Asmussen."),
    ("Tom", "2025-04-20", "I'm planning a trip to Rotterdam with Anneke next month."),
)
SMALL_TALK = "You really are so kind to say that, and I am so glad to hear it from you today. "


def window(padding: int = 4) -> tuple[Passage, ...]:
    """Return what was said, with small talk around it."""
    return tuple(
        Passage(f"{text} {SMALL_TALK * padding}", who, f"{day}T09:00:00Z")
        for who, day, text in TOLD
    )


def recent(*passages: Passage) -> Summary:
    return Extractive().summarize(Task("recent", passages))


def page(*texts: str) -> Summary:
    told = tuple(Passage(text, created="2025-03-01", until="2025-05-01") for text in texts)
    return Extractive().summarize(Task("longterm", told))


def test_a_window_becomes_a_line_for_each_day_and_speaker_that_says_what_happened() -> None:
    """In at most 6 % of the words, and nothing that was not said."""
    made = recent(*window(5))
    assert made.faithfulness == 1.0
    lines = dict(line.split(": ", 1) for line in made.text.splitlines())
    decided = lines["March 13, 2025, Priya"]
    assert decided == "I've decided: we stay in Hamburg and rent 120 places in Altona."
    days = [int(day) for day in re.findall(r"^March (\d+), 2025", made.text, re.MULTILINE)]
    assert days == sorted(days)
    assert "kind" not in made.text
    assert notes.words(made.text) <= max(60, 0.06 * sum(notes.words(p.text) for p in window(5)))


def test_a_day_that_was_counted_is_borne_out_by_its_source() -> None:
    """`last night` of 2 April is the night of 1 April; another day is invented."""
    sources = window()
    assert quality.faithfulness("Tom: Lotte was born on 1 April 2025.", sources) == 1.0
    assert quality.faithfulness("Tom: Lotte was born on 8 April 2025.", sources) < 1.0


def test_what_is_important_is_told_before_all_else() -> None:
    """Also where it is no clause of its speaker's."""
    rule = Passage("Never deploy on it after four!", "Ana", "2025-03-05T09:00:00Z", 0.9)
    assert 'March 5, 2025, Ana: "Never deploy on it after four!".' in recent(*window(), rule).text


def test_few_words_and_other_languages_are_quoted() -> None:
    """A sentence whole says more than a clause of it, and clauses are cut in English alone."""
    few = recent(*(Passage(text, who, f"{day}T09:00:00Z") for who, day, text in TOLD[:4]))
    assert 'said: "' in few.text
    german = Passage("Ich habe gestern das alte Boot in Kiel an Petra verkauft. " * 20, "Ana")
    assert 'Ana said: "' in recent(*[german] * 12).text


@pytest.mark.parametrize(
    "line",
    [
        "Ana, May 8, 2023: sold the van; May 9: moved to Ulm; met Ben; January 2, 2024: left Ulm.",
        "Ana Lee, MD, May 8, 2023: sold the van.",
        "May 8, 2023: the backups moved to Basel; June 1: the key is with Meier: the blue one.",
    ],
)
def test_a_line_is_read_as_it_was_set_out(line: str) -> None:
    """So that a long-term summary is made of notes, round after round."""
    read = notes.read(line)
    assert read is not None
    label, told = read
    assert notes.line(label, told) == line


@pytest.mark.parametrize("speaker", ["Ana", "Ana Lee, MD", ""])
def test_what_was_said_on_a_day_is_read_as_it_was_set_out(speaker: str) -> None:
    texts = ["sold the van", "told Ben: the key is with Meier"]
    told = [Note(text, "", "2023-05-08") for text in texts]
    assert notes.read(notes.entry(speaker, "2023-05-08", texts)) == (speaker, told)


def test_a_quotation_is_no_line_of_notes() -> None:
    assert notes.read('On 2023-05-08 Ana said: "I left Rome: for good."') is None
    assert notes.read("Ana, February 31, 2023: sold the van.") is None


def test_a_page_has_each_speakers_notes_by_subject() -> None:
    """A plan, and what came of it, stand together; what is no line of notes stays as it is."""
    plan = "planning to open a bakery in Ulm"
    old = f"Ana, May 8, 2023: {plan}; my daughter Lotte has a cat."
    new = "June 2, 2024, Ana: opened the bakery in Ulm with Petra."
    by_hand = "Ulm is lovely in spring."
    assert page(old, new, by_hand).text.splitlines() == [
        f"Ana on plans, May 8, 2023: {plan}; June 2, 2024: opened the bakery in Ulm with Petra.",
        "Ana on family, friends and pets, May 8, 2023: my daughter Lotte has a cat.",
        by_hand,
    ]


def test_who_is_served_and_who_serves_have_no_subjects_of_a_life() -> None:
    old = "user, May 8, 2023: asked for a bakery loan; my daughter Lotte opened the account."
    assert page(old).text.splitlines() == [old]


def test_a_page_that_takes_in_nothing_new_stays_as_it_is() -> None:
    """Forcing a merge again adds nothing."""
    once = page(recent(*window()).text).text
    assert page(once).text == once
    assert page(once, recent(*window()).text).text == once


def test_a_page_stays_short_and_every_year_keeps_a_voice() -> None:
    """However many rounds; a line keeps the words of its notes."""
    text = ""
    for year in range(2000, 2030):
        told = "; ".join(
            f"{verb} the {thing}{year}a of {place}{year}b with {who}{year}c in the old harbour"
            for verb, thing, place, who in (
                ("painted", "mill", "Ulm", "Ines"),
                ("sold", "boat", "Pau", "Karl"),
                ("bought", "barn", "Ayr", "Olga"),
            )
        )
        text = page(text, f"March 4, {year}, Ana: {told}.").text
        assert notes.words(text) <= 600
    kept = {int(year) for year in re.findall(r"\b(20\d\d):", text)}
    assert max(b - a for a, b in zip(sorted(kept), sorted(kept)[1:], strict=False)) <= 4


def test_notes_of_one_day_share_their_day() -> None:
    told = [Note("sold the van", "Ana", "2023-05-08"), Note("left Ulm", "Ana", "2023-05-08")]
    assert notes.line("Ana", told) == "Ana, May 8, 2023: sold the van; left Ulm."
    assert notes.line("Ana", [Note("sold the van", "Ana", "")]) == "Ana: sold the van."


@pytest.mark.parametrize(
    ("text", "noted"),
    [
        ("Writing has been a blessing for me and a way to breathe.", 0),
        ("The tank is big enough now for the three turtles.", 0),
        ("Painting in Altona has helped me through the winter.", 1),
        ("I took my turtles out for a walk in the park.", 1),
    ],
)
def test_how_something_is_to_the_speaker_is_noted_only_of_what_is_named(
    text: str, noted: int
) -> None:
    said = Passage(f"{text} {SMALL_TALK}", "Joanna", "2025-03-03T09:00:00Z")
    found = notes.found([said], [[text]])
    assert len({note.order for note in found}) == noted


CHAT = (
    "Hey, how's it going? I moved to Leeds with my sister. It was such a long week.",
    "I bought a used amp for 640 pounds! My band is so loud. Do you like it?",
    "I started a job at the library. It's a calm place, and I love the children there.",
    "My dog broke his leg in the park. I took him to the vet. It was so sad.",
    "We booked a train to Vienna for the spring. I'm so happy about the trip.",
    "I quit smoking after ten years. It was hard. My doctor is proud of me.",
    "I planted tomatoes in the garden. The soil is great. We eat them every day.",
    "My brother married a baker from Ulm. The cake was huge. I cried so much.",
    "I sold the old piano to a school. It was too heavy for the flat.",
    "We adopted two kittens from the shelter. They're so small. I love them.",
    "I failed the driving test in March. It was the parking. I'm so annoyed about it.",
    "I joined a rowing club on the river. It's cold. My arms are sore all week.",
)


def test_what_is_told_without_capitals_and_marks_is_noted_as_with_them() -> None:
    """Where a sentence ends its grammar tells, too: most of the same clauses are chosen."""
    talk = [
        Passage(text, ("Ana", "Ben")[i % 2], f"2026-03-{i % 12 + 1:02}T09:00:00Z")
        for i, text in enumerate(CHAT * 3)
    ]
    plain = [replace(it, text=re.sub(r"[^\w\s']", "", it.text.lower())) for it in talk]
    with_marks, without = (
        {*re.split(r"; |: |\.\n", recent(*it).text.lower())} for it in (talk, plain)
    )
    told = {it for it in with_marks if "2026" not in it and it}
    assert 2 * len(told & without) > len(told)


def test_a_day_that_stands_in_front_of_a_note_adds_nothing_to_it() -> None:
    """What was done `this morning` is worth no more than what was done that day."""
    plain = Note("I painted the old shed", "Ana", "2026-03-02", 1)
    dated = Note("I walked on 2026-03-02", "Ana", "2026-03-02", 2)
    said = [note_choice.document(it.text) for it in (plain, dated)]
    assert note_choice.chosen([dated, plain], said, 30)[0] == plain


def test_what_opens_a_line_of_chat_needs_no_comma() -> None:
    """`oh and` says nothing of what follows."""
    known = clauses.Known(frozenset(), frozenset())
    told = clauses.cut("oh and I picked the oak floor for the hall", None, known)
    assert told[0][0] == "I picked the oak floor for the hall"


def test_of_brief_talk_what_somebody_commits_to_is_told() -> None:
    """A window of few words has three lines, and a decision is worth one."""
    said = (
        "heyy how was the week",
        "long lol",
        "after much back and forth we chose hamilton over leeds for the move",
        "big step",
        "decided: green for the hallway. no more debates",
        "fine",
        "i like my coffee like i like my men",
        "stop",
    )
    talk = [
        Passage(text, ("Una", "Pat")[i % 2], "2026-09-02T09:00:00Z") for i, text in enumerate(said)
    ]
    told = recent(*talk).text
    assert "we chose hamilton over leeds for the move" in told
    assert "green for the hallway" in told
    assert "coffee" not in told
