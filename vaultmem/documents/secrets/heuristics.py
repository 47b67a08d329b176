"""Know what is said about a secret, or stands in its place, from a secret itself."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from vaultmem.documents.secrets.rules import compiled

_STAND_INS = ("example", "placeholder", "your-", "your_", "xxxxx", "redacted", "dummy", "....")
_PLACEHOLDER = (
    r"\[?REDACTED:[\w-]+(?:\W.*)?|"  # what was blanked out, and the rest of its JSON or its link
    r"<[\w .:/-]*>?|\[[\w .:-]*\]*|"  # <token>, [token]
    r"[#@]?\{+[\w .-]*\}*|\$\{?[A-Za-z_]\w*\}?|\$\(.*|%[a-z]|%\w+%|"  # {{token}}, ${TOKEN}, %TOKEN%
    r"[*\u2022.xX_-]+|"  # ****
    r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|"  # API_TOKEN
    r"(?i:(?:my|your|the|a|some|db|new|old|user)?[_-]?"
    r"(?:pass|passw(?:or)?d|passphrase|pwd|pw|secret|token|key|api[_-]?key)(?:[_-]?here)?|"
    r"changeme|change[_-]me|postgres|guest|tiger|"
    r"none|null|nil|true|false|undefined|str|string|"
    r"todo|tbd|redacted|hidden|placeholder|n/a)"
)
_HARMLESS = (
    r"[A-Za-z][\w+.-]*://.*|[~./\\].*/.*|[\w.+-]+@[\w-]+\.[A-Za-z.]{2,}|arn:.*|"  # an address
    r"\d{4}-\d\d-\d\d.*|\d{1,2}[:.]\d\d.*|\d{1,2}\.\d{1,2}\.\d{2,4}|"  # a date, a time
    r"(?i:changed|rotated|updated|reset|created|expire[ds]|until|since)-?\d{4}-\d\d-\d\d.*|"
    r"(?i:1password)|\[[^\]]*\]\(.*|"  # a link
    r"\d+-[A-Za-z]+|"  # 12-character
    r"[A-Za-z0-9]+-(?i:protected|secured|encrypted|hashed|based|enabled|compliant|gesch\u00fctzt)|"
    r"(?:\\{1,4}[nrt]){1,4}[A-Za-z]*|"  # a word behind the end of a line, as JSON writes that
    r"\d+(?:[.,]\d+)?(?i:st|nd|rd|th|x|d|h|min|s|ms|k|kb|mb|chars?|characters?|digits?|days?|times|"
    r"stellig\w{0,2}|zeichen|ziffern|tage?|mal|fach)|"
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
    "oubli\u00e9 oubli\u00e9e perdu perdue olvidada olvidado perdida vergessen verloren geheim "
    "prompt prompts passwort passw\u00f6rter kennwort wachtwoord contrase\u00f1a contrasena "
    "\u043f\u0430\u0440\u043e\u043b\u044c "
    "case-sensitive up-to-date easy-to-guess hard-to-guess easy-to-remember pre-shared-key"
)


def is_placeholder(value: str) -> bool:
    """Tell whether *value* only stands for a secret: `<token>`, `$TOKEN`, `****`, `password`."""
    return compiled(_PLACEHOLDER).fullmatch(value) is not None


def is_harmless(value: str) -> bool:
    """Tell whether *value* is an address, a date, a measure, an algorithm or code."""
    return is_placeholder(value) or compiled(_HARMLESS).fullmatch(value) is not None


def is_known(word: str) -> bool:
    """Tell whether *word* is one of those that often follow `password is`."""
    return word in _words(_NOT_PASSWORDS)


@functools.cache
def _words(line: str) -> frozenset[str]:
    return frozenset(line.split())


_OPEN_QUOTES = "\"'`\u201c\u2018\u00ab\u300c\u201e\u201a\u00bb"
_CLOSE_QUOTES = "\"'`\u201d\u2019\u00bb\u300d\u201c\u2018\u00ab"
# A quote within quotes is doubled or escaped; code may go over the end of a line.
_QUOTED = (
    r"([\"'`])(?P<straight>(?!\1)(?:\\[\"'`\n]|''|(?!\1)[^\n]){1,128})\1|"
    r"`(?P<code>[^`\s]{1,100}\r?\n[ \t>]{0,4}[^`\s]{1,100})`|"
    "[\u201c\u2018\u00ab\u300c](?P<curly>[^\u201d\u2019\u00bb\u300d\n]{1,128})[\u201d\u2019\u00bb\u300d]|"
    "[\u201e\u201a\u00bb](?P<german>[^\u201c\u201d\u2018\u00ab\n]{1,128})[\u201c\u201d\u2018\u00ab]"
)
_LONGEST = 200
_LONGEST_SEED = 400
_JUDGED = 150
# A closing tag is none of a value, nor is what closes a text of JSON, however often escaped.
_BARE = (
    r"(?:(?!</[A-Za-z][\w:.-]{0,40}>|\\{0,8}[\"'][,\]}])"
    r"[^\s\uff0c\u3002\uff1b\u3001\uff01\uff1f\uff09\u300d])+"
)
_WORDS = r"[A-Za-z]{3,14}(?: [A-Za-z]{3,14}){3,23}"
# As wallets draw them from their list: the small words of a sentence are not on it.
_SEED_WORD = r"(?!(?i:the|and|for|from|are|was|were|not|have|has|but)\b)[A-Za-z]{3,8}\b"
_SEED = rf"{_SEED_WORD}(?:,?\s{{1,3}}(?:[-*]\s)?(?:\d\d?[.):]\s{{0,2}})?{_SEED_WORD}){{11,23}}"
_IN_FOURS = r"\d{4}(?:[ -]\d{4}){2,7}(?![\w-])"
"""Digits as they stand beneath a router."""

_PHRASES = {"words": _WORDS, "seed": _SEED, "network": f"{_IN_FOURS}|{_BARE}"}


class Value(NamedTuple):
    """A text that may be a secret, and where it starts."""

    text: str
    start: int
    closes: bool  # the clause ends with it


def at(text: str, start: int, judge: str) -> Value | None:
    """Return what stands at *start* for *judge*: a quoted text, a phrase, or a word."""
    if quoted := compiled(_QUOTED).match(text, start):
        kind = quoted.lastgroup or 0
        return Value(quoted[kind], quoted.start(kind), closes=True)
    longest = _LONGEST_SEED if judge == "seed" else _LONGEST
    bare = compiled(_PHRASES.get(judge, _BARE)).match(text, start, start + longest)
    if bare is None:
        return None
    word = bare[0].lstrip(_OPEN_QUOTES + "*_(")
    kept = word.rstrip(_CLOSE_QUOTES + ".,;:)*")
    rest = text[bare.end() : bare.end() + 1]
    begin = bare.end() - len(word)
    closes = rest in {"", "\n", "\r", "<"} or kept != word or word[-1:] in {"!", "?"}
    return Value(kept, begin, closes=closes) if kept else None


def end(text: str, value: Value) -> int:
    """Return where *value* ends, however long: only its beginning was judged."""
    end = value.start + len(value.text)
    rest = compiled(_BARE).match(text, end) if len(value.text) > _JUDGED else None
    return rest.end() if rest else end


_SHORTEST = 4
_SHORTEST_WORD = 6
_SHORTEST_TOKEN = 16
_LEAST_VARIED = 8
_LEAST_TOKEN_VARIETY = 10
_MIXED = 4
_SHORTEST_NUMBER = 10
_SHORTEST_OF_A_NETWORK = 8
_UUID = r"(?i:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
_MARKS = frozenset("<[({$%!*&")
_MEASURE = (
    r"[\u5e74\u6708\u65e5\u53f7\u4e2a\u500b\u4f4d\u6b21\u5929\u5143\u5757\u7c73\u5206\u79d2"
    r"\u4eba\u6761\u7ec4\u5b57\u5c0f\u70b9]"
)
"""What Chinese counts and dates by."""


def is_genuine(token: str) -> bool:
    """Tell a key from its stand-in in a manual: `ghp_xxxx…`, `AKIA…EXAMPLE`."""
    lowered = token.lower()
    stands_in = any(word in lowered for word in _STAND_INS)
    return len(set(token)) >= _LEAST_VARIED and not stands_in


def fits(rule: str, token: str) -> bool:
    """Tell whether *token* is what *rule* looks for, beyond its shape."""
    return _SHAPES.get(rule, is_genuine)(token)


def convinces(judge: str, value: Value) -> bool:
    """Tell whether *judge* takes *value* for a secret."""
    return _JUDGES[judge](value)


def _has_key_body(block: str) -> bool:
    """Tell a key from the mere mention of its header line."""
    return compiled(r"[A-Za-z0-9+/=]{40}").search(block) is not None


def _is_token(value: Value) -> bool:
    """Judge a machine-made key: long, varied, and not words or numbers joined by dashes."""
    text = _head(value.text)
    if compiled(_UUID).fullmatch(text):
        return is_genuine(text)
    if len(text) < _SHORTEST_TOKEN or len(set(text)) < _LEAST_TOKEN_VARIETY:
        return False
    if not (text.isascii() and is_genuine(text)) or is_placeholder(text):
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
    if len(text) < _SHORTEST or " " in text or is_harmless(text):
        return False
    letters, digits = re.search(r"[^\W\d_]", text), re.search(r"\d", text)
    if letters and digits:
        return True
    if digits:
        return len(text) >= _SHORTEST_WORD
    odd = re.search(r"[!@#$%^&*+=~?|\\]", text.rstrip("!?"))
    return len(text) >= _SHORTEST_WORD and bool(odd or _scrambled(text))


def _scrambled(text: str) -> bool:
    joined = text.count("-") > 1 and not is_known(text.lower())
    return joined or len(re.findall(r"[a-z][A-Z]", text)) > 1


def _is_password(value: Value) -> bool:
    """Judge what a person calls a password; a plain word only where its clause ends."""
    if _is_strong(value) or _is_words(value):
        return True
    text = value.text
    plain = len(text) >= _SHORTEST_WORD and text.isalpha() and not is_harmless(text)
    describes = is_known(text.lower()) or text.lower().endswith(_ENDINGS)
    return plain and value.closes and not describes


def _is_variable(value: Value) -> bool:
    """Judge the value of a variable: no number of tokens, mark of a model, or name in code."""
    text = value.text
    if text[:1] in _MARKS or (text.isdigit() and len(text) < _SHORTEST_NUMBER):
        return False
    return _is_strong(value) and not compiled(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+").match(text)


def _is_network_key(value: Value) -> bool:
    """Judge what opens a WLAN: eight characters at least, or digits in groups of four."""
    if compiled(_IN_FOURS).fullmatch(value.text):
        return True
    return len(value.text) >= _SHORTEST_OF_A_NETWORK and _is_strong(value)


def _is_field(value: Value) -> bool:
    """Judge what fills a field whose name may be a mountain's: it has the field to itself."""
    return value.closes and _is_strong(value)


