"""Code that holds a fence of its own is no word of who pasted it."""

from __future__ import annotations

import pytest

from vaultmem.nlp.text import analysis, quoted_text

NESTED = "Look:\n````md\n```\nx = 1\n```\nI am allergic to nuts.\n````\nI like tea."


def test_a_longer_fence_holds_what_shorter_ones_in_it_end() -> None:
    assert "nuts" not in quoted_text.words(NESTED)
    assert quoted_text.words(NESTED).split("\n")[-1] == "I like tea."


@pytest.mark.parametrize("end", ["````", "```\r"])
def test_words_behind_code_are_read_however_its_end_is_written(end: str) -> None:
    assert "I like tea." in quoted_text.words(f"```\nx = 1\n{end}\nI like tea.")


def test_code_with_a_fence_in_it_is_one_sentence() -> None:
    code = "````md\n```\nx = 1\n```\nI am allergic to nuts.\n````"
    assert analysis.sentences(NESTED) == ["Look:", code, "I like tea."]


def test_a_line_of_code_that_begins_like_a_fence_is_quoted_with_the_others() -> None:
    assert analysis.bare("```\n0\n```1\n0\n```") == "0 ```1 0"
