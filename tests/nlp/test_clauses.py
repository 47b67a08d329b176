"""What is cut out of a sentence says what the sentence says, and can stand alone."""

from __future__ import annotations

from datetime import date

import pytest

from vaultmem.nlp.summarization import clauses
from vaultmem.nlp.summarization.clauses import Known
from vaultmem.nlp.text import analysis

DAY = date(2026, 3, 12)  # a Thursday
KNOWN = Known(frozenset({"ana", "benjamin"}), frozenset({"luna", "petra", "oslo"}))


def cut(sentence: str, *, alone: bool = False) -> list[tuple[str, ...]]:
    """Cut *sentence*, said by Ana to Benjamin on that day."""
    return clauses.cut(sentence, DAY, KNOWN, alone=alone)


def shortest(sentence: str) -> list[str]:
    """Return each clause in its shortest form."""
    return [min(forms, key=len) for forms in cut(sentence)]


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        (
            "I sold the old van, and I bought a boat in Oslo.",
            ["I sold the old van", "I bought a boat in Oslo"],
        ),
        (
            "I moved to the harbour of Oslo and there I built a boat.",
            ["I moved to the harbour of Oslo and there I built a boat"],
        ),
        ("I'm researching adoption agencies!", ["I'm researching adoption agencies"]),
        ("I've opened a bakery with Petra.", ["I've opened a bakery with Petra"]),
        ("Well, Ben, I painted that lake sunrise.", ["I painted the lake sunrise"]),
        ("I left the choir in Oslo, which was hard.", ["I left the choir in Oslo"]),
        ("I joined a gym in Oslo because it was cheap.", ["I joined a gym in Oslo"]),
        ("I'm in Oslo with my two cats.", ["I'm in Oslo with my two cats"]),
        ("I'm Rosa from the harbour bank.", ["I'm Rosa from the harbour bank"]),
        ("Luna and Bailey are our two old cats.", ["Luna and Bailey are our two old cats"]),
        ("My brother and I run a mill in Oslo.", ["my brother and I run a mill in Oslo"]),
    ],
)
def test_a_clause_keeps_who_did_what(sentence: str, told: list[str]) -> None:
    """Openings and tails go; subjects, verbs, objects, names and places stay."""
    assert shortest(sentence) == told


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("In 2010, I married Eva in Rome.", "in 2010, I married Eva in Rome"),
        ("Until 2019, I worked at the mill in Oslo.", "until 2019, I worked at the mill in Oslo"),
        ("Last Friday, I went to a workshop.", "on 2026-03-06, I went to a workshop"),
        ("By no means, I sold the boat to Peter.", None),
        ("Possibly, I have diabetes of type two.", None),
        ("In my dream, I bought a house in Graz.", None),
        ("Without the loan, I lose the shop in Linz.", None),
        ("Anna dreamt, we moved to Oslo together.", None),
        ("My boss claims, I stole the money from the office.", None),
        ("Tom says, I have diabetes of type two.", None),
        ("I moved to Vienna, so the rumour goes.", None),
        ("I killed the parrot of Peter, they say.", None),
        ("I won a car in Graz, and I woke up.", None),
        ("I go to the gym every day, which is a lie.", None),
        ("I study these visuals so I can paint better.", None),
        ("I take 40 mg, I mean 20 mg of lisinopril.", "I take 40 mg, I mean 20 mg of lisinopril"),
        ("What if I sold the boat in Graz, and I moved to Oslo.", None),
        ("It is not true that I sold the house in Graz and I moved to Linz.", None),
        (
            "I hope I get the visa for Canada, and I marry Tom in May.",
            None,
        ),
        (
            "I was diagnosed with asthma in March - by mistake.",
            "I was diagnosed with asthma in March - by mistake",
        ),
        (
            "I was offered a job in Linz, and I declined.",
            "I was offered a job in Linz, and I declined",
        ),
        (
            "I will move to Oslo as soon as I sell the house.",
            "I will move to Oslo as soon as I sell the house",
        ),
    ],
)
def test_what_leads_to_a_clause_or_takes_it_back_stays_with_it(
    sentence: str, told: str | None
) -> None:
    """Without it the note would say what nobody said."""
    assert shortest(sentence) == ([told] if told else [])


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("I went to a support group yesterday.", "I went to a support group on 2026-03-11"),
        ("We're going to camp there at the lake next month.", None),
        ("We're thinking about camping next month.", "we're thinking about camping in 2026-04"),
        ("I painted a harbour at dawn last year.", "I painted a harbour at dawn the year before"),
        ("I left the firm two years ago.", "I left the firm two years before"),
        ("I painted the harbour the year before.", None),
        ("I signed the lease with Petra today.", "I signed the lease with Petra"),
        ("I'll see the doctor some time next spring.", None),
    ],
)
def test_a_day_that_is_counted_is_written_out_or_the_clause_left_out(
    sentence: str, told: str | None
) -> None:
    """Nobody knows later what `yesterday` was."""
    assert shortest(sentence) == ([told] if told else [])


