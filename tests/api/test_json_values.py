"""Whose words a value of a framework's is, by its own keys."""

from __future__ import annotations

from vaultmem.api import json_values


def test_a_tools_message_is_known_however_deep_it_lies() -> None:
    value: dict[str, object] = {"type": "tool", "content": "The kiln is hot."}
    plain: dict[str, object] = {"note": "The kiln is hot."}
    for _ in range(5000):
        value, plain = {"inner": [value]}, {"inner": [plain]}
    assert (json_values.whose(value), json_values.whose(plain)) == ("web", "agent")
