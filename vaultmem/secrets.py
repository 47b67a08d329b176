"""Find credentials in a text before it is written, and take marked regions out of it.

Pure and linear-time: a rule is compiled the first time its hint, a short literal, occurs in a text,
so that a note without secrets costs little more than a few substring searches.
A hit blocks a write, therefore a rule prefers the shape of a real key over a word that names one.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@dataclass(frozen=True, slots=True)
class Finding:
    """A credential in a text: the *rule* that knew it and the characters it occupies."""

    rule: str
    start: int
    end: int


def find(text: str) -> tuple[Finding, ...]:
    """Return the credentials in *text*, in order and without overlap."""
    found = [*_prefixed(text), *_shaped(text), *_named(text)]
    return tuple(_merged(found)) if found else ()


def redact(text: str) -> str:
    """Return *text* with every credential replaced by `[REDACTED:<rule>]`."""
    pieces, end = [], 0
    for finding in find(text):
        pieces += [text[end : finding.start], f"[REDACTED:{finding.rule}]"]
        end = finding.end
    return "".join([*pieces, text[end:]])


def strip_private(text: str) -> str:
    """Return *text* without its `<private>…</private>` regions, nested or unclosed ones too.

    A text that holds no such tag is returned as it is.
    """
    for _ in range(_PASSES):
        if not _has_tag(text):
            return text
        text = _joined(_public(text))
    # Only a text made to spell new tags out of the pieces comes here: keep what precedes them.
    return text[: _first_tag(text)]


# -- formats that say what they are ------------------------------------------------------------

# Rule, literal beginning, what follows. The order is the rank: of two rules that overlap,
# the earlier one gives its name to both.
_PREFIXED = (
    ("aws-access-key", "AKIA", r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("aws-access-key", "ASIA", r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("aws-bedrock-key", "ABSK", r"[A-Za-z0-9+/]{100,}={0,2}"),
    ("github-token", "ghp_", r"[A-Za-z0-9]{36,}"),
    ("github-token", "gho_", r"[A-Za-z0-9]{36,}"),
    ("github-token", "ghu_", r"[A-Za-z0-9]{36,}"),
    ("github-token", "ghs_", r"[A-Za-z0-9]{36,}"),
    ("github-token", "ghr_", r"[A-Za-z0-9]{36,}"),
    ("github-token", "github_pat_", r"\w{22,}"),
    ("gitlab-token", "glpat-", r"[\w.-]{20,}"),
    ("gitlab-token", "glrt-", r"[\w.-]{20,}"),
    ("gitlab-token", "gldt-", r"[\w.-]{20,}"),
    ("gitlab-token", "glptt-", r"[\w.-]{20,}"),
    ("anthropic-key", "sk-ant-", r"[\w-]{20,}"),
    ("openrouter-key", "sk-or-", r"[\w-]{32,}"),
    ("openai-key", "sk-proj-", r"[\w-]{20,}"),
    ("openai-key", "sk-svcacct-", r"[\w-]{20,}"),
    ("openai-key", "sk-admin-", r"[\w-]{20,}"),
    ("openai-key", "sk-", r"[A-Za-z0-9]{32,}"),
    ("google-api-key", "AIza", r"[\w-]{35,}"),
    ("google-oauth-secret", "GOCSPX-", r"[\w-]{28,}"),
    ("google-oauth-token", "ya29.", r"[\w-]{30,}"),
    ("slack-token", "xox", r"[abeoprs]-[\w.-]{10,}"),
    ("slack-token", "xapp-", r"\d-[\w-]{20,}"),
    ("stripe-key", "sk_live_", r"[A-Za-z0-9]{16,}"),
    ("stripe-key", "rk_live_", r"[A-Za-z0-9]{16,}"),
    ("stripe-key", "sk_test_", r"[A-Za-z0-9]{16,}"),
    ("stripe-key", "rk_test_", r"[A-Za-z0-9]{16,}"),
    ("stripe-webhook-secret", "whsec_", r"[A-Za-z0-9+/=]{24,}"),
    ("twilio-key", "SK", r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("sendgrid-key", "SG.", r"[\w-]{16,32}\.[\w-]{32,}"),
    ("mailgun-key", "key-", r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("brevo-key", "xkeysib-", r"[0-9a-f]{64}-\w{16}"),
    ("npm-token", "npm_", r"[A-Za-z0-9]{36,}"),
    ("pypi-token", "pypi-", r"[\w-]{50,}"),
    ("rubygems-key", "rubygems_", r"[0-9a-f]{48}"),
    ("huggingface-token", "hf_", r"[A-Za-z0-9]{30,}"),
    ("digitalocean-token", "dop_v1_", r"[0-9a-f]{64}"),
    ("digitalocean-token", "doo_v1_", r"[0-9a-f]{64}"),
    ("digitalocean-token", "dor_v1_", r"[0-9a-f]{64}"),
    ("databricks-token", "dapi", r"[0-9a-f]{32}(?:-\d)?(?![A-Za-z0-9])"),
    ("shopify-token", "shpat_", r"[0-9A-Fa-f]{32}"),
    ("shopify-token", "shpca_", r"[0-9A-Fa-f]{32}"),
    ("shopify-token", "shppa_", r"[0-9A-Fa-f]{32}"),
    ("shopify-token", "shpss_", r"[0-9A-Fa-f]{32}"),
    ("square-token", "sq0", r"(?:atp|csp|idp)-[\w-]{22,}"),
    ("square-token", "EAAA", r"[\w-]{60}(?![\w/+=-])"),
    ("linear-key", "lin_api_", r"[A-Za-z0-9]{32,}"),
    ("linear-key", "lin_oauth_", r"[A-Za-z0-9]{32,}"),
    ("notion-token", "ntn_", r"[A-Za-z0-9]{40,}"),
    ("notion-token", "secret_", r"[A-Za-z0-9]{43}(?![A-Za-z0-9])"),
    ("vault-token", "hvs.", r"[\w-]{24,}"),
    ("vault-token", "hvb.", r"[\w-]{24,}"),
    ("vault-token", "hvr.", r"[\w-]{24,}"),
    ("doppler-token", "dp.", r"(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,}"),
    ("fly-token", "fo1_", r"[\w-]{43,}"),
    ("fly-token", "fm1", r"[ar]?_[\w+/=-]{60,}"),
    ("fly-token", "fm2", r"_[\w+/=-]{60,}"),
    ("supabase-key", "sbp_", r"[0-9a-f]{40}"),
    ("supabase-key", "sb_secret_", r"[\w-]{20,}"),
    ("atlassian-token", "ATATT3", r"[\w=-]{60,}"),
    ("newrelic-key", "NRAK-", r"[A-Z0-9]{27}"),
    ("grafana-token", "glsa_", r"[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}"),
    ("grafana-token", "glc_", r"[A-Za-z0-9+/=]{32,}"),
    ("postman-key", "PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}"),
    ("sentry-token", "sntrys_", r"[\w+/=-]{40,}"),
    ("sentry-token", "sntryu_", r"[0-9a-f]{64}"),
    ("figma-token", "figd_", r"[\w-]{40,}"),
    ("groq-key", "gsk_", r"[A-Za-z0-9]{40,}"),
    ("replicate-token", "r8_", r"[A-Za-z0-9]{37}"),
    ("perplexity-key", "pplx-", r"[A-Za-z0-9]{40,}"),
    ("xai-key", "xai-", r"[A-Za-z0-9]{60,}"),
    ("planetscale-token", "pscale_", r"(?:tkn|pw|oauth)_[\w.-]{32,}"),
    ("docker-token", "dckr_", r"[po]at_[\w-]{27,}"),
    ("pulumi-token", "pul-", r"[0-9a-f]{40}"),
    ("tailscale-key", "tskey-", r"[a-z]+-\w{8,}-\w{16,}"),
    ("onepassword-token", "ops_eyJ", r"[\w+/=-]{100,}"),
    ("age-secret-key", "AGE-SECRET-KEY-1", r"[0-9A-Z]{50,}"),
)

# Rule, hint, pattern. A group `v` marks the secret part, else it is the whole match.
_PEM = (
    r"-----? ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-----?(?:[^-]++|-(?!---))*+"
    r"(?:-----? ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-----?)?"
)
_PUTTY = (
    r"PuTTY-User-Key-File-\d:(?:(?!PuTTY-User|Private-L)[\s\S])*+Private-Lines: ?\d{1,4}\s+"
    r"(?:[A-Za-z0-9+/=]{1,100}+\s*+){1,200}+(?:-MAC: ?[0-9a-f]{40,64})?"
)
_BESIDE_AWS_KEY = (
    r"A[KS]IA[A-Z0-9]{16}[^A-Za-z0-9+/]{1,40}(?P<v>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])"
)
_SHAPED = (
    ("private-key", "PRIVATE KEY", _PEM),
    ("private-key", "PuTTY-User-Key-File-", _PUTTY),
    ("aws-secret-key", "IA", _BESIDE_AWS_KEY),
    ("jwt", "eyJ", r"eyJ(?<![\w-]eyJ)[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}"),
    ("google-oauth-token", "1//0", r"1//0(?<!\w1//0)[\w-]{40,}"),
    ("slack-webhook", "hooks.slack.com/", r"hooks\.slack\.com/\w{1,20}/(?P<v>[\w/+-]{20,})"),
    ("discord-webhook", "/api/webhooks/", r"/api/webhooks/\d{10,25}/(?P<v>[\w-]{50,})"),
    ("discord-token", ".", r"[MNO](?<![\w.-][MNO])[\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])"),
    ("telegram-token", ":A", r"(?<![\w:-])\d{8,10}:A[\w-]{34}(?![\w-])"),
    (
        "mailgun-key",
        "-",
        r"[0-9a-f](?<![\w-][0-9a-f])[0-9a-f]{31}-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])",
    ),
    ("mailchimp-key", "-us", r"(?<![\w-])[0-9a-f]{32}-us\d{1,2}(?![\w-])"),
    ("terraform-token", ".atlasv1.", r"(?<!\w)[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}"),
    ("azure-client-secret", "Q~", r"(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])"),
    ("azure-storage-key", "AccountKey", r"AccountKey ?= ?(?P<v>[A-Za-z0-9+/]{40,}={0,2})"),
    ("azure-sas-signature", "sig=", r"[?&]sig=(?P<v>[A-Za-z0-9%+/]{40,}={0,2})"),
    ("kubernetes-key", "client-key-data", r"client-key-data:\s{0,4}(?P<v>[A-Za-z0-9+/=]{60,})"),
    ("docker-auth", '"auth"', r'"auth"\s{0,4}:\s{0,4}"(?P<v>[A-Za-z0-9+/=]{20,})"'),
    (
        "url-credentials",
        "://",
        r"://[^\s:/@\"'<>]{0,100}:(?!\d{1,5}[?#])(?P<v>[^\s/\"'<>]{3,200})@(?=[\w\[])",
    ),
)

_LEAST_VARIED = 8
_KEY_BODY = r"[A-Za-z0-9+/=]{40}"


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


@functools.cache
def _prefix_pattern(prefix: str, body: str) -> re.Pattern[str]:
    # The look-behind stands after the literal, where it does not cost `re` its fast search.
    literal = re.escape(prefix)
    return _compiled(f"{literal}(?<![A-Za-z0-9]{literal}){body}")


def _prefixed(text: str) -> Iterator[Finding]:
    for rule, prefix, body in _PREFIXED:
        if prefix in text:
            for match in _prefix_pattern(prefix, body).finditer(text):
                if _genuine(match[0]):
                    yield Finding(rule, *match.span())


def _shaped(text: str) -> Iterator[Finding]:
    for rule, hint, pattern in _SHAPED:
        if hint in text:
            for match in _compiled(pattern).finditer(text):
                finding = _shape(rule, match)
                if finding is not None:
                    yield finding


def _shape(rule: str, match: re.Match[str]) -> Finding | None:
    group = "v" if "v" in match.re.groupindex else 0
    accepts = _SHAPE_TESTS.get(rule, _genuine)
    return Finding(rule, *match.span(group)) if accepts(match[group]) else None


def _has_key_body(block: str) -> bool:
    """Tell a key from the mere mention of its header line."""
    return _compiled(_KEY_BODY).search(block) is not None


def _genuine(token: str) -> bool:
    """Tell a key from its stand-in in a manual (`ghp_xxxx…`, `AKIA…EXAMPLE`)."""
    lowered = token.lower()
    return len(set(token)) >= _LEAST_VARIED and not any(word in lowered for word in _STAND_INS)


def _is_no_placeholder(value: str) -> bool:
    return not _placeholder(value)


_SHAPE_TESTS = {"private-key": _has_key_body, "url-credentials": _is_no_placeholder}
_STAND_INS = ("example", "placeholder", "your-", "your_", "xxxxx", "redacted", "dummy", "....")


# -- values that a name before them gives away ---------------------------------------------------

# A name begins with a literal wherever it can: `re` looks for those far faster than for choices.
_LOGIN_WORD = r"pass(?<!1pass)(?:word|wd|code|phrase|wort)s?"
_LOGIN_WORD_ABROAD = (
    r"(?<![a-z])(?:pwd|pw|kennwort|wachtwoord|senha|palavra-passe|mot de passe|contrase\u00f1a)"
)
_HINTS_ABROAD = ("pw", "kennwort", "wachtwoord", "senha", "passe", "contrase")
_KEY_OWNERS = (
    *("api", "access", "secret", "auth", "private", "signing", "encryption", "service", "account"),
    *("app", "client", "license", "master", "session", "webhook", "deploy", "storage", "admin"),
)
_KEY_TAIL = r"s?(?:[_-](?:key|id|token|value|prod|live|test|dev)){0,2}"


def _owned_key() -> str:
    """Return the pattern of a `key` that opens something: `api_key`, not `primary key`."""
    owners = "|".join(rf"(?<={owner}key)|(?<={owner}[ _-]key)" for owner in _KEY_OWNERS)
    return f"key(?:{owners})"


_LOCK_NAMES = (
    r"(?<![a-z0-9])(?:pin(?:[ -](?:code|number))?|puk|(?:door|gate|alarm|safe|lock|entry|garage|"
    r"locker|keypad|unlock|security|access)[ -](?:code|combination|pin))"
)
_ABOUT = r"(?:\s(?:for|to|of|on|at|in)\s[^\s.:;=?!\[]{1,20}(?:\s[^\s.:;=?!\[]{1,20}){0,4}?)?"
_IS = (
    r"(?:\s(?:is|was|are|ist|lautet|es|est|\u00e9|\u00e8)(?:\s(?:now|still|just|simply|actually|"
    r"currently))?(?::\s?|\s)|[\"'`*_\]]{0,3}\s{0,3}(?::=|=>|->|[:=\uff1a\u2192])[*_]{0,2}\s{0,3})"
)
_PHRASE = r"(?:pass ?phrase|(?:seed|recovery|backup) phrase|mnemonic)"
_OPTION = r"--(?<!\w--)(?:password|passwd|passphrase|token|secret|api-?key)[ =]"
_CURL_USER = r"curl(?=\s)[^\n]{0,200}?\s-u\s?[\"']?[^\s:\"']{1,64}:"
_CHINESE = (
    r"(?:\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4)[\u4e00-\u9fff]{0,6}?"
    r"(?:[\u662f\u4e3a\u70ba\u53eb]|\s?[:=\uff1a])\s{0,3}"
)
_LOGIN_PAIR = (
    r"(?:login|user(?:name)?)(?:\s?[:=]\s?|\s)[^\s,;/|]{1,40}[\s,;/|]{1,4}"
    r"(?:password\s|pass(?:\s?[:=]\s?|\s))"
)

# Rule, hints, pattern up to the value (over the lowered text), the judge of the value.
_NAMED = (
    ("aws-secret-key", ("secret",), rf"secret[ _-]?(?:access[ _-]?)?key{_ABOUT}{_IS}", "aws"),
    ("bearer-token", ("bearer",), r"bearer(?<![a-z]bearer)\s{1,3}", "token"),
    ("basic-auth", ("basic",), r"authorization[\"']?:\s{0,3}[\"']?basic\s{1,3}", "token"),
    ("generic-secret", ("key",), rf"{_owned_key()}{_KEY_TAIL}{_ABOUT}{_IS}", "token"),
    ("generic-secret", ("token",), rf"token{_KEY_TAIL}{_ABOUT}{_IS}", "token"),
    ("generic-secret", ("secret",), rf"secret{_KEY_TAIL}{_ABOUT}{_IS}", "token"),
    ("command-line-secret", ("--pass", "--token", "--secret", "--api"), _OPTION, "strong"),
    ("command-line-secret", ("curl",), _CURL_USER, "strong"),
    ("command-line-secret", ("sshpass",), r"sshpass\s{1,3}-p\s?", "strong"),
    ("login-pair", ("login", "user"), _LOGIN_PAIR, "strong"),
    ("passphrase-in-prose", ("phrase", "mnemonic"), rf"{_PHRASE}{_ABOUT}{_IS}", "words"),
    ("password-in-prose", ("pass",), rf"{_LOGIN_WORD}{_ABOUT}{_IS}", "password"),
    ("password-in-prose", ("pass",), rf"{_LOGIN_WORD}\sto\s", "strong"),
    ("password-in-prose", _HINTS_ABROAD, rf"{_LOGIN_WORD_ABROAD}{_ABOUT}{_IS}", "password"),
    ("password-in-prose", ("\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4"), _CHINESE, "ascii"),
    ("pin-in-prose", ("pin", "puk", "code", "combination"), rf"{_LOCK_NAMES}{_ABOUT}{_IS}", "pin"),
)


class _Value(NamedTuple):
    text: str
    start: int
    closes: bool  # the clause ends with it


def _named(text: str) -> Iterator[Finding]:
    # U+0130 is the one letter whose lower case is longer, which would shift every offset.
    lowered = text.replace("\u0130", "i").lower()
    for rule, hints, pattern, judge in _NAMED:
        if any(hint in lowered for hint in hints):
            for start, end in _values(text, lowered, pattern, judge):
                yield Finding(rule, start, end)


def _values(text: str, lowered: str, pattern: str, judge: str) -> Iterator[tuple[int, int]]:
    position = 0
    while match := _compiled(pattern).search(lowered, position):
        position = match.end()
        value = _value(text, position, judge)
        if value is not None and _JUDGES[judge](value):
            position = _end(text, value)
            yield value.start, position


def _end(text: str, value: _Value) -> int:
    """Return where *value* ends, however long: only its beginning was judged."""
    end = value.start + len(value.text)
    rest = _compiled(_BARE).match(text, end) if len(value.text) > _JUDGED else None
    return rest.end() if rest else end


_OPEN_QUOTES = "\"'`\u201c\u2018\u00ab\u300c"
_CLOSE_QUOTES = "\"'`\u201d\u2019\u00bb\u300d"
_QUOTED = rf"[{_OPEN_QUOTES}]([^{_CLOSE_QUOTES}\n]{{1,128}})[{_CLOSE_QUOTES}]"
_LONGEST = 200
_JUDGED = 150
_BARE = r"[^\s\uff0c\u3002\uff1b\u3001\uff01\uff1f\uff09\u300d]+"
_WORDS = r"[A-Za-z]{3,14}(?: [A-Za-z]{3,14}){3,23}"


def _value(text: str, start: int, judge: str) -> _Value | None:
    """Return what stands at *start*: a quoted text, some words for a passphrase, or a word."""
    if quoted := _compiled(_QUOTED).match(text, start):
        return _Value(quoted[1], quoted.start(1), closes=True)
    bare = _compiled(_WORDS if judge == "words" else _BARE).match(text, start, start + _LONGEST)
    if bare is None:
        return None
    word = bare[0].lstrip(_OPEN_QUOTES + "*_(")
    kept = word.rstrip(_CLOSE_QUOTES + ".,;:)*")
    rest = text[bare.end() : bare.end() + 1]
    begin = bare.end() - len(word)
    closes = rest in {"", "\n", "\r"} or kept != word or word[-1:] in {"!", "?"}
    return _Value(kept, begin, closes=closes) if kept else None


_PLACEHOLDER = (
    r"<[\w .:/-]*>?|\[[\w .:-]*\]*|\{+[\w .-]*\}*|\$\{?[A-Za-z_]\w*\}?|\$\(.*|%[a-z]|%\w+%|"
    r"[*\u2022.xX_-]+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|"
    r"(?i:(?:my|your|the|a|some|db|new|old|user)?[_-]?(?:pass|passw(?:or)?d|passphrase|pwd|pw|"
    r"secret|token|key|api[_-]?key)(?:[_-]?here)?|changeme|change[_-]me|postgres|guest|tiger|none|null|nil|true|false|"
    r"undefined|str|string|todo|tbd|redacted|hidden|placeholder|n/a)"
)
_HARMLESS = (
    r"[A-Za-z][\w+.-]*://.*|[~./\\].*/.*|[\w.+-]+@[\w-]+\.[A-Za-z.]{2,}|"
    r"\d{4}-\d\d-\d\d.*|\d{1,2}[:.]\d\d.*|"
    r"\d+-[A-Za-z]+|\d+(?i:st|nd|rd|th|x|d|h|min|s|ms|k|kb|mb|chars?|characters?|digits?|days?|times)|"
    r"(?i:sha|md|aes|pbkdf|argon|base|utf|oauth|scrypt|bcrypt|totp|2fa)-?\w{0,4}|[vV]\d[\d.]*|"
    r"[A-Za-z_]+(?:\.[A-Za-z_]+)+(?:[\[(].*)?|[A-Za-z_]\w*(?:\.\w+)+\(.*|[A-Za-z_]{4,}[\[(].*"
)


def _placeholder(value: str) -> bool:
    """Tell whether *value* only stands for a secret: `<token>`, `$TOKEN`, `****`, `password`."""
    return _compiled(_PLACEHOLDER).fullmatch(value) is not None


def _harmless(value: str) -> bool:
    """Tell whether *value* is an address, a date, a measure, an algorithm or code."""
    return _placeholder(value) or _compiled(_HARMLESS).fullmatch(value) is not None


_SHORTEST = 4
_SHORTEST_WORD = 6
_SHORTEST_TOKEN = 16
_LEAST_TOKEN_VARIETY = 10
_MIXED = 4


def _is_token(value: _Value) -> bool:
    """Judge a machine-made key: long, varied, and not words or numbers joined by dashes."""
    text = value.text
    if len(text) < _SHORTEST_TOKEN or len(set(text)) < _LEAST_TOKEN_VARIETY:
        return False
    if (
        _compiled(r"://|[(<\[{]").search(text)
        or _placeholder(text)
        or not _genuine(text)
        or not text.isascii()
    ):
        return False
    return any(_mingled(part) for part in _compiled(r"[^A-Za-z0-9]+").split(text))


def _mingled(part: str) -> bool:
    """Tell whether *part* changes between letters, capitals and digits as no word or name does."""
    kinds = len(_compiled(r"[a-z]+|[A-Z]+|[0-9]+").findall(part))
    often = 0.25 if _compiled(r"[0-9]").search(part) else 0.4
    return kinds >= max(_MIXED, often * len(part))


def _is_aws(value: _Value) -> bool:
    return bool(_compiled(r"[A-Za-z0-9+/]{40}").fullmatch(value.text)) and _genuine(value.text)


def _is_strong(value: _Value) -> bool:
    """Judge a password by its characters alone: no word of a sentence looks like it."""
    text = value.text
    if len(text) < _SHORTEST or " " in text or _harmless(text):
        return False
    letters, digits = re.search(r"[^\W\d_]", text), re.search(r"\d", text)
    if letters and digits:
        return True
    if digits:
        return len(text) >= _SHORTEST_WORD
    odd = re.search(r"[!@#$%^&*+=~?|\\]", text.rstrip("!?"))
    return len(text) >= _SHORTEST_WORD and bool(odd or _scrambled(text))


def _scrambled(text: str) -> bool:
    joined = text.count("-") > 1 and text.lower() not in _words(_NOT_PASSWORDS)
    return joined or len(re.findall(r"[a-z][A-Z]", text)) > 1


def _is_password(value: _Value) -> bool:
    """Judge what a person calls a password; a plain word only where its clause ends."""
    if _is_strong(value) or _is_words(value):
        return True
    text = value.text
    plain = len(text) >= _SHORTEST_WORD and text.isalpha() and not _harmless(text)
    return plain and value.closes and not _describes(text.lower())


def _is_ascii(value: _Value) -> bool:
    text = _compiled(r"[!-~]*").match(value.text)
    return text is not None and len(text[0]) >= _SHORTEST and not _harmless(value.text)


def _is_pin(value: _Value) -> bool:
    return bool(_compiled(r"\d{4,8}|\d\d(?:-\d\d){2,3}").fullmatch(value.text))


def _is_words(value: _Value) -> bool:
    """Judge a passphrase: four words (fewer with a number), none of which sentences are made of."""
    words = value.text.lower().split()
    if _words(_SENTENCE).intersection(words):
        return False
    numbered = len(words) > 1 and _compiled(r"[0-9]").search(value.text) is not None
    return len(words) >= _MIXED or numbered


@functools.cache
def _words(line: str) -> frozenset[str]:
    return frozenset(line.split())


def _describes(word: str) -> bool:
    """Tell whether *word* says something about a password rather than being one."""
    return word in _words(_NOT_PASSWORDS) or word.endswith(_ENDINGS)


_JUDGES = {
    "token": _is_token,
    "aws": _is_aws,
    "strong": _is_strong,
    "password": _is_password,
    "words": _is_words,
    "ascii": _is_ascii,
    "pin": _is_pin,
}

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


def _merged(found: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the *found* in order, overlapping ones as one under the name of the better rule."""
    open_: Finding | None = None
    for finding in sorted(found, key=lambda each: (each.start, _rank(each.rule))):
        if open_ is not None and finding.start < open_.end:
            rule = min(open_.rule, finding.rule, key=_rank)
            open_ = Finding(rule, open_.start, max(open_.end, finding.end))
            continue
        if open_ is not None:
            yield open_
        open_ = finding
    if open_ is not None:
        yield open_