@pytest.mark.parametrize(
    "sentence",
    [
        "Did you sell the van in Oslo?",
        "You should sell the van in Oslo.",
        "Congrats on the new van and boat!",
        "I'm so proud of you for selling the van.",
        "That sounds like a great trip to Oslo.",
        "It arrived broken on Monday morning.",
        "She moved to Oslo with two cats.",
        "Taking in kids in need - you're so kind.",
        "Losing all that progress must be frustrating.",
        "Read lots and try out different genres.",
        "Nothing was recoverable from the old laptop.",
        "I chatted with Petra and Luna about it.",
        "I started volunteering here in winter.",
        "I should start a choir in Oslo shouldn't I.",
        "Gonna be a great night for the choir in Oslo.",
        "Been such a busy week in Oslo.",
        "Challenging but fulfilling.",
        "Seeing the sun dip below the hills, all the colours.",
        "I'm working on one with my choir in Oslo.",
        "I submitted a few more in Oslo.",
        "I will keep working at it in Oslo.",
        "Staffed by the parents of the choir in Oslo.",
        "My boss in Oslo says delete them.",
        "A two-car attached garage in Oslo.",
        "For bathroom work in Oslo.",
        "Listed at 40 kroner in Oslo.",
        "For most of the people in Oslo, yes.",
        "Ladders, ropes, brushes from Oslo.",
        "Usually takes 3 days in Oslo.",
        "Assisted living in Oslo.",
        "On 3 March at the Oslo docks, like 6 kroner.",
        "I won't quit on my dreams of a boat in Oslo.",
        "Gonna keep on believing in the boat and Oslo.",
        "I'm completely content with Oslo.",
        "I reccomend finding a good boat in Oslo.",
        "I probably have loads of maps of Oslo.",
        "I'm lending a hand in helping her find the old boat.",
        "Our boats, no matter how small, can have an impact in Oslo.",
        "I checked out the library there, the old maps of Oslo.",
    ],
)
def test_what_is_no_news_of_the_speaker_or_hangs_is_left_out(sentence: str) -> None:
    """Questions, courtesies, what is said of the other, pronouns from outside."""
    assert cut(sentence) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "I wanted to sell the house in Oslo, but I never did.",
        "I agreed to sell the house in Oslo, which isn't true any more.",
        "I would buy the boat unless Petra objects to it.",
        "If I get the job in Oslo, I will sell the house.",
        "I sold the house in Oslo - allegedly.",
        "I sold the house in Oslo (in Monopoly).",
        "I sold the house in Oslo - I think.",
        "I sold the house in Oslo; my lawyer objects.",
        "I sold the house in Oslo; we are not sure.",
        "I sold the house in Oslo, that's one option.",
        "I sold the house in Oslo, it seems.",
        "I sold the house in Oslo; we'll see.",
        "I sold the house in Oslo; we will see how it goes.",
        "I sold the house in Oslo - let's see.",
        "I sold the house in Oslo, fingers crossed.",
        "I sold the house in Oslo (tentative).",
    ],
)
def test_what_turns_the_meaning_is_never_cut_off(sentence: str) -> None:
    """Either the whole is told, or nothing of it."""
    words = analysis.heads(sentence)
    for forms in cut(sentence):
        assert [analysis.heads(form)[-2:] for form in forms] == [words[-2:]]


@pytest.mark.parametrize(
    ("after", "stands"),
    [
        ("We'll see.", False),
        ("Well, let's see how it goes.", False),
        ("Fingers crossed!", False),
        ("Not sure yet.", False),
        ("It's tentative.", False),
        ("Nothing is signed yet.", False),
        ("Just kidding.", False),
        ("We'll see the Alps from there.", True),
        ("Let's see that film on Friday.", True),
        ("I'm not sure yet whether Petra comes to the party.", True),
    ],
)
def test_what_the_next_sentence_leaves_open_or_takes_back_is_not_told(
    after: str, *, stands: bool
) -> None:
    """Alone it would be a fact."""
    said = "I join Siemens in Oslo."
    assert (said in clauses.standing([said, after])) is stands
    assert clauses.standing([said]) == [said]


def test_a_note_that_nobody_spoke_keeps_its_subject() -> None:
    """There is no name beside it that could stand for `I`."""
    assert cut("I moved the backups to Basel yesterday.", alone=True) == [
        ("I moved the backups to Basel on 2026-03-11",)
    ]


def test_a_sentence_without_end_is_no_speech() -> None:
    """Its work would grow with its square."""
    assert cut("I sold it, and " * 5000) == []
