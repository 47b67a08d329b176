"""What can be quoted alone: it has its own subject, and leans on nothing that was said before."""

from __future__ import annotations

import pytest

from vaultmem.nlp.extraction.grammar import german
from vaultmem.nlp.extraction.talk import self_contained
from vaultmem.nlp.text import analysis

pytestmark = pytest.mark.without_history


@pytest.mark.parametrize(
    "text",
    [
        "My cousin Ingrid has a flat in Sandviken.",
        "I start methotrexate on Monday, 10 milligrams a week.",
        "The niche is 60 cm wide.",
        "My sister who lives in Ulm teaches maths.",
        "Half the choir left in June.",
        "Update: the well is dry.",
        "We need to sell the boat by June.",
        "My aunt said that every winter the lake freezes.",
        "We found that each lock has two keys.",
        "The hall costs 80 a head, that's 2,400 for the fair.",
        "The boiler failed in May 2024.",
        "The pass is 2 hours from Voss.",
        "Ingrid keeps goats near Sandviken.",
        "In 4.12 metrics are served on port 9102.",
        "The chart for churn by plan uses a log scale.",
        "Meine Mutter kommt am Samstag.",
        "Die Werkstatt sagt, die Bremsen m\u00fcssen neu.",
        "\u5bf9,\u6211\u4ece\u5468\u4e09\u5f00\u59cb\u53bb\u4e91\u5357\u3002",
        "\u6211\u5bb6\u697c\u4e0b\u7684\u9152\u5427\u5728\u4e8c\u697c\u3002",
    ],
)
def test_a_whole_sentence_stands(text: str) -> None:
    assert self_contained.stands(text)


@pytest.mark.parametrize(
    "text",
    [
        "Then I'd add goods in transit.",
        "I will ask Miguel for two paragraphs.",
        "ugh stats is killing me",
        "the op is on may 12 btw",
        "After that we need a hostel in Voss.",
        "The physio said it will be fine by August.",
        "Owen wants to start one on Saturdays.",
        "A heated pool is different.",
        "We decided to set it only for the payments route.",
        "We still have to choose the third piece.",
        "Changed.",
        "I wanted to ask about the kiln.",
        "We need to check on our tickets.",
        "I don't see any open invoices.",
        "I oil that every spring.",
        "Oh, I forgot about that one.",
        "We still have plenty.",
        "We have several mooring options.",
        "Thicker gloves might help too.",
        "Ms. Varga would need to sign.",
        "Have a safe drive to Graz!",
        "I'll create the menu: day 1 soup, day 2 stew.",
        "I'll also bring you a spare key for the shed.",
        "I fully understand your worry about the roof.",
        "Sure, down to 80 a head, that's 2,400 for the hall.",
        "The upload is still at 40%.",
        "Next, we have to drain the boiler.",
        "The second pump failed!",
        "The parcel labels are ready",
        "The hall must be empty in 2 hours for the fair.",
        "Spare door hinges from a dismantled wardrobe.",
        "A clamp that holds boards without scratching.",
        "Just keys to every shed we'll be painting.",
        "Check the fuse box in the cellar before rain.",
        "Rotate passwords matching your accounts.",
        "Sounds the alarm was triggered!",
        "While the glue dries, let's think about the hinges.",
        "Three sizes: a small crate for 8 euros delivered, or a large crate for 15",
        "Guided tours or weekend workshops.",
        "On most weekdays, yes, but the kiln must be booked and paid",
        "If stained, soon, though remember the 14-day return window",
        "Weekly fees 90 euros, plus a deposit of 40 for keys and towels",
        "Mail and phone alerts for urgent faults.",
        "Then I update your occupation as well.",
        "the heating that never works lol",
        "my sister is a solicitor she says he has to give 2 months notice",
        "deal but not the place on mill road i got sick there",
        "so april is too early",
        "So 3,400 euros are missing.",
        "Donnerstag passt mir nicht.",
        "Wir m\u00fcssen \u00fcber den Schrebergarten reden.",
        "Dann der Grieche am Markt.",
        "Sie hat am Montag einen Termin beim Augenarzt in Kassel.",
        "Okay, ich bringe es am Mittwoch hin.",
        "Ich mache den Kuchen ohne.",
        "\u8bf4\u662f\u4e0b\u5468\u4e00\u3002",
        "\u665a\u70b9\u8d70\u5427,\u6211\u53bb\u63a5\u5b69\u5b50",
        "\u55ef,\u5343\u4e07\u522b\u544a\u8bc9\u5976\u5976",
        "\u884c,\u6211\u660e\u5929\u7ed9\u5979\u4e70",
        "\u6211\u53bb\u5e74\u4e5f\u53bb\u8fc7,\u5927\u7406\u5f88\u8212\u670d\u3002",
        "I just realized another problem.",
        "I really appreciate the thorough work.",
    ],
)
def test_an_answer_an_offer_or_a_fragment_does_not(text: str) -> None:
    assert not self_contained.stands(text)


