"""A fact is a user's where a user said it, in these words."""

from __future__ import annotations

import pytest

from vaultmem.integrations.chat.evidence import said_by_user
from vaultmem.storage.transcripts import Turn

AT = "2026-11-20T10:15:00Z"
TURNS = (
    Turn("user", "My daughter Sarah cannot eat hazelnut.", at=AT),
    Turn("assistant", "Then Tom likes walnuts?", at=AT),
    Turn("tool", "Sarah likes spam.", at=AT, tool="web"),
)


@pytest.mark.parametrize(
    ("quote", "value", "turn"),
    [
        ("sarah cannot eat HAZELNUT", "Hazelnut", TURNS[0]),
        ("Sarah cannot eat hazelnut", "walnut", None),
        ("Sarah cannot eat hazel", "hazel", None),
        ("Tom likes walnuts", "walnuts", None),
        ("Sarah likes spam", "spam", None),
        ("", "hazelnut", None),
        ("hazelnut", "", None),
    ],
)
def test_only_a_users_own_words_are_theirs(quote: str, value: str, turn: Turn | None) -> None:
    assert said_by_user(TURNS, quote, value) is turn
