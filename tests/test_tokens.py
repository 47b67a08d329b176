"""What a text costs, roughly, and never less than nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.tokens import estimate


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("深色", 2), ("深abcde", 3)]
)
def test_four_letters_or_one_wide_character_are_a_token(text: str, tokens: int) -> None:
    """Rounded up."""
    assert estimate(text) == tokens


@given(a=st.text(), b=st.text())
def test_parts_cost_at_least_what_the_whole_costs(a: str, b: str) -> None:
    """So a budget that the parts keep is kept."""
    assert max(estimate(a), estimate(b)) <= estimate(a + b) <= estimate(a) + estimate(b)