def _is_bare(value: Value) -> bool:
    """Judge what stands right behind the word: letters and digits as in no word of a sentence."""
    text = value.text
    mixed = compiled(r"[A-Za-z]").search(text) and compiled(r"\d").search(text)
    return (
        bool(mixed)
        and compiled(r"[\w!@#$%^&*+=?~]{8,}").fullmatch(text) is not None
        and _is_strong(value)
    )


def _is_said(value: Value) -> bool:
    """Judge what a sentence says of a password: by its characters alone, and it is no measure."""
    return _is_strong(value._replace(text=_head(value.text)))


def _is_beside(value: Value) -> bool:
    """Judge what stands right behind the word in a script without blanks: no `Windows10`."""
    text = _head(value.text)
    number = text.isdigit() and len(text) >= _SHORTEST_WORD
    named = compiled(r"(?:i[A-Z]|[A-Z])[A-Za-z]+\d{1,4}").fullmatch(text)
    return number or (named is None and _is_bare(value._replace(text=text)))


def _is_marked(value: Value) -> bool:
    """Judge what stands behind the word and whose it is: with a mark in it, as no name has one."""
    marked = compiled(r"\w[!@#$%^&*+=?~]+\w").search(value.text)
    return marked is not None and _is_bare(value)


def _head(text: str) -> str:
    """Return *text* up to the first Chinese sign; nothing of a number with its measure."""
    head = compiled(r"[^\u3400-\u9fff]*").match(text)
    return head[0] if head and not _is_measured(text) else ""


