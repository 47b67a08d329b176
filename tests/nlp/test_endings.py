"""What a speaker says to be over ends what was so, in three languages, and what is near it not."""

from __future__ import annotations

import pytest

from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import ClaimsTask, Utterance

AT = "2026-03-01T09:00:00Z"


def ended(*texts: str) -> set[tuple[str, ...]]:
    """Return which facts Ana says to be over, each with what it has to name, if anything."""
    said = tuple(Utterance(text, "Ana", "user", AT, "m") for text in texts)
    return {
        (claim.field.removesuffix("_valid_to"), *claim.ends[:1])
        for claim in Extractive().claims(ClaimsTask(said)).value
        if claim.is_over or claim.field.endswith("_valid_to")
    }


@pytest.mark.parametrize(
    ("text", "over"),
    [
        ("I eat meat again.", ("diet", "vegetarian")),
        ("I went back to eating fish.", ("diet", "vegan")),
        ("Timo dumped me.", ("boyfriend", "Timo")),
        ("Bello musste eingeschl\u00e4fert werden.", ("pets", "Bello")),
        ("I've started eating fish again.", ("diet", "vegan")),
        ("I drink coffee again, it does me no harm.", ("avoids", "coffee")),
        ("My dog Rex died in May.", ("pets", "Rex")),
        ("I graduated in July.", ("studies",)),
        ("handed in my notice at Kiwi", ("employer", "Kiwi")),
        ("We broke up last week.", ("girlfriend",)),
        ("we sold the boat last summer", ("owns", "boat")),
        ("gave up the gym", ("routine", "go to the gym")),
        ("I don't drink coffee any more.", ("routine", "drink coffee")),
        ("I stopped learning Greek in May.", ("learning", "Greek")),
        ("Came off sertraline in May.", ("medication", "sertraline")),
        ("Our dog Rex passed yesterday.", ("pets", "Rex")),
        ("Ich hab bei Bosch gek\u00fcndigt", ("employer", "Bosch")),
        ("bin nicht mehr vegan", ("diet", "Veganerin")),
        ("\u73b0\u5728\u4e0d\u5403\u7d20\u4e86", ("diet", "\u7d20")),
        ("I graduated in July.", ("status", "student")),
        ("I dropped out of college last month.", ("studies",)),
        ("I have a girlfriend now, her name is Lou.", ("marital_status", "single")),
        ("Ich esse wieder Fleisch.", ("diet", "Vegetarierin")),
        ("Ich habe den Opel verkauft.", ("drives", "Opel")),
        ("Ich habe letzte Woche mit der Geige aufgeh\u00f6rt.", ("plays", "Geige")),
        ("Jule und ich haben uns getrennt.", ("girlfriend", "Jule")),
        ("Ich habe mein Studium abgeschlossen.", ("studies",)),
        ("我又吃肉了。", ("diet", "素")),
        ("我已经戒酒了。", ("likes", "喝酒")),
        ("我把本田卖了。", ("drives", "本田")),
        ("我和李梅分手了。", ("girlfriend", "李梅")),
        ("我去年毕业了。", ("studies",)),
    ],
)
def test_what_is_over_is_read(text: str, over: tuple[str, ...]) -> None:
    assert over in ended(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'm cooking lentils again.",
        "We broke up into groups.",
        "I stopped going to the gym on Mondays.",
        "I no longer drink coffee after noon.",
        "I don't drink coffee any more than you do.",
        "I used to play the viola badly, now I play the viola well.",
        "not at Kiwi today, now at Plum for a meeting",
        "My daughter passed on Sunday.",
        "\u6211\u4e0d\u5728\u5bb6\u4e86",
        "I might eat meat again.",
        "My brother eats meat again.",
        "Do I eat meat again?",
        "My sister graduated in June.",
        "I almost dropped out.",
        "My brother is single again.",
        "Jule und mein Bruder haben sich getrennt.",
        "Mein Nachbar hat den Opel verkauft.",
        "我弟弟戒烟了。",
        "我没和李梅分手。",
        "我朋友和李梅分手了。",
    ],
)
def test_what_is_over_for_another_or_not_at_all_ends_nothing(text: str) -> None:
    assert ended(text) == set()


@pytest.mark.parametrize(
    ("texts", "over"),
    [
        (("I'm single.", "My girlfriend is Lou."), {("marital_status", "single")}),
        (("My girlfriend is Lou.", "I'm single again."), {("girlfriend", "Lou")}),
        (("My wife is Nia.", "I'm divorced now."), {("wife", "Nia")}),
        (("Meine Freundin hei\u00dft Jule.", "Ich bin wieder Single."), {("girlfriend", "Jule")}),
        (("My girlfriend is Lou.", "I'm divorced."), set()),
        (("My girlfriend is Lou.",), set()),
        (("I'm single.",), set()),
    ],
)
def test_who_is_single_has_no_partner_and_whoever_has_is_not(
    texts: tuple[str, ...], over: set[tuple[str, ...]]
) -> None:
    assert ended(*texts) == over


@pytest.mark.parametrize(
    ("text", "over", "now"),
    [
        ("not at Kiwi anymore, now at Plum", ("employer", "Kiwi"), "employer: Plum"),
        ("I left Kiwi in May and joined Plum.", ("employer", "Kiwi"), "employer: Plum"),
        ("traded in my Golf for a Leaf", ("drives", "Golf"), "owns: a Leaf"),
        ("I used to play the oboe, now I play the harp.", ("plays", "oboe"), "plays: harp"),
        ("I stopped learning Greek and started Latin.", ("learning", "Greek"), "learning: Latin"),
        ("hab den Polo gegen einen Fiat getauscht", ("drives", "Polo"), "owns: einen Fiat"),
        (
            "Fr\u00fcher war ich bei Aldi, jetzt arbeite ich bei Lidl.",
            ("employer", "Aldi"),
            "employer: Lidl",
        ),
        (
            "\u5df2\u7ecf\u4e0d\u5728\u817e\u8baf\u4e86\uff0c\u73b0\u5728\u5728\u5c0f\u7c73\u4e0a\u73ed",
            ("employer", "\u817e\u8baf"),
            "employer: \u5c0f\u7c73",
        ),
    ],
)
def test_what_takes_the_place_of_another_ends_it_and_is_so_now(
    text: str, over: tuple[str, ...], now: str
) -> None:
    said = (Utterance(text, "Ana", "user", AT, "m"),)
    found = Extractive().claims(ClaimsTask(said)).value
    assert over in ended(text)
    assert now in {f"{it.field}: {it.value}" for it in found if not it.is_over}
    assert {it.said for it in found} == {text}


def test_who_is_left_out_is_nobody_where_another_was_spoken_of() -> None:
    asked = Utterance("What did your brother do?", "Bo", "user", AT, "q", "s", "s")
    answer = Utterance("Sold the boat.", "Ana", "user", AT, "m", "s", "s")
    assert ended("My brother is broke. Sold the boat.") == set()
    assert Extractive().claims(ClaimsTask((asked, answer))).value == ()
