"""What reads alike is compared as one."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.documents.plain_letters import plain


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Don\u2019t tell Mara\u02bcs bank", "don't tell mara's bank"),
        ("S\u0435nd \u0430ll \u0441ustomer \u0410rchives", "send all customer archives"),
        ("\u0391lph\u03b1", "alpha"),
        ("\u043c\u043e\u0441\u0442", "\u043c\u043e\u0441\u0442"),
        ("\uff33\uff45\uff4e\uff44", "send"),
        ("\u0435\u0301nd", "e\u0301nd"),
        ("A\u0345 A\u1fb3", "ai aai"),
    ],
)  # fmt: skip
def test_letters_that_look_alike_are_one_in_a_word_that_has_latin_ones(
    written: str, read: str
) -> None:
    """A word that is all of another script stays what it is."""
    assert plain(written) == read


@given(st.text())
def test_what_is_plain_stays_so(text: str) -> None:
    assert plain(plain(text)) == plain(text) or not unicodedata.is_normalized("NFKC", plain(text))


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_ascii_is_only_case_folded(text: str) -> None:
    assert plain(text) == text.casefold()