@functools.cache
def _rank(rule: str) -> int:
    return [row[0] for row in (*_PREFIXED, *_SHAPED, *_NAMED)].index(rule)


# -- regions a person marked as private ----------------------------------------------------------

_OPENING = r"<private(?=[\s/<>]|\Z)[^<>]{0,1000}>?|<\s+private\s*>"
_CLOSING = r"<\s*/\s*private\s*>"
_PASSES = 8


@functools.cache
def _tag() -> re.Pattern[str]:
    return re.compile(rf"(?P<closing>{_CLOSING})|{_OPENING}", re.IGNORECASE)


def _has_tag(text: str) -> bool:
    return "private" in text.lower() and _tag().search(text) is not None


def _first_tag(text: str) -> int:
    match = _tag().search(text)
    return len(text) if match is None else match.start()


def _public(text: str) -> Iterator[str]:
    """Yield the pieces of *text* outside every region."""
    depth = begin = 0
    for match in _tag().finditer(text):
        if depth == 0:
            yield text[begin : match.start()]
        depth = max(0, depth - 1) if match["closing"] else depth + 1
        begin = match.end()
    if depth == 0:
        yield text[begin:]
    else:
        yield ""


def _joined(pieces: Iterable[str]) -> str:
    """Join *pieces* with the white space that would stand there had nothing been between them."""
    out: list[str] = []
    gap: str | None = None
    for piece in pieces:
        body = piece.strip()
        lead = piece[: len(piece) - len(piece.lstrip())]
        if body:
            out += [lead if gap is None else _seam(gap, lead, body, first=not out), body]
            gap = piece[len(lead) + len(body) :]
        else:
            gap = piece if gap is None else _wider(gap, piece)
    return "".join([*out, _ending(gap or "", first=not out)])


def _wider(left: str, right: str) -> str:
    """Return the larger of two gaps, with the line breaks of one and the indentation of *right*."""
    if "\n" not in right:
        return left if "\n" in left else left[:1] or right[:1]
    if left.count("\n") <= right.count("\n"):
        return right
    return left[: left.rfind("\n") + 1] + right[right.rfind("\n") + 1 :]


def _seam(left: str, right: str, body: str, *, first: bool) -> str:
    if first:
        return ""
    tight = not right and "\n" not in left and body[0] in ".,;:!?)"
    return "" if tight else _wider(left, right)


def _ending(gap: str, *, first: bool) -> str:
    return "\n" if "\n" in gap and not first else ""