@pytest.mark.parametrize(
    "text",
    [
        "sag mal hast du noch den schlüssel vom boot",
        "dein vetter ist ein schatz, der hat mir ein zelt geliehen",
        "wir nehmen das zimmer im hof für sie, 20 qm",
        "oh wie wars",
    ],
)
def test_german_that_bids_or_is_of_the_other_does_not_stand(text: str) -> None:
    assert not self_contained.stands(text)


@pytest.mark.parametrize(
    "text",
    [
        "I played in high school",
        "I've been playing for like nine years",
        "I passed with ease, but I hated every minute.",
        "I have 5, 4 of which are of oak",
        "I stopped rowing and playing years ago.",
        "I finished a month or two ago",
        "I started while I was serving in Ghent.",
        "I started in winter, but rowed in May, too",
        "I've been playing since I was about six years old.",
        "I have started a little bit.",
        "I am applying for this fall",
        "I'm currently working on 8",
        "I have one due on Monday.",
        "I plan to go that kind of way in my work",
        "My parents went, and my aunts.",
        "I'm just moving down pretty early",
        "I visited spring break most recently",
        "I went for my uncle's wedding on Monday.",
        "I slowly became a fanatic.",
        "I've turned this place into a mill",
        "I am at the part where the boat sinks",
        "I've been careful with doors ever since",
        "The radio does, but I like my own lists.",
        "I wrote a long review about it this term",
        "I don't plan on letting it sink this year",
        "My teacher told everyone that it is a waltz",
    ],
)
def test_a_deed_without_its_object_and_a_tale_that_goes_on_hang(text: str) -> None:
    assert self_contained.hangs(text)


@pytest.mark.parametrize(
    "text",
    [
        "I've played the oboe for nine years",
        "I play in a band",
        "I visited Ghent last year",
        "I started the oboe when I was six",
        "I started at the mill in May",
        "I'm moving in with my aunt",
        "I went with my aunt to Ulm",
        "I am a member of the choir",
        "I finished the mast a month ago",
        "I have 2.5 acres",
        "I bought a boat and I love sailing it",
        "I have been in Ulm since May",
    ],
)
def test_a_deed_with_its_object_stands(text: str) -> None:
    assert not self_contained.hangs(text)


def test_german_chat_is_first_hand_without_ich() -> None:
    assert german.is_first_hand("hab mir ein altes zelt gekauft")
    assert not german.is_first_hand("anstrengend aber die leute sind nett")


def test_a_german_day_in_small_letters_ends_no_sentence() -> None:
    said = "ja. ab 1. august bin ich tischler in Husum"
    assert analysis.sentences(said)[-1] == "ab 1. august bin ich tischler in Husum"


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("Meine Schwester wohnt dort, sie zahlt 900 Euro warm.", False),
        ("Plane bitte einen Ausflug mit zwei Kindern nach Bled.", False),
        ("Meine Schwester wohnt in Bled, sie zahlt 900 Euro warm.", True),
        ("\u53ef\u4ee5\u5148\u627e\u7269\u4e1a\u3002", False),
        ("\u5e2e\u6211\u5199\u4e00\u5c01\u611f\u8c22\u4fe1\u3002", False),
        ("\u6211\u7238\u819d\u76d6\u4e0d\u597d\u3002", True),
    ],
)
def test_a_bid_an_offer_and_what_is_there_tell_nothing_in_german_and_chinese(
    text: str, *, is_told: bool
) -> None:
    assert self_contained.stands(text) is is_told
