"""What people call what is told to nobody: who says so much of it states no fact for a card."""

from __future__ import annotations

from vaultmem.documents.patterns import compiled

_NAMES = (
    # These may end a longer word: `wifipassword`.
    r"(?:password|passcode|passphrase|passwd|passwort|kennwort|geheimzahl|secret|credential|token"
    r"|api[ _-]?key)s?(?![^\W_])"
    r"|(?<![^\W_])(?:pins?|cvv|cvc|ssn|iban|social[ _]security|routing|(?:account|card)[ _]number"
    r"|(?:security|verification|access)[ _]code|mother['\u2019]s[ _]maiden)(?![^\W_])"
    r"|mot de passe|contrase\u00f1a|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u4ee4\u724c"
    r"|\u5bc6\u94a5|\u9a8c\u8bc1\u7801|\u8eab\u4efd\u8bc1|\u5361\u53f7"
)


def names_a_secret(text: str) -> bool:
    """Tell whether *text*, a sentence or the name of a field, has the name of a secret."""
    return compiled(f"(?i){_NAMES}").search(text) is not None
