"""Where a claim ends: at its label, its clause, its time; and whose it is."""

# ruff: noqa: RUF001  Chinese is written with its own marks.

from __future__ import annotations

import pytest

from vaultmem.nlp.extraction.personal_facts import claims
from vaultmem.nlp.tasks import ClaimsTask, Utterance


def told(text: str) -> list[str]:
    """Return what a user claims by *text*, a turn: `city: Berlin`."""
    turn = Utterance(text, "Mara", "user", "2026-03-01T09:00:00Z")
    return [f"{it.field}: {it.value}" for it in claims.claims(ClaimsTask((turn,)))]


@pytest.mark.parametrize(
    "text",
    [
        "Test data: my name is Max Mustermann and I live in Berlin.",
        "Test data: my name is Max Mustermann. I live in Berlin.",
        "Add this to the test fixture. My name is Max and I live in Berlin.",
        "My dream: I live in Berlin and work at SAP.",
        "Our plan: I live in Berlin and work at SAP.",
        "Persona: I am a nurse from Berlin.",
        "Beispiel: Ich heiße Max Mustermann und wohne in Berlin.",
        "Testdaten: Mein Name ist Max Mustermann.",
        "目标：我住在上海，在腾讯工作。",
        "示例：我叫王伟，住在北京。",
        "As a user, I live in a EU country and my name is Max Mustermann.",
        "As an admin, I work at SAP and my name is Max.",
        "As a tester, I want to sign up so that my name is Max.",
        "I have two cats and a dog that belongs to the neighbour.",
        "I own a car that is my boss's.",
        "Ich habe zwei Katzen, die meiner Schwester gehören.",
        "I can't eat nuts today, dentist.",
        "I'm vegan for January only.",
        "I'm vegetarian until Easter.",
        "I am vegan during Lent.",
        "I don't eat sugar in January.",
        "Ich bin Veganer auf Zeit.",
        "Ich esse kein Fleisch im Januar.",
        "Ich esse kein Fleisch am Freitag.",
        "Ich bin Jungfrau.",
        "Ich bin Ehefrau.",
        "Ich arbeite als Einheit am besten.",
        "Ich arbeite als Letzter.",
        "Ich spiele Vater im Krippenspiel.",
        "Ich mag Sie.",
        "Mein Vater ist von Beruf Rentner.",
        "In meiner Familie ist mein Bruder Arzt.",
        "我爸爸退休了。",
        "I'm allergic to my mother-in-law.",
        "i cant eat gluten guys",
        "I go by Mx. Lark.",
    ],
)
def test_what_is_a_labels_or_passes_or_is_meant_in_part_is_no_claim(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    ("text", "claimed"),
    [
        ("About me: I live in Berlin.", "city: Berlin"),
        ("Remember this: I live in Berlin.", "city: Berlin"),
        ("What else: I live in Berlin.", "city: Berlin"),
        ("One more: I live in Berlin.", "city: Berlin"),
        ("Noch etwas: Ich heiße Max.", "name: Max"),
        ("还有：我住在上海。", "city: 上海"),
        ("记住：我住在上海。", "city: 上海"),
        ("Hi Tom: I live in Berlin.", "city: Berlin"),
        ("As a nurse, I live in Berlin.", "city: Berlin"),
        ("I have a dog that is called Rex.", "pets: a dog"),
        ("Ich habe einen Hund, der Rex heißt.", "pets: einen Hund"),
        ("I have a sister who lives in Rome.", "siblings: a sister"),
        ("I'm vegan for the animals.", "diet: vegan"),
        ("I am vegan for ten years now.", "diet: vegan"),
        ("Ich bin Feuerwehrmann.", "occupation: Feuerwehrmann"),
        ("Ich arbeite als Kellnerin.", "occupation: Kellnerin"),
        ("Mein Vater ist Rentner.", "status: Rentner"),
        ("Ich bin Pensionärin.", "status: Pensionärin"),
        ("My father is retired.", "status: retired"),
        ("Ich spiele Klavier im Orchester.", "plays: Klavier"),
        ("I live in Berlin. Well, Potsdam, to be exact.", "city: Potsdam"),
        ("I live in Berlin. Strictly speaking in Potsdam.", "city: Potsdam"),
        ("Ich wohne in Berlin. Naja, Potsdam, um genau zu sein.", "city: Potsdam"),
        ("I was born on 3 May. 5 May, to be exact.", "birthday: 5 May"),
    ],
)
def test_a_whole_claim_in_ones_own_name_is_told(text: str, claimed: str) -> None:
    assert told(text) == [claimed]


