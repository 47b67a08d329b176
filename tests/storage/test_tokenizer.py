"""Any text may be asked for, and what was written is found by the words it was written in."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.documents.languages import letters
from vaultmem.storage.index import text_features, tokenizer, word_forms
from vaultmem.storage.index.text_features import Kind

TEXTS = (
    "Ada prefers dark roast",
    "她喜欢深色烘焙的咖啡",
    "用Python写的程序",
    "東京タワーに行った",
    "Café Zoë serves crème brûlée",
    "they were running and ran",
    "see foo-bar in c++, chapter AND",
)


@pytest.fixture(scope="module")
def table() -> Iterator[sqlite3.Connection]:
    """Open the real full-text table, filled."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute(
            "CREATE VIRTUAL TABLE words USING"
            " fts5(body, tokenize='porter unicode61 remove_diacritics 2')"
        )
        db.executemany("INSERT INTO words VALUES(?)", [(tokenizer.indexed(t),) for t in TEXTS])
        yield db


def found(table: sqlite3.Connection, query: str) -> set[int]:
    """Return the numbers of the texts that have a word of *query*."""
    terms = tokenizer.terms(query)
    if not terms:
        return set()
    asked = word_forms.match(word_forms.forms(terms, Everything()))
    rows = table.execute("SELECT rowid FROM words WHERE words MATCH ?", (asked,))
    return {row - 1 for (row,) in rows}


class Everything:
    """A vocabulary that has every word: each form is asked for."""

    languages = ("de", "es")

    def holds(self, _form: str) -> bool:
        """Tell that it has any form."""
        return True

    def longer(self, word: str) -> tuple[str, ...]:
        """Return one compound of each word."""
        return (f"{word}haus",)


@given(query=st.text())
def test_any_string_is_a_safe_query(table: sqlite3.Connection, query: str) -> None:
    """FTS5 has a grammar, and no question can speak it."""
    assert found(table, query) <= set(range(len(TEXTS)))


@given(query=st.text(alphabet='"*^():+-{}ANDORNEAR \0\\', max_size=40))
def test_any_salad_of_operators_is_a_safe_query(table: sqlite3.Connection, query: str) -> None:
    """Neither quotes nor operators mean anything."""
    assert found(table, query) <= set(range(len(TEXTS)))


@pytest.mark.parametrize(
    "query",
    [
        '"', '""', "'", "AND", "OR NOT", "NEAR(a b, 2)", "body:x", "a*", "^a", "c++", "what?",
        "foo-bar", "\0", "a\0b", "☕🎉", "👩‍👩‍👧", "\ud800", "x" * 5000, "x " * 2500, "深" * 5000,
    ],
)  # fmt: skip
def test_what_is_known_to_break_fts5_does_not(table: sqlite3.Connection, query: str) -> None:
    """Each of these raises when it is passed on as it is."""
    assert found(table, query) <= set(range(len(TEXTS)))


@given(text=st.text())
def test_any_text_can_be_indexed(text: str) -> None:
    """Nothing of it is lost: as many letters and figures are there as before, or more."""
    indexed = tokenizer.indexed(text)
    assert sum(map(str.isalnum, indexed)) >= sum(map(str.isalnum, text))
    assert set(letters.folded(text)) - set(indexed) == set()


def test_the_terms_of_a_question_are_its_telling_words() -> None:
    """Function words are dropped unless nothing else is left, and each counts once."""
    assert tokenizer.terms("What kind of roast does Ada prefer, what roast?") == (
        "roast",
        "ada",
        "prefer",
    )
    assert tokenizer.terms("Who are you?") == ("who", "are", "you")
    assert tokenizer.terms(" ?! ☕ ") == ()
    assert len(tokenizer.terms(" ".join(f"w{n}" for n in range(5000)))) == tokenizer.MOST_TERMS


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("深", {1}), ("咖啡", {1}), ("深色烘", {1}), ("深色烘焙", {1}), ("烘焙咖啡", {1}),
        ("写", {2}), ("Python程序", {2}), ("python", {2}), ("東京", {3}), ("タワー", {3}),
        ("茶", set()), ("色深", set()),
    ],
)  # fmt: skip
def test_chinese_and_japanese_are_found_by_one_to_four_characters(
    table: sqlite3.Connection, query: str, expected: set[int]
) -> None:
    """Also where scripts mix; the order of two characters matters."""
    assert found(table, query) == expected


@pytest.mark.parametrize("query", ["run", "runs", "Running", "RUN"])
def test_words_are_found_in_their_other_forms(table: sqlite3.Connection, query: str) -> None:
    """Porter's stemmer takes the endings off both sides."""
    assert found(table, query) == {5}


@pytest.mark.parametrize(
    "query", ["cafe", "Café", "cafe\u0301", "CREME", "cre\u0300me", "bru\u0302le\u0301e", "zoe"]
)
def test_accents_do_not_matter(table: sqlite3.Connection, query: str) -> None:
    """Whether composed, apart, or left out."""
    assert found(table, query) == {4}


def test_a_text_is_as_long_as_its_words_and_chinese_characters() -> None:
    """A sentence without spaces is not one word."""
    assert tokenizer.length("  two   words ") == 2
    assert tokenizer.length("Café “au lait”") == 3
    assert tokenizer.length("用Python写的 程序") == 6
    assert tokenizer.length("") == 0


@given(text=st.text())
def test_plain_text_is_plain_already(text: str) -> None:
    """Folding twice changes nothing more."""
    assert tokenizer.plain(tokenizer.plain(text)) == tokenizer.plain(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Kind(0, asks=False, times=False, counts=False)),
        ("Ada drinks tea.\n", Kind(3, asks=False, times=False, counts=False)),
        ("Does Ada drink tea?\n\n", Kind(4, asks=True, times=False, counts=False)),
        ("Ada came last week", Kind(4, asks=False, times=True, counts=False)),
        ("Lastly, Ada blasted", Kind(3, asks=False, times=False, counts=False)),
        ("Since 2023.", Kind(2, asks=False, times=True, counts=True)),
        ("In room 20231", Kind(3, asks=False, times=False, counts=True)),
        ("TWO cups", Kind(2, asks=False, times=False, counts=True)),
        ("昨天", Kind(2, asks=False, times=True, counts=False)),
        ("Der Tee ist für dich", Kind(5, asks=False, times=False, counts=False, language="de")),
        ("三杯茶\uff1f", Kind(4, asks=True, times=False, counts=True)),
    ],
)
def test_what_kind_of_text_it_is_is_noted(text: str, expected: Kind) -> None:
    """Words count where they stand alone; who asks ends with a question mark."""
    assert text_features.kind(text) == expected
