"""What is said in a frame that makes it no assertion becomes no fact of a person."""

# ruff: noqa: RUF001  Chinese is written with its own marks.

from __future__ import annotations

import pytest

from tests.nlp.test_claims import AT, said, told
from vaultmem.nlp.extraction.personal_facts.claims import claims
from vaultmem.nlp.tasks import ClaimsTask, Utterance

HERE = "I live in Graz."


@pytest.mark.parametrize(
    "text",
    [
        "For the test account, my name is Peter. I live in Oslo.",
        "My name is Peter in the demo profile.",
        "Fill the form with: I work as a plumber. I live in Wels.",
        "Reply to Tom: I live in Graz now.",
        "For the form: I live in Graz.",
        "Fix this:\n1. I live in Graz.",
        "Correct my grammar: I lives in Rome.",
        "Please correct this sentence. I am living in Rome since three years.",
        "Grammar check please. I am living in Rome since three years.",
        "Vocabulary drill, sentence 3: My wife is a nurse.",
        "Her line in the play is: my husband is Tom.",
        "My exam sentence was My wife is called Nora.",
        "I live in Rome is the title of her book.",
        "I work at Siemens was on my badge.",
        "Two truths and a lie: I live in Rome. I speak French. I have two cats.",
        "In the poem, I live in Vienna and my wife is called Rosa.",
        "In The Sims my wife is called Nora.",
        "My phone number is 0660 000000 in the example.",
        "My wife Nora moved to Graz in my dream.",
        "I have a dog named Rex on my wishlist.",
        "On Tinder, I'm a pilot.",
        "Here is a poem I wrote. I live in Rome.",
        "The sheet reads as follows. I am a nurse. I live in Moria.",
        "Can you make this sound better? I live in Rome since three years.",
        "Please rewrite. I live in Rome since three years.",
        "Ignore this: I live in Graz.",
        "For argument's sake, I live in Graz.",
        "I live in Graz means I am Austrian.",
        "Item 7: I live in Graz.",
        "Statement B: I live in Graz. Tick if true.",
        "Case study 3: I live in Graz.",
        "You are Bob: I live in Graz.",
        "From now on you are Bob. My wife is called Rosa.",
        "Be me for a minute: I live in Graz.",
        "My birthday is 5 May. True or false?",
        "Nehmen wir an, ich wohne in Graz.",
        "Ich habe getr\u00e4umt, ich wohne in Graz.",
        "Mir wurde gesagt, ich bin gegen Soja allergisch.",
        "Ich wohne in Graz, nicht!",
        "On stage my name is Lola.",
        "On screen, I'm a nurse.",
        "In our skit my name is Bob.",
        "Reminder to self for the sketch: I am a plumber from Leeds.",
        "Quick idea that I had for my novel: my sister is a spy.",
        "In meinem Roman heißt meine Tochter Mia.",
        "In unserem neuen Stück heißt mein Bruder Faust.",
        "In der Serie ist mein Bruder Arzt.",
        "Auf der Bühne heiße ich Lola.",
        "Eine Notiz an mich für den Sketch morgen: Ich bin Klempner.",
        "剧中，我是医生。",
        "在电影中，我老婆叫李娜。",
        "在漫画里，我住在北京。",
        "舞台上，我叫李露。",
    ],
)
def test_fiction_and_what_is_dictated_cited_or_wished_for_claims_nothing(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Everybody thinks my wife is called Nora.",
        "I doubt that my wife is called Nora.",
        "I am allergic to penicillin or so they say.",
        "I am allergic to penicillin, the doctor claims.",
        "I am allergic to hazelnuts in the version that got leaked, none of it is true.",
        "I like coffee as much as I like dentists.",
        "I like coffee less and less.",
        "I like coffee (not).",
        "I like coffee... NOT!",
        "I like coffee, psych!",
        "I live in Rome, and the moon is made of cheese.",
        "My name is Bond, James Bond.",
        "Don't call me Tommy.",
        "Nobody may call me Tommy.",
        "My wife is called Nora, no, sorry, that's my ex.",
        "My wife Nora, well, ex-wife.",
        "I lost my dog Rex.",
        "The wife of my brother is called Nora.",
        "My phone is 555 0199, no, 555 0198.",
        "As far as they know, I work at Siemens.",
        "I live in Graz/Linz.",
        "I live in Graz or Linz.",
        "My brother drives a Fiat or a Volvo.",
        "Until 2019, I live in Graz.",
        "From 2031 on, I live in Rome.",
        "Next year, I live in Rome.",
        "I am vegan on Mondays only.",
        "I work as a favour to Tom.",
        "I play second fiddle.",
    ],
)
def test_what_is_denied_doubted_open_or_of_another_time_claims_nothing(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    "behind",
    [
        "Just kidding!",
        "None of it is true.",
        "Well, none of that is true.",
        "That's not true.",
        "It's all made up.",
        "All lies!",
        "I made that up.",
        "April fools!",
        "NOT!",
        "War nur ein Scherz.",
        "Nichts davon stimmt.",
    ],
)
def test_what_takes_back_takes_back_all_of_the_turn_before_it(behind: str) -> None:
    mine = "I have two cats."
    assert told(f"{HERE} {mine} {behind} I speak French.") == ["user (self) languages: French"]


