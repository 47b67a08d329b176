"""What names a stretch of time: when it was, and what was spoken of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vaultmem.documents.bodies import Episode
from vaultmem.nlp.extraction.naming import first_request, titles
from vaultmem.nlp.extraction.sessions import episodes
from vaultmem.nlp.tasks import FoldTask
from vaultmem.storage.transcripts import Turn

SAID = [
    "I called three adoption agencies, Mel!",
    "The adoption agencies in Ulm were kind. My pottery class starts soon.",
    "Did you like the pottery? I loved seeing Blue Spoon with you.",
    "The pottery is for the Blue Spoon, and adoption agencies want papers.",
]


@pytest.mark.parametrize(
    ("first", "last", "named"),
    [
        ("2023-05-08T13:56:00Z", "2023-05-30T10:00:00Z", "May 2023"),
        ("2023-05-08T13:56:00Z", "2023-07-12T10:00:00Z", "May to July 2023"),
        ("2022-12-17", "2023-01-09", "December 2022 to January 2023"),
        ("", "", ""),
        ("some day", "2023-01-09", ""),
    ],
)
def test_a_period_is_told_in_months(first: str, last: str, named: str) -> None:
    assert titles.period(first, last) == named


def test_a_dash_behind_a_word_is_no_part_of_it() -> None:
    said = ["I like the ferry- it is quick.", "The ferry- is red.", "I took the ferry -yesterday."]
    assert titles.phrases(said, 1) == ("ferry",)


def test_a_day_and_what_describes_name_nothing() -> None:
    said = [
        "The 5th is for the ferry crew, on a Sat or the 6th.",
        "An optimistic ferry crew, the excluded crew, said the 5th.",
        "The optimistic one was excluded from the ferry on the 5th.",
    ]
    assert set(titles.phrases(said, 4)) == {"ferry crew"}


def test_a_phrase_is_a_thing_with_the_word_it_mostly_stands_beside() -> None:
    """Neither a verb, nor a number, nor whoever is addressed."""
    found = titles.phrases(SAID, 3, ["Melanie", "Caroline"])
    assert set(found) == {"adoption agencies", "pottery", "Blue Spoon"}
    assert titles.phrases(SAID, 1, ["Melanie"]) == found[:1]
    assert titles.phrases(["Wow!", "How are you?"], 3) == ()


def test_neither_a_verb_nor_chat_nor_two_first_names_make_a_title() -> None:
    said = [
        "leo LOVES the ferry tho",
        "stop talking tho, the ferry is late tho",
        "Ana Ben the ferry is in. Ana is here.",
        "Is Ben on the ferry? Ben and Ana, the ferry!",
    ]
    assert titles.phrases(said, 4)[0] == "ferry"
    assert not {"LOVES", "talking", "tho", "Ana Ben"} & set(titles.phrases(said, 6))


def test_what_one_does_or_how_it_is_makes_no_title() -> None:
    said = [
        "You can adjust the bed. I adjust the bed daily, to exceed the damaged one.",
        "The bed is damaged, it will exceed a daily limit. We adjust the bed.",
    ]
    assert titles.phrases(said, 6)[0] == "bed"
    assert not {"adjust", "exceed", "daily", "damaged"} & set(titles.phrases(said, 6))


def test_what_several_speak_of_names_them_and_two_words_by_chance_do_not() -> None:
    said = [
        "the landlord sends someone for the mold",
        "the mold is in the walls says the landlord",
        "a shop by the station sells the bikes",
        "the mold is gone, the landlord is happy",
    ]
    assert titles.shared(said) == "Landlord and mold"
    rare = [*said, *(f"a letter of {n} came, and a parcel with {n} too" for n in "abcdefghijkl")]
    assert titles.shared(rare) not in {"Landlord and mold", "Mold", "Landlord"}
    assert titles.shared(["a shop by the station", "the piano is late", "a soup is cold"]) == ""


def test_a_thing_that_both_speak_of_names_much_talk_and_what_one_repeats_does_not() -> None:
    said = ["The oboe is mine.", "Is an oboe loud?", "My oboe is old.", *["I see."] * 17]
    voices = ("Ida", "Mo")
    assert titles.shared(said, voices, ["Ida", "Mo"] * 10) == "Oboe"
    assert titles.shared(said, voices, ["Ida"] * 3 + ["Mo"] * 17) == ""
    assert titles.shared(said, (*voices, "Li"), ["Ida", "Mo"] * 10) == ""


def test_a_part_of_the_day_is_no_subject() -> None:
    texts = ("One night in Bled.", "Which night?", "The night after the fair.", "A night, then.")
    assert "night" not in titles.phrases(texts, 3)


def test_a_short_word_alone_is_too_wide_unless_much_of_the_talk_is_of_it() -> None:
    some = [
        "my dog has been limping",
        "the dog is nine",
        "no food from ten on",
        "we teach until one",
        "the fee is paid at the desk",
        "he hates to wait",
        "a text comes the day before",
        "bring the papers",
        "parking is behind the building",
        "call when you arrive",
        "he had surgery once",
        "he takes a pill",
        "see you later",
    ]
    assert titles.shared(some) == ""
    assert titles.shared([*some[:2], "the dog sleeps", "a dog like that", *some[2:4]]) == "Dog"


def test_a_compound_is_named_whole_and_a_relative_is_no_subject() -> None:
    said = [
        "I like going on road trips",
        "I took road trips to Ghent with my dad",
        "dad hates road trips",
        "a road trip is never dull, says dad",
    ]
    assert titles.shared(said, ["Ida", "Mo"]) == "Road trips"


def test_a_title_names_the_subject_and_who_spoke_and_its_topic_the_subject_alone() -> None:
    said = (
        "do you like road trips",
        "I do, we took road trips to Ghent",
        "a road trip to Oslo is my dream",
        "we leave in May",
        "nice",
        "so nice",
    )
    turns = tuple(
        Turn("user", text, who) for text, who in zip(said, ("Ida", "Mo") * 3, strict=True)
    )
    title = episodes.episode(FoldTask(turns, agent="ada"), "").title
    assert title == "Ida and Mo: road trips"
    assert episodes.subject(Episode(title, "Ida and Mo talked.")) == "Road trips"
    assert episodes.subject(Episode("Redis: the queue", "We chose it.")) == "Redis: the queue"


def test_a_topic_is_of_no_day_though_only_the_agent_is_quoted() -> None:
    """A third of the topics of talk with services were titled as an episode is."""
    of_a_day = Episode("Ida, 2026-03-01: permits", 'On 2026-03-01 I said: "They take a week."')
    assert episodes.subject(of_a_day) == "Permits"
    assert episodes.matter(of_a_day.title, {"Ida, 2026-03-01"}) == ""
    assert episodes.matter("Sailing boat: excess", {"Sailing boat"}) == "Sailing boat"


OPENING = (
    Turn("user", "Hi, I need to insure a sailing boat."),
    Turn("assistant", "Of course. Which one is it?"),
    Turn("user", "A dinghy, eleven years old."),
)
LATER = (
    Turn("user", "How high is the excess?"),
    Turn("assistant", "The excess is 200 for each claim."),
    Turn("user", "And with the racing cover, is the excess the same?"),
    Turn("assistant", "The racing cover doubles the excess."),
    Turn("user", "Good. No racing cover then."),
    Turn("assistant", "Without the racing cover it is."),
)
IDLE = (Turn("user", "Go on."), Turn("assistant", "Gladly."), Turn("user", "Since March, yes."))


def later(*turns: Turn) -> str:
    task = FoldTask(turns, 9, agent="ada", opening=OPENING)
    return episodes.episode(task, "").title


def test_a_later_stretch_of_a_call_is_a_part_of_what_it_was_opened_for() -> None:
    assert later(*LATER) == "Sailing boat: excess and racing cover"


def test_who_talks_with_an_agent_and_has_a_name_asks_for_the_same() -> None:
    """They were titled as friends are who talk: `Priya, 2026-03-01: filet`."""

    def named(*turns: Turn) -> tuple[Turn, ...]:
        return tuple(replace(t, speaker="Priya" if t.role == "user" else "") for t in turns)

    opened = episodes.episode(FoldTask(named(*OPENING), 1, agent="ada"), "").title
    assert opened == "Sailing boat"
    task = FoldTask(named(*LATER), 9, agent="ada", opening=named(*OPENING))
    assert episodes.episode(task, "").title == "Sailing boat: excess and racing cover"


def test_a_later_stretch_that_says_nothing_is_of_the_matter_and_the_day() -> None:
    dated = [replace(turn, at="2026-03-01T10:00:00Z") for turn in IDLE]
    assert later(*dated) == "Sailing boat, 2026-03-01"
    assert later(*IDLE) == "Sailing boat"


@pytest.mark.parametrize(
    ("asked", "said", "title"),
    [
        ("Where do you work?", "At Tern Solutions since March.", "Sailing boat"),
        (
            "Is she kept in Lymington?",
            "She is in Lymington since March.",
            "Sailing boat: Lymington",
        ),
    ],
)
def test_a_part_is_called_by_a_name_that_both_say(asked: str, said: str, title: str) -> None:
    turns = (Turn("assistant", asked), Turn("user", said))
    task = FoldTask(turns, 9, agent="ada", opening=OPENING)
    assert episodes.episode(task, f'user said: "{said}"').title == title


def test_where_tools_are_at_work_a_later_stretch_has_its_own_title() -> None:
    worked = (*LATER, Turn("tool", "200", tool="excess"))
    assert later(*worked) == "Excess and racing cover"


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ("Hi, I need to schedule a move.", "Move"),
        ("I need to add my new car to my boat policy.", "Boat policy"),
        ("I want to ask my son.", "Talk of 2026-03-01"),
    ],
)
def test_a_session_is_called_by_the_object_of_its_wish_however_short(
    asked: str, named: str
) -> None:
    said = (asked, "Sure.", "In June.", "Which day?", "The first.", "Noted.")
    at = "2026-03-01T10:00:00Z"
    turns = tuple(
        Turn(role, text, at=at) for role, text in zip(("user", "assistant") * 3, said, strict=True)
    )
    assert episodes.episode(FoldTask(turns, agent="ada"), "").title == named
    with_tool = (*turns, Turn("tool", "ok", at=at, tool="calendar"))
    assert episodes.episode(FoldTask(with_tool, agent="ada"), "").title == "Talk of 2026-03-01"


def test_a_part_says_what_the_matter_does_not() -> None:
    assert titles.without("boat and APR", frozenset(["boat"])) == "APR"
    assert titles.without("company", frozenset()) == ""
    assert titles.without("said and fees", frozenset()) == "fees"


@pytest.mark.parametrize(
    ("told", "named"),
    [
        ("Mostly Delta and sometimes United.", "Delta"),
        ("Your confirmation number is DELTA-JMK892.", ""),
        ("They closed Series C last spring.", ""),
    ],
)
def test_a_name_is_whole_and_no_part_of_a_number(told: str, named: str) -> None:
    assert titles.told_of([told], [told], ()) == named


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ("I need to book the harbour hotels separately.", "Harbour hotels"),
        ("I want the monthly fee plan.", "Monthly fee plan"),
        ("I'm looking for the blue sails though.", "Blue sails"),
    ],
)
def test_how_it_is_done_is_no_part_of_the_thing(asked: str, named: str) -> None:
    assert first_request.subject([asked]) == named


def test_two_first_names_are_not_joined() -> None:
    said = [
        "Theo and Bea come to the barbecue",
        "the barbecue with Bea is on",
        "is Theo at the barbecue",
        "we told Bea and Theo of it",
    ]
    assert "Theo and Bea" not in titles.shared(said, ["Pat", "Lou"])
    assert "Bea and Theo" not in titles.shared(said, ["Pat", "Lou"])


def test_a_language_that_is_not_read_gives_no_title() -> None:
    said = [
        "Hast du die Wohnung bekommen?",
        "Wenn ich reich w\u00e4re, w\u00fcrde ich noch umziehen",
        "Das w\u00e4re noch genial",
        "Samstag w\u00e4re ideal, und dann noch Pizza",
    ]
    assert titles.shared(said, ["Jule", "Karim"]) == ""


def test_laughter_and_days_name_no_chinese_talk() -> None:
    said = [
        "\u54c8\u54c8\u54c8\u597d",
        "\u54c8\u54c8\u54c8",
        "\u5468\u65e5\u53bb",
        "\u5468\u65e5\u4e0d\u53bb",
        "\u54c8\u54c8\u54c8",
        "\u5468\u65e5\u89c1",
    ]
    assert titles.shared(said, ["\u5c0f\u96e8", "\u963f\u54f2"]) == ""


def test_small_talk_is_named_by_a_name_in_what_is_told_of_it_or_what_comes_up_again() -> None:
    talk = ("my sister Jorun is coming", "nice", "the kiln is warm", "is the kiln new")
    voices = ("Ida", "Mo")
    assert titles.told_of(["my sister Jorun is coming on friday"], talk, voices) == "Jorun"
    assert titles.told_of(["I like Baker Street"], talk, voices) == "Baker Street"
    assert titles.told_of(["I bought a kiln from Ida in May"], talk, voices) == "kiln"
    assert titles.told_of(["I bought a loom"], talk, voices) == ""


def test_of_german_chat_only_what_has_a_capital_names_it() -> None:
    said = ("zelt such ich schon, ist aber schlimm", "meine chefin heißt Frau Specht")
    assert titles.phrases(said, 3) == ("Frau Specht",)


def test_two_things_that_come_up_again_name_talk_with_an_agent() -> None:
    talk = [
        "The wheelchair folds for the car.",
        "Does insurance pay for the wheelchair?",
        "Only with a letter from the surgeon.",
        "The ramp has a slope of five degrees.",
        "So the ramp is long.",
        "That sounds fine to me.",
        "It takes about a week.",
        "Good, then I can wait.",
        "We will call before we come.",
    ]
    assert titles.shared(talk) == "Wheelchair and ramp"
    assert titles.shared(talk, ["Ana", "Ben"]) == ""


def test_a_firm_is_named_whole_and_a_user_is_no_subject() -> None:
    assert titles.told_of(["I direct sales at TechStart Inc."], [], ()) == "TechStart Inc"
    assert titles.told_of(["We serve no food after 10 PM tonight."], [], ()) == ""
    told = (
        "An authorized user is free.",
        "The user pays later.",
        "The user has a card of his own.",
    )
    assert "user" not in " ".join(titles.phrases(told, 3))


def test_a_name_keeps_its_capital_though_chat_writes_it_small_elsewhere() -> None:
    said = ("I applied for a post in Bergen", "bergen??", "yes", "wow", "so far", "right")
    turns = tuple(
        Turn("user", text, who) for text, who in zip(said, ("Ida", "Mo") * 3, strict=True)
    )
    summary = 'On 2025-08-12 Ida said: "I applied for a post in Bergen"'
    assert episodes.episode(FoldTask(turns, agent="ada"), summary).title == "Ida and Mo: Bergen"


def test_what_is_told_of_talk_with_an_agent_names_it_with_a_capital() -> None:
    said = ("The kiln is hot.", "Is it?", "I fire the kiln in May.", *["So it is."] * 6)
    turns = tuple(Turn("user", text) for text in said)
    summary = 'On 2025-08-12 user said: "I fire the kiln in May."'
    assert episodes.episode(FoldTask(turns, agent="ada"), summary).title == "Kiln"


def test_a_thing_of_three_words_is_told_whole() -> None:
    told = ("I have high blood pressure.", "The high blood pressure is new.", "Any pain?")
    assert titles.phrases(told, 1) == ("high blood pressure",)


def test_a_title_of_somebody_keeps_their_name_whole() -> None:
    said = "Hey!", "Hi, all well?", "I've chosen Dr. Malik for the operation.", "Good to hear."
    turns = [
        Turn("user", text, ("Ida", "Mo")[i % 2], f"2026-03-01T10:0{i}:00Z")
        for i, text in enumerate((*said, "See you later!", "See you."))
    ]
    task = FoldTask(tuple(turns), 1, "s", "ada")
    assert episodes.episode(task, 'Ida said: "I\'ve chosen Dr. Malik."').title.endswith(
        ": Dr. Malik"
    )
