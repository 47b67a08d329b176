"""Which lines of two texts are the same, whatever stands in them, at a bounded cost."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from vaultmem.exchange.sync import line_diff, line_merge

pytestmark = pytest.mark.without_history

MANY = [f"- kind {n % 7}" for n in range(5000)]


def edited(lines: list[str], at: int, line: str) -> list[str]:
    return [*lines[:at], line, *lines[at:]]


def test_both_sides_changes_to_a_long_text_of_equal_lines_are_merged() -> None:
    ours, theirs = (
        edited(MANY, 700, "- of mine"),
        edited(edited(MANY, 9, "- theirs"), 4000, "- too"),
    )
    made = line_merge.merge(*("\n".join(lines) for lines in (MANY, ours, theirs)))
    both = edited(edited(edited(MANY, 4000 - 1, "- too"), 700, "- of mine"), 9, "- theirs")
    assert made.conflicts == []
    assert made.text == "\n".join(both)


@pytest.mark.parametrize("edits", [line_diff._MOST_EDITS, 0])  # both ways
def test_what_stays_is_the_same_in_both_and_in_order(
    monkeypatch: pytest.MonkeyPatch, edits: int
) -> None:
    monkeypatch.setattr(line_diff, "_MOST_PAIRS", 0)
    monkeypatch.setattr(line_diff, "_MOST_EDITS", edits)
    dice = random.Random(3)  # noqa: S311  # no secret
    for _ in range(300):
        one, two = ([dice.choice("abcd12345") for _ in range(dice.randrange(14))] for _ in "12")
        pairs = [*line_diff.same(one, two)]
        assert all(one[i] == two[j] for i, j in pairs)
        assert all(a < c and b < d for (a, b), (c, d) in pairwise(pairs))
        assert len([*line_diff.same(one, one)]) == len(one)


def test_a_long_text_that_is_quite_another_one_ends_too() -> None:
    other = [f"- other {n % 5}" for n in range(5000)]
    middle = [*other, "- once", *MANY]
    assert (5000, 0) in [*line_diff.same(middle, ["- once", *other])]


@pytest.mark.long
def test_a_crowd_of_sections_that_both_added_is_merged_soon() -> None:
    ours, theirs = ("".join(f"## {it} {n}\n- x\n" for n in range(15_000)) for it in "ab")
    assert line_merge.merge("top\n", f"top\n{ours}", f"top\n{theirs}").text == (
        f"top\n{ours}{theirs}"
    )
