"""Judge whether a text that fits a rule is a secret or only looks like one."""

from __future__ import annotations

import re

from vaultmem.secrets import talk
from vaultmem.secrets.patterns import compiled
from vaultmem.secrets.values import Value

_SHORTEST = 4
_SHORTEST_WORD = 6
_SHORTEST_TOKEN = 16
_LEAST_VARIED = 8
_LEAST_TOKEN_VARIETY = 10
_MIXED = 4


def is_genuine(token: str) -> bool:
    """Tell a key from its stand-in in a manual."""
    return len(set(token)) >= _LEAST_VARIED and not talk.has_stand_in(token)


def fits(rule: str, token: str) -> bool:
    """Tell whether *token* is what *rule* looks for, beyond its shape."""
    return _SHAPES.get(rule, is_genuine)(token)


def convinces(judge: str, value: Value) -> bool:
    """Tell whether *judge* takes *value* for a secret."""
    return _JUDGES[judge](value)


def _has_key_body(block: str) -> bool:
    """Tell a key from the mere mention of its header line."""
    return compiled(r"[A-Za-z0-9+/=]{40}").search(block) is not None


def _is_filled_in(value: str) -> bool:
    return not talk.is_placeholder(value)


def _is_token(value: Value) -> bool:
    """Judge a machine-made key: long, varied, and not words or numbers joined by dashes."""
    text = value.text
    if len(text) < _SHORTEST_TOKEN or len(set(text)) < _LEAST_TOKEN_VARIETY:
        return False
    if not (text.isascii() and is_genuine(text)) or talk.is_placeholder(text):
        return False
    if compiled(r"://|[(<\[{]").search(text):
        return False
    return any(_mingled(part) for part in compiled(r"[^A-Za-z0-9]+").split(text))


def _mingled(part: str) -> bool:
    """Tell whether *part* changes between letters, capitals and digits as no word or name does."""
    kinds = len(compiled(r"[a-z]+|[A-Z]+|[0-9]+").findall(part))
    often = 0.25 if compiled(r"[0-9]").search(part) else 0.4
    return kinds >= max(_MIXED, often * len(part))


def _is_aws(value: Value) -> bool:
    return bool(compiled(r"[A-Za-z0-9+/]{40}").fullmatch(value.text)) and is_genuine(value.text)


def _is_strong(value: Value) -> bool:
    """Judge a password by its characters alone: no word of a sentence looks like it."""
    text = value.text
    if len(text) < _SHORTEST or " " in text or talk.is_harmless(text):
        return False
    letters, digits = re.search(r"[^\W\d_]", text), re.search(r"\d", text)
    if letters and digits:
        return True
    if digits:
        return len(text) >= _SHORTEST_WORD
    odd = re.search(r"[!@#$%^&*+=~?|\\]", text.rstrip("!?"))
    return len(text) >= _SHORTEST_WORD and bool(odd or _scrambled(text))


def _scrambled(text: str) -> bool:
    joined = text.count("-") > 1 and not talk.is_known(text.lower())
    return joined or len(re.findall(r"[a-z][A-Z]", text)) > 1


def _is_password(value: Value) -> bool:
    """Judge what a person calls a password; a plain word only where its clause ends."""
    if _is_strong(value) or _is_words(value):
        return True
    text = value.text
    plain = len(text) >= _SHORTEST_WORD and text.isalpha() and not talk.is_harmless(text)
    return plain and value.closes and not talk.describes(text.lower())


def _is_ascii(value: Value) -> bool:
    text = compiled(r"[!-~]*").match(value.text)
    return text is not None and len(text[0]) >= _SHORTEST and not talk.is_harmless(value.text)


def _is_pin(value: Value) -> bool:
    return bool(compiled(r"\d{4,8}|\d\d(?:-\d\d){2,3}").fullmatch(value.text))


def _is_words(value: Value) -> bool:
    """Judge a passphrase: four words (fewer with a number), none of which sentences are made of."""
    words = value.text.lower().split()
    if talk.is_sentence(words):
        return False
    numbered = len(words) > 1 and compiled(r"[0-9]").search(value.text) is not None
    return len(words) >= _MIXED or numbered


_SHAPES = {"private-key": _has_key_body, "url-credentials": _is_filled_in}
_JUDGES = {
    "token": _is_token,
    "aws": _is_aws,
    "strong": _is_strong,
    "password": _is_password,
    "words": _is_words,
    "ascii": _is_ascii,
    "pin": _is_pin,
}
