"""A text's language is told where it is plain, and words that are the same come out the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.documents.languages import detection, japanese_spellings, letters
from vaultmem.documents.languages.han_variants import SIMPLIFIED, TRADITIONAL
from vaultmem.documents.languages.stems import STEMMED, stem


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Die Versicherung für das Auto läuft im März ab.", "de"),
        ("Termin beim Zahnarzt am Montag", "de"),
        ("Mon médecin s'appelle Dupont.", "fr"),
        ("El médico se llama Gómez.", "es"),
        ("Il mio medico si chiama Rossi", "it"),
        ("Meu médico mora em Lisboa e não no Porto", "pt"),
        ("Mijn fiets staat in de schuur.", "nl"),
        ("Моя машина красная", "ru"),
    ],
)
def test_a_language_is_told_by_its_function_words(text: str, expected: str) -> None:
    assert detection.language(text) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [("sea", ""), ("pour over", ""), ("war", ""), ("wo wohnt", "wo"), ("der war wo", "der war wo")],
)
def test_a_word_that_english_has_too_is_a_function_word_beside_others_alone(
    words: str, expected: str
) -> None:
    assert detection.function_words(frozenset(words.split())) == frozenset(expected.split())


@pytest.mark.parametrize(
    "text",
    ["", "Die Hard is on in an hour, and so is Das Boot.", "Caffè Nero", "Versicherung Auto",
     "We took three roadtrips along the coast.", "我們的電話是五五五。"],
)  # fmt: skip
def test_what_is_english_or_in_doubt_is_no_other_language(text: str) -> None:
    assert detection.language(text) == ""


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("de", "Versicherung Versicherungen"),
        ("de", "Straße Strasse Straßen"),
        ("de", "Häuser Haus Hauses Häusern"),
        ("de", "Müller Mueller"),
        ("de", "neue neuen neu neuer"),
        ("fr", "cheval chevaux"),
        ("fr", "heureux heureuse"),
        ("es", "médico medicos médicas"),
        ("es", "canción canciones"),
        ("es", "luz luces"),
        ("it", "amico amici"),
        ("it", "banca banche"),
        ("pt", "canção canções"),
        ("pt", "homem homens"),
        ("nl", "boom bomen"),
        ("nl", "huis huizen"),
        ("ru", "машина машины машину машиной"),
    ],
)
def test_the_forms_of_a_word_have_one_stem(language: str, forms: str) -> None:
    assert len({stem(word, language) for word in forms.split()}) == 1


@given(word=st.text(min_size=1), language=st.sampled_from(STEMMED))
def test_a_stem_is_as_long_as_its_word_at_most(word: str, language: str) -> None:
    assert len(stem(word, language)) <= max(len(letters.bare(word)), len(word.lower())) + 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("Straße", "Strasse"), ("我們的電話", "我们的电话"), ("カギ", "かぎ"), ("ｶｷﾞ", "かぎ"),
     ("\uff30\uff59\uff54hon", "Python"), ("Łódź", "Lódź"), ("cœur", "coeur")],
)  # fmt: skip
def test_letters_that_are_read_alike_are_one(one: str, other: str) -> None:
    assert letters.folded(one) == letters.folded(other)


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert letters.folded(letters.folded(text)) == letters.folded(text)


def test_every_traditional_character_has_a_simplified_one() -> None:
    assert len(TRADITIONAL) == len(SIMPLIFIED) == len(set(TRADITIONAL))
    assert set(TRADITIONAL).isdisjoint(SIMPLIFIED)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("鍵はどこ", {(0, "かぎ")}),
        ("かぎはどこ", {(0, "鍵")}),
        ("赤い車", {(2, "くるま")}),
        ("電車", set()),
        ("あります", set()),
    ],
)
def test_a_japanese_word_is_known_in_kana_and_in_kanji(
    text: str, expected: set[tuple[int, str]]
) -> None:
    found = set(japanese_spellings.other_spellings(letters.folded(text)))
    assert found == {(at, letters.folded(word)) for at, word in expected}
