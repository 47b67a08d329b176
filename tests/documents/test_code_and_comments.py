"""Fenced code, comments and formulas in a text: one reader for all who pass them over."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.documents.markdown import code_and_comments

pytestmark = pytest.mark.without_history


def found(text: str, *, to_the_end: bool = False) -> list[tuple[str, str]]:
    parts = code_and_comments.parts(text, to_the_end=to_the_end)
    return [(it.kind, text[it.first : it.last]) for it in parts]


def test_what_begins_first_hides_what_begins_in_it() -> None:
    assert found("%%\n```\n%%\nTea.\n```\n%%\n```\n") == [
        ("comment", "%%\n```\n%%"), ("code", "```\n%%\n```"),
    ]  # fmt: skip


def test_a_fence_ends_at_one_of_its_signs_and_as_long() -> None:
    text = "````\n```\n~~~~\n```` sh\n`````\nTea.\n"
    assert found(text) == [("code", "````\n```\n~~~~\n```` sh\n`````")]


def test_code_below_a_point_is_code_and_its_end_ends_no_other() -> None:
    assert found("- Run:\n      ```\n      rm\n      ```\n") == [
        ("code", "```\n      rm\n      ```")
    ]
    text = "```\n    ```\n@x\n```\n"
    assert found(text) == [("code", text.rstrip())]


def test_what_never_ends_is_the_rest_or_nothing() -> None:
    for text in ("```\nTea.", "<!-- a\n\nTea.", "%%\nTea."):
        assert found(text) == []
        assert [part for _, part in found(text, to_the_end=True)] == [text]


def test_a_comment_in_a_line_ends_within_its_paragraph() -> None:
    text = "50 %% of it\nand <!-- so --> on.\n\n20 %% and $$ for it $$.\n\n`%%` and `%%` are.\n"
    assert found(text, to_the_end=True) == [("comment", "<!-- so -->")]


def test_lines_are_those_that_a_part_begins_or_fills() -> None:
    text = "@a %% b\n@c\n%%\n@d\n  <!-- e --> f\n"
    lines = code_and_comments.lines(text, {"comment"}, to_the_end=True)
    assert lines == {1, 2, 4}


@given(st.text(st.sampled_from("`~%$<!->\n x"), max_size=60), st.booleans())
def test_parts_stand_behind_each_other(text: str, to_the_end: bool) -> None:  # noqa: FBT001
    ends = [0]
    for part in code_and_comments.parts(text, to_the_end=to_the_end):
        assert ends[-1] <= part.first < part.last <= len(text)
        ends.append(part.last)
