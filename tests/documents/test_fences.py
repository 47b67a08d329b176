"""Fenced code, a line at a time."""

from __future__ import annotations

import pytest

from vaultmem.documents.markdown import fences


@pytest.mark.parametrize(
    ("text", "outside"),
    [
        ("Tea.\n```py\nx = 1\n```\nMilk.", "Tea. Milk."),
        ("````\n```\nx\n```\ny\n````\nMilk.", "Milk."),
        ("```\nx\n````\nMilk.", "Milk."),
        ("```\nx\n```py\ny\n```\nMilk.", "Milk."),
        ("~~~\n```\n~~~\nMilk.\n```\nx", "Milk."),
        ("```\r\nx\r\n```\r\nMilk.", "Milk."),
        ("```\nx\n\u00a0```\ny", ""),
    ],
)
def test_code_ends_at_as_many_signs_of_its_fence_alone(text: str, outside: str) -> None:
    lines = text.split("\n")
    found = zip(lines, fences.outside(lines), strict=True)
    assert " ".join(line for line, is_outside in found if is_outside) == outside
