"""Until when something was so is told as far as a sentence tells it, and no day is made up."""

from __future__ import annotations

from datetime import date

import pytest

from vaultmem.nlp.extraction.personal_facts.end_dates import known_end

SUNDAY = date(2026, 11, 22)


@pytest.mark.parametrize(
    ("sentence", "end"),
    [
        ("I quit.", "2026-11-22"),
        ("I quit yesterday.", "2026-11-21"),
        ("I quit last week.", "2026-11-15"),
        ("I quit on 3 May.", "2026-05-03"),
        ("I quit in July.", "2026-07"),
        ("I quit last month.", "2026-10"),
        ("I quit in March 2024.", "2024-03"),
        ("I quit in December.", "2025-12"),
        ("I quit in 2024.", "2024"),
        ("I quit last year.", "2025"),
        ("Ich habe im Mai gek\u00fcndigt.", "2026-05"),
        ("Ich habe letzten Monat gek\u00fcndigt.", "2026-10"),
        ("\u6211\u4e0a\u4e2a\u6708\u8f9e\u804c\u4e86\u3002", "2026-10"),
        ("\u6211\u53bb\u5e74\u8f9e\u804c\u4e86\u3002", "2025"),
        ("I quit on 31 June.", "2026-11-22"),
        ("I quit before 2031.", "2026-11-22"),
        ("I stopped at Christmas.", "2025-12"),
    ],
)
def test_an_end_is_as_exact_as_it_was_said(sentence: str, end: str) -> None:
    assert known_end(sentence, SUNDAY) == end
