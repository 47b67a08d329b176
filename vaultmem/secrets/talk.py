"""Know what is said about a secret, or stands in its place, from a secret itself."""

from __future__ import annotations

import functools

from vaultmem.secrets.patterns import compiled

_STAND_INS = ("example", "placeholder", "your-", "your_", "xxxxx", "redacted", "dummy", "....")
_PLACEHOLDER = (
    r"<[\w .:/-]*>?|\[[\w .:-]*\]*|"  # <token>, [token]
    r"\{+[\w .-]*\}*|\$\{?[A-Za-z_]\w*\}?|\$\(.*|%[a-z]|%\w+%|"  # {{token}}, ${TOKEN}, %TOKEN%
    r"[*\u2022.xX_-]+|"  # ****
    r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|"  # API_TOKEN
    r"(?i:(?:my|your|the|a|some|db|new|old|user)?[_-]?"
    r"(?:pass|passw(?:or)?d|passphrase|pwd|pw|secret|token|key|api[_-]?key)(?:[_-]?here)?|"
    r"changeme|change[_-]me|postgres|guest|tiger|"
    r"none|null|nil|true|false|undefined|str|string|"
    r"todo|tbd|redacted|hidden|placeholder|n/a)"
)
_HARMLESS = (
    r"[A-Za-z][\w+.-]*://.*|[~./\\].*/.*|[\w.+-]+@[\w-]+\.[A-Za-z.]{2,}|"  # an address
    r"\d{4}-\d\d-\d\d.*|\d{1,2}[:.]\d\d.*|"  # a date, a time
    r"\d+-[A-Za-z]+|"  # 12-character
    r"\d+(?i:st|nd|rd|th|x|d|h|min|s|ms|k|kb|mb|chars?|characters?|digits?|days?|times)|"
    r"(?i:sha|md|aes|pbkdf|argon|base|utf|oauth|scrypt|bcrypt|totp|2fa)-?\w{0,4}|"
    r"[vV]\d[\d.]*|"  # a version
    r"[A-Za-z_]+(?:\.[A-Za-z_]+)+(?:[\[(].*)?|"  # os.environ[…
    r"[A-Za-z_]\w*(?:\.\w+)+\(.*|[A-Za-z_]{4,}[\[(].*"  # b64.encode(…, getpass(…
)
# Endings of words that describe (`stored`, `missing`, `readable`).
_ENDINGS = (
    *("ed", "ing", "able", "ible", "ful", "less", "ly", "ory", "ive", "al", "ent", "ant", "ough"),
    *("ever", "where", "thing", "ish", "ier", "est", "ous"),
)
_SENTENCE = (
    "the and you your for with that this from are was has have had will would can could should may "
    "might must not but our their his her its she they them who what when where which why how then "
    "than into onto about after before because been being does did some any all every each one two "
    "there here out off over under only just very please ask see use get got "
    "too written down somewhere stored kept same still least long characters digits days"
)
_NOT_PASSWORDS = (
    "secure insecure strong stronger strongest weak weaker wrong correct incorrect right invalid "
    "private public secret unique simple complex common short shorter longer random safe stolen "
    "broken written hidden forgotten unknown gone empty blank missing lost known taken given kept "
    "shown chosen stale unsafe unset default similar another myself themselves elsewhere somewhere "
    "nowhere anywhere always never already enough please obvious mandatory optional necessary "
    "password passwords something nothing anything everything different because though however "
    "inside outside within without between behind underneath yours theirs dashlane lastpass "
    "bitwarden keepass keychain onepassword authenticator keyring plaintext cleartext sensitive "
    "case-sensitive up-to-date easy-to-guess hard-to-guess easy-to-remember"
)


def has_stand_in(token: str) -> bool:
    """Tell whether *token* is one from a manual (`ghp_xxxx…`, `AKIA…EXAMPLE`)."""
    lowered = token.lower()
    return any(word in lowered for word in _STAND_INS)


def is_placeholder(value: str) -> bool:
    """Tell whether *value* only stands for a secret: `<token>`, `$TOKEN`, `****`, `password`."""
    return compiled(_PLACEHOLDER).fullmatch(value) is not None


def is_harmless(value: str) -> bool:
    """Tell whether *value* is an address, a date, a measure, an algorithm or code."""
    return is_placeholder(value) or compiled(_HARMLESS).fullmatch(value) is not None


def describes(word: str) -> bool:
    """Tell whether *word* says something about a password rather than being one."""
    return is_known(word) or word.endswith(_ENDINGS)


def is_known(word: str) -> bool:
    """Tell whether *word* is one of those that often follow `password is`."""
    return word in _words(_NOT_PASSWORDS)


def is_sentence(words: list[str]) -> bool:
    """Tell whether any of *words* is one that sentences are made of."""
    return not _words(_SENTENCE).isdisjoint(words)


@functools.cache
def _words(line: str) -> frozenset[str]:
    return frozenset(line.split())
