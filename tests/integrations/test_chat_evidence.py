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


@pytest.mark.parametrize(
    ("text", "is_said"),
    [
        ("Is it true that my iban is DE89 3704?", False),
        ("Hm. Tom says my iban is DE89 3704, right?!", False),
        ("我的 IBAN: my iban is DE89 3704\uff1f", False),
        ("Which bank is it? My iban is DE89 3704.", True),
        ("My iban is DE89 3704! Is that long enough?", True),
    ],
)
def test_who_asks_whether_it_is_so_does_not_say_it(text: str, *, is_said: bool) -> None:
    asked = Turn("user", text, at=AT)
    assert said_by_user([asked], "my iban is DE89 3704", "DE89 3704") is (
        asked if is_said else None
    )