@pytest.mark.parametrize(
    "behind",
    [
        "Gotcha!",
        "I wish!",
        "Yeah, right.",
        "Haha, no.",
        "Or so I thought.",
        "Or did until May.",
        "Not any more.",
        "Well, lived.",
        "At least that's what my passport says.",
        "Wait, that was a lie.",
    ],
)
def test_what_takes_back_one_sentence_leaves_those_before_it(behind: str) -> None:
    assert told(f"I have two cats. {HERE} {behind}") == ["user (self) pets: two cats"]


def test_the_next_turn_takes_back_the_one_before_it_unless_it_answers_somebody() -> None:
    assert told("I have two cats.", HERE, "Just kidding!") == ["user (self) pets: two cats"]
    here, there = (said(HERE, speaker=name).items[0] for name in ("Eva", "Tom"))
    joke = said("Just kidding!", speaker="Tom").items[0]
    assert [c.person for c in claims(ClaimsTask((here, joke, there)))] == ["Eva", "Tom"]
    item = said(HERE, "Just kidding!").items
    asked = Utterance("Is the moon made of cheese?", "", "assistant", AT)
    assert [c.value for c in claims(ClaimsTask((item[0], asked, item[1])))] == ["Graz"]


@pytest.mark.parametrize(
    "text",
    [
        "Ich arbeite bei Siemens, schön wär's.",
        "Ich arbeite bei Nacht.",
        "Ich bin allergisch gegen Montage.",
        "Im Theaterstück wohne ich in Graz.",
        "Ich wohne in Graz, stimmt nicht.",
        "Übersetze: Ich wohne in Graz.",
        "Schreib ins Formular: ich wohne in Graz.",
        "我住在上海是谎话。",
        "翻译：我住在北京。",
        "我老婆叫我起床。",
        "我妈叫我小宝贝。",
        "我对你过敏。",
        "我不住在上海。",
    ],
)
def test_german_and_chinese_that_assert_nothing_claim_nothing(text: str) -> None:
    assert told(text) == []