@pytest.mark.parametrize(
    "text",
    [
        "My sister was like, I work at Tesla now.",
        "She was all like, I'm a vegan.",
        "They were like, we live in Leeds.",
        "Tom is like, no way, I have two cats.",
        "My mum be like, I hate coriander.",
        "He's all, I'm a nurse from Leeds.",
        "And then he goes, my wife is a lawyer.",
        "My brother went, I'm allergic to nuts.",
        "My sister replied, I work at Tesla now.",
        "Sie dann so, ich bin Veganerin.",
        "Meine Schwester so, ich arbeite bei Tesla.",
        "Und er halt so ich wohne in Graz.",
        "Meine Mutter ruft, ich bin Ärztin!",
        "他喊，我是医生。",
        "我同事回答，我住在上海。",
        "她来了一句，我老婆是律师。",
    ],
)
def test_what_others_are_told_to_have_said_is_theirs(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    ("text", "claimed"),
    [
        ("I live in Leeds and my sister was like, I work at Tesla.", "city: Leeds"),
        ("I'm a nurse, and he goes, my wife is a lawyer.", "occupation: nurse"),
        ("My sister is like me, and I live in Leeds.", "city: Leeds"),
        ("Wherever he goes, I live in Leeds.", "city: Leeds"),
        ("It is what it is, I live in Leeds.", "city: Leeds"),
        ("That's all, I live in Leeds.", "city: Leeds"),
        ("Es ist so, ich wohne in Graz.", "city: Graz"),
        ("Meine Tochter ist so groß, ich heiße Mara.", "name: Mara"),
        ("Ich wohne in Graz und sie so, ich bin Veganerin.", "city: Graz"),
        ("她表示满意，我是老师。", "occupation: 老师"),
        ("我住在上海，我妈喊我回家。", "city: 上海"),
    ],
)
def test_what_only_looks_like_others_words_is_told(text: str, claimed: str) -> None:
    assert told(text) == [claimed]


@pytest.mark.parametrize(
    ("text", "claimed"),
    [
        ("我妈妈是老师。", ["妈妈 occupation: 老师"]),
        ("我妈是老师。", ["妈 occupation: 老师"]),
        ("我太太是老师。", ["太太 occupation: 老师"]),
        ("我女朋友是老师。", ["女朋友 occupation: 老师"]),
        ("我老公是程序员，住在上海。", ["老公 occupation: 程序员", "老公 city: 上海"]),
        ("我妈妈是一名老师。", ["妈妈 occupation: 老师"]),
        ("我哥哥张伟是律师。", ["张伟 occupation: 律师"]),
        ("我爸爸是老板。", []),
        ("我姐姐是安检员。", []),
        ("我儿子是小胖子。", []),
        ("我先生是老外。", []),
        ("我妈妈是我老师。", []),
        ("我女儿是未来医生。", []),
        ("老师是我妈妈。", []),
        ("叫我老师就好。", []),
        ("我老婆名叫李娜。", ["李娜 name: 李娜"]),
        ("我老婆的名字是李娜。", ["李娜 name: 李娜"]),
        ("小王是我同事。", ["小王 name: 小王"]),
    ],
)
def test_what_somebody_is_names_nobody_in_chinese(text: str, claimed: list[str]) -> None:
    turn = Utterance(text, "Mara", "user", "2026-03-01T09:00:00Z")
    found = claims.claims(ClaimsTask((turn,)))
    assert [f"{it.person} {it.field}: {it.value}" for it in found] == claimed


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("i cant eat shellfish remember so no crab shack", "avoids: shellfish"),
        ("my favourite colour is teal duh", "favorite_colour: teal"),
        ("i dont eat pork fyi because of my faith", "avoids: pork"),
    ],
)
def test_what_chat_adds_by_no_mark_is_no_part_of_a_value(text: str, claim: str) -> None:
    assert told(text) == [claim]
