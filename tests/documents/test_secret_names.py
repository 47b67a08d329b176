"""The names of secrets, in whatever manner they are written; other words are none."""

from __future__ import annotations

import pytest

from vaultmem.documents.secrets import names_a_secret


@pytest.mark.parametrize(
    "text",
    [
        "My IBAN is in the blue folder.", "wifi_password", "wifipassword", "API key", "api_key",
        "the PINs of both cards", "card_pin", "social_security", "my mother's maiden name",
        "Credentials are in the safe.", "account number", "\u6211\u7684\u5bc6\u7801",
        "WLAN-Passwort", "Mein Kennwort ist zu kurz.", "die Geheimzahl", "mot de passe",
        "\u4ee4\u724c",
    ],
)  # fmt: skip
def test_the_name_of_a_secret_is_known(text: str) -> None:
    assert names_a_secret(text)


@pytest.mark.parametrize(
    "text", ["secretary", "tokenizer", "favourite_tea", "a pinned note", "Spin"]
)
def test_a_word_that_only_begins_or_ends_as_one_is_none(text: str) -> None:
    assert not names_a_secret(text)