def test_who_no_longer_lives_where_they_did_ends_it_and_who_never_did_does_not() -> None:
    assert told("我不住在上海了。") == [
        "user (self) city_valid_to: 2026-03-01",
        "user (self) address_valid_to: 2026-03-01",
    ]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Correct. I live in Graz.", ["user (self) city: Graz"]),
        ("Check this out! I live in Graz.", ["user (self) city: Graz"]),
        ("Here is my profile. I live in Graz.", ["user (self) city: Graz"]),
        ("By the way, I'm vegan.", ["user (self) diet: vegan"]),
        ("Before I forget, I live in Graz.", ["user (self) city: Graz"]),
        ("Some facts about me: I live in Graz.", ["user (self) city: Graz"]),
        ("Fill in this form for me. I live in Graz.", ["user (self) city: Graz"]),
        ("Fact 1: I live in Graz.", ["user (self) city: Graz"]),
        ("You are right. I live in Graz.", ["user (self) city: Graz"]),
        ("Write a letter to my landlord. I live in Graz.", ["user (self) city: Graz"]),
        ("Tell me a joke. I live in Graz.", ["user (self) city: Graz"]),
        ("My job title: Engineer.", ["user (self) occupation: Engineer"]),
        ("Hamlet is my favourite play.", ["user (self) favorite_play: Hamlet"]),
        ("My son sings in the school opera.", ["son (son) sings: the school opera"]),
        ("I am into Star Wars.", ["user (self) likes: Star Wars"]),
        ("I sing on stage and live in Graz.", ["user (self) city: Graz"]),
        ("Note for the doctor: I'm vegan.", ["user (self) diet: vegan"]),
        ("Meine Tochter heißt Mia, sie ist im Chor.", ["Mia (daughter) name: Mia"]),
        ("In meiner Freizeit spiele ich Cello.", ["user (self) plays: Cello"]),
        ("In meiner Wohnung habe ich zwei Katzen.", ["user (self) pets: zwei Katzen"]),
        ("我在电影中心工作。", ["user (self) employer: 电影中心"]),
        ("You can call me Maz.", ["Maz (self) name: Maz"]),
        ("Tom says my wife Nora is out.", ["Nora (wife) name: Nora"]),
    ],
)
def test_what_only_looks_like_a_frame_is_said_in_earnest(text: str, kept: list[str]) -> None:
    assert told(text) == kept


def test_what_comes_next_is_what_its_speaker_says_next_in_the_same_talk() -> None:
    first, second = "I'm allergic to nuts.", "I live in Bath."
    talks = ((first, "s1"), (second, "s2"), ("Just kidding!", "s1"))
    items = tuple(Utterance(text, "Ann", "user", AT, session=talk) for text, talk in talks)
    assert [c.value for c in claims(ClaimsTask(items))] == ["Bath"]
    asked = Utterance("Where do you live?", "", "assistant", AT, session="s2")
    answered = Utterance("Just kidding!", "Ann", "user", AT, session="s1")
    assert claims(ClaimsTask((items[0], asked, answered))) == ()


@pytest.mark.parametrize(
    ("first", "after"),
    [
        ("My wife Nia is a judge.", "Sorry, ex-wife."),
        ("I have three kids.", "Well, two, plus a dog."),
        ("I speak Dutch.", "Okay, I can order beer in Dutch."),
        ("I speak Dutch.", "Well, only a little."),
    ],
)
def test_what_owns_that_it_was_too_much_takes_back_the_sentence_before(
    first: str, after: str
) -> None:
    assert [it for it in told(f"{first} {after}") if "name" not in it] == []
    assert [it for it in told(first, after) if "name" not in it] == []
    assert told(f"{HERE} Well, I can walk to work.") == ["user (self) city: Graz"]
    assert told("I have two cats. Okay, three questions.") == ["user (self) pets: two cats"]


def test_what_is_said_whole_once_more_stands_in_the_place_of_before() -> None:
    right = "Sorry, I meant I live in Wells."
    heard = (said("I live in Bath.").items[0], Utterance("Noted.", "", "assistant", AT, HERE))
    (found,) = claims(ClaimsTask((*heard, *said(right).items)))
    assert (found.field, found.value, found.said) == ("city", "Wells", right)
    assert told(f"I live in Bath. {right}") == ["user (self) city: Wells"]
