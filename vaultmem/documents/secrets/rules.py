"""The patterns of credentials, each compiled when it is first needed."""

from __future__ import annotations

import functools
import re

from vaultmem.documents.secrets.separators import ABOUT, HOLDS, IS, LONE, PAIR


@functools.cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return *pattern*, whose classes are those of ASCII."""
    return re.compile(pattern, re.ASCII)


@functools.cache
def prefixed(prefix: str, body: str) -> re.Pattern[str]:
    """Return the pattern of a *body* behind a *prefix* that no letter or digit precedes."""
    # The look-behind stands after the literal, where it does not cost `re` its fast search.
    literal = re.escape(prefix)
    return re.compile(f"{literal}(?<![A-Za-z0-9]{literal}){body}", re.ASCII)


# -- formats that say what they are ------------------------------------------------------------

# Rule, literal beginnings, what follows.
PREFIXED = (
    ("aws-access-key", ("AKIA", "ASIA"), r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("aws-bedrock-key", ("ABSK",), r"[A-Za-z0-9+/]{100,}={0,2}"),
    ("github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"[A-Za-z0-9]{36,}"),
    ("github-token", ("github_pat_",), r"\w{22,}"),
    ("gitlab-token", ("glpat-", "glrt-", "gldt-", "glptt-"), r"[\w.-]{20,}"),
    ("anthropic-key", ("sk-ant-",), r"[\w-]{20,}"),
    ("openrouter-key", ("sk-or-",), r"[\w-]{32,}"),
    ("openai-key", ("sk-proj-", "sk-svcacct-", "sk-admin-"), r"[\w-]{20,}"),
    ("openai-key", ("sk-",), r"[A-Za-z0-9]{32,}"),
    ("google-api-key", ("AIza",), r"[\w-]{35,}"),
    ("google-oauth-secret", ("GOCSPX-",), r"[\w-]{28,}"),
    ("google-oauth-token", ("ya29.",), r"[\w-]{30,}"),
    ("slack-token", ("xox",), r"[abeoprs]-[\w.-]{10,}"),
    ("slack-token", ("xapp-",), r"\d-[\w-]{20,}"),
    ("stripe-key", ("sk_live_", "rk_live_", "sk_test_", "rk_test_"), r"[A-Za-z0-9]{16,}"),
    ("stripe-webhook-secret", ("whsec_",), r"[A-Za-z0-9+/=]{24,}"),
    ("twilio-key", ("SK",), r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("sendgrid-key", ("SG.",), r"[\w-]{16,32}\.[\w-]{32,}"),
    ("mailgun-key", ("key-",), r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("brevo-key", ("xkeysib-",), r"[0-9a-f]{64}-\w{16}"),
    ("npm-token", ("npm_",), r"[A-Za-z0-9]{36,}"),
    ("pypi-token", ("pypi-",), r"[\w-]{50,}"),
    ("rubygems-key", ("rubygems_",), r"[0-9a-f]{48}"),
    ("huggingface-token", ("hf_",), r"[A-Za-z0-9]{30,}"),
    ("digitalocean-token", ("dop_v1_", "doo_v1_", "dor_v1_"), r"[0-9a-f]{64}"),
    ("databricks-token", ("dapi",), r"[0-9a-f]{32}(?:-\d)?(?![A-Za-z0-9])"),
    ("shopify-token", ("shpat_", "shpca_", "shppa_", "shpss_"), r"[0-9A-Fa-f]{32}"),
    ("square-token", ("sq0",), r"(?:atp|csp|idp)-[\w-]{22,}"),
    ("square-token", ("EAAA",), r"[\w-]{60}(?![\w/+=-])"),
    ("linear-key", ("lin_api_", "lin_oauth_"), r"[A-Za-z0-9]{32,}"),
    ("notion-token", ("ntn_",), r"[A-Za-z0-9]{40,}"),
    ("notion-token", ("secret_",), r"[A-Za-z0-9]{43}(?![A-Za-z0-9])"),
    ("vault-token", ("hvs.", "hvb.", "hvr."), r"[\w-]{24,}"),
    ("doppler-token", ("dp.",), r"(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,}"),
    ("fly-token", ("fo1_",), r"[\w-]{43,}"),
    ("fly-token", ("fm1",), r"[ar]?_[\w+/=-]{60,}"),
    ("fly-token", ("fm2",), r"_[\w+/=-]{60,}"),
    ("supabase-key", ("sbp_",), r"[0-9a-f]{40}"),
    ("supabase-key", ("sb_secret_",), r"[\w-]{20,}"),
    ("atlassian-token", ("ATATT3",), r"[\w=-]{60,}"),
    ("newrelic-key", ("NRAK-",), r"[A-Z0-9]{27}"),
    ("grafana-token", ("glsa_",), r"[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}"),
    ("grafana-token", ("glc_",), r"[A-Za-z0-9+/=]{32,}"),
    ("postman-key", ("PMAK-",), r"[0-9a-f]{24}-[0-9a-f]{34}"),
    ("sentry-token", ("sntrys_",), r"[\w+/=-]{40,}"),
    ("sentry-token", ("sntryu_",), r"[0-9a-f]{64}"),
    ("figma-token", ("figd_",), r"[\w-]{40,}"),
    ("groq-key", ("gsk_",), r"[A-Za-z0-9]{40,}"),
    ("replicate-token", ("r8_",), r"[A-Za-z0-9]{37}"),
    ("perplexity-key", ("pplx-",), r"[A-Za-z0-9]{40,}"),
    ("tavily-key", ("tvly-",), r"(?:dev-|prod-)?[A-Za-z0-9]{20,}"),
    ("xai-key", ("xai-",), r"[A-Za-z0-9]{60,}"),
    ("planetscale-token", ("pscale_",), r"(?:tkn|pw|oauth)_[\w.-]{32,}"),
    ("docker-token", ("dckr_",), r"[po]at_[\w-]{27,}"),
    ("pulumi-token", ("pul-",), r"[0-9a-f]{40}"),
    ("tailscale-key", ("tskey-",), r"[a-z]+-\w{8,}-\w{16,}"),
    ("onepassword-token", ("ops_eyJ",), r"[\w+/=-]{100,}"),
    ("age-secret-key", ("AGE-SECRET-KEY-1",), r"[0-9A-Z]{50,}"),
)

# No group is repeated possessively here: Python 3.11.2, which Debian has, keeps what a round of it
# took before it failed, and then misses the end of a key.
_PEM = (
    r"-----? ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-----?[^-]*+(?:-(?!---)[^-]*+)*"
    r"(?:-----? ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-----?)?"
)
_PUTTY = (
    r"PuTTY-User-Key-File-\d:(?:(?!PuTTY-User|Private-L)[\s\S])*Private-Lines: ?\d{1,4}\s+"
    r"(?:[A-Za-z0-9+/=]{1,100}+\s*+){1,200}(?:-MAC: ?[0-9a-f]{40,64})?"
)
_BESIDE_AWS_KEY = (
    r"A[KS]IA[A-Z0-9]{16}[^A-Za-z0-9+/]{1,40}(?P<v>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])"
)
_MAILGUN = r"[0-9a-f](?<![\w-][0-9a-f])[0-9a-f]{31}-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])"
_IN_WIFI = r"(?:\\.|[^;\\\n])"
_WIFI = rf"WIFI:(?:[TSHR]:{_IN_WIFI}{{0,100}};){{0,5}}P:(?P<v>{_IN_WIFI}{{4,100}});"
_URL_LOGIN = r"://[^\s:/@\"'<>]{0,100}:(?!\d{1,5}[?#])(?P<v>[^\s/\"'<>]{3,200})@(?=[\w\[])"

# Rule, hint, pattern. A group `v` marks the secret part, else it is the whole match.
SHAPED = (
    ("private-key", "PRIVATE KEY", _PEM),
    ("private-key", "PuTTY-User-Key-File-", _PUTTY),
    ("aws-secret-key", "IA", _BESIDE_AWS_KEY),
    ("jwt", "eyJ", r"eyJ(?<![\w-]eyJ)[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}"),
    ("google-oauth-token", "1//0", r"1//0(?<!\w1//0)[\w-]{40,}"),
    ("slack-webhook", "hooks.slack.com/", r"hooks\.slack\.com/\w{1,20}/(?P<v>[\w/+-]{20,})"),
    ("discord-webhook", "/api/webhooks/", r"/api/webhooks/\d{10,25}/(?P<v>[\w-]{50,})"),
    ("discord-token", ".", r"[MNO](?<![\w.-][MNO])[\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])"),
    ("telegram-token", ":A", r"(?<![\w:-])\d{8,10}:A[\w-]{34}(?![\w-])"),
    ("mailgun-key", "-", _MAILGUN),
    ("mailchimp-key", "-us", r"(?<![\w-])[0-9a-f]{32}-us\d{1,2}(?![\w-])"),
    ("terraform-token", ".atlasv1.", r"(?<!\w)[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}"),
    ("azure-client-secret", "Q~", r"(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])"),
    ("azure-storage-key", "AccountKey", r"AccountKey ?= ?(?P<v>[A-Za-z0-9+/]{40,}={0,2})"),
    ("azure-sas-signature", "sig=", r"[?&]sig=(?P<v>[A-Za-z0-9%+/]{40,}={0,2})"),
    ("kubernetes-key", "client-key-data", r"client-key-data:\s{0,4}(?P<v>[A-Za-z0-9+/=]{60,})"),
    ("docker-auth", '"auth"', r'"auth"\s{0,4}:\s{0,4}"(?P<v>[A-Za-z0-9+/=]{20,})"'),
    ("url-credentials", "://", _URL_LOGIN),
    ("wifi-password", "WIFI:", _WIFI),
)


# -- values that a name before them gives away ---------------------------------------------------

# A name begins with a literal wherever it can: `re` looks for those far faster than for choices.
_LOGIN_WORD = r"pass(?<!1pass)(?:word|wd|code|phrase|wort)s?"
_LOGIN_WORDS_ABROAD = (
    *("pwd", "pw", "kennwort", "wachtwoord", "senha", "palavra-passe", "mot de passe"),
    "contrase\u00f1a",
)
_KEY_OWNERS = (
    *("api", "access", "secret", "auth", "private", "signing", "encryption", "service", "account"),
    *("app", "client", "license", "master", "session", "webhook", "deploy", "storage", "admin"),
)
_KEY_TAIL = r"s?(?:[_-](?:key|id|token|value|prod|live|test|dev)){0,2}"


# A `key` that opens something: `api_key`, not `primary key`.
_OWNERS = "|".join(rf"(?<={owner}key)|(?<={owner}[ _-]key)" for owner in _KEY_OWNERS)
_OWNED_KEY = f"key(?:{_OWNERS})"
_LOCKS = (
    *("door", "gate", "alarm", "safe", "lock", "entry", "garage", "locker", "keypad", "unlock"),
    *("security", "access"),
)
_PIN = r"pin(?<![a-z0-9]pin)(?:[ -](?:code|number))?"
_PUK = r"puk(?<![a-z0-9]puk)"


def _of_a_lock(name: str) -> str:
    return f"{name}(?:{'|'.join(f'(?<=(?<![a-z0-9]){lock}[ -]{name})' for lock in _LOCKS)})"


_GIVEN = f"(?:{ABOUT}{IS}|{HOLDS})"
_PHRASE = r"(?:pass ?phrase|(?:seed|recovery|backup) phrase|mnemonic)"
_SEED = {
    "seed": "seed",
    "mnemonic": "mnemonic",
    "phrase": r"phrase(?:(?<=recovery phrase)|(?<=backup phrase))",
}
_SEED_WORDS = rf"(?: phrase| words?)?{ABOUT}(?:{IS}|\s{{1,3}})(?:[-*]\s)?(?:1[.):]\s{{0,2}})?"
_RUSSIAN = rf"\u043f\u0430\u0440\u043e\u043b[\u044c\u044f]{ABOUT}(?:{IS}|\s?[\u2013\u2014-]\s)"
_OPTION = r"--(?<!\w--)(?:password|passwd|passphrase|token|secret|api-?key)[ =]"
_CURL_USER = r"curl(?=\s)[^\n]{0,200}?\s-u\s?[\"']?[^\s:\"']{1,64}:"
_MYSQL = r"(?:mysql|mariadb)(?:dump|admin)?(?=\s)[^\n|;&]{0,200}?\s-p(?=\S)"
_COOKIE = (
    r"cookie[\"']?\s?[:=]\s?[\"']?(?:[^\s=;\"']{1,64}=[^\s;\"']{0,200};\s?){0,9}?"
    r"[\w.-]{0,40}(?:sess|session|sid|sessionid|session_id)="
)
_CHINESE = (
    r"(?:\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4)[\u4e00-\u9fff]{0,6}?"
    r"(?:[\u662f\u4e3a\u70ba\u53eb]|\u6210\u4e86?|\s?[:=\uff1a])\s{0,3}"
)
_LOGIN_PAIR = (
    r"(?:login|user(?:name)?)(?:\s?[:=]\s?|\s)[^\s,;/|]{1,40}(?:[\s,;/|]{1,4}|\n[ \t]{5,20})"
    r"(?:password\s|pass(?:\s?[:=]\s?|\s))"
)

_HEADING = (
    rf"# (?:[^\n#]{{0,40}}[ _-])?{_LOGIN_WORD}[:*]{{0,3}}[ \t\r]{{0,3}}\n[ \t\r]{{0,3}}\n"
    rf"(?:```\w{{0,10}}\n)?{LONE}"
)
_BOLD_LABEL = (
    rf"(?:\*\*|__)(?:[^\n#*]{{0,40}}[ _-])?{_LOGIN_WORD}:?(?:\*\*|__):?[ \t\r]{{0,3}}\n"
    rf"(?:[ \t\r]{{0,3}}\n)?[ \t]{{0,3}}{LONE}"
)


def _before_a_key(name: str) -> str:
    """Return what stands right before a key that is called so: `the API key 4f…`."""
    owned = f"{name}(?:(?<=api[ _-]{name})|(?<=access[ _-]{name}))"
    return rf"{owned}\s{{1,3}}(?=[\w-]{{24,200}}(?![\w./:@=-]))"


_KEY_OF_JSON = r"pass(?<=[\"'_-]pass)[\"']\s?:\s{0,3}(?=[\"'])"
_AUTHORIZATION = (
    r"authorization[\"'`*_]{0,3}\s?[:=]\s{0,3}[\"'`*_]{0,3}"
    r"(?:(?:token|bot|api-?key|key)[*_]{0,2}\s{1,3})?"
)

# Rule, hints, pattern up to the value (over the lowered text), the judge of the value.
NAMED = (
    ("aws-secret-key", ("secret",), rf"secret[ _-]?(?:access[ _-]?)?key{ABOUT}{IS}", "aws"),
    ("bearer-token", ("bearer",), r"bearer(?<![a-z]bearer)\s{1,3}", "token"),
    (
        "basic-auth",
        ("authorization",),
        r"authorization[\"'`*_]{0,3}\s?[:=]\s{0,3}[\"'`*_]{0,3}basic[*_]{0,2}\s{1,3}",
        "token",
    ),
    ("bearer-token", ("authorization",), _AUTHORIZATION, "token"),
    ("generic-secret", ("key",), rf"{_OWNED_KEY}{_KEY_TAIL}{_GIVEN}", "token"),
    ("generic-secret", ("token",), rf"token{_KEY_TAIL}{_GIVEN}", "token"),
    ("generic-secret", ("secret",), rf"secret{_KEY_TAIL}{_GIVEN}", "token"),
    *(("generic-secret", (it,), _before_a_key(it), "token") for it in ("key", "token")),
    ("command-line-secret", ("--pass", "--token", "--secret", "--api"), _OPTION, "strong"),
    ("command-line-secret", ("curl",), _CURL_USER, "strong"),
    ("command-line-secret", ("mysql", "mariadb"), _MYSQL, "strong"),
    ("session-cookie", ("cookie",), _COOKIE, "token"),
    ("session-cookie", ("phpsessid", "jsessionid"), r"(?:phpsessid|jsessionid)=", "token"),
    ("command-line-secret", ("sshpass",), r"sshpass\s{1,3}-p\s?", "strong"),
    ("login-pair", ("login", "user"), _LOGIN_PAIR, "strong"),
    *(("passphrase-in-prose", (it,), f"{_SEED[it]}{_SEED_WORDS}", "seed") for it in _SEED),
    ("passphrase-in-prose", ("phrase", "mnemonic"), rf"{_PHRASE}{ABOUT}{IS}", "words"),
    ("password-in-prose", ("pass",), rf"{_LOGIN_WORD}{ABOUT}{IS}", "password"),
    ("password-in-prose", ("pass",), rf"{_LOGIN_WORD}(?:\sto\s|{HOLDS})", "strong"),
    ("password-in-prose", ("pass",), _HEADING, "strong"),
    ("password-in-prose", ("pass",), _BOLD_LABEL, "strong"),
    ("password-in-prose", ("pass",), _KEY_OF_JSON, "variable"),
    *(
        ("password-in-prose", (word,), rf"{word}(?<![a-z]{word}){then}", judge)
        for word in _LOGIN_WORDS_ABROAD
        for then, judge in ((f"{ABOUT}{IS}", "password"), (HOLDS, "strong"))
    ),
    ("password-in-prose", ("\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4"), _CHINESE, "ascii"),
    ("password-in-prose", ("\u043f\u0430\u0440\u043e\u043b",), _RUSSIAN, "foreign"),
    ("pin-in-prose", ("pin",), rf"{_PIN}{ABOUT}{IS}", "pin"),
    ("pin-in-prose", ("puk",), rf"{_PUK}{ABOUT}{IS}", "pin"),
    ("pin-in-prose", ("code",), rf"{_of_a_lock('code')}{ABOUT}{IS}", "pin"),
    ("pin-in-prose", ("combination",), rf"{_of_a_lock('combination')}{ABOUT}{IS}", "pin"),
)


def _variable(name: str) -> str:
    return rf"_{name}(?<=[A-Z0-9]_{name})(?:[\"']?[ \t]?[=:][ \t]{{0,3}}|{PAIR})"


# As NAMED, over the text as it stands: the name of a variable of the environment is in capitals.
VARIABLES = (
    ("environment-secret", ("secret",), _variable("SECRET"), "variable"),
    ("environment-secret", ("token",), _variable("TOKEN"), "variable"),
    ("environment-secret", ("key",), _variable("APIKEY"), "variable"),
    ("environment-secret", ("key",), _variable("API_KEY"), "variable"),
    ("environment-secret", ("key",), _variable("SECRET_KEY"), "variable"),
    ("environment-secret", ("key",), _variable("KEY_BASE"), "variable"),
    ("environment-secret", ("pass",), _variable("PASS"), "password"),
    ("environment-secret", ("pwd",), _variable("PWD"), "password"),
)
