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
