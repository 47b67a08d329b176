"""Who died is read, by name or as whose they are; who only nearly did is not."""

from __future__ import annotations

import pytest

from vaultmem.nlp.extraction.personal_facts.deaths import death


@pytest.mark.parametrize(
    ("sentence", "who"),
    [
        ("Rex died last week.", ("Rex", "")),
        ("We had to put Rex down.", ("Rex", "")),
        ("We had to have Clover put to sleep yesterday.", ("Clover", "")),
        ("My grandmother Edith died in March.", ("Edith", "grandmother")),
        ("My mother passed away last night, we miss her.", ("", "mother")),
        ("Unsere Katze Mimi ist gestern gestorben.", ("Mimi", "cat")),
        ("Wir mussten Waldi einschl\u00e4fern lassen.", ("Waldi", "")),
        ("小花上周去世了。", ("小花", "")),
        ("我爷爷去世了。", ("", "grandfather")),
    ],
)
def test_who_died_is_read(sentence: str, who: tuple[str, str]) -> None:
    found = death(sentence)
    assert found
    assert (found.name, found.relation) == who


@pytest.mark.parametrize(
    "sentence",
    [
        "Rex nearly died.",
        "Rex died laughing.",
        "Rex died in Zelda.",
        "Did Rex die?",
        "If Rex died I would be lost.",
        "My phone died last week.",
        "My brother's dog died.",
        "Everyone died.",
        "We lost the game.",
        "We lost Bruno at the park.",
        "累死了。",
    ],
)
def test_who_did_not_die_or_is_nobody_is_not(sentence: str) -> None:
    assert death(sentence) is None