def _is_measured(text: str) -> bool:
    return compiled(rf"[\d.,]+{_MEASURE}").match(text) is not None


def _is_foreign(value: Value) -> bool:
    return _is_strong(value) or (_is_ascii(value) and not is_known(value.text.lower()))


def _is_seed(value: Value) -> bool:
    return compiled(_SEED).fullmatch(value.text) is not None


def _is_ascii(value: Value) -> bool:
    text = compiled(r"[!-~]*").match(value.text)
    if text is None or _is_measured(value.text):
        return False
    return len(text[0]) >= _SHORTEST and not is_harmless(value.text)


def _is_pin(value: Value) -> bool:
    return bool(compiled(r"\d{4,8}|\d\d(?:-\d\d){2,3}").fullmatch(_head(value.text).rstrip("!")))


def _is_words(value: Value) -> bool:
    """Judge a passphrase: four words (fewer with a number), none of which sentences are made of."""
    words = value.text.lower().split()
    if not _words(_SENTENCE).isdisjoint(words):
        return False
    numbered = len(words) > 1 and compiled(r"[0-9]").search(value.text) is not None
    return len(words) >= _MIXED or numbered


_SHAPES: Mapping[str, Callable[[str], bool]] = {
    "private-key": _has_key_body,
    "url-credentials": lambda value: not is_placeholder(value),
    "wifi-password": lambda value: not is_placeholder(value),
    "command-line-secret": lambda value: not is_harmless(value),
}
_JUDGES = {
    "token": _is_token,
    "aws": _is_aws,
    "strong": _is_strong,
    "password": _is_password,
    "words": _is_words,
    "ascii": _is_ascii,
    "pin": _is_pin,
    "variable": _is_variable,
    "foreign": _is_foreign,
    "network": _is_network_key,
    "field": _is_field,
    "bare": _is_bare,
    "said": _is_said,
    "beside": _is_beside,
    "marked": _is_marked,
    "seed": _is_seed,
}
